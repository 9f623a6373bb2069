"""The spellings of GitHub Copilot's events and keys: which event, which dialect, whose session.

The CLI's dialect goes by the spelling of the registered event. camelCase gives camelCase keys,
epoch milliseconds and no event name; PascalCase gives Claude-like names and ISO times. The
translation is incomplete, so either spelling of a key is read in every event. VS Code chat is a
third dialect.
"""

from __future__ import annotations

import re

from hookstream.normalizers.copilot.wording import AUTOPILOT
from hookstream.normalizers.index import keeper
from hookstream.normalizers.table import derived, plan_of, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record

# Event names: camelCase registration -> PascalCase registration (CLI and VS Code).
PASCAL = {
    "sessionStart": "SessionStart",
    "sessionEnd": "SessionEnd",
    "userPromptSubmitted": "UserPromptSubmit",
    "userPromptTransformed": "UserPromptTransformed",
    "preToolUse": "PreToolUse",
    "preMcpToolCall": "PreMcpToolCall",
    "postToolUse": "PostToolUse",
    "postToolUseFailure": "PostToolUseFailure",
    "permissionRequest": "PermissionRequest",
    "agentStop": "Stop",
    "subagentStart": "SubagentStart",
    "subagentStop": "SubagentStop",
    "preCompact": "PreCompact",
    "errorOccurred": "ErrorOccurred",
    "notification": "Notification",
}
CAMEL = {pascal: camel for camel, pascal in PASCAL.items()} | {camel: camel for camel in PASCAL}
PASCAL_NAMES = frozenset(PASCAL.values())
# How the PascalCase dialect spells the CLI's own tools.
CLAUDE_NAMES = {
    "bash": "Bash",
    "powershell": "Bash",
    "view": "Read",
    "create": "Write",
    "edit": "Edit",
    "str_replace_editor": "Edit",
    "apply_patch": "Edit",
    "grep": "Grep",
    "rg": "Grep",
    "glob": "Glob",
    "web_fetch": "WebFetch",
    "web_search": "WebSearch",
    "task": "Agent",
    "ask_user": "AskUserQuestion",
    "update_todo": "TodoWrite",
}
VSCODE_MARK = "__vscode-"
VSCODE_SUFFIX = re.compile(r"__vscode-\d+\Z")
SESSION_FOLDER = re.compile(r"[/\\]session-state[/\\]([^/\\]+)[/\\]events\.jsonl\Z")
FOREIGN = frozenset(
    ("cursor_version", "agent_action_name", "clineVersion", "jsonrpc", "spec_version")
)


def both(*names: str) -> tuple[str, ...]:
    """Each key in its camelCase and its snake_case spelling."""
    snake = (re.sub(r"[A-Z]", lambda m: "_" + m[0].lower(), name) for name in names)
    return tuple(path for pair in zip(names, snake, strict=True) for path in dict.fromkeys(pair))


def first(p: Payload, *names: str) -> Any:
    """The first of the keys that holds something."""
    for name in names:
        value = p.get(name)
        if value is not None and value != "":
            return value
    return None


# Which event, which dialect


def registered_name(r: Record) -> str | None:
    """The event the hook was registered for, as the record or the command line says."""
    if r.native_event not in CAMEL and r.argv:
        for word in reversed(r.argv):
            if type(word) is str and word in CAMEL:
                return word
    return r.native_event


@reads("hook_event_name", "hookEventName", "hookName")
def event_name(p: Payload, r: Record) -> str | None:
    """The name the hook was registered under, unless the payload names another event.

    Most camelCase payloads name none; without a registered name their shape decides.
    """
    registered = registered_name(r)
    named = first(p, "hook_event_name", "hookEventName", "hookName")
    if type(named) is not str:
        return registered or event_by_shape(p)
    if registered in CAMEL and CAMEL.get(named) == CAMEL[registered]:
        return registered
    return named


def event_by_shape(p: Payload) -> str | None:
    """The camelCase event whose keys these are: each has one that no other has."""
    if "toolName" in p:
        for key, name in TOOL_SHAPES:
            if key in p:
                return name
        return "preToolUse"
    if "agentName" in p:
        return "subagentStop" if "stopReason" in p else "subagentStart"
    for key, name in SHAPES:
        if key in p:
            return name
    return None


TOOL_SHAPES = (
    ("serverName", "preMcpToolCall"),
    ("toolResult", "postToolUse"),
    ("error", "postToolUseFailure"),
    ("toolInput", "permissionRequest"),
)
SHAPES = (
    ("transformedPrompt", "userPromptTransformed"),
    ("prompt", "userPromptSubmitted"),
    ("errorContext", "errorOccurred"),
    ("stopReason", "agentStop"),
    ("trigger", "preCompact"),
    ("source", "sessionStart"),
    ("initialPrompt", "sessionStart"),
    ("reason", "sessionEnd"),
)


@reads("hook_event_name", "hookEventName")
def dialect(p: Payload, r: Record) -> str:
    """camel, pascal or vscode: the shape of the payload, not a claim about the world."""
    if r.event in PASCAL:
        return "camel"
    if type(p.get("timestamp")) is int and registered_name(r) not in PASCAL_NAMES:
        return "camel"
    path = p.get("transcript_path")
    if "hookEventName" in p or (type(path) is str and "copilot-chat" in path.lower()):
        return "vscode"
    if "tool_use_id" in p:
        return "vscode"
    # The CLI sends a working directory on every event, VS Code only if the hook asks for one.
    return "pascal" if "cwd" in p else "vscode"


# Sessions and agents


def uncut(value: Any) -> str | None:
    """An id without the counter that VS Code appends to it."""
    if type(value) is not str:
        return None
    return VSCODE_SUFFIX.sub("", value) if VSCODE_MARK in value else value


@reads("tool_use_id")
def call_id(p: Payload) -> str | None:
    return uncut(p.get("tool_use_id"))


@reads("agentId", "agent_id")
def agent_id(p: Payload) -> str | None:
    return uncut(first(p, "agentId", "agent_id"))


@reads("parentAgentId", "parent_agent_id")
def parent_session(p: Payload) -> Any:
    """Inside a sub-agent the session id is the agent's own, and the parent's id is its session."""
    own = first(p, "sessionId", "session_id")
    return first(p, "parentAgentId", "parent_agent_id") if own == agent_id(p) else None


@reads("transcriptPath", "transcript_path", "sessionId", "session_id")
def root_session(p: Payload) -> Any:
    """The session that a sub-agent belongs to: its file's. Inside another sub-agent the payload's
    own id is a throw-away one."""
    path = first(p, "transcriptPath", "transcript_path")
    match = SESSION_FOLDER.search(path) if type(path) is str else None
    return match[1] if match is not None else first(p, "sessionId", "session_id")


@reads("transcriptPath", "transcript_path", "sessionId", "session_id")
def is_inner(p: Payload) -> bool:
    """A sub-agent without an agent id: its file is its parent's."""
    own = first(p, "sessionId", "session_id")
    return in_main(p) and root_session(p) != own


@derived
@reads("agentId", "agent_id")
def agent_session(p: Payload) -> str | None:
    """A sub-agent's permission request says its parent's session; its calls say its own."""
    return agent_id(p)


@reads("agentId", "agent_id")
def in_agent(p: Payload) -> bool:
    return agent_id(p) is not None


@reads("agentId", "agent_id")
def in_main(p: Payload) -> bool:
    return agent_id(p) is None


@reads("prompt")
def is_notice(p: Payload) -> bool:
    """The client's own message that a background task ended, put to the model as a prompt."""
    prompt = p.get("prompt")
    return type(prompt) is str and prompt.startswith("<system_notification>") and in_main(p)


@reads("prompt")
def is_autopilot(p: Payload) -> bool:
    """Autopilot's own prompt to continue."""
    return str(p.get("prompt")).startswith(AUTOPILOT) and in_main(p)


@reads("stop_hook_active")
def goes_on(p: Payload) -> bool | None:
    """The turn continued because a hook did not let it stop: its reason came as a prompt."""
    return True if p.get("stop_hook_active") is True else None


plan_type = plan_of("agentName", "agent_name", "agentType", "agent_type")


def claims(p: Payload) -> bool:
    """camelCase: sessionId and a number of milliseconds. Else a known name and an ISO time.

    Gemini CLI and Qwen Code have an ISO time too, and always a transcript in their own folder;
    Qwen Code and Claude Code a permission mode. The edge of a session without a transcript is
    Copilot's only in its own words: another's may have been recorded without.
    """
    if not is_like(p):
        return False
    if type(p.get("timestamp")) is int or keeper(p) is not None:
        return True
    if type(p.get("transcript_path")) is str:
        return False
    edge = EDGES.get(first(p, "hook_event_name", "hookEventName", "hookName"))
    return edge is None or "initial_prompt" in p or p.get(edge[0]) in edge[1]


# An event of a session's edge -> where it says what it is about, and words that no other client
# has together with a time and without an approval mode.
EDGES: dict[Any, tuple[str, frozenset[str]]] = {
    "SessionStart": ("source", frozenset(("new",))),
    "SessionEnd": ("reason", frozenset("complete error abort timeout user_exit".split())),
    "Notification": (
        "notification_type",
        frozenset(
            "shell_completed shell_detached_completed agent_completed agent_idle permission_prompt "
            "elicitation_dialog".split()
        ),
    ),
}


def is_like(p: Payload) -> bool:
    """Return whether a payload can be Copilot's: a name and a time in one of its dialects."""
    if not p.keys().isdisjoint(FOREIGN) or "ctx" in p or "permission_mode" in p:
        return False
    moment = p.get("timestamp")
    name = first(p, "hook_event_name", "hookEventName", "hookName")
    if name is not None and (type(name) is not str or name not in CAMEL):
        return False
    if type(moment) is int:
        old = type(p.get("toolName")) is str and "toolArgs" in p and "cwd" in p
        return type(p.get("sessionId")) is str or (old and "sessionId" not in p)
    if type(moment) is not str or name not in PASCAL_NAMES:
        return False
    if type(first(p, "session_id", "sessionId")) is not str:
        return False
    return keeper(p) in (None, "copilot")
