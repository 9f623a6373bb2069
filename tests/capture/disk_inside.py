"""Runs in a mount namespace of its own: hooks on a small disk that is full. Prints what happened.

Usage: disk_inside.py FOLDER CASE     one JSON object on standard output; status 77 without mounts
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from hook_runner import CURSOR, Home, wrap_command

PAGE = 4096
HOOK = ("cursor", "beforeShellExecution")
SERVE = "from hookstream.capture.collector.serve import Options, serve; serve(Options())"
GUARD = "import sys; sys.stdin.read(); print('{}'); print('no', file=sys.stderr); sys.exit(2)"


class Disk:
    """A tmpfs, and a file that takes what is left of it."""

    def __init__(self, folder: Path, size_kib: int) -> None:
        self.folder = folder / "disk"
        self.folder.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", f"size={size_kib}k", "none", str(self.folder)]
        if subprocess.run(words, capture_output=True).returncode:
            sys.exit(77)
        self.filler = self.folder / "filler"

    def fill(self, pages_left: int = 0) -> None:
        """Writes until nothing more fits, then gives some pages back."""
        self.free()
        with open(self.filler, "wb", buffering=0) as file, suppress(OSError):
            while file.write(b"x" * PAGE):
                pass
        os.truncate(self.filler, max(0, self.filler.stat().st_size - pages_left * PAGE))

    def free(self) -> None:
        self.filler.unlink(missing_ok=True)


def payload(number: int, size: int) -> dict[str, Any]:
    return {**CURSOR, "generation_id": f"g-{number}", "command": f"echo {number} " + "x" * size}


def patient(folder: Path) -> Home:
    """A home whose hooks have so much time that a busy machine does not shorten what they keep."""
    home = Home(folder)
    home.configure({"budget_ms": 30_000})
    return home


def hook(home: Home, number: int, size: int = 100, **env: str) -> list[Any]:
    done = home.hook(*HOOK, payload=payload(number, size), env=env)
    return [done.returncode, done.stdout.decode(), done.stderr.decode()]


def log_of(path: Path) -> dict[str, Any]:
    """The log's whole lines by number, and whether it ends in a torn one."""
    data = path.read_bytes() if path.exists() else b""
    metadata = [json.loads(line)["metadata"]["dev.hookstream"] for line in data.splitlines()]
    # A line of an event that could not be normalized has no turn.
    turns = [meta["turn_id"] for meta in metadata if "turn_id" in meta]
    numbers = [int(turn.removeprefix("g-")) for turn in turns]
    return {"numbers": numbers, "torn": data[-1:] not in (b"", b"\n")}


def everything(folder: Path) -> dict[str, Any]:
    """Home, state, log and cache lie on the disk."""
    disk = Disk(folder, 2048)
    home = patient(disk.folder)
    answers = [hook(home, 0)]
    disk.fill()
    answers += [hook(home, number, 9000) for number in range(1, 6)]
    full = log_of(home.log)
    disk.free()
    answers.append(hook(home, 6))
    return {"answers": answers, "full": full, "after": log_of(home.log)}


def rooms(folder: Path) -> dict[str, Any]:
    """A line of some pages, and room for none to nine."""
    disk = Disk(folder, 128)
    home = patient(folder)
    log = disk.folder / "log.jsonl"
    found = []
    for pages in range(10):
        log.unlink(missing_ok=True)
        disk.free()
        first = hook(home, 0, AGENT_HOOKS_LOG=str(log))
        disk.fill(pages)
        second = hook(home, 1, 2 * PAGE + 500, AGENT_HOOKS_LOG=str(log))
        full = log_of(log)
        disk.free()
        third = hook(home, 2, AGENT_HOOKS_LOG=str(log))
        answers = [first, second, third]
        found.append({"answers": answers, "full": full, "after": log_of(log)})
    return {"rooms": found, "failures": len(home.failures())}


def many(folder: Path) -> dict[str, Any]:
    """Sixteen at once where about six have room; what fails is noted on another disk."""
    disk = Disk(folder, 64)
    home = patient(folder)
    log = disk.folder / "log.jsonl"
    answers: list[list[Any]] = []

    def one(number: int) -> None:
        answers.append(hook(home, number, 2 * PAGE, AGENT_HOOKS_LOG=str(log)))

    threads = [threading.Thread(target=one, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"answers": answers, "full": log_of(log), "failures": len(home.failures())}


def wrapped(folder: Path) -> dict[str, Any]:
    """A policy hook, alone and wrapped."""
    disk = Disk(folder, 2048)
    home = patient(disk.folder)
    guard = [sys.executable, "-c", GUARD]
    lines = (guard, wrap_command(*HOOK, guard))
    first = json.dumps(payload(0, 10)).encode()
    subprocess.run(lines[1], input=first, capture_output=True, env=home.environment())
    # What it records, it records after its answer.
    while not home.log.exists() or b"Policy." not in home.log.read_bytes():
        time.sleep(0.05)
    disk.fill()
    answers = []
    for line in lines:
        data = json.dumps(payload(1, 9000)).encode()
        done = subprocess.run(line, input=data, capture_output=True, env=home.environment())
        answers.append([done.returncode, done.stdout.decode(), done.stderr.decode()])
    return {"answers": answers}


def collected(folder: Path) -> dict[str, Any]:
    """With a collector, whose log lies on the full disk."""
    disk = Disk(folder, 64)
    home = patient(folder)
    log = disk.folder / "log.jsonl"
    env = {**home.environment(), "AGENT_HOOKS_LOG": str(log)}
    with subprocess.Popen([sys.executable, "-c", SERVE], env=env, stderr=subprocess.PIPE) as serve:
        assert serve.stderr is not None and b"listening" in serve.stderr.readline()
        answers = [hook(home, 0, AGENT_HOOKS_LOG=str(log))]
        disk.fill()
        answers += [hook(home, number, 9000, AGENT_HOOKS_LOG=str(log)) for number in range(1, 6)]
        full = log_of(log)
        disk.free()
        answers.append(hook(home, 6, AGENT_HOOKS_LOG=str(log)))
        serve.kill()
    failures = len(home.failures())
    return {"answers": answers, "full": full, "after": log_of(log), "failures": failures}


if __name__ == "__main__":
    cases = {one.__name__: one for one in (everything, rooms, many, wrapped, collected)}
    print(json.dumps(cases[sys.argv[2]](Path(sys.argv[1]))))
