"""Real files, a real follower in a thread or process, and what arrived."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from hookstream.delivery import dead_letters
from hookstream.delivery.follow import Delivery, Follower, Plan
from hookstream.delivery.job import Job, make_pipeline
from hookstream.sinks import open_sink

NOW = "2026-03-01T12:00:00.000Z"
KEY = b"k" * 32
Within = Callable[[float], AbstractContextManager[None]]


def payload(name: str, session: str, **fields: Any) -> bytes:
    given = {
        "session_id": session,
        "transcript_path": f"/home/dev/{session}.jsonl",
        "cwd": "/home/dev/project",
        "hook_event_name": name,
        **fields,
    }
    record = {"vendor": "claude-code", "received_at": NOW, "payload": given}
    return json.dumps(record).encode() + b"\n"


def before(number: int, session: str = "s-1", command: str | None = None) -> bytes:
    """One line that gives one event with an id of its own."""
    return payload(
        "PreToolUse",
        session,
        tool_name="Bash",
        tool_input={"command": command or f"ls /srv/{number}"},
        tool_use_id=f"toolu_{number:06d}",
    )


def many(count: int, first: int = 0) -> list[bytes]:
    return [before(n, f"s-{n % 7}") for n in range(first, first + count)]


def calls_in(lines: list[dict[str, Any]]) -> list[int]:
    """The numbers of the calls that arrived, in order."""
    return [int(one["metadata"]["dev.hookstream"]["call_id"][6:]) for one in lines]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a file that may be written just now."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def letters_in(path: Path) -> list[dict[str, Any]]:
    """The events of a file of dead letters, in order."""
    return [json.loads(letter.row.event) for letter in dead_letters.read(path)]


def until(true: Callable[[], Any], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.02)


def job_in(tmp: Path, **fields: Any) -> Job:
    return Job(sources=[], sinks=[], now=NOW, pseudonym_key_file=tmp / "pseudonym.key", **fields)


def delivery(
    tmp: Path, sources: list[str], plans: list[Plan] | None = None, **more: Any
) -> Delivery:
    return Delivery(
        sources=sources,
        plans=plans if plans is not None else [jsonl(tmp / "out")],
        folder=tmp / "state",
        pipeline=lambda: make_pipeline(job_in(tmp)),
        key=KEY,
        clock=lambda: NOW,
        **more,
    )


def jsonl(folder: Path) -> Plan:
    return Plan(f"jsonl:{folder}", lambda: open_sink(f"jsonl:{folder}"))


def faulty(script: str, folder: Path, **more: Any) -> Plan:
    uri = f"faulty:{script}:jsonl:{folder}"
    return Plan(uri, lambda: open_sink(uri), **more)


class Following:
    def __init__(self, given: Delivery) -> None:
        self.follower = Follower(given)
        self.ending: Any = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        self.ending = self.follower.run()

    def stop(self) -> Any:
        self.follower.stop()
        self.thread.join(30)
        assert not self.thread.is_alive()
        return self.ending


@contextmanager
def following(given: Delivery) -> Iterator[Following]:
    run = Following(given)
    try:
        yield run
    finally:
        run.stop()


def deliver_once(given: Delivery) -> Any:
    from dataclasses import replace

    return Following(replace(given, once=True)).thread.join(30)
