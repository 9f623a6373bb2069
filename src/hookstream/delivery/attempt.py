"""Attempt to deliver one batch: acknowledgements, isolation of bad records, retry delays.

Both the one-shot run and the senders go through here. A sink promises never to raise for a
record's fault; if one does, the batch is bisected until the record is isolated. It counts as
rejected only if the sink took another record of that batch: else the sink is at fault.
"""

from __future__ import annotations

import logging
import random

from hookstream.core.errors import SinkError
from hookstream.sinks.base import FILTERED, NEVER, Receipt, Sink, retry
from hookstream.standards.rendered import Rendered

LOG = logging.getLogger("hookstream.delivery")
# Silent until a command line sets up logging.
logging.getLogger("hookstream").addHandler(logging.NullHandler())
FIRST_S = 0.2
MOST_S = 60.0
# Upper bound of a destination's Retry-After, in seconds.
ASKED_S = 300.0
# This many faults in a row are the sink's, not a record's.
RAISES = 20


class AddressRefused(SinkError):
    """The destination refuses the address or the credentials: they are read again."""


class Attempt:
    """The result of a batch: counts, the refused with their reasons, and what is to be sent
    again."""

    def __init__(self) -> None:
        self.delivered = 0
        self.filtered = 0
        self.dead: list[tuple[Rendered, str]] = []
        self.again: list[Rendered] = []
        self.wait_s = 0.0
        self.reason = ""
        self.is_setup_fault = False


def attempt(sink: Sink, batch: list[Rendered], isolate: bool = False) -> Attempt:
    """Offer the batch once; `isolate` as in `settle`."""
    made = Attempt()
    for item, receipt in zip(batch, settle(receipts(sink, batch), isolate), strict=True):
        if receipt.status == "delivered":
            made.filtered += receipt is FILTERED
            made.delivered += receipt is not FILTERED
        elif receipt.status == "rejected":
            made.dead.append((item, receipt.reason))
        else:
            made.again.append(item)
            made.wait_s = max(made.wait_s, receipt.after_s)
            made.reason = receipt.reason
            made.is_setup_fault = receipt.is_setup_fault
    return made


class BisectingSink:
    """Find the record at which a sink raises; give up if the sink raises at all of them."""

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.raised = 0
        self.took = False

    def receipts(self, batch: list[Rendered]) -> list[Receipt]:
        try:
            given = self.sink.write(batch)
            if len(given) == len(batch):
                self.took = True
                return given
            reason = f"{len(given)} receipts for {len(batch)} records"
        except Exception as error:  # a sink's own fault must not stop the others
            reason = f"the sink raised {type(error).__name__}"
        self.raised += 1
        if len(batch) == 1:
            return [Receipt("raised", reason)]
        if self.raised > RAISES and not self.took:
            return [retry(reason)] * len(batch)
        half = len(batch) // 2
        found = self.receipts(batch[:half])
        if found[-1].status == "retry":
            return [*found, *[found[-1]] * (len(batch) - half)]
        return [*found, *self.receipts(batch[half:])]


def receipts(sink: Sink, batch: list[Rendered]) -> list[Receipt]:
    """One receipt per record, with the status "raised" if the sink did not answer."""
    return BisectingSink(sink).receipts(batch)


def settle(given: list[Receipt], isolate: bool) -> list[Receipt]:
    """Reject a record at which the sink raised if others were delivered, or after many tries
    (`isolate`); if none was, the sink is at fault, and all are retried."""
    if not any(one.status == "raised" for one in given):
        return given
    others = any(one.status in ("delivered", "rejected") for one in given)
    reason = next(one.reason for one in given if one.status == "raised")
    if others or isolate:
        return [Receipt("rejected", one.reason) if one.status == "raised" else one for one in given]
    return [retry(reason)] * len(given)


def before(waiting: Rendered, batch: list[Rendered]) -> Rendered | None:
    """The record before the one that waits."""
    last: Rendered | None = None
    for item in batch:
        if item is waiting:
            break
        last = item
    return last


def log_failure(sink: str, failures: int, reason: str) -> None:
    """Log the 1st, 2nd, 4th, 8th ... failure in a row."""
    if failures & (failures - 1) == 0:
        LOG.warning("sink %s: %s", sink, reason, extra={"sink": sink, "failures": failures})


class Backoff:
    """Growing waits with jitter: half of `FIRST_S` doubled each time, up to `MOST_S`, and as much
    again at random. What the destination asks for counts, within `ASKED_S`."""

    def __init__(self, first_s: float = FIRST_S, most_s: float = MOST_S) -> None:
        self.first_s = first_s
        self.most_s = most_s
        self.failures = 0

    def wait(self, asked_s: float = 0.0) -> float:
        """Seconds until the next try; NEVER if the sink will take nothing more."""
        self.failures += 1
        if asked_s == NEVER:
            return NEVER
        ceiling = min(self.most_s, self.first_s * 2.0 ** min(self.failures - 1, 30))
        own = ceiling / 2 + random.uniform(0, ceiling / 2)  # noqa: S311  # no secret
        asked = asked_s if asked_s == asked_s and asked_s > 0 else 0.0
        return max(own, min(asked, ASKED_S))

    def reset(self) -> None:
        self.failures = 0
