"""Agent frameworks by their GenAI spans: one table for all, `framework` is the tool.

Source: the gen_ai conventions to 1.41 and after, OpenInference, OpenLLMetry, the attributes of the
AI SDK and LangSmith, and recordings of ten frameworks. What a span says is read by `dialects`; a
call that only waits for approval, and one whose end is not reported, has no outcome.
"""

from __future__ import annotations

from hookstream.normalizers.exported import ALLOWED, DENIED
from hookstream.normalizers.table import (
    Const,
    Ignore,
    Row,
    Tool,
    Vendor,
    delegate,
    derived,
    edit,
    fetch,
    find,
    listing,
    read,
    search,
    shell,
    write,
)
from hookstream.normalizers.taxonomy import TAXONOMY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record
    from hookstream.normalizers.table import Source

    Payload = dict[str, Any]

PATHS = ("path", "file_path", "filename", "file", "filepath")
# Tools are the user's own: names that mean one thing wherever they are given.
TOOLS = {
    **TAXONOMY,
    **dict.fromkeys(
        "run_shell shell bash terminal run_command execute_command run_shell_command "
        "shell_command run_bash".split(),
        shell(),
    ),
    "ShellTool": shell("commands"),
    "local_shell": shell(),
    **dict.fromkeys("read_file read file_read ReadFileTool view_file".split(), read(PATHS)),
    **dict.fromkeys("write_file create_file file_write WriteFileTool".split(), write(PATHS)),
    **dict.fromkeys("edit_file replace_in_file file_edit".split(), edit(PATHS)),
    **dict.fromkeys(
        "delete_file file_delete DeleteFileTool".split(),
        Tool("delete_file", "file_delete", file_path=PATHS),
    ),
    **dict.fromkeys("list_directory list_files ls".split(), listing()),
    **dict.fromkeys("search_files grep glob".split(), find()),
    **dict.fromkeys("fetch fetch_url web_fetch http_get read_page".split(), fetch()),
    **dict.fromkeys("web_search search_web google_search duckduckgo_search".split(), search()),
    "transfer_to_agent": delegate(),
    "task": delegate(),
    "Agent": delegate(),
    "Task": delegate(),
}
HANDOFF = delegate()


class Tools(dict[str, Tool]):
    """The table, and every tool whose name says that it hands over to another agent."""

    def get(self, name: str, default: Any = None) -> Any:
        found = super().get(name)
        if found is None and name.startswith(("transfer_to_", "handoff_to_", "delegate_to_")):
            return HANDOFF
        return default if found is None else found


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    if not name.startswith("mcp__"):
        return None
    server, _, tool = name[5:].partition("__")
    return (server, tool) if tool else ("", server)


@derived
def plan_type(p: Payload, r: Record) -> str:
    return "default"


COMMON: dict[str, Source] = {
    "timestamp": "timestamp",
    "tool": "framework",
    "session_id": "session_id",
    "agent_id": "agent_id",
    "agent_type": "agent",
    "parent_call_id": "parent_call_id",
}
CALL: dict[str, Source] = {"action_native": "name", "input": "arguments", "call_id": "call_id"}
AGENT: dict[str, Source] = {"plan_type": plan_type, "agent_type": "name"}
STEP: dict[str, Source] = {"duration_ms": "duration_ms", "error_message": "error"}
MEMORY: dict[str, Source] = {
    "memory_store": "memory_store",
    "memory": "memory",
    "query": "query",
    **STEP,
}
RECORD = ("name", "error_type")
MODEL: dict[str, Source] = {"model_id": "model", "latency_ms": "duration_ms"}

EVENTS: dict[str, Row | Ignore | tuple[Row | Ignore, ...]] = {
    "prompt": Row("Prompt.Submitted", "PreUserInput", {"prompt": "prompt"}),
    "tool.start": Row("Action.Before", "PreToolUse", CALL),
    "tool.end": Row(
        "Action.After",
        "PostToolUse",
        {
            **CALL,
            "success": "success",
            "outcome": "outcome",
            "exit_code": "exit_code",
            "error_message": "error",
            "output": "result",
            "duration_ms": "duration_ms",
        },
        keep=("error_type",),
    ),
    "tool.asked": Row(
        "Agent.Notification",
        None,
        {**CALL, "notification_type": Const("ToolPermission")},
    ),
    "tool.refused": Row(
        "Policy.Blocked",
        None,
        {
            **CALL,
            **DENIED,
            "decided_by": "decided_by",
            "decision_reason": "reason",
            "decision_evidence": "evidence",
        },
    ),
    "tool.approved": Row(
        "Policy.Override",
        "PostAskResolution",
        {
            **CALL,
            **ALLOWED,
            "decided_by": Const("user"),
            "decision_reason": "reason",
            "decision_evidence": "evidence",
            "modified": "modified",
            "resolution": Const("approved"),
        },
    ),
    "model.start": Row("Model.Requested", "PreLLMRequest", {"model_id": "model"}),
    "model.end": Row(
        "Model.Responded",
        "PostLLMResponse",
        {
            **MODEL,
            "message_id": "response_id",
            "input_tokens": "input_tokens",
            "output_tokens": "output_tokens",
            "cache_read_tokens": "cache_read",
            "cache_write_tokens": "cache_write",
        },
    ),
    "model.failed": Row(
        "Model.Failed", None, {**MODEL, "error_message": "error", "error_code": "error_type"}
    ),
    "agent.start": Row("Agent.Plan.Start", "PreSubAgentSpawn", AGENT),
    "agent.end": Row("Agent.Plan.End", "PostSubAgentResult", {**AGENT, "response": "text"}),
    "handoff": Row("Agent.Plan.Start", "PreSubAgentSpawn", AGENT),
    "answer": Row("Agent.Response", "PreOutputDeliver", {"response": "text", "final": Const(True)}),
    "agent.failed": Row(
        "Agent.Error",
        None,
        {"error_type": Const("AgentFailed"), "error_message": "error", "error_code": "error_type"},
    ),
    "compaction": Row("Context.Compaction", "PostCompact", {"context_phase": Const("after")}),
    "skill": Row(
        "vendor.otel-genai.SkillLoad",
        "PreSkillLoad",
        {"file_path": "skill_source", "call_id": "call_id"},
        keep=("skill",),
        note="the call that loads it is an action as well",
    ),
    "memory.written": Row("vendor.otel-genai.MemoryWrite", "PreMemoryWrite", MEMORY, keep=RECORD),
    "memory.read": Row("vendor.otel-genai.MemoryRead", "PreMemoryRead", MEMORY, keep=RECORD),
    "memory.deleted": Row("vendor.otel-genai.MemoryDelete", None, MEMORY, keep=RECORD),
    "memory.store_created": Row("vendor.otel-genai.MemoryStoreCreate", None, MEMORY, keep=RECORD),
    "memory.store_deleted": Row("vendor.otel-genai.MemoryStoreDelete", None, MEMORY, keep=RECORD),
    "plan": Row("vendor.otel-genai.Plan", None, STEP, keep=("name", "error_type")),
    "workflow.start": Row("vendor.otel-genai.WorkflowStart", None, keep=("name",)),
    "workflow.end": Row("vendor.otel-genai.WorkflowEnd", None, STEP, keep=("name", "error_type")),
    "guardrail": Row("vendor.otel-genai.Guardrail", None, keep=("name",)),
}

VENDOR = Vendor(
    "otel-genai",
    claims=lambda p: False,
    event="event",
    common=COMMON,
    events=EVENTS,
    tools=Tools(TOOLS),
    mcp=mcp,
    keep=("trace", "span", "scope"),
)
