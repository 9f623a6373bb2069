"""A policy hook's answer as the client that asked reads it: what several clients share. The others
are in `hook.py` of a client's folder (`Contract.reader`)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.jsons import JsonObject

WORDS = {
    "allow": "allow",
    "approve": "allow",
    "deny": "deny",
    "block": "deny",
    "ask": "ask",
    # Claude Code hands the call back to the program that drives it, which decides.
    "defer": "ask",
}


class HookVerdict:
    """A hook's answer, and its effect in the client.

    decision  allow, deny, ask, or None: it decided nothing
    reason    its text
    input     the rewritten arguments; `merged` if they are laid over the original ones
    failure   crash, timeout, garbage or error: the hook did not do its work
    fails     what the client does then: open, closed, open_unless_configured
    evidence  the part of the answer that decided
    said      a refusal of what can no longer be refused (a turn's end, a result)
    ignored   a word of a guard that the client does not obey; `ignored_input`: arguments likewise
    stops     the whole agent is to stop
    """

    def __init__(
        self,
        decision: str | None = None,
        reason: str | None = None,
        *,
        input: JsonObject | None = None,
        failure: str | None = None,
        fails: str | None = None,
        evidence: str | None = None,
        stops: bool = False,
    ) -> None:
        self.decision = decision
        self.reason = reason
        self.input = input
        self.merged = False
        self.failure = failure
        self.fails = fails
        self.evidence = evidence
        self.stops = stops
        self.kind = "none"
        self.said: str | None = None
        self.ignored: str | None = None
        self.ignored_input: JsonObject | None = None


def object_of(value: Any) -> JsonObject:
    return value if type(value) is dict else {}


def text_of(*values: Any) -> str | None:
    for value in values:
        if type(value) is str and value.strip():
            return value.strip()
    return None


def garbage() -> HookVerdict:
    return HookVerdict(failure="garbage")


def word_of(value: Any, allowed: tuple[str, ...]) -> str | None:
    """The standard word; "" if the value is a word the client does not know."""
    if value is None:
        return None
    return WORDS[value] if type(value) is str and value in allowed else ""


def claude_like(found: JsonObject, event: str) -> HookVerdict:
    """Claude Code, VS Code: hookSpecificOutput first, then decision, then continue."""
    own = object_of(found.get("hookSpecificOutput"))
    rewritten = own.get("updatedInput")
    if event == "PermissionRequest":
        choice = object_of(own.get("decision"))
        own_word = word_of(choice.get("behavior"), ("allow", "deny"))
        reason = text_of(choice.get("message"), found.get("reason"))
        rewritten = choice.get("updatedInput")
    else:
        own_word = word_of(own.get("permissionDecision"), ("allow", "deny", "ask", "defer"))
        reason = text_of(own.get("permissionDecisionReason"))
    word = word_of(found.get("decision"), ("approve", "block", "allow", "deny"))
    if own_word == "" or word == "":
        return garbage()
    if found.get("continue") is False:
        return HookVerdict("deny", text_of(found.get("stopReason"), reason), stops=True)
    decision = own_word or word
    answer = HookVerdict(decision, reason or text_of(found.get("reason")))
    if type(rewritten) is dict and decision != "deny":
        answer.input = rewritten
        answer.decision = decision or "allow"
    return answer


# Where the clients look for a guard's word, and for other arguments.
WORD_KEYS = ("permissionDecision", "decision", "permission", "behavior")
INPUT_KEYS = ("updatedInput", "tool_input", "modifiedArgs", "updated_input", "overrideInput")


def note_ignored(answer: HookVerdict, found: JsonObject | None, status: int) -> None:
    """Note what a guard said in words of other clients, or of a later version: its own client
    obeys none of it."""
    fields: JsonObject = {}
    for part in (found, *map((found or {}).get, ("hookSpecificOutput", "hook_specific_output"))):
        fields |= object_of(part)
    words = (WORDS.get(word) for word in map(fields.get, WORD_KEYS) if type(word) is str)
    answer.ignored = next((word for word in words if word), None)
    rewritten = next((fields[key] for key in INPUT_KEYS if type(fields.get(key)) is dict), None)
    if answer.ignored != "deny" and rewritten is not None:
        answer.ignored_input = rewritten
        answer.ignored = answer.ignored or "allow"
    if answer.ignored is None and fields.get("review") is True:
        answer.ignored = "ask"
    if answer.ignored is None and fields.get("cancel") is False:
        answer.ignored = "allow"
    if answer.ignored is None and status == BLOCK_STATUS:
        answer.ignored = "deny"
    answer.reason = answer.reason or text_of(*map(fields.get, REASON_KEYS))


# The status by which most clients let a hook refuse.
BLOCK_STATUS = 2
REASON_KEYS = ("permissionDecisionReason", "reason", "message", "errorMessage")


def decision_word(found: JsonObject, event: str) -> HookVerdict:
    """Devin: decision alone."""
    word = word_of(found.get("decision"), ("approve", "block", "allow", "deny"))
    return garbage() if word == "" else HookVerdict(word, text_of(found.get("reason")))
