"""Auggie (Augment Code), 0.36: seven hook events, two of Claude Code's names with other fields.

Source: runs of 0.36.0 against a scripted service, and the package's source. A refusal by a hook
leaves no event after the call, one by a permission is the call's error. A call has no id, and a
sub-agent's calls come under another conversation, which names neither its parent nor the call.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.auggie import calls
from hookstream.normalizers.auggie.wording import SHELL
from hookstream.normalizers.capabilities import Capabilities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload


def claims(p: Payload) -> bool:
    """A conversation with its workspaces under one of its event names."""
    if "generation_id" in p or "session_id" in p:  # Cursor's, next to these fields
        return False
    is_event = p.get("hook_event_name") in EVENTS and "conversation_id" in p
    return is_event and type(p.get("workspace_roots")) is list


@t.reads("workspace_roots")
def cwd(p: Payload) -> Any:
    """The workspace; hooks start in it, and it is where a relative path begins."""
    roots = p.get("workspace_roots")
    return roots[0] if roots else None


@t.reads("context.toolVersion")
def tool_version(p: Payload) -> str | None:
    """`0.36.0 (commit ...)`, only where the hook asks for its user's context."""
    return t.text_at(p, "context.toolVersion").partition(" ")[0] or None


@t.reads("tool_name")
def action_name(p: Payload) -> str | None:
    return "delegate" if is_agent(p) else None


@t.reads("tool_name")
def action_category(p: Payload) -> str | None:
    return "delegate" if is_agent(p) else None


def is_agent(p: Payload) -> bool:
    """A sub-agent is a tool of its name."""
    return str(p.get("tool_name")).startswith("sub-agent")


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    """`<tool>_<server>`; only the metadata says where the tool's name ends."""
    if p.get("is_mcp_tool") is not True:
        return None
    tool = t.text_at(p, "mcp_metadata.mcpExecutedToolName")
    return t.text_at(p, "mcp_metadata.mcpExecutedToolServerName"), tool or name


@t.reads("_exchange")
def response(p: Payload) -> str:
    """The answer; the turn's last exchange has it although no hook asked for the conversation."""
    asked = t.text_at(p, "conversation.agentTextResponse")
    return asked or t.text_at(p, "_exchange.exchange.response_text")


PATH = "path"
TOOLS = {
    SHELL: t.shell(),
    "write-process": t.Tool("shell", "shell", content=("input_text",)),
    "read-process": t.Tool("read_process", "other"),
    "kill-process": t.Tool("kill_process", "other"),
    "list-processes": t.Tool("list_processes", "other"),
    "view": t.read(PATH),
    "save-file": t.write(PATH),
    "str-replace-editor": t.edit(PATH),
    "apply_patch": t.Tool("write_file", "file_edit", content=("input",)),
    "remove-files": t.delete("file_paths"),
    "codebase-retrieval": t.find("information_request", ()),
    "grep-search": t.find("query", "directory_absolute_path"),
    "web-fetch": t.fetch(),
    "web-search": t.search(),
}

CALL: t.Facts = {
    "action_native": "tool_name",
    "action_name": action_name,
    "action_category": action_category,
    "input": "tool_input",
}
LEFT_OUT = "is_mcp_tool mcp_metadata user_prompt file_changes"

EVENTS: t.Events = {
    "SessionStart": t.Row("Session.Start", note="also where an earlier conversation goes on"),
    "SessionEnd": t.Row("Session.End"),
    "PromptSubmit": t.Row(
        "Prompt.Submitted",
        {"prompt": "user_prompt"},
        note="is not waited for: a call's event may come before it",
    ),
    "PreToolUse": t.Row("Action.Before", CALL, ignore=f"{LEFT_OUT} tool_output"),
    "PostToolUse": (
        t.Row(
            "Action.After",
            {**CALL, **t.end_of(calls.of_end), "output": calls.output},
            when=t.negate(calls.is_refused),
            ignore=LEFT_OUT,
        ),
        t.tool_failed(CALL, when=calls.has_failed, error_message=calls.of_end("message")),
        t.Row(
            "Policy.Blocked",
            {
                **CALL,
                "decided_by": t.derived(calls.of_end("decided_by")),
                "decision_reason": calls.of_end("reason"),
                "matched_rule_id": calls.matched_rule,
                "decision_evidence": t.Const("tool_error"),
                "certainty": calls.certainty,
            },
            when=calls.is_refused,
            note="refused by a permission; a hook's refusal leaves no event",
        ),
    ),
    "Notification": t.Row(
        "Agent.Notification",
        {
            "notification_type": t.Words("notification_type", {}),
            "message": "notification_message",
        },
    ),
    "Stop": t.Row(
        "Agent.Response",
        {"response": response, "final": t.Const(True), "stop_reason": "agent_stop_cause"},
        ignore="conversation",
    ),
}

VENDOR = t.Vendor(
    "auggie",
    claims=claims,
    event="hook_event_name",
    common={
        "session_id": "conversation_id",
        "cwd": cwd,
        "user_id": "context.userEmail",
        "model_id": "context.modelName",
        "tool_version": tool_version,
    },
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    # Of a second's precision: two equal calls would be one.
    ignore="context.timestamp",
    capabilities=Capabilities(silence_means="refused", turn_goes_on=True, pairs_lone=True),
)
