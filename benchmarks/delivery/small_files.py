"""Answers of a follower over many small files to SIGTERM and SIGINT, at any moment of its run.

    python benchmarks/delivery/small_files.py [--files N] [--stops N] [--seed N] [--idle SECONDS]

Prints the time of a one-shot run, the time to a follower's first event, the answer to each signal
and, with `--idle`, the processor time per second of a follower with nothing to do.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

COMMAND = [sys.executable, "-m", "hookstream", "run"]
LIMIT_S = 2.0


def fill(folder: Path, files: int) -> None:
    """`files` logs of four lines in folders of a hundred, as laptops rotate theirs."""
    for number in range(files):
        place = folder / f"machine-{number // 100:04}"
        place.mkdir(parents=True, exist_ok=True)
        lines = [
            json.dumps({"vendor": "claude-code", "payload": payload(number, line)})
            for line in range(4)
        ]
        (place / f"hooks.{number % 100}.jsonl").write_text("\n".join(lines) + "\n")


def payload(number: int, line: int) -> dict[str, object]:
    return {
        "session_id": f"s{number}",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_use_id": f"c{number}-{line}",
        "cwd": "/srv",
        "tool_input": {"command": f"ls {line}"},
    }


def follower(folder: Path, home: Path) -> subprocess.Popen[bytes]:
    """A follower in a process group of itself."""
    sinks = ["--to", f"parquet:{home / 'lake'}", "--seal"]
    return subprocess.Popen(
        [*COMMAND, str(folder), "--follow", *sinks, "--state", str(home / "state")],
        stdout=subprocess.DEVNULL,
        stderr=(home / "said").open("ab"),
        start_new_session=True,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": str(home / "s")},
    )


def first_event_s(folder: Path, home: Path) -> float:
    """Seconds to the first part of the lake."""
    began = time.monotonic()
    process = follower(folder, home)
    while not any((home / "lake").rglob("*.parquet")) and process.poll() is None:
        time.sleep(0.05)
    elapsed = time.monotonic() - began
    process.kill()
    process.wait()
    return elapsed


def answer_s(folder: Path, home: Path, after: float, sent: int) -> tuple[float, int]:
    """Seconds from the signal to the end of the process, and its exit code."""
    process = follower(folder, home)
    with suppress(subprocess.TimeoutExpired):
        process.wait(after)
    began = time.monotonic()
    process.send_signal(sent)
    try:
        code = process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    return time.monotonic() - began, code


def idle_share(folder: Path, home: Path, seconds: float) -> float:
    """Processor seconds a second of a follower that has read everything."""
    process = follower(folder, home)
    stat = Path(f"/proc/{process.pid}/stat")

    def used() -> float:
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    last = -1.0
    while process.poll() is None and used() - last > 5:  # until a ten-second turn is quiet
        last = used()
        time.sleep(10)
    begin = used()
    time.sleep(seconds)
    share = (used() - begin) / seconds
    process.terminate()
    process.wait()
    return share


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=40_000)
    parser.add_argument("--stops", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--idle", type=float, default=0.0)
    parser.add_argument("--span", type=float, default=120.0, help="seconds over which stops spread")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        fill(root / "logs", options.files)
        for number in range(options.stops):
            home = root / f"home{number % 3}"  # every third starts where another was stopped
            home.mkdir(exist_ok=True)
            after = options.span * (number + rng.random()) / options.stops
            sent = (signal.SIGTERM, signal.SIGINT)[number % 2]
            elapsed, code = answer_s(root / "logs", home, after, sent)
            worst = max(worst, elapsed)
            said = f"{signal.Signals(sent).name} after {after:.1f} s: {elapsed:.2f} s, exit {code}"
            print(said, flush=True)
            if code not in (0, 3, -sent):
                print((home / "said").read_text()[-400:], flush=True)
        if options.idle:
            home = root / "home0"
            print(
                f"idle: {idle_share(root / 'logs', home, options.idle):.3f} s a second", flush=True
            )
        shutil.rmtree(root / "home0", ignore_errors=True)
        (root / "home0").mkdir()
        print(f"first event: {first_event_s(root / 'logs', root / 'home0'):.1f} s", flush=True)
        began = time.monotonic()
        one = [*COMMAND, str(root / "logs"), "--to", f"parquet:{root / 'once'}"]
        subprocess.run(one, check=True, capture_output=True)
        print(f"one-shot: {time.monotonic() - began:.1f} s")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"worst answer {worst:.2f} s, peak {peak} MiB")
    return int(worst > LIMIT_S)


if __name__ == "__main__":
    sys.exit(main())
