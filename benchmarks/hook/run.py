"""What the hook costs an agent, beside `python3 -c pass` and a C program that appends.

    python benchmarks/hook/run.py [--runs N] [--vendor NAME] [--json FILE]

All programs take turns within one run, so that the ratios hold on a machine that is busy with other
things too. Wall time from spawn to exit (median, 95th percentile) and processor time, in ms.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hookstream.capture.command import prepare, words

HERE = Path(__file__).parent
PAYLOAD = {
    "session_id": "531578fa-890f-4b34-a705-e4722f3a651d",
    "transcript_path": "/home/dev/.claude/projects/-home-dev-project/531578fa.jsonl",
    "cwd": "/home/dev/project",
    "prompt_id": "a87bebc6-1221-4bb6-a557-3efc9bd19c18",
    "permission_mode": "default",
    "hook_event_name": "PostToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "git status --short && ls -la src", "description": "Show changes"},
    "tool_response": {
        "stdout": "M src/main.c\n" + "-rw-r--r-- 1 dev dev 1234 Nov 21 02:10 file.c\n" * 20,
        "stderr": "",
        "interrupted": False,
        "isImage": False,
    },
    "tool_use_id": "toolu_01ABCDEFGHJKLMNPQRSTUVWX",
    "duration_ms": 42,
}


def once(argv: list[str], data: bytes, env: dict[str, str]) -> tuple[float, float]:
    """Milliseconds of wall and of processor time."""
    before = os.times()
    began = time.perf_counter()
    subprocess.run(argv, input=data, env=env, stdout=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - began
    after = os.times()
    used = after.children_user + after.children_system
    return wall * 1000, (used - before.children_user - before.children_system) * 1000


def summary(samples: list[tuple[float, float]]) -> dict[str, float]:
    walls = sorted(wall for wall, _ in samples)
    return {
        "median_ms": round(statistics.median(walls), 2),
        "p95_ms": round(walls[int(len(walls) * 0.95)], 2),
        "cpu_ms": round(statistics.mean(cpu for _, cpu in samples), 2),
    }


def compiled(folder: Path) -> list[str] | None:
    """The C program, where there is a compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    program = folder / "append"
    subprocess.run([compiler, "-O2", "-o", program, HERE / "append.c"], check=True)
    return [str(program), str(folder / "c.jsonl")]


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--runs", type=int, default=200)
    options.add_argument("--vendor", default="claude-code")
    options.add_argument("--json", type=Path)
    given = options.parse_args()
    system = shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable
    data = json.dumps(PAYLOAD).encode()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        folder = Path(name)
        programs = {
            "python3 -c pass": [system, "-c", "pass"],
            "python -I -S -E -c pass": [sys.executable, "-I", "-S", "-E", "-c", "pass"],
            "hook alone": words(given.vendor, "PostToolUse"),
        }
        floor = compiled(folder)
        if floor is not None:
            programs["C program"] = floor
        env = {"HOME": name, "PATH": os.environ["PATH"]}
        prepare(given.vendor)
        samples: dict[str, list[tuple[float, float]]] = {label: [] for label in programs}
        for round_ in range(given.runs + 3):
            for label, argv in programs.items():
                sample = once(argv, data, env)
                if round_ >= 3:  # caches are warm
                    samples[label].append(sample)
        log = folder / ".local" / "state" / "hookstream" / "log" / "agent-hooks.jsonl"
        lines = len(log.read_bytes().splitlines())
        assert lines == given.runs + 3, f"{lines} lines in the log"
    found = {label: summary(taken) for label, taken in samples.items()}
    base = found["python3 -c pass"]
    print(f"{'':26}{'median':>9}{'p95':>9}{'cpu':>9}{'x median':>10}{'x cpu':>8}   ({system})")
    for label, row in found.items():
        row["ratio"] = round(row["median_ms"] / base["median_ms"], 2)
        row["cpu_ratio"] = round(row["cpu_ms"] / base["cpu_ms"], 2)
        print(
            f"{label:26}{row['median_ms']:9.2f}{row['p95_ms']:9.2f}{row['cpu_ms']:9.2f}"
            f"{row['ratio']:10.2f}{row['cpu_ratio']:8.2f}"
        )
    print("the hook normalises, redacts and syncs (fdatasync); promised: at most 2.5 x python3")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0 if found["hook alone"]["ratio"] <= 2.5 else 1


if __name__ == "__main__":
    sys.exit(main())
