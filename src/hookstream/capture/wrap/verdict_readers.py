"""The JSON a policy hook writes, by the client that reads it, to one Verdict."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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

    __slots__ = (
        "decision",
        "evidence",
        "fails",
        "failure",
        "ignored",
        "ignored_input",
        "input",
        "kind",
        "merged",
        "reason",
        "said",
        "stops",
    )

    def __init__(
        self,
        decision: str | None = None,
        reason: str | None = None,
        *,
        input: dict[str, Any] | None = None,
        merged: bool = False,
        failure: str | None = None,
        fails: str | None = None,
        evidence: str | None = None,
        stops: bool = False,
    ) -> None:
        self.decision = decision
        self.reason = reason
        self.input = input
        self.merged = merged
        self.failure = failure
        self.fails = fails
        self.evidence = evidence
        self.stops = stops
        self.kind = "none"
        self.said: str | None = None
        self.ignored: str | None = None
        self.ignored_input: dict[str, Any] | None = None


def _object(value: Any) -> dict[str, Any]:
    return value if type(value) is dict else {}


def _text(*values: Any) -> str | None:
    for value in values:
        if type(value) is str and value.strip():
            return value.strip()
    return None


def _garbage() -> HookVerdict:
    return HookVerdict(failure="garbage")


def _word(value: Any, allowed: tuple[str, ...]) -> str | None:
    """The standard word; "" if the value is a word the client does not know."""
    if value is None:
        return None
    return WORDS[value] if type(value) is str and value in allowed else ""


def claude_like(found: dict[str, Any], event: str) -> HookVerdict:
    """Claude Code, VS Code: hookSpecificOutput first, then decision, then continue."""
    own = _object(found.get("hookSpecificOutput"))
    rewritten = own.get("updatedInput")
    if event == "PermissionRequest":
        choice = _object(own.get("decision"))
        own_word = _word(choice.get("behavior"), ("allow", "deny"))
        reason = _text(choice.get("message"), found.get("reason"))
        rewritten = choice.get("updatedInput")
    else:
        own_word = _word(own.get("permissionDecision"), ("allow", "deny", "ask", "defer"))
        reason = _text(own.get("permissionDecisionReason"))
    word = _word(found.get("decision"), ("approve", "block", "allow", "deny"))
    if own_word == "" or word == "":
        return _garbage()
    if found.get("continue") is False:
        return HookVerdict("deny", _text(found.get("stopReason"), reason), stops=True)
    decision = own_word or word
    answer = HookVerdict(decision, reason or _text(found.get("reason")))
    if type(rewritten) is dict and decision != "deny":
        answer.input = rewritten
        answer.decision = decision or "allow"
    return answer


# Where the clients look for a guard's word, and for other arguments.
WORD_KEYS = ("permissionDecision", "decision", "permission", "behavior")
INPUT_KEYS = ("updatedInput", "tool_input", "modifiedArgs", "updated_input", "overrideInput")


def note_ignored(answer: HookVerdict, found: dict[str, Any] | None, status: int) -> None:
    """Note what a guard said in words of other clients, or of a later version: its own client
    obeys none of it."""
    fields: dict[str, Any] = {}
    for part in (found, *map((found or {}).get, ("hookSpecificOutput", "hook_specific_output"))):
        fields |= _object(part)
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
    answer.reason = answer.reason or _text(*map(fields.get, REASON_KEYS))


# The status by which most clients let a hook refuse.
BLOCK_STATUS = 2
REASON_KEYS = ("permissionDecisionReason", "reason", "message", "errorMessage")
UNIVERSAL = frozenset(("continue", "stopReason", "suppressOutput", "systemMessage"))
CODEX_OWN = {
    "PreToolUse": "hookEventName permissionDecision permissionDecisionReason updatedInput "
    "additionalContext",
    "PermissionRequest": "hookEventName decision",
    "PostToolUse": "hookEventName additionalContext updatedMCPToolOutput",
    "UserPromptSubmit": "hookEventName additionalContext",
    "SessionStart": "hookEventName additionalContext",
    "SubagentStart": "hookEventName additionalContext",
}
CODEX_DECIDES = frozenset(("PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"))


def _codex_keys(found: dict[str, Any], event: str) -> bool:
    allowed = {"systemMessage"} if event == "Interrupt" else set(UNIVERSAL)
    if event in CODEX_DECIDES:
        allowed |= {"decision", "reason"}
    if event in CODEX_OWN:
        allowed.add("hookSpecificOutput")
    own = found.get("hookSpecificOutput")
    if own is not None:
        if type(own) is not dict or own.get("hookEventName") != event:
            return False
        if not set(own) <= set(CODEX_OWN.get(event, "").split()):
            return False
    return set(found) <= allowed


def codex(found: dict[str, Any], event: str) -> HookVerdict:
    """Codex: a closed schema; reserved words and refusals without a reason are invalid."""
    own = _object(found.get("hookSpecificOutput"))
    if not _codex_keys(found, event):
        return _garbage()
    if event == "PermissionRequest":
        choice = _object(own.get("decision"))
        word = _word(choice.get("behavior"), ("allow", "deny"))
        if word == "" or not set(choice) <= {"behavior", "message"}:
            return _garbage()
        return HookVerdict(word, _text(choice.get("message")))
    reserved = found.get("continue") is False or "stopReason" in found
    if event == "PreToolUse":
        if reserved or found.get("suppressOutput") is True:
            return _garbage()
        if own.keys() & {"permissionDecision", "permissionDecisionReason", "updatedInput"}:
            return _codex_tool(own)
    word = _word(found.get("decision"), ("block",))
    reason = _text(found.get("reason"))
    if word == "" or (word == "deny" and reason is None):
        return _garbage()
    if word is None and found.get("continue") is False:
        return HookVerdict("deny", _text(found.get("stopReason")), stops=True)
    return HookVerdict(word, reason)


def _codex_tool(own: dict[str, Any]) -> HookVerdict:
    word = own.get("permissionDecision")
    reason = _text(own.get("permissionDecisionReason"))
    rewritten = own.get("updatedInput")
    if word == "deny" and reason is not None and rewritten is None:
        return HookVerdict("deny", reason)
    if word == "allow" and type(rewritten) is dict:
        return HookVerdict("allow", reason, input=rewritten)
    return _garbage()


def gemini(found: dict[str, Any], event: str) -> HookVerdict:
    """Gemini CLI: decision, continue, and arguments laid over the model's."""
    word = _word(found.get("decision"), ("allow", "approve", "deny", "block", "ask"))
    if word == "":
        return _garbage()
    reason = _text(found.get("reason"))
    if found.get("continue") is False:
        return HookVerdict("deny", _text(found.get("stopReason"), reason), stops=True)
    answer = HookVerdict(word, reason)
    rewritten = _object(found.get("hookSpecificOutput")).get("tool_input")
    if type(rewritten) is dict and event == "BeforeTool" and word != "deny":
        answer.input, answer.merged = rewritten, True
        answer.decision = word or "allow"
    return answer


def qwen(found: dict[str, Any], event: str) -> HookVerdict:
    """Qwen Code: Claude Code's words, and Gemini's too."""
    own = _object(found.get("hookSpecificOutput"))
    if "permissionDecision" in own or event == "PermissionRequest":
        return claude_like(found, event)
    answer = gemini({**found, "hookSpecificOutput": {}}, event)
    rewritten = own.get("updatedInput", own.get("tool_input"))
    if type(rewritten) is dict and answer.failure is None and answer.decision != "deny":
        answer.input = rewritten
        answer.decision = answer.decision or "allow"
    return answer


def kimi(found: dict[str, Any], event: str) -> HookVerdict:
    """Kimi Code: only a permissionDecision of deny decides anything."""
    own = _object(found.get("hookSpecificOutput"))
    if own.get("permissionDecision") != "deny":
        return HookVerdict()
    return HookVerdict("deny", _text(own.get("permissionDecisionReason")))


def vibe(found: dict[str, Any], event: str) -> HookVerdict:
    """Mistral Vibe: a decision of deny, or other arguments for the call."""
    if found.get("decision") == "deny":
        return HookVerdict("deny", _text(found.get("reason")))
    rewritten = _object(found.get("hook_specific_output")).get("tool_input")
    if event == "pre_tool" and type(rewritten) is dict and found.get("decision") != "ask":
        return HookVerdict("allow", input=rewritten)
    return HookVerdict()


def cursor(found: dict[str, Any], event: str) -> HookVerdict:
    """Cursor: permission on permission events, continue on prompts and session starts."""
    reason = _text(
        found.get("agent_message"),
        found.get("user_message"),
        found.get("agentMessage"),
        found.get("userMessage"),
    )
    if event in ("beforeSubmitPrompt", "sessionStart"):
        return HookVerdict("deny" if found.get("continue") is False else None, reason)
    if event in ("stop", "subagentStop"):
        followup = _text(found.get("followup_message"))
        return HookVerdict("deny" if followup else None, followup)
    file_read = event in ("beforeReadFile", "beforeTabFileRead")
    allowed = ("allow", "deny") if file_read else ("allow", "deny", "ask")
    word = _word(found.get("permission"), allowed)
    if word == "":
        return _garbage()
    answer = HookVerdict(word, reason)
    rewritten = found.get("updated_input")
    if type(rewritten) is dict and event == "preToolUse" and word != "deny":
        answer.input = rewritten
        answer.decision = word or "allow"
    return answer


def cursor_compat(found: dict[str, Any], event: str) -> HookVerdict:
    """Cursor running a hook of Claude Code's configuration: it takes that client's words too."""
    if "hookSpecificOutput" in found and "permission" not in found:
        answer = claude_like(found, "PreToolUse")
        if answer.failure is None:
            return answer
    return cursor(found, event)


def copilot(found: dict[str, Any], event: str) -> HookVerdict:
    """Copilot CLI: permissionDecision at the top (nested also), behavior for a permission."""
    if event in ("permissionRequest", "PermissionRequest"):
        word = _word(found.get("behavior"), ("allow", "deny"))
        return _garbage() if word == "" else HookVerdict(word, _text(found.get("message")))
    if event in ("preToolUse", "PreToolUse"):
        own = _object(found.get("hookSpecificOutput"))
        fields = {**own, **found}
        word = _word(fields.get("permissionDecision"), ("allow", "deny", "ask"))
        if word == "":
            return _garbage()
        answer = HookVerdict(word, _text(fields.get("permissionDecisionReason")))
        rewritten = fields.get("modifiedArgs", fields.get("updatedInput"))
        if type(rewritten) is dict and word != "deny":
            answer.input = rewritten
            answer.decision = word or "allow"
        return answer
    word = _word(found.get("decision"), ("block", "allow", "approve"))
    return _garbage() if word == "" else HookVerdict(word, _text(found.get("reason")))


def auggie(found: dict[str, Any], event: str) -> HookVerdict:
    """Auggie: hookSpecificOutput alone, and `continue`; an `ask` is not put to anyone."""
    own = _object(found.get("hookSpecificOutput"))
    if event != "PreToolUse":
        word = _word(own.get("decision"), ("block",))
        return _garbage() if word == "" else HookVerdict(word, _text(own.get("reason")))
    word = _word(own.get("permissionDecision"), ("allow", "deny", "ask"))
    reason = _text(own.get("permissionDecisionReason"))
    if word == "":
        return _garbage()
    if found.get("continue") is False:
        return HookVerdict("deny", _text(found.get("stopReason"), reason))
    answer = HookVerdict(None if word == "ask" else word, reason)
    if type(own.get("updatedInput")) is dict and word != "deny":
        answer.input = own["updatedInput"]
        answer.decision = "allow"
    return answer


def antigravity(found: dict[str, Any], event: str) -> HookVerdict:
    """Antigravity: decision, and arguments laid over the model's; Stop can be continued."""
    reason = _text(found.get("reason"), found.get("denyReason"))
    word = found.get("decision") or None
    if event == "Stop":
        return HookVerdict("deny" if word == "continue" else None, reason)
    word = _word({"force_ask": "ask"}.get(word, word), ("allow", "deny", "ask"))  # type: ignore[arg-type]
    if word == "":
        return _garbage()
    answer = HookVerdict(word, reason)
    if type(found.get("overwrite")) is dict and word != "deny":
        answer.input, answer.merged = found["overwrite"], True
        answer.decision = word or "allow"
    return answer


def decision_word(found: dict[str, Any], event: str) -> HookVerdict:
    """Devin: decision alone."""
    word = _word(found.get("decision"), ("approve", "block", "allow", "deny"))
    return _garbage() if word == "" else HookVerdict(word, _text(found.get("reason")))


def cline(found: dict[str, Any], event: str) -> HookVerdict:
    """Cline: cancel, and overrideInput of the CLI."""
    cancel = found.get("cancel")
    if cancel is not None and type(cancel) is not bool:
        return _garbage()
    reason = _text(found.get("errorMessage"))
    if cancel:
        return HookVerdict("deny", reason, stops=True)
    answer = HookVerdict(None, reason)
    if type(found.get("overrideInput")) is dict:
        answer.input = found["overrideInput"]
        answer.decision = "allow"
    return answer
