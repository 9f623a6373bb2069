"""Gemini CLI's hooks. Standard error replaces an empty standard output; text with a status above 1
denies. Sources: the hooks reference, trials with 0.61.0."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, garbage, object_of, text_of, word_of
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Gemini CLI: decision, continue, and arguments laid over the model's."""
    word = word_of(found.get("decision"), ("allow", "approve", "deny", "block", "ask"))
    if word == "":
        return garbage()
    reason = text_of(found.get("reason"))
    if found.get("continue") is False:
        return HookVerdict("deny", text_of(found.get("stopReason"), reason), stops=True)
    answer = HookVerdict(word, reason)
    rewritten = object_of(found.get("hookSpecificOutput")).get("tool_input")
    if type(rewritten) is dict and event == "BeforeTool" and word != "deny":
        answer.input, answer.merged = rewritten, True
        answer.decision = word or "allow"
    return answer


HOOK = HookFacts(
    Contract(
        kinds(
            tool="BeforeTool",
            # a rejected answer is given again
            gate="BeforeAgent BeforeModel BeforeToolSelection AfterModel AfterAgent",
            after="AfterTool",
        ),
        read,
        blocks=(),
        stderr=True,
        stdout_text_denies=True,
    ),
    variables="GEMINI_SESSION_ID",
    folders="/.gemini/",
    attended={"interactive": {True: True, False: False, "true": True, "false": False}},
    unattended="gemini -p --prompt --yolo -y",
)
