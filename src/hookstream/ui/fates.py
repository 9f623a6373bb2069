"""The fate of a call, in words for its place in a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.ui.cells import duration, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    Row = dict[str, Any]

# What decides, for people.
DECIDERS = {
    "user": "the user",
    "hook": "a policy hook",
    "rule": "a rule",
    "client": "the client",
    "mod": "a mod",
    "host": "the host program",
    "classifier": "a classifier",
    "mode": "the permission mode",
}
RESOLUTIONS = {
    "approved": "asked and approved",
    "denied": "asked and denied",
    "unknown": "asked, no answer is known",
    "asked_nobody": "asked, with nobody to ask",
}


def fates(calls: Iterable[Row], asks: Iterable[Row]) -> dict[str, list[tuple[str, str]]]:
    """The fate of each call by its id: (style, words), the gravest first; a call that simply ran
    has nothing."""
    words_of: dict[str, list[tuple[str, str]]] = {}
    for ask in asks:
        if ask["call_id"]:
            words_of.setdefault(str(ask["call_id"]), []).append(_answer(ask))
    for call in calls:
        if call["call_id"]:
            asked = words_of.get(str(call["call_id"]), [])
            words_of[str(call["call_id"])] = [*_outcome(call), *asked]
    return {call: words for call, words in words_of.items() if words}


def _answer(ask: Row) -> tuple[str, str]:
    resolution = str(ask["resolution"])
    words = RESOLUTIONS.get(resolution, f"asked: {text_of(resolution)}")
    words += _by(ask)
    if ask["waited_ms"]:
        words += f" after {duration(ask['waited_ms'])}"
    return ("denied" if resolution == "denied" else "ask"), words


def _outcome(call: Row) -> list[tuple[str, str]]:
    words = []
    outcome = call["outcome"]
    if call["executed_afterwards"]:
        words.append(("denied", "ran anyway later in the session"))
    if outcome == "denied" or call["decision"] == "deny":
        why = f": {text_of(call['decision_reason'])}" if call["decision_reason"] else ""
        decider = call["matched_rule_id"] or call["policy_engine"]
        rule = f" ({text_of(decider)})" if decider else ""
        guess = ", inferred" if call["certainty"] == "inferred" else ""
        words.append(("denied", f"denied{_by(call)}{rule}{guess}{why}"))
    if call["held"] == "ignored":
        words.append(("denied", "the verdict was ignored"))
    if outcome in ("error", "timeout"):
        code = f" with {call['exit_code']}" if call["exit_code"] is not None else ""
        why = f": {text_of(call['error_message'])}" if call["error_message"] else ""
        words.append(("error", f"{'timed out' if outcome == 'timeout' else 'failed'}{code}{why}"))
    if outcome in ("cancelled", "answered"):
        words.append(("warn", "cancelled" if outcome == "cancelled" else "answered by a mod"))
    if call["modified"]:
        first = call["requested_command"]
        words.append(("warn", f"changed{f', was {text_of(first)}' if first else ''}"))
    if call["failure"]:
        words.append(("error", f"the policy hook failed: {text_of(call['failure'])}"))
    return words


def _by(row: Row) -> str:
    who = row["decided_by"]
    return f" by {DECIDERS.get(who, text_of(who))}" if who else ""
