"""The hook points of AARTS 0.1: which fields each has, from which facts, in which words."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

AARTS_VERSION = "0.1"
# The source of a verdict of which no payload says whose it is.
UNKNOWN = "unknown"
TURN = "PostInputProcessing PreUserInput PreLLMRequest PostLLMResponse PreCompact PostCompact"
TURN_POINTS = frozenset(f"{TURN} PreToolUse PostToolUse PreOutputDeliver PostAskResolution".split())
TOOL_POINTS = frozenset(("PreToolUse", "PostToolUse"))
TRUST_POINTS = frozenset(
    ("PrePluginLoad", "PreSkillLoad", "PreMCPConnect", "PreToolInputModification")
)

# hook point -> (field, fact, required with this empty value, or None where it may be left out).
# A content fact gives its text or its digest marker.
FIELDS: dict[str, tuple[tuple[str, str, Any], ...]] = {
    "SessionStart": (),
    "SessionEnd": (),
    "PrePluginLoad": (("plugin_id", "server_id", ""),),
    "PreSkillLoad": (("file_path", "file_path", ""), ("load_context", "load_context", "")),
    "PreMCPConnect": (
        ("server_id", "server_id", ""),
        ("transport", "transport", ""),
        ("server_command", "server_command", None),
        ("server_uri", "url", None),
    ),
    "PreUserInput": (("raw_input", "prompt", ""), ("input_source", "input_source", None)),
    "PreLLMRequest": (
        ("full_prompt", "request", ""),
        ("model_id", "model_id", None),
        ("token_count", "input_tokens", None),
    ),
    "PostLLMResponse": (("response_text", "response", ""), ("stop_reason", "stop_reason", None)),
    "PreCompact": (
        ("context_before", "summary", ""),
        ("token_count_before", "tokens_before", None),
        ("compaction_reason", "context_trigger", None),
        ("compaction_strategy", "strategy", None),
    ),
    "PostCompact": (
        ("modified_value", "summary", ""),
        ("token_count_after", "tokens_after", None),
        ("compaction_strategy_used", "strategy", None),
    ),
    "PreToolUse": (),
    "PostToolUse": (
        ("tool_result", "output", ""),
        ("exit_code", "exit_code", None),
        ("execution_duration_ms", "duration_ms", None),
    ),
    "PreToolInputModification": (("tool_name", "action_category", ""),),
    "PreSubAgentSpawn": (
        ("sub_agent_id", "agent_id", ""),
        ("sub_agent_type", "agent_type", None),
        ("delegated_task", "task", ""),
    ),
    "PostSubAgentResult": (("sub_agent_id", "agent_id", ""), ("result", "response", "")),
    "PreOutputDeliver": (("output_text", "response", ""),),
    "PreMemoryWrite": (("memory_store", "memory_store", ""), ("content", "memory", "")),
    "PreMemoryRead": (
        ("memory_store", "memory_store", ""),
        ("query", "query", None),
        ("retrieved_content", "memory", ""),
    ),
    "PostInputProcessing": (
        ("original_value", "prompt", ""),
        ("modified_value", "request", ""),
    ),
    "PostAskResolution": (("resolution", "resolution", ""),),
}
COMPACTION_REASONS = {
    "manual": "user_triggered",
    "auto": "automatic",
    "threshold": "token_limit",
    "overflow": "token_limit",
}
STRATEGIES = ("summarization", "truncation", "selective", "hybrid")
INPUT_SOURCES = ("keyboard", "file", "api", "automated")
TRANSPORTS = ("stdio", "sse", "streamable_http")
CLOSED = {
    "compaction_strategy": STRATEGIES,
    "compaction_strategy_used": STRATEGIES,
    "input_source": INPUT_SOURCES,
    "transport": TRANSPORTS,
    "load_context": ("main_session", "sub_agent", "skill_invocation"),
}
CONTENT = frozenset(
    "prompt response output task summary request memory reasoning rewritten".split()
)
# aarts field -> fact, for translating the lists of paths
TRANSLATED = {"action_category": "tool_name", "action_native": "tool_name_native"}
