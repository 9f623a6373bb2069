"""Retention of a folder of files of lines: agent-hooks.jsonl, aarts.jsonl, rotated ones too.

An AARTS line names no user and no machine: the action on it is that on the Agent Hooks line of the
same event, so its file is done first. A record is one line, and a line that is removed leaves
nothing; one that loses its content is rewritten.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

from hookstream.core.progress import counted
from hookstream.lake.staged import Staged
from hookstream.retention.policy import CONTENT, DROP, KEEP, Counts, Facts, Policy
from hookstream.retention.records import Without, facts_of, facts_of_wrapper
from hookstream.seal.layout import ranges
from hookstream.seal.lines import open_to_write
from hookstream.seal.merkle import record_leaf
from hookstream.seal.segments import lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from hookstream.retention.ledger import Key


class FilePlan(NamedTuple):
    """The plan for one file: an action per line, and the new lines' leaves."""

    path: Path
    actions: bytearray
    new: list[bytes]

    @property
    def is_any(self) -> bool:
        return any(self.actions)


class SessionRecords:
    """Records that go and stay, by session."""

    def __init__(self) -> None:
        self.dropped: dict[Key, int] = {}
        self.kept: set[Key] = set()

    def add(self, facts: Facts, action: int) -> None:
        key = (facts.machine or "", facts.tool or "", facts.session or "")
        if action == DROP:
            self.dropped[key] = self.dropped.get(key, 0) + 1
        else:
            self.kept.add(key)


class LineFiles:
    """The files of one kind in a folder, in the order they were written."""

    def __init__(self, files: list[Path], policy: Policy, without: Without) -> None:
        self.files = files
        self.policy = policy
        self.without = without

    def plan(
        self,
        counts: Counts,
        done: dict[str, Any],
        sessions: SessionRecords,
        check: Callable[[Path, int, bytes], None] | None = None,
    ) -> list[FilePlan]:
        """Plan each file. `done` says up to when files have lost their content; `check` is asked
        about each line before anything is decided."""
        changes = []
        for path in self.files:
            settled, until = _settled(done.get(path.name))
            actions, new = bytearray(), []
            for number, line in enumerate(counted(lines(path), "records")):
                if check is not None:
                    check(path, number, line)
                facts = self.facts_of(line)
                action, why = self.policy.decide(facts)
                if action == CONTENT:
                    seen = number < settled and facts.at is not None and facts.at < until
                    made = None if seen else self.emptied(line)
                    if made is None:
                        action, why = KEEP, ""
                    else:
                        new.append(record_leaf(made))
                _count(counts, action, why, facts)
                sessions.add(facts, action)
                actions.append(action)
            changes.append(FilePlan(path, actions, new))
        return changes

    def facts_of(self, line: bytes) -> Facts:
        """The facts that decide whether a line is kept."""
        return facts_of(line)[1]

    def emptied(self, line: bytes) -> bytes | None:
        """The line without its content; None where it has none."""
        event = self.without.event(line)
        return None if event is None else event.agent_hooks

    def render(self, line: bytes) -> bytes:
        return self.emptied(line) or line


class Wrappers(LineFiles):
    """AARTS files; `events` are the Agent Hooks files of the same folder."""

    def __init__(
        self, files: list[Path], events: list[Path], policy: Policy, without: Without
    ) -> None:
        super().__init__(files, policy, without)
        self._events = events
        self._ahead: Iterator[tuple[str | None, Facts, bytes]] = self._walk()
        self._last: tuple[str | None, Facts, bytes] | None = None
        self._ids: frozenset[str | None] | None = None

    def plan(
        self,
        counts: Counts,
        done: dict[str, Any],
        sessions: SessionRecords,
        check: Callable[[Path, int, bytes], None] | None = None,
    ) -> list[FilePlan]:
        changes = super().plan(counts, done, sessions, check)
        self._ahead = self._walk()
        return changes

    def facts_of(self, line: bytes) -> Facts:
        event_id, own = facts_of_wrapper(line)
        found = self._event(event_id)
        return own if found is None else found[1]

    def emptied(self, line: bytes) -> bytes | None:
        found = self._event(facts_of_wrapper(line)[0])
        event = None if found is None else self.without.event(found[2])
        wrapper = None if event is None else event.aarts
        return None if wrapper == line else wrapper

    def _walk(self) -> Iterator[tuple[str | None, Facts, bytes]]:
        for path in self._events:
            for line in lines(path):
                yield *facts_of(line), line

    def _event(self, event_id: str | None) -> tuple[str | None, Facts, bytes] | None:
        """The event of that id: both files have the same order."""
        if event_id is None:
            return None
        if self._last is not None and self._last[0] == event_id:
            return self._last
        for again in (False, True):
            for found in self._ahead:
                if found[0] == event_id:
                    self._last = found
                    return found
            self._ahead = self._walk()
            if not again:  # in another order, or nowhere: that is looked up once
                if self._ids is None:
                    self._ids = frozenset(found[0] for found in self._walk())
                if event_id not in self._ids:
                    return None
        return None


def _count(counts: Counts, action: int, why: str, facts: Facts) -> None:
    if why:
        counts.add(why, facts)
    if action != DROP:
        counts.kept += 1


def _settled(given: Any) -> tuple[int, int]:
    """(lines, time) before which a file's records have lost their content."""
    if type(given) is list and len(given) == 2 and all(type(one) is int for one in given):
        return given[0], given[1]
    return 0, 0


def stage(
    staged: Staged, change: FilePlan, render: Callable[[bytes], bytes], *, live: bool
) -> None:
    """Write the file as it is to be. `live` is the file that records are added to. OSError."""
    left = len(change.actions) - change.actions.count(DROP)
    if not left and not live:
        staged.drop(change.path)
        return
    path = staged.file()
    read = 0
    with open_to_write(path, change.path.name) as file:
        held: list[bytes] = []
        for action, line in zip(change.actions, lines(change.path), strict=False):
            read += len(line) + 1
            if action != DROP:
                held.append(render(line) if action == CONTENT else line)
                if len(held) >= 1000:
                    file.write(b"\n".join(held) + b"\n")
                    held.clear()
        if held:
            file.write(b"\n".join(held) + b"\n")
    path.chmod(0o600)
    staged.add(path, change.path, read if live else None)


def indices_of(change: FilePlan, leaves: array[int]) -> tuple[list[list[int]], list[list[int]]]:
    """(dropped, replaced) leaf ranges of a file whose lines are these leaves."""
    dropped = (leaf for action, leaf in zip(change.actions, leaves, strict=False) if action == DROP)
    replaced = (
        leaf for action, leaf in zip(change.actions, leaves, strict=False) if action == CONTENT
    )
    return ranges(dropped), ranges(replaced)
