"""Histories made of Events, written by the real sinks, asked over both forms."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from hookstream.core.event import Event
from hookstream.core.identity import uuid_of
from hookstream.delivery.credentials import open_at
from hookstream.queries.catalog import query
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, ask_sql, open_stream
from hookstream.queries.stream import OpenStream
from hookstream.standards.rendered import Rendered
from hookstream.tables.update import freshen

BEGIN = datetime(2026, 11, 21, 8, tzinfo=UTC)
Row = dict[str, Any]


def at(second: float) -> str:
    """The moment so many seconds into the history, as a stream writes it."""
    moment = BEGIN + timedelta(seconds=second)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class History:
    """What happened in one session, an event a second. Every method gives the event's id."""

    def __init__(self, tool: str = "claude-code", session: str = "s1", second: float = 0) -> None:
        self.tool = tool
        self.session = session
        self.second = second
        self.sequence = 0
        self.turn: str | None = None
        self.events: list[Event] = []

    def add(self, type: str, /, hook_point: str | None = None, **facts: Any) -> str:
        self.sequence += 1
        self.second += 1
        known: dict[str, Any] = {
            "event_id": uuid_of(f"{self.tool} {self.session} {self.sequence} {self.second}"),
            "timestamp": at(self.second),
            "tool": self.tool,
            "session_id": self.session,
            "sequence": self.sequence,
            "native_event": f"native.{type}",
        }
        if self.turn is not None:
            known["turn_id"] = self.turn
        event = Event(type, hook_point, {**known, **facts}, self.tool)
        event.input = event.facts.pop("input", None)
        event.risk = event.facts.pop("risk", None)
        event.secrets = event.facts.pop("secrets", [])
        event.unmapped = event.facts.pop("unmapped", None)
        event.facts = {name: value for name, value in event.facts.items() if value is not None}
        self.events.append(event)
        return str(event.facts["event_id"])

    def action(self, type: str, call: str | None, command: str | None, **facts: Any) -> str:
        text = command or facts.get("file_path") or facts.get("url") or ""
        known = {
            "call_id": call,
            "action_name": "shell",
            "action_category": "shell",
            "action_native": "Bash",
            "command": command,
            "action_fingerprint": sha256(text.encode()).hexdigest()[:16],
        }
        return self.add(type, **{**known, **facts})

    def before(self, call: str | None, command: str | None = "ls", **facts: Any) -> str:
        return self.action("Action.Before", call, command, hook_point="PreToolUse", **facts)

    def after(
        self, call: str | None, command: str | None = "ls", outcome: str | None = "ok", **facts: Any
    ) -> str:
        success = {"ok": True, "error": False}.get(outcome or "")
        known = {"outcome": outcome, "success": success, "hook_point": "PostToolUse"}
        return self.action("Action.After", call, command, **{**known, **facts})

    def ran(self, call: str | None, command: str | None = "ls", **facts: Any) -> str:
        """A call with both its events."""
        outcome = facts.pop("outcome", "ok")
        output = facts.pop("output_hash", None)
        begun = self.before(call, command, **facts)
        self.after(call, command, outcome, output_hash=output, **facts)
        return begun

    def blocked(self, call: str | None, command: str | None = "ls", **facts: Any) -> str:
        known = {
            "decision": "deny",
            "decided_by": "hook",
            "decision_reason": "no",
            "decision_evidence": "PostToolBatch",
            "certainty": "observed",
        }
        return self.action("Policy.Blocked", call, command, **{**known, **facts})

    def asked(self, call: str | None, command: str | None = "ls", **facts: Any) -> str:
        known = {"notification_type": "ToolPermission"}
        return self.action("Agent.Notification", call, command, **{**known, **facts})

    def start(self, **facts: Any) -> str:
        return self.add("Session.Start", "SessionStart", **{"start_reason": "new", **facts})

    def prompt(self, turn: str | None = None) -> str:
        self.turn = turn or self.turn
        return self.add("Prompt.Submitted", "PreUserInput", prompt_length=5)

    def answer(self, **facts: Any) -> str:
        return self.add("Agent.Response", "PreOutputDeliver", final=True, **facts)

    def end(self, reason: str = "exit") -> str:
        return self.add("Session.End", "SessionEnd", end_reason=reason)


def events(*histories: History) -> list[Event]:
    """The events of histories that ran side by side, in the order of their times."""
    every = [event for history in histories for event in history.events]
    return sorted(every, key=lambda event: event.facts["timestamp"])


def write(
    folder: Path, given: list[Event], form: str, standard: str = "both", **options: Any
) -> Path:
    """The Events through a sink: `form` is jsonl or parquet. Without `tables=False` it refreshes
    tables that are there."""
    sink = open_at(f"{form}:{folder}", freshen, standard=standard, **options)
    for event in given:
        # One at a time: no sink may read in a batch what a line does not hold.
        assert [receipt.status for receipt in sink.write([Rendered(event)])] == ["delivered"]
    sink.close()
    return folder


def both(tmp_path: Path, *histories: History) -> tuple[Path, Path]:
    """One history in its two forms: (lines, lake)."""
    given = events(*histories)
    number = len(list(tmp_path.iterdir()))
    return (
        write(tmp_path / f"lines{number}", given, "jsonl"),
        write(tmp_path / f"lake{number}", given, "parquet"),
    )


def answers(tmp_path: Path, name: str, *histories: History, **filters: Any) -> list[Row]:
    """The answer as JSON objects, in the order in which things happened. Over lines and lake it is
    the same, as every question reads the same rows: these are compared, and test_samples asks every
    question over each form."""
    lines, lake = both(tmp_path, *histories)
    with open_stream(lines) as stream:
        told = read_rows(stream)
    with open_stream(lake) as stream:
        assert read_rows(stream) == told
        return oldest_first(name, objects(ask(stream, name, Filters(**filters))))


# Their order is not one of time, whatever columns they have.
UNDATED = frozenset(
    "conformance context_pressure coverage egress gaps permissions replay timeline tools "
    "unmapped".split()
)


def oldest_first(name: str, rows: list[Row]) -> list[Row]:
    """An answer in the order in which things happened."""
    times = (query(name).time, "first_seen", "date")
    by = next((column for column in times if rows and column in rows[0]), None)
    if by is None or name in UNDATED:
        return rows
    return sorted(rows, key=lambda row: (row[by] is None, row[by]))


def read_rows(stream: OpenStream) -> list[tuple[Any, ...]]:
    """What questions read, but for the texts that are not held where none are asked for."""
    stream.prepare("from stream")
    wanted = "select * exclude (agent_hooks, aarts) from stream order by all"
    return stream.connection.execute(wanted).fetchall()


def select(path: Path, sql: str) -> list[Row]:
    """The rows of free SQL as JSON objects."""
    with open_stream(path, sql) as stream:
        return objects(ask_sql(stream, sql))


def only(row: Row, *names: str) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


def hollow(part: Path) -> None:
    """Leave nothing of a part but its marks: whoever opens it to read fails."""
    data = part.read_bytes()
    part.write_bytes(data[:4] + bytes(len(data) - 8) + data[-4:])
