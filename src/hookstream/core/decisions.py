"""The subject, AARTS hook point and verdict category of a decision, and what a permission mode
lets run, decided here only, for the stream (`sessions`, `detect`) and for tables."""

from __future__ import annotations

from functools import cache

from hookstream.core.clients import ASKS_LESS, NEVER_ASKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

# No person reads a question and answers it within this time.
AT_ONCE_MS = 200
ACTION, RESULT, OTHER = "action", "result", "other"
SUBJECTS = (
    ACTION, "prompt", "response", RESULT, "memory", "retrieval", "sub-agent", "compaction",
    "trigger", "connection", OTHER,
)  # fmt: skip
# Hook point of the event that is decided about -> subject. What is sent to a model is the prompt;
# plugins, skills and MCP servers are connections.
OF_POINT = {
    "SessionStart": "trigger",
    "SessionEnd": OTHER,
    "PrePluginLoad": "connection",
    "PreSkillLoad": "connection",
    "PreMCPConnect": "connection",
    "PreUserInput": "prompt",
    "PostInputProcessing": "prompt",
    "PreLLMRequest": "prompt",
    "PostLLMResponse": "response",
    "PreCompact": "compaction",
    "PostCompact": "compaction",
    "PreToolUse": ACTION,
    "PostToolUse": RESULT,
    "PreToolInputModification": ACTION,
    "PreSubAgentSpawn": "sub-agent",
    "PostSubAgentResult": "sub-agent",
    "PreOutputDeliver": "response",
    "PreMemoryWrite": "memory",
    "PreMemoryRead": "memory",
    "PostAskResolution": ACTION,
}
# ... of an event at no hook point: its type,
OF_TYPE = {
    "Session.Start": "trigger",
    "Prompt.Submitted": "prompt",
    "Agent.Plan.Start": "sub-agent",
    "Agent.Plan.End": "sub-agent",
    "Agent.Response": "response",
    "Model.Requested": "prompt",
    "Model.Responded": "response",
    "Action.Before": ACTION,
    "Action.After": RESULT,
    "Context.UntilCompaction": "compaction",
    "Context.Compaction": "compaction",
    "Policy.Violation": ACTION,
    "Policy.Blocked": ACTION,
    "Policy.Override": ACTION,
}
# or the name after `vendor.<tool>.`
OF_NAME = {
    "A2AMessage": "sub-agent",
    "AgentTrigger": "trigger",
    "DelegatedPrompt": "sub-agent",
    "Elicitation": "connection",
    "ElicitationResult": "connection",
    "KnowledgeRetrieval": "retrieval",
    "PromptExpansion": "prompt",
    "UserPromptExpansion": "prompt",
}
# Where nothing but the decision is known.
POINT_OF = {
    ACTION: "PreToolUse",
    "prompt": "PreUserInput",
    "response": "PreOutputDeliver",
    RESULT: "PostToolUse",
    "memory": "PreMemoryWrite",
    "sub-agent": "PreSubAgentSpawn",
    "compaction": "PreCompact",
    "trigger": "SessionStart",
    "connection": "PreMCPConnect",
}
# AARTS verdict category if no engine gave one: the standard's term whose policies guard such a
# subject, else one of the same kind. For actions the tool's category decides.
CATEGORY_OF = {
    "prompt": "prompt_injection",
    "response": "data_exfiltration",
    RESULT: "data_exfiltration",
    "memory": "persistence",
    "retrieval": "prompt_injection",
    "sub-agent": "privilege_escalation",
    "compaction": "context_integrity",
    "trigger": "prompt_injection",
    "connection": "supply_chain",
}
CATEGORY_OF_TOOL = {
    "web_request": "network_egress",
    "browser": "network_egress",
    "package_install": "supply_chain",
}
CATEGORY = "tool_execution"
# The evidence of a result that leaves open whether its tool ran: the client recorded no decision.
NO_RUN_SHOWN = "no run shown"
# ... of a refusal, if its call had no before event: its text is not one of the client's.
STRANGE = "no text of the client"
# The calls that a permission mode lets run without a question.
EVERYTHING, PART = "everything", "edits or judged actions"
# Modes of the first kind of hosts that declare none, as `spelled`, after the clients' words.
UNGUARDED = ("bypass", "yolo", "autoapprove", "fullauto", "unrestricted", "dangerfullaccess")
# The decision that a type states by itself.
STATED = {"Policy.Blocked": "deny", "Policy.Override": "allow"}
# Facts that show that an event belongs to a call.
OF_A_CALL = ("action_native", "action_name", "call_id")
# Facts that name who decided by what: two decisions that differ in one of them are two.
DECIDER = ("guardian", "policy_engine", "policy_id", "policy_version", "matched_rule_id")


def subject_of(kind: str, hook_point: str | None, facts: Mapping[str, Any]) -> str:
    """The subject of a decision about an event of this type, hook point and facts."""
    subject = OF_POINT.get(hook_point or "") or OF_TYPE.get(kind)
    if subject is None and kind.startswith("vendor."):
        subject = OF_NAME.get(kind.rpartition(".")[2])
    if subject is None:
        subject = ACTION if any(name in facts for name in OF_A_CALL) else OTHER
    return subject


def category_of(subject: str | None, tool_category: str | None) -> str:
    """The verdict category of a decision for which no engine named one."""
    return CATEGORY_OF.get(subject or "") or CATEGORY_OF_TOOL.get(tool_category or "", CATEGORY)


def lookups() -> Iterator[tuple[str, str, str | None]]:
    """`subject_of` for SQL, as (key, subject, hook point of a subject); the key is `point:`,
    `type:`, `name:` or `subject:` and the word."""
    for prefix, table in (("point:", OF_POINT), ("type:", OF_TYPE), ("name:", OF_NAME)):
        for word, subject in table.items():
            yield prefix + word, subject, None
    for subject in SUBJECTS:
        yield f"subject:{subject}", subject, POINT_OF.get(subject)


def spelled(mode: str) -> str:
    """A permission mode as modes are compared: clients write one in several spellings."""
    return mode.lower().replace("-", "").replace("_", "").replace(" ", "")


def modes() -> Iterator[tuple[str, str, str]]:
    """(client, mode as `spelled`, what runs in it without a question); rows without a client are
    of hosts that declare no modes, where a word that clients differ about says the less."""
    shared = {}
    for table, unasked in ((NEVER_ASKS, EVERYTHING), (ASKS_LESS, PART)):
        for client, words in table.items():
            for word in map(spelled, words):
                yield client, word, unasked
                shared[word] = unasked
    for word, unasked in (shared | dict.fromkeys(UNGUARDED, EVERYTHING)).items():
        yield "", word, unasked


@cache
def _modes() -> dict[tuple[str, str], str]:
    return {(client, word): unasked for client, word, unasked in modes()}


def runs_unasked(client: str, mode: str) -> str | None:
    """Return what runs without a question in a client's mode: everything, a part, or None."""
    declares = client in NEVER_ASKS or client in ASKS_LESS
    return _modes().get((client if declares else "", spelled(mode)))
