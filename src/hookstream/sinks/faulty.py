"""`faulty:SCRIPT:URI`: fault-injection sink that fails as scripted, for tests and replay drills.

The script is a comma-separated list, one step per call of `write`; after its end all succeeds.

    ok         the batch goes to the inner sink
    retry=S    nothing is taken, every record is to be retried after S seconds
    reject=N   record N of the batch (from 0) is rejected, the rest is taken; without N all are
    short=N    the first N records are taken, the rest is to be retried
    slow=S     S seconds pass, then the batch is taken
    lost       the batch is taken, but the answer says retry: what comes again is a duplicate
    flush      the next flush fails once
"""

from __future__ import annotations

import time
from pathlib import Path

from hookstream.core.errors import SinkError
from hookstream.sinks.base import Receipt, Sink, rejected, retry
from hookstream.sinks.kinds import Opening, SinkKind
from hookstream.standards.rendered import Rendered

STEPS = ("ok", "retry", "reject", "short", "slow", "lost", "flush")


def open_sink(at: Opening) -> Faulty:
    from hookstream.sinks import open_sink as open_any

    script, colon, inner = at.target.partition(":")
    steps = parse(script)
    if not colon:
        raise SinkError("faulty: write faulty:SCRIPT:URI, as in faulty:retry=1,ok:jsonl:OUT")
    sink = open_any(
        inner,
        standard=at.standard,
        scratch=at.scratch,
        now=at.now,
        installation=at.installation,
        stream=at.stream,
    )
    return Faulty(sink, steps, at.uri)


def place(target: str) -> Path | None:
    """The folder of the sink in the URI."""
    from hookstream.sinks import folder_of

    return folder_of(target.partition(":")[2])


KIND = SinkKind(
    name="faulty",
    open=open_sink,
    options=(),
    targets="a script, and the URI of a sink",
    delivered="as the sink",
    duplicates="as the sink",
    example='uri = "faulty:ok,jsonl:audit"\n',
    place=place,
)


def parse(script: str) -> list[tuple[str, float | None]]:
    """Parse a script to its steps (word, number). SinkError names the invalid step."""
    steps: list[tuple[str, float | None]] = []
    for step in script.split(","):
        word, equals, number = step.partition("=")
        try:
            steps.append((word, float(number) if equals else None))
        except ValueError:
            word = ""
        if word not in STEPS:
            raise SinkError(f"faulty: {step!r} is not a step; one of {', '.join(STEPS)}")
    return steps


class Faulty:
    """A sink in front of another; `calls` counts writes."""

    def __init__(self, inner: Sink, steps: list[tuple[str, float | None]], uri: str = "") -> None:
        self.inner = inner
        self.uri = uri or f"faulty:{inner.uri}"
        self.calls = 0
        self._steps = list(steps)
        self._flush_fails = False

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        self.calls += 1
        word, number = self._steps.pop(0) if self._steps else ("ok", None)
        count = len(batch) if number is None else int(number)
        wait = 0.0 if number is None else number
        if word == "retry":
            return [retry("scripted", wait)] * len(batch)
        if word == "short":
            rest = [retry("scripted", 0.0)] * len(batch[count:])
            return self.inner.write(batch[:count]) + rest
        if word == "reject":
            return self._reject(batch, None if number is None else count)
        if word == "slow":
            time.sleep(wait)
        elif word == "flush":
            self._flush_fails = True
        receipts = self.inner.write(batch)
        return [retry("scripted: answer lost", 0.0)] * len(batch) if word == "lost" else receipts

    def _reject(self, batch: list[Rendered], which: int | None) -> list[Receipt]:
        if which is None:
            return [rejected("scripted")] * len(batch)
        receipts = self.inner.write(batch[:which] + batch[which + 1 :])
        if which < len(batch):
            receipts.insert(which, rejected("scripted"))
        return receipts

    def reject(self, lines: list[bytes]) -> None:
        self.inner.reject(lines)

    def flush(self) -> None:
        if self._flush_fails:
            self._flush_fails = False
            raise SinkError(f"{self.uri}: scripted")
        self.inner.flush()

    def close(self) -> None:
        self.inner.close()
