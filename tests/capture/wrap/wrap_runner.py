"""Runs wrapped hooks as a client does, and waits for what their recorder writes."""

import json
import subprocess
import sys
import time
from pathlib import Path

from hook_runner import wrap_command

PATIENCE_S = 15


def policy(folder: Path, text: str) -> list[str]:
    """A policy hook: a Python program with these lines, behind reading its input."""
    path = folder / "policy.py"
    path.write_text(f"import sys, os, time, json\ndata = sys.stdin.buffer.read()\n{text}\n")
    return [sys.executable, "-I", "-S", str(path)]


def wrapped(
    home, vendor: str, event: str | None, hook: list[str], payload: object, **options: object
) -> subprocess.CompletedProcess[bytes]:
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return subprocess.run(
        wrap_command(vendor, event, hook),
        input=data,
        capture_output=True,
        env=home.environment(),
        timeout=60,
        check=False,
        **options,
    )


def lines(path: Path, wanted: int) -> list[dict]:
    """The log's events once there are so many; fails when they do not come."""
    until = time.monotonic() + PATIENCE_S
    found: list[dict] = []
    while time.monotonic() < until:
        if path.exists():
            whole = path.read_bytes().split(b"\n")[:-1]  # one may be half written as we look
            found = [json.loads(line) for line in whole]
            if len(found) >= wanted:
                return found
        time.sleep(0.02)
    raise AssertionError(f"{len(found)} of {wanted} events: {found}")


def meta(event: dict) -> dict:
    return event["metadata"]["dev.hookstream"]
