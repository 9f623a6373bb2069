"""What a hook costs with a collector, beside the least that Python and C can do.

    python benchmarks/collector/bench.py [--rounds N] [--json FILE]

Every round runs each program once, in an order that changes, so that a busy machine slows all of
them alike. Times are wall clock from spawn to exit and CPU of the client's process (the collector's
own share is printed by itself); the figures to compare are the ratios to the system's
`python3 -c pass`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hookstream.capture import command, forward_command

HERE = Path(__file__).parent
PAYLOAD = {
    "session_id": "5d0c",
    "transcript_path": "/home/dev/.claude/projects/p/5d0c.jsonl",
    "cwd": "/home/dev/project",
    "prompt_id": "p-1",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "git log --oneline | head -20", "description": "Show history"},
    "tool_use_id": "toolu_01",
}
SERVE = "from hookstream.capture.serve import Options, serve; serve(Options())"


def compile_c(name: str, folder: Path) -> str | None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    target = folder / name
    subprocess.run([compiler, "-O2", "-o", target, HERE / f"{name}.c"], check=True)
    return str(target)


def once(argv: list[str], data: bytes, env: dict[str, str]) -> tuple[float, float]:
    """Milliseconds of wall clock and of CPU for one run."""
    with tempfile.TemporaryFile() as source:
        source.write(data)
        source.seek(0)
        began = time.perf_counter()
        null = subprocess.DEVNULL
        process = subprocess.Popen(argv, stdin=source, stdout=null, stderr=null, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, argv
    return wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def summary(times: list[tuple[float, float]]) -> dict[str, float]:
    walls = sorted(wall for wall, _ in times)
    return {
        "median_ms": statistics.median(walls),
        "p95_ms": walls[int(len(walls) * 0.95)],
        "cpu_ms": statistics.mean(cpu for _, cpu in times),
    }


def programs(folder: Path, python: str) -> dict[str, list[str]]:
    """Name -> command line. `python` is the interpreter that the hook is registered with."""
    light = forward_command.words("claude-code", "PreToolUse")
    alone = command.words("claude-code", "PreToolUse")
    light[0] = alone[0] = python
    found = {
        "python3 -c pass": [python, "-c", "pass"],
        "python3 -I -S -E -c pass": [python, "-I", "-S", "-E", "-c", "pass"],
        "hook with collector": light,
        "hook alone": alone,
    }
    append, client = compile_c("append", folder), compile_c("client", folder)
    if append and client:
        socket = f"{folder}/.local/state/hookstream/run/collector.sock"
        found["C client with collector"] = [client, socket, "claude-code", "PreToolUse"]
        found["C appends and syncs"] = [append, str(folder / "append.log")]
    return found


def measure(rounds: int, python: str) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory(prefix="hs") as name:
        folder = Path(name)
        env = {"HOME": name, "PATH": os.environ["PATH"]}
        forward_command.prepare()
        command.prepare("claude-code")
        data = json.dumps(PAYLOAD).encode()
        server = subprocess.Popen(
            [sys.executable, "-c", SERVE], env=env, stderr=subprocess.PIPE, text=True
        )
        try:
            assert "listening" in server.stderr.readline()
            runs = programs(folder, python)
            for argv in runs.values():
                for _ in range(3):
                    once(argv, data, env)
            times: dict[str, list[tuple[float, float]]] = {key: [] for key in runs}
            before = os.sysconf("SC_CLK_TCK"), cpu_of(server.pid)
            for _ in range(rounds):
                for key in random.sample(list(runs), len(runs)):
                    times[key].append(once(runs[key], data, env))
            ticks, used = before[0], cpu_of(server.pid) - before[1]
        finally:
            server.terminate()
            server.wait(10)
    made = {key: summary(value) for key, value in times.items()}
    served = rounds * sum("with collector" in key for key in runs)
    made["collector, per hook"] = {"cpu_ms": used / ticks * 1000 / served}
    return made


def cpu_of(pid: int) -> int:
    """Clock ticks of a process so far (Linux; 0 elsewhere)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--python", default="/usr/bin/python3", help="the system's interpreter")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    python = options.python if Path(options.python).exists() else sys.executable
    made = measure(options.rounds, python)
    base = made["python3 -c pass"]
    print(f"{'':28}{'median':>10}{'p95':>10}{'CPU':>10}   ratios")
    for name, row in made.items():
        cells = [f"{row[key]:7.1f} ms" if key in row else "" for key in base]
        ratios = [f"{row[key] / base[key]:.2f}" for key in base if key in row]
        print(f"{name:28}{cells[0]:>10}{cells[1]:>10}{cells[2]:>10}   {' '.join(ratios)}")
    if options.json is not None:
        options.json.write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
