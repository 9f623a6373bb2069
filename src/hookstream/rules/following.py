"""Correlation rules in a stream: evaluated over a follower's lake, each finding once.

The lake itself says what was found before: a finding that is in it as an event is not made
again, also by another process. The caller ensures that all findings made so far have arrived
there. Rules about single rows are evaluated on events as they pass (`live`).
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

from hookstream.core.errors import NothingToRead
from hookstream.queries.bounds import interrupt
from hookstream.queries.runner import ask_sql, moment, read
from hookstream.rules.ask import ask
from hookstream.rules.compile import correlations
from hookstream.rules.findings import ENGINE, Finding
from hookstream.rules.load import load, pack
from hookstream.rules.stored import folder_of
from hookstream.rules.tuning import DetectOptions
from hookstream.tables.connection import memory_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hookstream.core.event import Event
    from hookstream.queries.stream import OpenStream

    # Rule, machine, client, session.
    Who = tuple[str | None, ...]

SENT = f"""
select event_id, matched_rule_id, machine_id, tool, session_id from events
where event_type = 'Policy.Violation' and policy_engine = '{ENGINE}'
"""
# A call that has not ended may still be denied; no longer than so is an end waited for.
OPEN = """
select event_id from events where event_type = 'Action.Before' and "timestamp" > timestamp '{since}'
except
select about from events
where event_type in ('Action.After', 'Policy.Blocked') and "timestamp" > timestamp '{since}'
"""
OPEN_FOR = timedelta(minutes=10)
# Memory of a question asked while a follower runs.
MEMORY_BYTES = 1 << 30


class Correlations:
    """Correlation rules over one lake. `clock` gives RFC 3339 text."""

    def __init__(self, lake: Path, places: Sequence[Path], clock: Callable[[], str]) -> None:
        self.lake = lake
        self.places = tuple(places) or (pack(),)
        self.clock = clock
        self.rules = correlations(load(self.places))
        # Of each finding that was made; not known before the lake has been looked at.
        self.sent: dict[str, Who] = {}
        self.knows = False

    def __call__(self) -> list[Event]:
        """The new findings, as events. Raises HookstreamError."""
        try:
            with memory_of(MEMORY_BYTES):
                return [one.event() for one in self._new()]
        except NothingToRead:
            return []

    def interrupt(self) -> None:
        """End the question that is running, if any."""
        interrupt()

    def _new(self) -> list[Finding]:
        # With tables all rules are asked, of what has changed, and stored for everybody.
        only = frozenset[str]() if folder_of(self.lake) else self.rules
        answer = ask(self.lake, DetectOptions(rules=self.places, only=only)) if self.rules else None
        findings = (
            [finding for finding in answer.findings if finding.rule_id in self.rules]
            if answer
            else []
        )
        if not findings:
            return []
        open_events = read(self.lake, self._read)
        sent = self.sent
        now_found = {one.finding_id for one in findings}
        gone = Counter(who for name, who in sent.items() if name not in now_found)
        new = []
        for one in findings:
            if one.finding_id in sent or not open_events.isdisjoint(one.events):
                continue
            if gone[_who(one)]:
                # A late event moved the one that completes it: the same match, sent already.
                gone[_who(one)] -= 1
                continue
            sent[one.finding_id] = _who(one)
            new.append(one)
        return new

    def _read(self, stream: OpenStream) -> set[str]:
        """Events of calls that may still end; at first also what was sent before."""
        if not self.knows:
            rows = ask_sql(stream, SENT).rows
            self.sent = {str(name): tuple(who) for name, *who in rows}
            self.knows = True
        since = moment(self.clock()) - OPEN_FOR
        return {row[0] for row in ask_sql(stream, OPEN.format(since=since)).rows}


def _who(one: Finding) -> Who:
    return (one.rule_id, one.machine_id, one.tool, one.session_id)
