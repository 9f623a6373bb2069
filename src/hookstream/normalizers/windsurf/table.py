"""Windsurf Cascade (now also Devin Desktop): 12 hook events, snake_case, facts under `tool_info`.

Source: the vendor's hooks page and field reports; no recording. Cascade names no tool, so the event
without its pre_ or post_ names it. It has no call ids and no events for denials, failures, the end
of a session, compaction or sub-agents.
"""

from __future__ import annotations

from hookstream.normalizers import table as t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record


def arguments(*names: str) -> Any:
    """A call's arguments: these keys of tool_info and no others, so that a new one is noticed."""

    @t.reads(*(f"tool_info.{name}" for name in names))
    def pick(p: Payload) -> dict[str, Any] | None:
        info = p.get("tool_info")
        return {key: info[key] for key in names if key in info} if type(info) is dict else None

    return pick


@t.derived
@t.reads("tool_info.edits")
def write_category(p: Payload) -> str | None:
    """A new file shows as edits that replace nothing."""
    edits = t.at(p, "tool_info.edits")
    if type(edits) is not list or not edits:
        return None
    new = all(type(edit) is dict and edit.get("old_string") == "" for edit in edits)
    return "file_write" if new else None


@t.reads("execution_id")
def response_of_turn(p: Payload) -> str | None:
    """The two response events of a turn report one response."""
    turn = p.get("execution_id")
    return f"cascade_response/{turn}" if type(turn) is str and turn else None


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    if name != "mcp_tool_use":
        return None
    server, tool = t.at(p, "tool_info.mcp_server_name"), t.at(p, "tool_info.mcp_tool_name")
    if type(tool) is not str:
        return None
    return (server if type(server) is str else "", tool)


def claims(p: Payload) -> bool:
    return type(p.get("agent_action_name")) is str


TOOLS = {
    "run_command": t.shell("command_line"),
    "read_code": t.read(),
    "write_code": t.edit(),
}

COMMON: t.Facts = {
    "session_id": "trajectory_id",
    "turn_id": "execution_id",
    "timestamp": "timestamp",
    "model_id": "model_name",
}
RUN: t.Facts = {
    "action_native": t.Const("run_command"),
    "input": arguments("command_line", "cwd"),
    "cwd": "tool_info.cwd",
}
READ: t.Facts = {
    "action_native": t.Const("read_code"),
    "input": arguments("file_path"),
}
WRITE: t.Facts = {
    "action_native": t.Const("write_code"),
    "action_category": write_category,
    "input": arguments("file_path", "edits"),
}
MCP: t.Facts = {
    "action_native": t.Const("mcp_tool_use"),
    "input": "tool_info.mcp_tool_arguments",
    "mcp_server": "tool_info.mcp_server_name",
}
MCP_TOOL = "tool_info.mcp_tool_name"
STATED: t.Facts = {"success": t.Const(True)}

EVENTS: t.Events = {
    "pre_user_prompt": t.Row("Prompt.Submitted", {"prompt": "tool_info.user_prompt"}),
    "pre_run_command": t.Row("Action.Before", RUN),
    "post_run_command": t.Row(
        "Action.After", RUN, note="no output, no exit code: the outcome is unknown"
    ),
    "pre_read_code": t.Row("Action.Before", READ),
    "post_read_code": t.Row(
        "Action.After", {**READ, **STATED}, note="comes after a successful read only"
    ),
    "pre_write_code": t.Row("Action.Before", WRITE),
    "post_write_code": t.Row(
        "Action.After", {**WRITE, **STATED}, note="comes once the file is written"
    ),
    "pre_mcp_tool_use": t.Row("Action.Before", MCP, ignore=MCP_TOOL),
    "post_mcp_tool_use": t.Row(
        "Action.After",
        {**MCP, **STATED, "output": "tool_info.mcp_result"},
        ignore=MCP_TOOL,
        note="comes after a successful call only",
    ),
    "post_cascade_response": t.Row(
        "Agent.Response",
        {
            "response": "tool_info.response",
            "final": t.Const(True),
            "same_as": response_of_turn,
        },
    ),
    "post_cascade_response_with_transcript": t.Row(
        "Agent.Response",
        {
            "transcript_path": "tool_info.transcript_path",
            "final": t.Const(True),
            "same_as": response_of_turn,
        },
        note="the same response without its text",
    ),
    "post_setup_worktree": t.Row(
        "Session.Start",
        {
            "start_reason": t.Const("new"),
            "cwd": "tool_info.worktree_path",
            "repo": "tool_info.root_workspace_path",
        },
        note="the only event at the start of a session, for sessions in a new worktree",
    ),
}

# The names as the Agent Hooks document spells them: PreRunCommand, PreMCPToolUse.
SPELLINGS = {
    "".join("MCP" if word == "mcp" else word.capitalize() for word in name.split("_")): name
    for name in EVENTS
}


@t.reads("agent_action_name")
def event_name(p: Payload, r: Record) -> str | None:
    name = p.get("agent_action_name") or r.native_event
    return SPELLINGS.get(name, name) if type(name) is str else None


VENDOR = t.Vendor(
    "windsurf",
    claims=claims,
    event=event_name,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
)
