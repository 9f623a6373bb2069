"""Clients that run other clients' hooks and have no table: their marks, and one table for all.

They write the events and fields that they took over from Claude Code, in its spelling, in their own
or in both. What is common to these is read; everything else of a payload is unmapped.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.hook_facts import HookFacts
from hookstream.normalizers.taxonomy import COMMANDS, PATHS, TAXONOMY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record

    Payload = dict[str, Any]

# client -> the marks of its payloads
OTHERS = {
    "qoder": HookFacts(variables="QODER_HOOK_VERSION", folders="/.qoder/"),
}
TOOLS = {
    **TAXONOMY,
    "run_terminal_command": t.shell(COMMANDS),
    "search_replace": t.edit(PATHS),
    "list_dir": t.listing(("path", "target_directory")),
    "grep": t.find(),
}


def event_of(p: Payload, r: Record) -> str | None:
    """The event in Claude Code's spelling, however the payload or its registration spells it. Its
    own name stays unmapped, so that every event of such a client is counted there."""
    for name in (p.get("hook_event_name"), p.get("hookEventName"), r.native_event):
        if type(name) is str and name:
            return NAMES.get(name.replace("_", "").lower(), name)
    return None


def either(name: str) -> tuple[str, str]:
    """A field in both spellings."""
    first, *rest = name.split("_")
    return name, first + "".join(word.capitalize() for word in rest)


@t.derived
@t.reads("tool_result tool_response toolResult error")
def success(p: Payload, r: Record) -> bool | None:
    """A result without an exit code says so itself, or has an error."""
    for name in ("tool_response", "tool_result", "toolResult"):
        for key in ("success", "ok"):
            word = t.at(p, f"{name}.{key}")
            if type(word) is bool:
                return word
    return False if p.get("error") else None


CODES = (
    "tool_response.exit_code", "tool_result.exit_code", "toolResult.exit_code",
    "tool_response.exitCode", "toolResult.exitCode",
)  # fmt: skip
OUTPUTS = (
    "tool_response.output_for_prompt", "toolResult.output_for_prompt", "tool_response",
    "tool_result", "toolResult",
)  # fmt: skip
CALL: t.Facts = {
    "action_native": either("tool_name"),
    "input": either("tool_input"),
    "call_id": either("tool_use_id"),
}
END: t.Facts = {
    **CALL,
    "exit_code": CODES,
    "success": success,
    "output": OUTPUTS,
    "duration_ms": either("duration_ms"),
}
EVENTS: t.Events = {
    "SessionStart": t.Row("Session.Start", "SessionStart", {"start_reason": "source"}),
    "SessionEnd": t.Row("Session.End", "SessionEnd", {"end_reason": "reason"}),
    "UserPromptSubmit": t.Row("Prompt.Submitted", "PreUserInput", {"prompt": "prompt"}),
    "PreToolUse": t.Row("Action.Before", "PreToolUse", CALL),
    "PostToolUse": t.Row("Action.After", "PostToolUse", END),
    "PostToolUseFailure": t.Row(
        "Action.After", "PostToolUse", {**END, "success": t.Const(False), "error_message": "error"}
    ),
    "Stop": t.Row("Agent.Response", "PreOutputDeliver", {"stop_reason": either("stop_reason")}),
}
NAMES = {name.lower(): name for name in EVENTS}


def table_of(client: str) -> t.Vendor:
    """The table for the payloads of one of them."""

    def claims(p: Payload) -> bool:
        return True  # its marks have decided

    return t.Vendor(
        client,
        claims=claims,
        event=event_of,
        common={
            **{
                name: either(name)
                for name in ("session_id", "transcript_path", "permission_mode", "agent_id")
            },
            "cwd": "cwd",
            "timestamp": "timestamp",
            "turn_id": either("prompt_id"),
        },
        events=EVENTS,
        tools=TOOLS,
        mcp=mcp_name,
    )


def mcp_name(name: str, payload: Payload) -> tuple[str, str] | None:
    """Server and tool of `mcp__server__tool` or `server__tool`."""
    server, divider, tool = name.removeprefix("mcp__").partition("__")
    return (server, tool) if divider and server and tool else None
