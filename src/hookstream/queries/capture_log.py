"""Lines that no run has seen, completed while they are read.

A hook writes what its one payload shows; it knows no history. What needs the events before it (a
late refusal's reason, a pair without a call id, a retry loop) `hookstream run` adds, as it adds
targets, artifacts and risk to the lines of another emitter. A question asked of such a file itself
gets the same, by the same stages.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from hookstream.core.folders import pseudonym_key_file
from hookstream.core.owners import Owner, owner_of
from hookstream.core.records import Rejection
from hookstream.queries.strict import BrokenLine, numbered, read_line
from hookstream.standards.agent_hooks import METADATA_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hookstream.pipeline.stages import Pipeline
    from hookstream.redaction import Redactor

    # line number, the line or why it cannot be read
    Line = tuple[int, bytes | str]
    from collections.abc import Callable


def own_key() -> bytes | None:
    """This user's key of pseudonyms, None if it does not exist yet."""
    path = pseudonym_key_file()
    if not Path(path).exists():
        return None
    from hookstream.redaction.keys import load_key

    return load_key(path)


_key: list[Callable[[], bytes | None]] = [own_key]


def use_key(key: Callable[[], bytes | None]) -> None:
    """Set for this process what gives the key, called when the first file of a fleet is read."""
    _key[:] = [key]


def key_in_use() -> Callable[[], bytes | None]:
    """A function that returns the key, for another process that asks."""
    return _key[0]


def as_written(owner: Owner | None) -> Owner | None:
    """The owner under the name that is written: the registered id, else the pseudonym, else (no
    key, so nothing was ever written under one) the plain name. HookstreamError for a bad key."""
    if owner is None:
        return None
    name = owner.machine_id or owner.name
    key = _key[0]()
    if not key:
        return Owner(name)
    from hookstream.redaction.digest import pseudonym

    return Owner(pseudonym("machine", name, key))


# A log names machines and users by their pseudonyms already.
UNUSED_KEY = bytes(16)
# Lines that go through the stages at once.
BATCH = 512


def writer_of(file: Path) -> str:
    """The writer of a file, by its first event: `hook` (or the collector), from which an event has
    no place in its session; `other` for another emitter; empty for a run."""
    for _, line in numbered(file):
        if isinstance(line, str) or not line.strip():
            continue
        try:
            event = read_line(line.strip())
        except BrokenLine:
            continue
        metadata = event.get("metadata")
        own = metadata.get(METADATA_KEY) if type(metadata) is dict else None
        if type(own) is dict:
            return "" if "sequence" in own else "hook"
        return "other" if "event_type" in event else ""
    return ""


class Completion:
    """The stages over the files of one log, in their order."""

    def __init__(self) -> None:
        self.pipeline = _pipeline()
        self.as_logged = self.pipeline.privacy

    def lines(self, file: Path) -> Iterator[Line]:
        """The lines of a file as `hookstream run` would write them: more than there were where
        events are derived."""
        is_ours = writer_of(file) != "other"
        self.pipeline.privacy = self.as_logged if is_ours else _privacy("hash")
        self.pipeline.new_source(owner=as_written(owner_of(file)))
        lines = numbered(file)
        while held := list(islice(lines, BATCH)):
            yield from self._through(file.name, held)

    def _through(self, name: str, held: list[Line]) -> Iterator[Line]:
        readable: list[tuple[bytes, str, int]] = []
        for number, line in held:
            why = line if isinstance(line, str) else _why_not(line)
            if why is not None:
                yield number, why
            elif isinstance(line, bytes) and line.strip():
                readable.append((line, name, number))
        batch = self.pipeline.finish(readable, "agent-hooks")
        for origin, one in zip(batch.origins, batch.made, strict=True):
            number = readable[origin][2]
            if isinstance(one, Rejection):
                yield number, one.reason
            elif isinstance(one, list):
                for item in one:
                    yield number, item.agent_hooks


def _why_not(line: bytes) -> str | None:
    if line.strip():
        try:
            read_line(line.strip())
        except BrokenLine as broken:
            return str(broken)
    return None


def _pipeline() -> Pipeline:
    """Stages that keep what the log has kept: it is as private already as its writer wanted."""
    from hookstream.core.times import to_iso
    from hookstream.pipeline.stages import Pipeline

    return Pipeline(_privacy("full"), lambda: to_iso(time()) or "")


def _privacy(mode: str) -> Redactor:
    from hookstream.redaction import Redactor

    key = None if mode == "full" else key_in_use()()
    return Redactor(mode, key or UNUSED_KEY)
