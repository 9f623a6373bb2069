"""Devin CLI and Devin Desktop's agent: eight hook events, Claude Code's names and fields.

Source: the vendor's hook pages and published captures of 3000.10 and 3000.11; no recording. Devin
also runs the hooks of Claude Code's settings files: `claims` and `is_like` say how its payloads are
told from Claude Code's. Its payloads name no folder; DEVIN_PROJECT_DIR does.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.claude_code.table import VENDOR as CLAUDE_CODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record

VARIABLE = "DEVIN_PROJECT_DIR"
# What every event of Claude Code has, or marks another client that sends its event names.
FOREIGN = frozenset(
    "transcript_path permission_mode timestamp turn_id conversation_id sessionId hookName".split()
)
RESPONSE = {"success", "output", "error"}
# A session is named by two words ("regal-name").
SESSION = re.compile(r"[a-z]+-[a-z]+")
EXIT_CODE = re.compile(r"(?:\A|\n)Exit code: (-?\d{1,10})\s*\Z")


def is_like(p: Payload) -> bool:
    """Return whether a payload has Devin's shape: Claude Code's without folder, transcript and
    permission mode."""
    name = p.get("hook_event_name")
    if type(name) is not str or name not in EVENTS or not FOREIGN.isdisjoint(p):
        return False
    session = p.get("session_id")
    if type(session) is not str or session.startswith("sess_"):
        return False
    return "cwd" not in p or name == "PostCompaction"


def claims(p: Payload) -> bool:
    """A mark that Claude Code lacks: the event after a compaction, a tool's name in lower case, the
    form of a result, or a session's name with a turn's."""
    if not is_like(p):
        return False
    name, tool, response = p["hook_event_name"], p.get("tool_name"), p.get("tool_response")
    if name == "PostCompaction" or (type(tool) is str and tool in TOOLS):
        return True
    if type(response) is dict and response.keys() == RESPONSE:
        return True
    is_named = SESSION.fullmatch(p["session_id"]) is not None
    return is_named and ("prompt_id" in p or name in ("SessionStart", "SessionEnd"))


@t.derived
@t.reads()
def cwd(p: Payload, r: Record) -> Any:
    """The project; hooks do not start in it."""
    return r.env.get(VARIABLE) if type(r.env) is dict else None


# A command's output ends with it.
exit_code = t.exit_code("tool_response.output", EXIT_CODE, "exec")
success = t.flag("tool_response.success")
error_line = t.first_line("tool_response.error")

TOOLS = {
    "exec": t.shell(),
    "write_to_process": t.Tool("shell", "shell"),
    "read": t.read(),
    "write": t.write(),
    "edit": t.edit(),
    "apply_patch": t.edit(),
    "notebook_edit": t.edit(("notebook_path", "file_path"), action="code_edit"),
    "grep": t.find(),
    "glob": t.find(),
    "webfetch": t.fetch(),
    "web_search": t.search(),
    "mcp_call_tool": t.Tool("mcp:mcp_call_tool", "mcp_call"),
    "run_subagent": t.delegate(),
    "ask_user_question": t.Tool("other", "other", content=("questions",)),
}

CALL: t.Facts = {"action_native": "tool_name", "input": "tool_input", "call_id": "tool_use_id"}

EVENTS: t.Events = {
    "SessionStart": CLAUDE_CODE.events["SessionStart"],
    "SessionEnd": CLAUDE_CODE.events["SessionEnd"],
    "UserPromptSubmit": t.Row("Prompt.Submitted", {"prompt": "prompt"}),
    "PreToolUse": t.Row("Action.Before", CALL),
    "PermissionRequest": t.Row(
        "Agent.Notification",
        {**CALL, "call_id": None, "notification_type": t.Const("ToolPermission")},
        note="the answer reaches no hook",
    ),
    "PostToolUse": (
        t.Row(
            "Action.After",
            {
                **CALL,
                "success": success,
                "exit_code": exit_code,
                "error_message": error_line,
                "output": "tool_response.output",
            },
            note="fires for failed calls too; a refused one has no such event",
        ),
        t.tool_failed(CALL, when=t.has_failed(exit_code, success), error_message=error_line),
    ),
    "Stop": CLAUDE_CODE.events["Stop"],
    "PostCompaction": t.Row(
        "Context.Compaction",
        {"context_phase": t.Const("after"), "summary": "summary"},
    ),
}

VENDOR = t.Vendor(
    "devin",
    claims=claims,
    event="hook_event_name",
    common={"session_id": "session_id", "turn_id": "prompt_id", "cwd": cwd},
    events=EVENTS,
    tools=TOOLS,
    mcp=CLAUDE_CODE.mcp,
    capabilities=Capabilities(silence_means="refused", turn_goes_on=True),
    host=is_like,
)
