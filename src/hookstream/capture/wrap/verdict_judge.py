"""A hook's end and outputs, read by its client's contract, to one Answer."""

from __future__ import annotations

from hookstream.capture.wrap.verdict_readers import Answer
from hookstream.capture.wrap.verdicts import CLOSED, GATE, NONE, NOTED, TOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.capture.wrap.verdicts import Contract


def judge(
    contract: Contract,
    event: str,
    status: int | None,
    out: str,
    err: str,
) -> Answer:
    """The Answer of a hook that ended with `status` (None: by a signal)."""
    kind = contract.events.get(event, NONE)
    answer = _read(contract, event, status, out.strip(), err.strip())
    answer.kind = kind
    if answer.failure is not None and answer.fails is None:
        answer.fails = contract.fails
    if answer.fails == CLOSED and answer.decision is None and kind in (TOOL, GATE):
        answer.decision = "deny"
    if answer.decision is not None and kind not in (TOOL, GATE, NOTED):
        answer.said, answer.decision = answer.decision, None
    return answer


def _read(contract: Contract, event: str, status: int | None, out: str, err: str) -> Answer:
    closed = CLOSED if event in contract.rest else None
    if status is None:
        return Answer(failure="crash", fails=closed)
    text, where = out, "stdout"
    if contract.stderr and not out:
        text, where = err, "stderr"
    found = _find(contract, status, text)
    answer = None
    if type(found) is dict and contract.reader is not None:
        answer = contract.reader(found, event)
    if status in contract.blocks:
        return _blocked(contract, event, status, err, answer)
    if answer is not None and answer.failure is None:
        if answer.decision is None and status != 0:
            return Answer(failure="error", fails=closed)
        answer.evidence = f"json on {where}"
        return answer
    if status != 0:
        return _failed(contract, status, text, err, closed)
    if found is not None:
        # Silence is a failed hook and no answer that cannot be read.
        refuses = text and event in contract.garbled
        return Answer(failure="garbage", fails=CLOSED if refuses else None)
    return Answer()


def _find(contract: Contract, status: int, text: str) -> dict[str, Any] | str | None:
    if contract.finder is None or not (text or contract.empty):
        return None
    if contract.exits is not None and status not in (*contract.exits, *contract.blocks):
        return None
    return contract.finder(text)


def _blocked(
    contract: Contract, event: str, status: int, err: str, answer: Answer | None
) -> Answer:
    """A status that refuses by itself, where there is something to refuse."""
    if event not in contract.events:
        return Answer(failure="error")
    if contract.wants_text and not err:
        return Answer(failure="garbage")
    reason = err or (answer.reason if answer is not None else None)
    return Answer("deny", reason or None, evidence=f"exit {status}")


def _failed(contract: Contract, status: int, text: str, err: str, closed: str | None) -> Answer:
    """A status that says error: most clients go on, some refuse."""
    if contract.text_blocks and status > 1 and text:
        return Answer("deny", text, evidence=f"exit {status}")
    if closed is not None and status == 2:
        return Answer("deny", err or None, evidence="exit 2")
    return Answer(failure="error", fails=closed)
