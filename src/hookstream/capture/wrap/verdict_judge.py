"""A hook's end and outputs, read by its client's contract, to one Verdict."""

from __future__ import annotations

from hookstream.capture.wrap.verdict_readers import HookVerdict
from hookstream.capture.wrap.verdicts import find, read
from hookstream.normalizers.hook_facts import CLOSED, GATE, NONE, NOTED, TOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.hook_facts import Contract


def judge(
    contract: Contract,
    event: str,
    status: int | None,
    out: str,
    err: str,
) -> HookVerdict:
    """The Verdict of a hook that ended with `status` (None: by a signal)."""
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


def _read(contract: Contract, event: str, status: int | None, out: str, err: str) -> HookVerdict:
    closed = CLOSED if event in contract.deny_on_other_exit else None
    if status is None:
        return HookVerdict(failure="crash", fails=closed)
    text, where = out, "stdout"
    if contract.stderr and not out:
        text, where = err, "stderr"
    found = _find(contract, status, text)
    answer = None
    if type(found) is dict:
        answer = read(contract, found, event)
    if status in contract.blocks:
        return _blocked(contract, event, status, err, answer)
    if answer is not None and answer.failure is None:
        if answer.decision is None and status != 0:
            return HookVerdict(failure="error", fails=closed)
        answer.evidence = f"json on {where}"
        return answer
    if status != 0:
        return _failed(contract, status, text, err, closed)
    if found is not None:
        # Silence is a failed hook and no answer that cannot be read.
        refuses = text and event in contract.deny_on_bad_output
        return HookVerdict(failure="garbage", fails=CLOSED if refuses else None)
    return HookVerdict()


def _find(contract: Contract, status: int, text: str) -> dict[str, Any] | str | None:
    if contract.finder is None or not (text or contract.empty_is_failure):
        return None
    if contract.exits is not None and status not in (*contract.exits, *contract.blocks):
        return None
    return find(contract, text)


def _blocked(
    contract: Contract, event: str, status: int, err: str, answer: HookVerdict | None
) -> HookVerdict:
    """A status that refuses by itself, if there is something to refuse."""
    if event not in contract.events:
        return HookVerdict(failure="error")
    if contract.requires_reason and not err:
        return HookVerdict(failure="garbage")
    reason = err or (answer.reason if answer is not None else None)
    return HookVerdict("deny", reason or None, evidence=f"exit {status}")


def _failed(
    contract: Contract, status: int, text: str, err: str, closed: str | None
) -> HookVerdict:
    """A status that means error: most clients continue, some refuse."""
    if contract.stdout_text_denies and status > 1 and text:
        return HookVerdict("deny", text, evidence=f"exit {status}")
    if closed is not None and status == 2:
        return HookVerdict("deny", err or None, evidence="exit 2")
    return HookVerdict(failure="error", fails=closed)
