"""Run batches of records through the pipeline stages; reject single records on internal errors."""

from __future__ import annotations

from hashlib import sha256

from hookstream.core.jsons import canonical
from hookstream.core.records import Record, Rejection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    # A line or why it was rejected, the name of its source, its offset there.
    Unread = tuple[bytes | Rejection, str, int]
    # ... or what is known to be no event, by its reason
    Given = Record | Rejection | Unread | str


class Unfolded:
    """The records in one line that holds many, and the result of each."""

    def __init__(self, given: Sequence[Given], made: list[Any]) -> None:
        self.given = given
        self.made = made


class Batch:
    """Records on their way through the stages; `made` is the current form of each.

    An internal error rejects only the current record, is counted, and does not end the run. The
    loop continues after that record, so that no stage sees another one twice or not at all: a batch
    gives the same as its records one by one. What an earlier stage noted of the lost record stays:
    the sequence of those after it shows that one is missing.
    """

    def __init__(self, given: Sequence[Given]) -> None:
        self.given: Sequence[Given] = given
        self.made: list[Any] = list(given)
        self.places: Sequence[int] = range(len(given))
        # The number of each one's line, among those that were given.
        self.origins: Sequence[int] = self.places

    def through(self, stage: Callable[[Any], Any]) -> None:
        """Every record that still has events, through one stage."""
        made = self.made
        todo = iter(self.places)
        whole = True
        while True:
            try:
                for at in todo:
                    made[at] = stage(made[at])
                break
            except MemoryError:  # no record's fault
                raise
            except Exception as error:
                made[at] = refused(self.given[at], error)
                whole = False
        if not whole:
            self.keep_events()

    def unfold(self) -> None:
        """Put the records that one line holds in its place."""
        if not any(type(one) is Unfolded for one in self.made):
            return
        given, made = self.given, self.made
        lines: list[Given] = []
        origins: list[int] = []
        self.given, self.made, self.origins = lines, [], origins
        for at, result in enumerate(made):
            parts = result if type(result) is Unfolded else Unfolded([given[at]], [result])
            lines += parts.given
            self.made += parts.made
            origins += [at] * len(parts.made)
        self.places = range(len(lines))

    def events(self) -> Iterator[Any]:
        """The events of the records so far, in order."""
        return (event for at in self.places for event in self.made[at])

    def keep_events(self) -> None:
        """From here on only what has become events."""
        made = self.made
        self.places = [at for at in self.places if type(made[at]) is list]


def refused(given: Given, error: Exception) -> Rejection | str:
    """Reject a record on an internal error: the reason names the kind of error, not its message."""
    if isinstance(given, Rejection | str):
        return given
    reason = f"internal: {type(error).__name__}"
    if isinstance(given, Record):
        return refuse(given, reason)
    line, source, offset = given
    if isinstance(line, Rejection):
        return line
    return Rejection(reason, len(line), sha256(line).hexdigest(), source, offset)


def refuse(record: Record, reason: str) -> Rejection:
    data = canonical(record.payload)
    return Rejection(reason, len(data), sha256(data).hexdigest(), record.source, record.offset)
