"""Goose: twelve hook events, and after the hooks of a call what they decided.

Source: the vendor's source and page on hooks, not recorded. No payload has a time, a model or an
agent; `tool_output` is never filled. One command gives five records: those of a file or a command
have neither its id nor its tool.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.records import Payload


def claims(p: Payload) -> bool:
    """Its name for the event next to what matchers are compared with."""
    return type(p.get("event")) is str and p["event"] in EVENTS and "matcher_context" in p


@t.reads("cause decision")
def ran_unchecked(p: Payload) -> bool:
    """A hook broke, and the call ran."""
    return p.get("cause") == "hook_failure" and p.get("decision") == "allow"


TOOLS = {
    "developer__shell": t.shell(),
    "developer__write": t.write("path"),
    "developer__edit": t.edit("path"),
    "developer__tree": t.listing("path"),
    "developer__read_image": t.read("source"),
}
mcp = t.mcp_name("")
CALL: t.Facts = {
    "action_native": "tool_name",
    "input": "tool_input",
    "call_id": "tool_call_id",
    "cwd": "working_dir",
}
SPECIFIC: t.Facts = {"reported_by": t.Const("specific")}
COMMAND: t.Facts = {"action_native": t.Const("developer__shell"), "command": "matcher_context"}

EVENTS: t.Events = {
    "SessionStart": t.Row("Session.Start", {}),
    "SessionEnd": t.Row("Session.End", {}),
    "UserPromptSubmit": t.Row("Prompt.Submitted", {"prompt": "message"}),
    "PreToolUse": t.Row("Action.Before", CALL),
    "PreToolUseResult": (
        t.Row(
            "Policy.Blocked",
            {
                **CALL,
                "decided_by": t.Const("hook"),
                "guardian": "blocked_by",
                "decision_reason": "reason",
                "decision_evidence": t.Const("PreToolUseResult"),
                "failure": t.Words("cause", {"hook_failure": "error"}),
            },
            when=t.is_word("decision", "deny"),
            keep="policy_evaluated",
            note="cause says whether the hook refused or broke",
        ),
        t.Row(
            "vendor.goose.HookFailure",
            CALL,
            when=ran_unchecked,
            keep="decision policy_evaluated cause",
            note="a hook broke, and the call ran",
        ),
        t.Ignore("the call goes on: its own events follow"),
    ),
    "PostToolUse": t.Row(
        "Action.After",
        {**CALL, "success": t.Const(True), "output": "tool_output"},
        note="fires after success alone",
    ),
    "PostToolUseFailure": (
        t.Row(
            "Action.After",
            {**CALL, "success": t.Const(False), "output": "tool_output"},
        ),
        t.tool_failed(CALL, when=None),
    ),
    "BeforeReadFile": t.Row(
        "vendor.goose.BeforeReadFile", {**SPECIFIC, "file_path": "matcher_context"}
    ),
    "AfterFileEdit": t.Row(
        "vendor.goose.AfterFileEdit", {**SPECIFIC, "file_path": "matcher_context"}
    ),
    "BeforeShellExecution": t.Row("vendor.goose.BeforeShellExecution", {**SPECIFIC, **COMMAND}),
    "AfterShellExecution": t.Row("vendor.goose.AfterShellExecution", {**SPECIFIC, **COMMAND}),
    "Stop": t.Row(
        "Agent.Response",
        {"response": "last_assistant_message", "final": t.Const(True)},
    ),
}

VENDOR = t.Vendor(
    "goose",
    claims=claims,
    event="event",
    common={"session_id": "session_id"},
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore="matcher_context",
    capabilities=Capabilities(confirms_compactions=False),
    absent=dict.fromkeys(("SubagentStart", "SubagentStop"), "can be registered and never fire"),
)
