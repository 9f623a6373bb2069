"""Kiro: CLI 2.x (camelCase events), CLI 3 and IDE 1.x (PascalCase), IDE 0.x (other words).

Source: the vendor's hooks pages and published probes of the CLI and the IDE; no recording. IDE 0.x
gives no event name and no stdin: its context is the environment variable USER_PROMPT, so the event
comes from the registration. No events for denials, compaction, sub-agents or models; no call ids.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record

EXIT_CODE = re.compile(r"Exit Code: (-?\d{1,10})\s*$")
# How the IDE's own workflows begin what they send in the user's place.
MACHINE_PROMPT = "A workflow you launched ("


@t.reads("hook_event_name")
def event_name(p: Payload) -> str | None:
    """Only a finished call has `toolSuccess`; the other events of IDE 0.x have no mark at all."""
    name = p.get("hook_event_name")
    if type(name) is str:
        return name
    return "postToolUse" if "toolSuccess" in p else None


@t.reads("prompt")
def prompt(p: Payload, r: Record) -> Any:
    """IDE 0.x: USER_PROMPT is the text, in some builds a JSON object without it."""
    text = (r.env or {}).get("USER_PROMPT")
    return p.get("prompt") or (None if str(text).startswith("{") else text)


@t.reads("prompt")
def is_machine(p: Payload) -> bool:
    return str(p.get("prompt")).startswith(MACHINE_PROMPT)


is_human = t.negate(is_machine)


def given(p: Payload) -> Any:
    return p.get("tool_input", p.get("toolArgs"))


def tool_name(p: Payload) -> str:
    return str(p.get("tool_name", p.get("toolName")))


@t.reads("tool_input toolArgs")
def file_path(p: Payload) -> Any:
    """fs_read takes a list of operations, each with its path, or one flat path."""
    operations = t.at(given(p), "operations")
    return t.at(operations[0], "path") if operations else None


@t.reads("tool_name toolName")
def action_name(p: Payload) -> str | None:
    return "delegate" if tool_name(p).startswith("subagent_") else None


@t.derived
@t.reads("tool_input toolArgs")
def action_category(p: Payload) -> str | None:
    """fs_write creates or edits by its `command`, an edit verb; IDE builds have none (`text`)."""
    name = tool_name(p)
    if name.startswith("subagent_"):
        return "delegate"
    if name not in ("fs_write", "write"):
        return None
    arguments = given(p)
    if type(arguments) is not dict or not arguments:
        return None
    return "file_write" if arguments.get("command", "create") == "create" else "file_edit"


def response(p: Payload) -> Any:
    return p.get("tool_response", p.get("toolResult"))


@t.reads("tool_response toolResult")
def exit_code(p: Payload) -> int | None:
    """The CLI's `exit_status`, or the IDE's last line `Exit Code: N`; shell tools only."""
    if tool_name(p) not in SHELLS:
        return None
    answer = response(p)
    if type(answer) is str:
        match = EXIT_CODE.search(answer)
        return int(match[1]) if match else None
    results = t.at(answer, "result")
    status = str(t.at(results[0], "exit_status") if results else None)
    return int(status) if status.removeprefix("-").isdecimal() else None


@t.reads("toolSuccess")
def success(p: Payload) -> bool | None:
    """The flag. IDE 1.x has neither it nor an exit code for files: the outcome is unknown."""
    flag = p.get("toolSuccess", t.at(response(p), "success"))
    return flag if type(flag) is bool else None


is_failed = t.has_failed(exit_code, success)


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    """@server/tool."""
    server, _, tool = name.partition("/")
    return (server[1:], tool) if tool and name.startswith("@") else None


# What other vendors' payloads carry and Kiro's do not.
FOREIGN = frozenset(
    "conversation_id generation_id hookName "
    "timestamp transcript_path transcriptPath turn_id prompt_id sessionId permission_mode "
    "workspace_roots".split()
)
CLI_EVENTS = frozenset(("agentSpawn", "userPromptSubmit", "preToolUse", "postToolUse", "stop"))
OWN_TRIGGERS = frozenset(
    "PostFileSave PostFileCreate PostFileDelete PreTaskExec PostTaskExec AgentSpawn".split()
)


def claims(p: Payload) -> bool:
    """The CLI's camelCase name with `cwd`; a trigger that no other client has; a `sess_` id.

    A PascalCase event of the CLI or the IDE with another id looks like Claude Code's and is not
    claimed.
    """
    if not FOREIGN.isdisjoint(p):
        return False
    name = p.get("hook_event_name")
    if type(name) is not str:
        return type(p.get("toolSuccess")) is bool and "toolName" in p
    if name in CLI_EVENTS:
        return type(p.get("cwd")) is str
    session = p.get("session_id")
    own_id = type(session) is str and session.startswith("sess_")
    return name in OWN_TRIGGERS or (own_id and name in EVENTS)


SHELLS = ("execute_bash", "shell", "execute_cmd", "execute_pwsh")
TOOLS = {
    **dict.fromkeys(SHELLS, t.shell()),
    **dict.fromkeys(("fs_read", "read"), t.read(("path", "paths"))),
    **dict.fromkeys(("fs_write", "write", "str_replace", "fs_append"), t.edit("path")),
    "delete_file": t.delete("path"),
    **dict.fromkeys(("grep", "glob", "code"), t.find()),
    "web_search": t.search(),
    "web_fetch": t.fetch(),
    **dict.fromkeys(("use_aws", "aws"), t.Tool("use_aws", "other")),
    **dict.fromkeys(("use_subagent", "delegate"), t.delegate()),
}

COMMON: t.Facts = {"session_id": "session_id", "cwd": "cwd"}
CALL: t.Facts = {
    "action_native": ("tool_name", "toolName"),
    "action_name": action_name,
    "action_category": action_category,
    "input": ("tool_input", "toolArgs"),
    "file_path": file_path,
}
FILE: t.Facts = {"file_path": ("file_path", "filePath", "path")}

START = t.Row(
    "Session.Start",
    {"prompt": "prompt"},
    note="an agent is activated: whether the session is new is not said",
)
PROMPT = (
    t.Row("Prompt.Submitted", {"prompt": prompt}, when=is_human),
    t.Row("vendor.kiro.WorkflowPrompt", {"prompt": "prompt"}, when=is_machine),
)
BEFORE = t.Row("Action.Before", CALL)
ASKED = t.Row(
    "Agent.Notification",
    {**CALL, "notification_type": t.Const("ToolPermission")},
    note="a trigger of 2026; no page of the vendor's has its payload, no answer follows by a hook",
)
AFTER = (
    t.Row(
        "Action.After",
        {
            **CALL,
            "success": success,
            "exit_code": exit_code,
            "output": ("tool_response", "toolResult"),
        },
    ),
    t.Row(
        "Agent.Error",
        {**CALL, "error_type": t.Const("ToolFailed"), "origin_event": t.Const("Action.After")},
        when=is_failed,
        derived=True,
    ),
)
STOP = t.Row(
    "Agent.Response",
    {"response": "assistant_response", "final": t.Const(True)},
)
SAVED = t.Row("vendor.kiro.PostFileSave", FILE)
CREATED = t.Row("vendor.kiro.PostFileCreate", FILE)
DELETED = t.Row("vendor.kiro.PostFileDelete", FILE)
TASK_START = t.Row("Agent.Plan.Start", hook_point="", note="a task of a spec, no sub-agent")
TASK_END = t.Row("Agent.Plan.End", hook_point="", note="a task of a spec, no sub-agent")
MANUAL = t.Row("vendor.kiro.Manual")

EVENTS: t.Events = {
    # CLI 2.x; preToolUse and postToolUse are IDE 0.x words too
    "agentSpawn": START,
    "userPromptSubmit": PROMPT,
    "preToolUse": BEFORE,
    "postToolUse": AFTER,
    "stop": STOP,
    # CLI 3, IDE 1.x
    "SessionStart": START,
    "AgentSpawn": START,
    "SessionEnd": t.Row("Session.End"),
    "UserPromptSubmit": PROMPT,
    "PromptSubmit": PROMPT,
    "PreToolUse": BEFORE,
    "PermissionRequest": ASKED,
    "PostToolUse": AFTER,
    "Stop": STOP,
    "PostFileSave": SAVED,
    "PostFileCreate": CREATED,
    "PostFileDelete": DELETED,
    "PreTaskExec": TASK_START,
    "PostTaskExec": TASK_END,
    "Manual": MANUAL,
    # IDE 0.x
    "promptSubmit": PROMPT,
    "agentStop": STOP,
    "fileEdited": SAVED,
    "fileCreated": CREATED,
    "fileDeleted": DELETED,
    "preTaskExecution": TASK_START,
    "postTaskExecution": TASK_END,
    "userTriggered": MANUAL,
}

VENDOR = t.Vendor(
    "kiro",
    claims=claims,
    event=event_name,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
)
