"""The hook points of AARTS 0.1: which fields each has, from which facts, in which words."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

AARTS_VERSION = "0.1"
VERSION = re.compile(r"[0-9]+\.[0-9]+")
# The source of a verdict of which no payload says whose it is.
UNKNOWN = "unknown"
TURN = "PostInputProcessing PreUserInput PreLLMRequest PostLLMResponse PreCompact PostCompact"
TURN_POINTS = frozenset(f"{TURN} PreToolUse PostToolUse PreOutputDeliver PostAskResolution".split())
TOOL_POINTS = frozenset(("PreToolUse", "PostToolUse"))

# hook point -> (field, fact, required with this empty value, or None if it may be left out).
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
    "PreUserInput": (
        ("raw_input", "prompt", ""),
        ("input_source", "input_source", None),
        ("attached_files", "attached_files", None),
    ),
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
TRUST: tuple[tuple[str, Any, bool], ...] = (
    ("source", ("managed", "project", "user", "marketplace", ""), True),
    ("source_id", "text", False),
)
CHANGE = (("was_modified", "flag", True), ("modifier_chain", "list", True))
PROVENANCE = (
    ("source_prompt_modified", "flag", False),
    ("active_skill", "text", False),
    ("is_sub_agent", "flag", False),
    ("parent_session_id", "text", False),
    ("input_modifier_chain", "list", False),
)
# hook point -> (field, shape, required), of the fields that no fact has. Shapes: a text, a flag, a
# list, texts (a list of them), an object, a value (a text, a list or an object), or the words of an
# enum.
MORE: dict[str, tuple[tuple[str, Any, bool], ...]] = {
    "SessionStart": (
        ("plugins", "list", False),
        ("configuration_sources", "list", False),
        ("environment", "object", False),
    ),
    "SessionEnd": (("summary", "object", False),),
    "PrePluginLoad": (
        *TRUST,
        ("file_paths", "texts", True),
        ("file_hashes", "texts", False),
        ("declared_hooks", "list", True),
        ("declared_permissions", "list", False),
    ),
    "PreSkillLoad": (
        *TRUST,
        ("file_hash", "text", False),
        ("frontmatter", "object", True),
        ("declared_hooks", "list", True),
        ("body_content", "text", False),
    ),
    "PreMCPConnect": (
        *TRUST,
        ("declared_tools", "list", False),
        ("declared_resources", "list", False),
    ),
    "PreUserInput": (),
    "PostInputProcessing": CHANGE,
    "PreLLMRequest": (
        ("system_prompt", "text", False),
        ("custom_instructions", "list", False),
        ("context_injections", "list", False),
        ("user_input", "text", False),
    ),
    "PostLLMResponse": (("planned_actions", "list", False),),
    "PreCompact": (),
    "PostCompact": (("original_value", "value", True), *CHANGE),
    "PreToolUse": PROVENANCE,
    "PostToolUse": (("side_effects", "list", False),),
    "PreToolInputModification": (
        *TRUST,
        ("original_value", "value", True),
        ("modified_value", "value", True),
        *CHANGE,
    ),
    "PreSubAgentSpawn": (
        ("skill_files", "list", False),
        ("declared_hooks", "list", False),
        ("requested_tools", "list", False),
        ("parent_permissions", "object", False),
    ),
    "PostSubAgentResult": (("tool_calls_made", "list", False), ("verdicts_issued", "list", False)),
    "PreOutputDeliver": (("actions_taken", "list", False),),
    "PreMemoryWrite": (
        (
            "memory_type",
            ("fact", "instruction", "preference", "conversation", "code_snippet"),
            False,
        ),
        ("write_source", ("agent_decision", "user_request", "automatic"), False),
    ),
    "PreMemoryRead": (),
    "PostAskResolution": (
        ("original_hook_point", "point", True),
        ("original_verdict", "verdict", True),
    ),
}
EMPTY: dict[str, Any] = {"text": "", "list": [], "texts": [], "object": {}, "value": ""}
VERDICT_WORDS = {
    "decision": ("allow", "deny", "ask"),
    "severity": ("info", "warning", "critical"),
}
# A hook point of a later version, or one that a host has added.
POINT = re.compile(r"[^\x00-\x1f]{1,128}")
RESOLUTIONS = "approved denied allow_always allow_similar deny_always deny_similar".split()
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
# Which content the standard takes as more than a text.
AS_LIST = ("full_prompt", "context_before")
AS_OBJECT = ("tool_result", "original_value", "modified_value")
CONTENT = frozenset(
    "prompt response output task summary request memory reasoning rewritten".split()
)
# aarts field -> fact, for translating the lists of paths
TRANSLATED = {"action_category": "tool_name", "action_native": "tool_name_native"}
