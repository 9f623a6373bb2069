"""Determine the machine of an Event whose record does not name it.

A session of two machines is two sessions. A random id proves by itself where two
records belong to one session. Other ids, such as `agent:main:main` or one made from the name of a
folder, are the same on every machine. Each source without a machine is a separate machine, and ids
of events hold it if those of sessions leave it open.

In a fleet's folder none of this applies: a file's machine is the one whose folder it is in
(`hookstream.core.owners`), and the machine that a line names is kept as a claim.
"""

from __future__ import annotations

import os
import time
from functools import lru_cache
from pathlib import Path

from hookstream.core.identity import has_random_session
from hookstream.core.limits import SESSIONS, make_room
from hookstream.core.records import Record, parts_of
from hookstream.core.sources import NOT_INPUT, is_lines
from hookstream.standards.aarts_reader import read_aarts
from hookstream.standards.agent_hooks_reader import read_agent_hooks

# A folder that was changed more recently is looked into each time.
RESTS_NS = 2_000_000_000

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event
    from hookstream.core.owners import Owner
    from hookstream.redaction import Redactor


class Machines:
    """Map names of machines to their written form: pseudonyms, unless names are kept.

    `named` is the machine that `--machine` names, `user` the account, of records that name none;
    `source` represents the machine of the source that is being read, None if it can only be that of
    all sources. `owner` is the machine of a fleet whose folder the source is in.
    """

    def __init__(
        self, privacy: Redactor, named: str | None = None, user: str | None = None
    ) -> None:
        self.privacy = privacy
        self.named = named
        self.user = user
        self.source: str | None = None
        self.owner: Owner | None = None
        self._plain: str | None = None
        # random id of a session -> the source it was first met in
        self.sessions: dict[str, str] = {}
        # ... -> the machine that a record of it names, as it is written
        self.named_by: dict[str, str] = {}
        # if a caller asks: all of these ids
        self.met: set[str] | None = None

    def name(self, record: Record) -> None:
        """Give a record the machine of the run, or of its source, under a pseudonym in every mode:
        identities are made with it."""
        self._plain = record.machine or self.named
        if self.owner is not None:
            # The name in the line enters no identity: `place` keeps it as a claim.
            self._plain = record.machine
            record.machine = self.privacy.pseudonym("machine", _id_of(self.owner))
        elif self._plain is not None:
            record.machine = self.privacy.pseudonym("machine", self._plain)
        elif self.source is not None:
            record.source_machine = self.privacy.pseudonym("machine", self.source)
        user = record.user or self.user
        if user is not None:
            record.user = self._written("user", user)

    def place(self, event: Event) -> None:
        """Give an Event of the record last named its machine as it is written, or the one that the
        source represents."""
        facts = event.facts
        if self.owner is not None:
            self._give_to(self.owner, event)
            return
        if self._plain is not None and self.privacy.keeps_names:
            facts["machine_id"] = self._plain
        is_named = "machine_id" in facts
        if not is_named and self.source is None and self.met is None and not self.named_by:
            return  # nothing says which, and nobody asks for sessions: the usual run
        session = facts["session_id"] if has_random_session(event) else None
        if session is not None and self.met is not None:
            self.met.add(session)
        if is_named:
            if session is not None:
                make_room(self.named_by, SESSIONS)
                self.named_by.setdefault(session, facts["machine_id"])
            return
        machine = self.named_by.get(session) if session is not None else None
        if machine is None and self.source is not None:
            source = self.source
            if session is not None:
                # It continues here from another source: the machine it was first met on.
                make_room(self.sessions, SESSIONS)
                source = self.sessions.setdefault(session, source)
            machine = self._written("machine", source)
        if machine is not None:
            facts["machine_id"] = machine
            event.synthesized.append("machine_id")

    def _give_to(self, owner: Owner, event: Event) -> None:
        """Write the owner as the Event's machine, whatever the line names."""
        facts = event.facts
        # Of a native payload the fact is what `name` gave it: the owner.
        claim = (facts.get("machine_id") if event.read_back else None) or self._plain
        claim = None if claim is None else str(claim)
        facts["machine_id"] = self._written("machine", _id_of(owner))
        facts.pop("claimed_machine_id", None)
        if claim is None:
            event.synthesized.append("machine_id")
        elif (written := self._written("machine", claim)) != facts["machine_id"]:
            facts["claimed_machine_id"] = written

    def _written(self, kind: str, name: str) -> str:
        return name if self.privacy.keeps_names else self.privacy.pseudonym(kind, name)


def _id_of(owner: Owner) -> str:
    return owner.machine_id or owner.name


def claims_of(record: Record) -> set[str]:
    """The machines that a record names, as a run that knows no owner reads them."""
    if record.kind == "stream":
        parts = (part for part in parts_of(record) if isinstance(part, Record))
        return set().union(*map(claims_of, parts))
    names = {record.machine}
    try:
        if record.kind == "agent-hooks":
            names.add(read_agent_hooks(record.payload).facts.get("machine_id"))
        elif record.kind == "aarts":
            names.add(read_aarts(record.payload).facts.get("machine_id"))
    except ValueError:
        pass  # an event of no standard: a run rejects it
    return {str(name) for name in names if name is not None}


def machine_of(path: Path, sources: list[str]) -> str | None:
    """The machine of a file whose records name none; None if all sources are one: a file, or a
    folder that holds files itself. In a folder that holds only folders each is a machine, and so is
    each of several sources."""
    place = path.absolute()
    for source in map(Path, sources):
        folder = source.absolute()
        if folder in place.parents:
            below = place.relative_to(folder).parts
            if len(below) > 1 and not _has_files(folder):
                return below[0]
            return None if len(sources) == 1 else folder.name
    if len(sources) == 1 and sources[0] == str(path):
        return None
    # A rotated file, a.jsonl.1, is of the machine of a.jsonl.
    return f"{place.parent.name}/{place.name.partition('.')[0]}"


def _has_files(folder: Path) -> bool:
    """Return whether the folder itself holds records. A fleet's folder has thousands of entries,
    and is asked about for each of its files: what was seen holds until the folder changes."""
    changed_ns = folder.stat().st_mtime_ns
    if time.time_ns() - changed_ns < RESTS_NS:  # a change within the clock's step would not show
        return _scan_for_files(str(folder))
    return _files_when(str(folder), changed_ns)


def _scan_for_files(folder: str) -> bool:
    with os.scandir(folder) as entries:
        return any(
            entry.is_file() and is_lines(entry.name) and not entry.name.endswith(NOT_INPUT)
            for entry in entries
        )


@lru_cache(maxsize=256)
def _files_when(folder: str, changed_ns: int) -> bool:
    return _scan_for_files(folder)
