"""Antigravity CLI (`agy`), the heir of Gemini CLI: six hook events, camelCase fields.

Source: the vendor's guide and published captures of 1.0 to 1.1; no recording. A payload does not
name its event: the registration does. A step's number names a call. Prompts, the end of a
session, refusals and a person's answers have no event.
"""

from __future__ import annotations

import json

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record


def claims(p: Payload) -> bool:
    """A conversation with its workspaces and its folder of artifacts."""
    named = type(p.get("conversationId")) is str and "artifactDirectoryPath" in p
    return named and type(p.get("workspacePaths")) is list


@t.reads("executionNum terminationReason modelOutput")
def event_name(p: Payload, r: Record) -> str | None:
    """The event as registered. By itself a payload shows only the end of an execution, and a
    model's answer."""
    if r.native_event is not None:
        return r.native_event
    if "terminationReason" in p or "executionNum" in p:
        return "Stop"
    return "PostInvocation" if "modelOutput" in p else None


@t.reads("workspacePaths")
def cwd(p: Payload) -> Any:
    """The only workspace; of several none is said to be the one."""
    paths = p.get("workspacePaths")
    return paths[0] if type(paths) is list and len(paths) == 1 else None


@t.reads("stepIdx")
def call_id(p: Payload) -> str | None:
    step = p.get("stepIdx")
    return f"step-{step}" if type(step) is int else None


@t.reads("toolCall.args")
def arguments(p: Payload) -> Any:
    """The arguments; a text may come as JSON of a text."""
    given = t.at(p, "toolCall.args")
    if type(given) is not dict:
        return given
    return {name: plain(value) for name, value in given.items()}


def plain(value: Any) -> Any:
    if type(value) is str and len(value) > 1 and value[0] == value[-1] == '"':
        try:
            inner = json.loads(value)
        except ValueError:
            return value
        return inner if type(inner) is str else value
    return value


@t.derived
@t.reads("error")
def success(p: Payload) -> bool:
    """A step that failed has an error; it is empty or missing otherwise."""
    return not p.get("error")


error_line = t.first_line("error")


@t.reads("error")
def is_failed(p: Payload) -> bool:
    return bool(p.get("error"))


FILE = ("TargetFile", "AbsolutePath", "File")
TOOLS = {
    "run_command": t.shell("CommandLine"),
    "send_command_input": t.Tool("shell", "shell", content=("Input",)),
    "command_status": t.Tool("command_status", "other"),
    "view_file": t.read(FILE),
    "view_file_outline": t.read(FILE),
    "view_code_item": t.read(FILE),
    "write_to_file": t.write(FILE),
    "replace_file_content": t.edit(FILE),
    "multi_replace_file_content": t.edit(FILE),
    "list_dir": t.listing("DirectoryPath"),
    "find_by_name": t.find("Pattern", "SearchDirectory"),
    "grep_search": t.find("Query", "SearchPath"),
    "codebase_search": t.find("Query", "SearchPath"),
    "read_url_content": t.fetch("Url"),
    "search_web": t.search("query"),
    "browser_subagent": t.Tool("browser", "browser"),
    "invoke_subagent": t.delegate(),
}

CALL: t.Facts = {"action_native": "toolCall.name", "input": arguments, "call_id": call_id}
FAILED: t.Facts = {"error_message": error_line}

EVENTS: t.Events = {
    "SessionStart": t.Row("Session.Start", note="once per conversation"),
    "PreToolUse": t.Row("Action.Before", CALL),
    "PostToolUse": (
        t.Row(
            "Action.After",
            {**CALL, **FAILED, "success": success},
            note="no output; a build without toolCall names the step alone",
        ),
        t.tool_failed(CALL, is_failed, **FAILED),
    ),
    "PreInvocation": t.Row("Model.Requested", keep="invocationNum initialNumSteps"),
    "PostInvocation": t.Row(
        "Model.Responded",
        {"response": "modelOutput"},
        keep="invocationNum initialNumSteps",
        ignore="modelThinking",
    ),
    "Stop": (
        t.Row(
            "Agent.Response",
            {
                "response": "finalModelOutput",
                "final": "fullyIdle",
                "stop_reason": "terminationReason",
            },
            keep="executionNum",
            note="not final while work in the background goes on",
        ),
        t.Row(
            "Agent.Error",
            {**FAILED, "error_type": t.Const("ModelError")},
            when=is_failed,
        ),
    ),
}

VENDOR = t.Vendor(
    "antigravity",
    claims=claims,
    event=event_name,
    common={
        "session_id": "conversationId",
        "cwd": cwd,
        "transcript_path": "transcriptPath",
        "model_id": "modelName",
    },
    events=EVENTS,
    tools=TOOLS,
    mcp=t.mcp_name(lone=True),
    ignore="artifactDirectoryPath",
    capabilities=Capabilities(silence_means="refused", turn_goes_on=True),
)
