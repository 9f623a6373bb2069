"""Mistral Vibe, 3.0: three hook events, of tools and the end of a turn.

Source: the client's published source and recordings of 3.0.2. No event of prompts, sessions or
models. A script (run_typescript) has no event itself, each call that it makes has; a call that was
refused, by whomever, has no post_tool, and neither has one that was cut off.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Facts

INNER = re.compile(r"typescript:\d+:(.{1,200}):\d+:tool:\d+\Z")


def outer_call(call_id: object) -> str | None:
    """The call of the script that made this one: its id is part of the inner one."""
    match = INNER.match(call_id) if type(call_id) is str else None
    return match[1] if match else None


@t.derived
@t.reads("tool_call_id")
def parent_call_id(p: Payload) -> str | None:
    return outer_call(p.get("tool_call_id"))


@t.reads("tool_output")
def exit_code(p: Payload) -> int | None:
    """A command that ran is a success, whatever its status."""
    code = t.at(p, "tool_output.returncode")
    return code if type(code) is int else None


@t.reads("tool_status")
def success(p: Payload) -> bool | None:
    return {"success": True, "failure": False}.get(t.text_at(p, "tool_status"))


@t.reads("tool_status tool_output")
def outcome(p: Payload) -> str | None:
    if t.at(p, "tool_output.timed_out") is True:
        return "timeout"
    return "cancelled" if p.get("tool_status") == "cancelled" else None


@t.reads("tool_error")
def error_line(p: Payload) -> str | None:
    return t.text_at(p, "tool_error").strip().split("\n", 1)[0][:500] or None


@t.reads("duration_ms")
def duration_ms(p: Payload) -> Any:
    """3.0.2 always says 0."""
    return p.get("duration_ms") or None


# The client's own words of a call that was not allowed; who gave the answer is not named.
REFUSALS = re.compile(
    r"Tool execution denied by approval callback|Command denied: '.{0,2000}?' matches"
)
BY_RULE = "Command denied: "


def is_refused(p: Payload) -> bool:
    return success(p) is False and REFUSALS.match(t.text_at(p, "tool_error")) is not None


@t.reads("tool_error")
def refused_by(p: Payload) -> str | None:
    return "rule" if t.text_at(p, "tool_error").startswith(BY_RULE) else None


@t.reads("tool_status tool_output")
def has_failed(p: Payload) -> bool:
    is_error = success(p) is False or exit_code(p) not in (None, 0)
    return is_error and not is_refused(p)


# mcp_<server>.<tool>
mcp = t.mcp_name("mcp_", ".")


def claims(p: Payload) -> bool:
    """Event names that no other client has; each payload names its parent session, or null."""
    return p.get("hook_event_name") in EVENTS and "parent_session_id" in p


PATHS = ("file_path", "path")
# By the name that hooks use, and by the one that the model calls.
TOOLS = {
    **dict.fromkeys(("file_system.bash", "bash"), t.shell()),
    **dict.fromkeys(("file_system.read_file", "read_file"), t.read(PATHS)),
    **dict.fromkeys(("file_system.write_file", "write_file"), t.write(PATHS)),
    **dict.fromkeys(("file_system.search_replace", "edit"), t.edit(PATHS)),
    "run_typescript": t.Tool("run_typescript", "code_exec", content=("code",)),
    "task": t.delegate(),
    "skill": t.Tool("skill", "other"),
    **dict.fromkeys(("vibe.todo", "todo"), t.Tool("todo", "other")),
    "search_tool_functions": t.Tool("search_tool_functions", "other"),
}

CALL: Facts = {
    "action_native": "tool_name",
    "input": "tool_input",
    "call_id": "tool_call_id",
    "parent_call_id": parent_call_id,
}

EVENTS: dict[str, t.Row | tuple[t.Row, ...]] = {
    "pre_tool": t.Row("Action.Before", CALL),
    "post_tool": (
        t.Row(
            "Policy.Blocked",
            {
                **CALL,
                "decided_by": refused_by,
                "decision_reason": error_line,
                "decision_evidence": t.Const("tool_error"),
            },
            when=is_refused,
        ),
        t.Row(
            "Action.After",
            {
                **CALL,
                "success": success,
                "exit_code": exit_code,
                "outcome": outcome,
                "error_message": error_line,
                "duration_ms": duration_ms,
                "output": ("tool_output", "tool_output_text"),
            },
            when=t.negate(is_refused),
        ),
        t.Row(
            "Agent.Error",
            {
                **CALL,
                "error_type": t.Const("ToolFailed"),
                "error_message": error_line,
                "origin_event": t.Const("Action.After"),
            },
            when=has_failed,
            derived=True,
        ),
    ),
    "post_agent": t.Row("Agent.Response", {"final": t.Const(True)}),
}

VENDOR = t.Vendor(
    "mistral-vibe",
    capabilities=Capabilities(silence_means="refused"),
    claims=claims,
    event="hook_event_name",
    common={
        "session_id": "session_id",
        "parent_session_id": "parent_session_id",
        "transcript_path": "transcript_path",
        "cwd": "cwd",
    },
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
)
