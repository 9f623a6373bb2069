"""Meaning of a policy hook's answer to the client that asked: the contract in the client's folder.

A hook answers by its exit status, its standard output, its standard error or a mix of them, and
every client reads that mix differently; what one takes for a deny another ignores
(normalizers/<client>/hook.py).
"""

from __future__ import annotations

from hookstream.core.jsons import JsonObject, loads
from hookstream.normalizers.guard_answers import HookVerdict, note_ignored
from hookstream.normalizers.hook_facts import CLOSED, GATE, NONE, NOTED, TOOL, hook_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.normalizers.hook_facts import Contract


def contract_of(vendor: str, dialect: str | None) -> Contract | None:
    """The contract of a vendor, of one dialect (or of another's configuration) if it has a separate
    one; None if hooks are not programs (plugins)."""
    facts = hook_facts(vendor)
    return facts.dialects.get(dialect or "") or facts.verdicts


def judge(
    contract: Contract,
    event: str,
    status: int | None,
    out: str,
    err: str,
) -> HookVerdict:
    """The verdict of a hook that ended with `status` (None: by a signal)."""
    kind = contract.events.get(event, NONE)
    answer = _read(contract, event, status, out.strip(), err.strip())
    answer.kind = kind
    if kind == TOOL and answer.decision is None and status is not None and answer.fails != CLOSED:
        found = objects_only(out)
        note_ignored(answer, found if type(found) is dict else None, status)
        if answer.ignored == "deny" and answer.reason is None:
            answer.reason = err.strip() or None
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
    value = _find(contract, status, text)
    answer: HookVerdict | None = None
    if type(value) is dict and contract.reader is not None:
        answer = contract.reader(value, event)
    if status in contract.blocks:
        return _blocked(contract, event, status, err, answer)
    if answer is not None and answer.failure is None:
        if answer.decision is None and status != 0:
            return HookVerdict(failure="error", fails=closed)
        answer.evidence = f"json on {where}"
        return answer
    if status != 0:
        return _failed(contract, status, text, err, closed)
    if value is not None:
        # Silence is a failed hook and no answer that cannot be read.
        refuses = text and event in contract.deny_on_bad_output
        return HookVerdict(failure="garbage", fails=CLOSED if refuses else None)
    return HookVerdict()


def _find(contract: Contract, status: int, text: str) -> JsonObject | str | None:
    """The JSON object in a text, "garbage" for a broken one, or None."""
    if contract.finder is None or not (text or contract.empty_is_failure):
        return None
    if contract.exits is not None and status not in (*contract.exits, *contract.blocks):
        return None
    return FINDERS[contract.finder](text)


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


def objects_only(text: str) -> JsonObject | str | None:
    """The object of a text that is one; "garbage" if it begins like one; None for other text."""
    text = text.strip()
    if not text.startswith("{"):
        return None
    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return "garbage"
    return value if type(value) is dict else "garbage"


def last_or_garbage(text: str) -> JsonObject | str:
    """The last `{...}` that parses and ends the output (chatter before it is allowed), else
    "garbage"."""
    text = text.strip()
    start = text.find("{") if text.endswith("}") else -1
    while start >= 0:
        value = objects_only(text[start:])
        if type(value) is dict:
            return value
        start = text.find("{", start + 1)
    return "garbage"


def control_or_last(text: str) -> JsonObject | str:
    """The object of the last HOOK_CONTROL line, else of the end of the output."""
    for line in reversed(text.splitlines()):
        if line.startswith("HOOK_CONTROL\t"):
            value = objects_only(line[13:])
            if type(value) is dict:
                return value
            break
    return last_or_garbage(text)


# How clients look for the JSON object in a hook's output.
FINDERS = {
    "objects_only": objects_only,
    "last_or_garbage": last_or_garbage,
    "control_or_last": control_or_last,
}
