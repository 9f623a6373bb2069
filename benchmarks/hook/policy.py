"""What the machine's policy costs a hook: with none, with one its snapshot knows, with one that it
has to parse at each start (no snapshot can be kept).

    python benchmarks/hook/policy.py [--runs N]

Runs that take turns, so that the differences hold on a busy machine. Wall time and processor time
of the process in ms, the median of each.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from hookstream.capture.install.command import direct, prepare

POLICY = 'privacy = "hash"\nkeep = 5\nlocked = ["log", "privacy", "pseudonyms", "environment"]\n'
PAYLOAD = {
    "session_id": "5d0c",
    "cwd": "/home/dev/project",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "git status"},
    "tool_use_id": "toolu_01",
}


def program(folder: Path, fresh: bool) -> list[str]:
    """The hook with the policy of a folder; `fresh`: its snapshot forgets what it said."""
    *options, file, name = direct("hook", [])
    code = (
        f"import sys;sys.argv[1:1]=[{name!r}];"
        f"ns={{'__name__':'launch','__file__':{file!r}}};"
        f"exec(compile(open({file!r}).read(),{file!r},'exec'),ns);"
        f"ns['find_package']({file!r});"
        "from hookstream.capture.startup import lazy_stdlib as light;"
        "import hookstream.configuration.machine as m;"
        f"m.FOLDER={str(folder)!r};m.OWNERS=({os.getuid()},);"
    )
    if fresh:
        code += (
            "from hookstream.capture.startup.snapshot import Snapshot as S;recall=S.recall;"
            "S.recall=lambda s,k: None if k[0]=='toml' else recall(s,k);S.save=lambda s: False;"
        )
    return [*options, "-c", code + "ns['run'](sys.argv[1:])", "claude-code", "PreToolUse"]


def once(words: list[str], env: dict[str, str]) -> tuple[float, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(words, input=json.dumps(PAYLOAD).encode(), env=env, check=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1e3, used * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=60)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as scratch:
        none, policy, home = (Path(scratch) / name for name in ("none", "policy", "home"))
        for folder in (none, policy, home):
            folder.mkdir()
        (policy / "config.toml").write_text(POLICY)
        env = {"HOME": str(home), "PATH": os.environ["PATH"]}
        prepare("claude-code")
        kinds = {
            "no policy": program(none, False),
            "policy, known": program(policy, False),
            "policy, parsed": program(policy, True),
        }
        for words in kinds.values():
            once(words, env)
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in kinds}
        for n in range(runs):
            order = list(kinds)[n % 3 :] + list(kinds)[: n % 3]
            for name in order:
                taken[name].append(once(kinds[name], env))
        for name, times in taken.items():
            wall, used = (statistics.median(one[n] for one in times) for n in (0, 1))
            print(f"{name:15} wall {wall:6.1f} ms  processor {used:6.1f} ms")


if __name__ == "__main__":
    main()
