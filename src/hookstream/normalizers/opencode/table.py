"""OpenCode: plugin callbacks as {input, output} and bus events as {event: {id, type, properties}}.

Source: payloads recorded from OpenCode 1.18.33 and the typings of its plugin package. The flat
lines of a public bridge ({hook_type, session_id, tool, ...}) are read too.
"""

from __future__ import annotations

from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.opencode.calls import (
    STATE,
    SUCCESS,
    TOOLS,
    ask_key,
    asked_input,
    asked_tool,
    cut_short,
    is_child_result,
    is_failed,
    is_part,
    is_refused,
    is_repeated,
    mcp,
    mcp_server,
    of_end,
    output,
    output_tokens,
    plan_type,
    reply_is,
    state_duration,
)
from hookstream.normalizers.opencode.sessions import (
    INFO,
    PART,
    PROPERTIES,
    attended,
    compaction_key,
    compaction_trigger,
    error_code,
    is_abort,
    is_answered,
    is_child,
    is_failed_message,
    is_finished_text,
    is_human,
    is_model_error,
    is_refusal,
    is_root,
    is_task,
    is_unknown_error,
    message_error_code,
    message_key,
    model_id,
    native_event,
    prompt,
    session_id,
    shape,
    text_key,
)
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, Words, is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.table import Events, Facts


def claims(p: dict[str, Any]) -> bool:
    """A bus event, a callback's {input, output} of a known shape, or the bridge's flat line."""
    event = p.get("event")
    if type(event) is dict:
        return (
            "hook" not in p
            and type(event.get("type")) is str
            and type(event.get("properties")) is dict
        )
    named = p.get("hook_type")
    if type(named) is str:
        return named in EVENTS and ("session_id" in p or "properties" in p)
    return shape(p) is not None


COMMON: Facts = {
    "session_id": session_id,
    "cwd": (
        f"{INFO}.directory",
        f"{INFO}.path.cwd",
        "properties.info.directory",
        "cwd",
    ),
    "model_id": model_id,
}
SESSION_LEFT_OUT = tuple(
    f"{root}.info.{name}"
    for root in (PROPERTIES, "properties")
    for name in (
        "slug projectID workspaceID path title cost tokens time summary share model metadata revert"
    ).split()
)
SESSION: Facts = {
    "tool_version": (f"{INFO}.version", "properties.info.version"),
    "timestamp": (f"{INFO}.time.created", "properties.info.time.created"),
    "agent_type": (f"{INFO}.agent", "properties.info.agent"),
}
PARENT: Facts = {"parent_session_id": (f"{INFO}.parentID", "properties.info.parentID")}
PROMPT: Facts = {
    "prompt": prompt,
    "timestamp": "output.message.time.created",
    "turn_id": "output.message.id",
    "message_id": "output.message.id",
    "agent_type": ("output.message.agent", "input.agent"),
}
PROMPT_LEFT_OUT = "output.message input.model input.messageID input.variant"
BEFORE: Facts = {
    "action_native": ("input.tool", "tool"),
    "input": ("output.args", "args"),
    "call_id": ("input.callID", "call_id"),
    "mcp_server": mcp_server,
}
AFTER: Facts = {**BEFORE, "input": ("input.args", "args")}
ON_BUS: Facts = {
    "action_native": f"{PART}.tool",
    "input": f"{STATE}.input",
    "call_id": f"{PART}.callID",
    "message_id": f"{PART}.messageID",
    "mcp_server": mcp_server,
    "timestamp": f"{PROPERTIES}.time",
}
ASKED: Facts = {
    "notification_type": Const("ToolPermission"),
    "action_native": asked_tool,
    "input": asked_input,
    "call_id": (f"{PROPERTIES}.tool.callID", f"{PROPERTIES}.callID", "input.callID"),
    "message_id": (f"{PROPERTIES}.id", "input.id"),
    "same_as": ask_key,
}
ASKED_KEEP = tuple(
    f"{root}.{name}"
    for root in (PROPERTIES, "input")
    for name in ("permission", "type", "patterns", "pattern", "always")
)
ASKED_LEFT_OUT = (
    f"{PROPERTIES}.tool.messageID {PROPERTIES}.messageID {PROPERTIES}.title "
    f"{PROPERTIES}.time input output"
)
ASK = Row(
    "Agent.Notification",
    ASKED,
    keep=ASKED_KEEP,
    ignore=ASKED_LEFT_OUT,
    note="a permission of edit covers write and patch: the call id tells the tool",
)
REPLIED: Facts = {
    "message_id": (f"{PROPERTIES}.requestID", f"{PROPERTIES}.permissionID"),
    "decided_by": Const("user"),
    "decision_evidence": Const("permission.replied"),
}
REPLIED_KEEP = f"{PROPERTIES}.reply {PROPERTIES}.response"
MESSAGE: Facts = {
    "message_id": f"{INFO}.id",
    "turn_id": f"{INFO}.parentID",
    "agent_type": f"{INFO}.agent",
    "agent_mode": Words(f"{INFO}.mode", {"plan": "plan"}),
    "timestamp": f"{INFO}.time.completed",
    "same_as": message_key,
}
MESSAGE_TOKENS: Facts = {
    "input_tokens": f"{INFO}.tokens.input",
    "output_tokens": output_tokens,
    "cache_read_tokens": f"{INFO}.tokens.cache.read",
    "cache_write_tokens": f"{INFO}.tokens.cache.write",
}
MESSAGE_LEFT_OUT = tuple(f"{INFO}.{name}" for name in "path tokens variant structured".split())
ERROR: Facts = {
    "error_message": (f"{PROPERTIES}.error.data.message", "properties.error.data.message"),
}
ERROR_KEEP = f"{PROPERTIES}.error.name {PROPERTIES}.error.data.isRetryable"
ERROR_LEFT_OUT = f"{PROPERTIES}.error properties.error"

HOLDS_KEY = Ignore("holds the provider's key in clear")
SCREEN = Ignore("the client's own screen and bookkeeping")
REPEATED = Ignore("a fork repeats its parent's", when=is_repeated)
PROMPT_TEXT = Ignore("the whole prompt or its tools, on their way to the model")
QUIET = """integration.updated catalog.updated reference.updated plugin.added project.updated
project.directories.updated models-dev.refreshed lsp.client.diagnostics lsp.updated
tui.prompt.append tui.command.execute tui.toast.show tui.session.select pty.created
pty.updated pty.exited pty.deleted ide.installed installation.updated
installation.update-available server.connected server.heartbeat server.instance.disposed
global.disposed workspace.ready workspace.failed workspace.status worktree.ready
worktree.failed mcp.browser.open.failed""".split()

EVENTS: Events = {
    **dict.fromkeys(QUIET, SCREEN),
    # Sessions.
    "session.created": (
        Row(
            "Session.Start",
            {**SESSION, "start_reason": Const("new"), "attended": attended},
            when=is_root,
            keep=f"{INFO}.permission",
            ignore=SESSION_LEFT_OUT,
        ),
        Row(
            "Session.Start",
            {**SESSION, **PARENT, "start_reason": Const("new")},
            hook_point="",
            when=is_child,
            keep=f"{INFO}.permission",
        ),
        Row(
            "Agent.Plan.Start",
            {**SESSION, **PARENT, "agent_id": session_id, "plan_type": plan_type},
            when=is_child,
        ),
    ),
    "session.updated": SCREEN,
    "session.deleted": Row(
        "Session.End",
        {**SESSION, **PARENT, "timestamp": None},
        ignore=(*SESSION_LEFT_OUT, f"{INFO}.permission"),
        note="a person deleted it; nothing tells that a session merely ended",
    ),
    "session.idle": Row(
        "vendor.opencode.SessionIdle",
        note="also after an error, and twice: no answer by itself",
    ),
    "session.status": (
        Row(
            "Model.Failed",
            {
                "retry_count": f"{PROPERTIES}.status.attempt",
                "error_message": f"{PROPERTIES}.status.message",
            },
            when=is_word(f"{PROPERTIES}.status.type", "retry"),
            ignore=f"{PROPERTIES}.status.next {PROPERTIES}.status.action",
            note="one failed attempt each; session.error is final",
        ),
        SCREEN,
    ),
    "session.error": (
        Row(
            "Model.Failed",
            {**ERROR, "error_code": error_code},
            when=is_model_error,
            keep=ERROR_KEEP,
            ignore=ERROR_LEFT_OUT,
        ),
        Row(
            "Agent.Error",
            {**ERROR, "error_type": Const("UnhandledException"), "error_code": error_code},
            when=is_unknown_error,
        ),
        Row(
            "Session.Abort",
            {"abort_reason": error_code},
            when=is_abort,
            note="the turn is over, the session may go on",
        ),
        Row(
            "Session.Abort",
            {"abort_reason": Const("permission_rejected")},
            when=is_refusal,
            note="the turn is over; permission.replied is the refusal",
        ),
    ),
    "session.diff": Ignore("repeats the edits of the tools"),
    "session.compacted": Row("Context.Compaction", {"context_phase": Const("after")}),
    "dispose": Ignore("the plugin is unloaded; no session is named"),
    "plugin.init": Ignore("the plugin is loaded; no session is named"),
    "config": HOLDS_KEY,
    # Prompts.
    "chat.message": (
        Row("Prompt.Submitted", PROMPT, when=is_human, ignore=PROMPT_LEFT_OUT),
        Row(
            "vendor.opencode.TaskPrompt",
            {**PROMPT, "parent_session_id": "parent_session_id"},
            when=is_task,
        ),
    ),
    "command.execute.before": Row(
        "vendor.opencode.CommandExecuteBefore",
        {"prompt": "input.arguments"},
        keep="input.command",
        ignore="output.parts",
        note="its text follows as chat.message",
    ),
    "command.executed": Ignore("repeats command.execute.before"),
    # Model calls.
    "chat.params": HOLDS_KEY,
    "chat.headers": HOLDS_KEY,
    "experimental.chat.system.transform": PROMPT_TEXT,
    "experimental.chat.messages.transform": PROMPT_TEXT,
    "tool.definition": PROMPT_TEXT,
    "message.updated": (
        REPEATED,
        Row(
            "Model.Responded",
            {
                **MESSAGE,
                **MESSAGE_TOKENS,
                "stop_reason": f"{INFO}.finish",
            },
            when=is_answered,
            keep=f"{INFO}.cost {INFO}.summary",
            ignore=MESSAGE_LEFT_OUT,
        ),
        Row(
            "vendor.opencode.MessageFailed",
            {
                **MESSAGE,
                **MESSAGE_TOKENS,
                "error_message": f"{INFO}.error.data.message",
                "error_code": message_error_code,
            },
            when=is_failed_message,
            note="session.error is the failure",
        ),
        Ignore("repeats chat.message", when=is_word(f"{INFO}.role", "user")),
        Ignore("an answer that is not complete"),
    ),
    "message.removed": Row(
        "vendor.opencode.MessageRemoved", {"message_id": f"{PROPERTIES}.messageID"}
    ),
    "message.part.removed": Row(
        "vendor.opencode.MessagePartRemoved",
        {"message_id": f"{PROPERTIES}.messageID"},
        keep=f"{PROPERTIES}.partID",
    ),
    "message.part.delta": Ignore("a piece of a text"),
    "experimental.text.complete": Row(
        "Agent.Response",
        {"response": "output.text", "message_id": "input.messageID", "same_as": text_key},
    ),
    # Tool calls.
    "tool.execute.before": Row(
        "Action.Before",
        BEFORE,
        note="comes before the permission check: no proof that the tool ran",
    ),
    "tool.execute.after": (
        Row(
            "Action.After",
            {
                **AFTER,
                "success": SUCCESS,
                "outcome": cut_short,
                "exit_code": of_end("exit_code"),
                "output": output,
            },
            keep="output.metadata.sessionId",
        ),
        Row(
            "Agent.Plan.End",
            {
                "session_id": "output.metadata.sessionId",
                "parent_session_id": "output.metadata.parentSessionId",
                "parent_call_id": "input.callID",
                "agent_id": "output.metadata.sessionId",
                "agent_type": "input.args.subagent_type",
                "plan_type": plan_type,
                "response": output,
            },
            when=is_child_result,
        ),
    ),
    "message.part.updated": (
        REPEATED,
        Row(
            "Policy.Blocked",
            {
                **ON_BUS,
                "decided_by": of_end("decided_by"),
                "decision_reason": of_end("reason"),
                "decision_evidence": Const("part.state.error"),
            },
            when=is_refused,
            ignore=f"{PART}.metadata",
        ),
        Row(
            "Action.After",
            {
                **ON_BUS,
                "success": Const(False),
                "outcome": cut_short,
                "error_message": of_end("message"),
                "duration_ms": state_duration,
            },
            when=is_failed,
            note="the callback does not run; a plugin that threw looks the same",
        ),
        Row(
            "Action.After",
            {
                **ON_BUS,
                "success": SUCCESS,
                "outcome": cut_short,
                "exit_code": of_end("exit_code"),
                "output": f"{STATE}.output",
                "duration_ms": state_duration,
                "reported_by": Const("bus"),
            },
            hook_point="",
            when=is_part("tool", "completed"),
            note="repeats tool.execute.after, but a person's own shell line is only here",
        ),
        Row(
            "Context.Compaction",
            {
                "context_phase": Const("before"),
                "context_trigger": compaction_trigger,
                "timestamp": f"{PROPERTIES}.time",
                "message_id": f"{PART}.messageID",
                "same_as": compaction_key,
            },
            hook_point="PreCompact",
            when=is_part("compaction"),
            keep=f"{PART}.overflow",
        ),
        Row(
            "Agent.Response",
            {
                "response": f"{PART}.text",
                "message_id": f"{PART}.messageID",
                "timestamp": f"{PROPERTIES}.time",
                "same_as": text_key,
            },
            when=is_finished_text,
        ),
        Ignore("a call that has not ended", when=is_part("tool")),
        Ignore("a text that has not ended, or a prompt", when=is_part("text")),
        Ignore("a step, thought or snapshot of an answer"),
    ),
    "shell.env": Ignore("the environment of a call that tool.execute.before tells"),
    # Permissions.
    "permission.asked": ASK,
    "permission.updated": ASK,  # the old name
    "permission.ask": ASK,  # in the typings, without a call site in 1.18
    "permission.replied": (
        Row(
            "Policy.Blocked",
            {**REPLIED, "resolution": Const("denied")},
            hook_point="PostAskResolution",
            when=reply_is("reject"),
            keep=REPLIED_KEEP,
        ),
        Row(
            "Policy.Override",
            {**REPLIED, "resolution": Const("approved")},
            hook_point="PostAskResolution",
            when=reply_is("once", "always"),
            keep=REPLIED_KEEP,
        ),
    ),
    "question.asked": Ignore("repeats the question tool"),
    "question.replied": Ignore("repeats the question tool"),
    "question.rejected": Ignore("repeats the question tool"),
    # Context.
    "experimental.session.compacting": Ignore("repeats the compaction part, which has the trigger"),
    "experimental.compaction.autocontinue": HOLDS_KEY,
    # What else changes.
    "file.edited": Ignore("repeats the edit tools"),
    "file.watcher.updated": Ignore("repeats the edit tools, or a person's editor"),
    "todo.updated": Ignore("repeats todowrite"),
    "vcs.branch.updated": Row("vendor.opencode.VcsBranchUpdated", keep=f"{PROPERTIES}.branch"),
    "mcp.tools.changed": Row(
        "vendor.opencode.McpToolsChanged", {"mcp_server": f"{PROPERTIES}.server"}
    ),
}

VENDOR = Vendor(
    "opencode",
    capabilities=Capabilities(thrown_refusal="Plugin.trigger.end", shows_execution="Tool.execute."),
    claims=claims,
    event=native_event,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore="event.id hook_type hook_event_name",
)
