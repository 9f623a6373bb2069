"""Agent frameworks by their GenAI spans: one table for all, `framework` is the tool.

Source: the gen_ai conventions to 1.41 and after, OpenInference, OpenLLMetry, the attributes of the
AI SDK and LangSmith, and recordings of ten frameworks. What a span says is read by `dialects`; a
call that only waits for approval, and one whose end is not reported, has no outcome.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.taxonomy import TAXONOMY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.table import Facts

PATHS = ("path", "file_path", "filename", "file", "filepath")
# Tools are the user's own: names that mean one thing wherever they are given.
TOOLS = {
    **TAXONOMY,
    **dict.fromkeys(
        "run_shell shell bash terminal run_command execute_command run_shell_command "
        "shell_command run_bash".split(),
        t.shell(),
    ),
    "ShellTool": t.shell("commands"),
    "local_shell": t.shell(),
    **dict.fromkeys("read_file read file_read ReadFileTool view_file".split(), t.read(PATHS)),
    **dict.fromkeys("write_file create_file file_write WriteFileTool".split(), t.write(PATHS)),
    **dict.fromkeys("edit_file replace_in_file file_edit".split(), t.edit(PATHS)),
    **dict.fromkeys(
        "delete_file file_delete DeleteFileTool".split(),
        t.Tool("delete_file", "file_delete", file_path=PATHS),
    ),
    **dict.fromkeys("list_directory list_files ls".split(), t.listing()),
    **dict.fromkeys("search_files grep glob".split(), t.find()),
    **dict.fromkeys("fetch fetch_url web_fetch http_get read_page".split(), t.fetch()),
    **dict.fromkeys("web_search search_web google_search duckduckgo_search".split(), t.search()),
    "transfer_to_agent": t.delegate(),
    "task": t.delegate(),
    "Agent": t.delegate(),
    "Task": t.delegate(),
}
HANDOFF = t.delegate()


class Tools(dict[str, t.Tool]):
    """The table, and every tool whose name says that it hands over to another agent."""

    def get(self, name: str, default: Any = None) -> Any:
        value = super().get(name)
        if value is None and name.startswith(("transfer_to_", "handoff_to_", "delegate_to_")):
            return HANDOFF
        return default if value is None else value


COMMON: Facts = {
    "timestamp": "timestamp",
    "tool": "framework",
    "session_id": "session_id",
    "agent_id": "agent_id",
    "agent_type": "agent",
    "parent_call_id": "parent_call_id",
}
CALL: Facts = {"action_native": "name", "input": "arguments", "call_id": "call_id"}
AGENT: Facts = {"plan_type": t.plan_of(), "agent_type": "name"}
STEP: Facts = {"duration_ms": "duration_ms", "error_message": "error"}
MEMORY: Facts = {
    "memory_store": "memory_store",
    "memory": "memory",
    "query": "query",
    **STEP,
}
RECORD = "name error_type"
MODEL: Facts = {"model_id": "model", "latency_ms": "duration_ms"}

EVENTS: t.Events = {
    "prompt": t.Row("Prompt.Submitted", {"prompt": "prompt"}),
    "tool.start": t.Row("Action.Before", CALL),
    "tool.end": t.Row(
        "Action.After",
        {
            **CALL,
            "success": "success",
            "outcome": "outcome",
            "exit_code": "exit_code",
            "error_message": "error",
            "output": "result",
            "duration_ms": "duration_ms",
        },
        keep="error_type",
    ),
    "tool.asked": t.Row(
        "Agent.Notification",
        {**CALL, "notification_type": t.Const("ToolPermission")},
    ),
    "tool.refused": t.Row(
        "Policy.Blocked",
        {
            **CALL,
            "decided_by": "decided_by",
            "decision_reason": "reason",
            "decision_evidence": "evidence",
        },
    ),
    "tool.approved": t.Row(
        "Policy.Override",
        {
            **CALL,
            "decided_by": t.Const("user"),
            "decision_reason": "reason",
            "decision_evidence": "evidence",
            "modified": "modified",
            "resolution": t.Const("approved"),
        },
        hook_point="PostAskResolution",
    ),
    "model.start": t.Row("Model.Requested", {"model_id": "model"}),
    "model.end": t.Row(
        "Model.Responded",
        {
            **MODEL,
            "message_id": "response_id",
            "input_tokens": "input_tokens",
            "output_tokens": "output_tokens",
            "cache_read_tokens": "cache_read",
            "cache_write_tokens": "cache_write",
        },
    ),
    "model.failed": t.Row(
        "Model.Failed", {**MODEL, "error_message": "error", "error_code": "error_type"}
    ),
    "agent.start": t.Row("Agent.Plan.Start", AGENT),
    "agent.end": t.Row("Agent.Plan.End", {**AGENT, "response": "text"}),
    "handoff": t.Row("Agent.Plan.Start", AGENT),
    "answer": t.Row("Agent.Response", {"response": "text", "final": t.Const(True)}),
    "agent.failed": t.Row(
        "Agent.Error",
        {
            "error_type": t.Const("AgentFailed"),
            "error_message": "error",
            "error_code": "error_type",
        },
    ),
    "compaction": t.Row("Context.Compaction", {"context_phase": t.Const("after")}),
    "skill": t.Row(
        "vendor.otel-genai.SkillLoad",
        {"file_path": "skill_source", "call_id": "call_id"},
        hook_point="PreSkillLoad",
        keep="skill",
        note="the call that loads it is an action as well",
    ),
    "memory.written": t.Row(
        "vendor.otel-genai.MemoryWrite", MEMORY, hook_point="PreMemoryWrite", keep=RECORD
    ),
    "memory.read": t.Row(
        "vendor.otel-genai.MemoryRead", MEMORY, hook_point="PreMemoryRead", keep=RECORD
    ),
    "memory.deleted": t.Row("vendor.otel-genai.MemoryDelete", MEMORY, keep=RECORD),
    "memory.store_created": t.Row("vendor.otel-genai.MemoryStoreCreate", MEMORY, keep=RECORD),
    "memory.store_deleted": t.Row("vendor.otel-genai.MemoryStoreDelete", MEMORY, keep=RECORD),
    "plan": t.Row("vendor.otel-genai.Plan", STEP, keep="name error_type"),
    "workflow.start": t.Row("vendor.otel-genai.WorkflowStart", keep="name"),
    "workflow.end": t.Row("vendor.otel-genai.WorkflowEnd", STEP, keep="name error_type"),
    "guardrail": t.Row("vendor.otel-genai.Guardrail", keep="name"),
}

VENDOR = t.Vendor(
    "otel-genai",
    event="event",
    common=COMMON,
    events=EVENTS,
    tools=Tools(TOOLS),
    mcp=t.mcp_name(lone=True),
    keep="trace span scope",
)
