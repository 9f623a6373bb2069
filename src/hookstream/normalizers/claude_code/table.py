"""Claude Code, 2.1.x: 33 hook events, PascalCase names, snake_case fields.

Source: the vendor's hooks reference, the SDK's types, and recordings of 2.1.329.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.claude_code import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.records import Payload

OWN_CALL = "toolu_plugin_"
SKIPPED = re.compile(
    r"<task-notification>\s*(?P<mod>[\w.@-]{1,128}): "
    r"its classic\.(?P<event>\w{1,64}) hook was skipped\."
)
LOOKED_AT = 512
error_line = t.first_line("error")
mcp = t.mcp_name(server="mcp_server.name", lone=True)


is_failure = t.negate(wording.is_spawn_denied)


@t.reads("error is_interrupt")
def failed_output(p: Payload) -> str | None:
    error = p.get("error")
    return error if type(error) is str and "\n" in error else None


@t.reads("is_interrupt")
def failed_outcome(p: Payload) -> str:
    return "cancelled" if p.get("is_interrupt") is True else "error"


@t.reads("prompt source")
def is_human(p: Payload) -> bool:
    """A finished background task starts a turn with a prompt that no person typed."""
    prompt = p.get("prompt")
    return not (type(prompt) is str and prompt.startswith(wording.TASK_NOTICE))


is_machine_prompt = t.negate(is_human)


def of_skipped(name: str) -> t.Source:
    """A part of the notice that a managed guard passed by a mod that would have answered a hook's
    event in the place of the hooks."""

    def part(p: Payload) -> str | None:
        prompt = p.get("prompt")
        match = SKIPPED.match(prompt[:LOOKED_AT]) if type(prompt) is str else None
        return match[name] if match is not None else None

    return t.reads("prompt")(part)


@t.reads("agent_type")
def is_agent(p: Payload) -> bool:
    """A compaction also raises SubagentStop, with an empty agent_type: no sub-agent."""
    return p.get("agent_type") != ""


plan_type = t.plan_of("agent_type")


@t.derived
@t.reads("tool_response")
def batch_outcome(p: Payload) -> str | None:
    """A batch repeats each call; a text in this tag says the call itself was invalid, unless it is
    none of the client's: history decides whether a mod refused the call. A failed command begins
    with its exit code: it ran, also where no event of failures is captured."""
    text = wording.text_of(p)
    if withheld(p):
        return "ok"
    if text.startswith(wording.INVALID):
        if "denied by your permission settings" in text:
            return "denied"
        return None if wording.is_strange(text) else "error"
    is_shell = t.text_at(p, "tool_name") in wording.SHELLS
    return "error" if is_shell and wording.exit_code(text) is not None else None


@t.reads("tool_response")
def withheld(p: Payload) -> str | None:
    """The text that the model got in the place of a result."""
    response = p.get("tool_response")
    if type(response) is list and len(response) == 1:
        response = t.at(response[0], "text")
    is_withheld = type(response) is str and wording.WITHHELD.match(response) is not None
    return response if is_withheld else None


@t.reads("tool_use_id")
def actor_type(p: Payload) -> str | None:
    """A call that a mod made by itself: no model asked for it."""
    call_id = p.get("tool_use_id")
    is_own = type(call_id) is str and call_id.startswith(OWN_CALL)
    return "system" if is_own else None


@t.reads("tool_response")
def interrupted(p: Payload) -> str | None:
    return "cancelled" if t.at(p, "tool_response.interrupted") is True else None


@t.reads("tool_response")
def succeeded(p: Payload) -> bool:
    """A tool that ran to its end may still say that it did not do it (TaskUpdate, Skill)."""
    return t.at(p, "tool_response.success") is not False and interrupted(p) is None


OF_OTHERS = re.compile(r"(?!.*[/\\]projects[/\\]).*[/\\]\.[^./\\]+[/\\]", re.DOTALL)


def claims(p: Payload) -> bool:
    """No event of Claude Code has a timestamp; each names its session file, in any folder but
    another client's: below one that is hidden, Claude Code's are in `projects`."""
    if "timestamp" in p or ("turn_id" in p and "message_id" not in p):
        return False
    name = p.get("hook_event_name")
    if type(p.get("session_id")) is not str or type(name) is not str or name not in EVENTS:
        return False
    path = p.get("transcript_path")
    return type(path) is str and path != "" and OF_OTHERS.match(path) is None


TOOLS = {
    "Bash": t.shell(),
    "PowerShell": t.shell(),
    "Monitor": t.shell(),
    "Read": t.read(),
    "Write": t.write(),
    "Edit": t.edit(),
    "MultiEdit": t.edit(),
    "NotebookEdit": t.edit("notebook_path", action="code_edit"),
    "Glob": t.find(),
    "Grep": t.find(),
    "LS": t.listing(),
    "WebFetch": t.fetch(),
    "WebSearch": t.search(),
    "Agent": t.delegate(),
    "Task": t.delegate(),
    "SendMessage": t.delegate(),
    "Workflow": t.delegate(),
    "ListMcpResourcesTool": t.Tool("mcp:ListMcpResourcesTool", "mcp_call"),
    "ReadMcpResourceTool": t.Tool("mcp:ReadMcpResourceTool", "mcp_call", url="uri"),
    "ReadMcpResourceDirTool": t.Tool("mcp:ReadMcpResourceDirTool", "mcp_call", url="uri"),
    "RemoteTrigger": t.Tool("other", "web_request"),
    "Skill": t.Tool("skill", "other"),
}

COMMON: t.Facts = {
    "session_id": "session_id",
    "transcript_path": "transcript_path",
    "cwd": "cwd",
    "turn_id": "prompt_id",
    "permission_mode": "permission_mode",
    "agent_id": "agent_id",
    "agent_type": "agent_type",
}
CALL: t.Facts = {
    "action_native": "tool_name",
    "input": "tool_input",
    "call_id": "tool_use_id",
    "mcp_server": "mcp_server.name",
    "actor_type": actor_type,
}
NOTICE: t.Facts = {
    "prompt": "prompt",
    "guardian": of_skipped("mod"),
    "hook_event": of_skipped("event"),
}
START = t.Words(
    "source", {"startup": "new", "fork": "new", "resume": "resume", "clear": "restart"}, "new"
)

EVENTS: t.Events = {
    "SessionStart": (
        t.Row(
            "Session.Start",
            {"start_reason": START, "model_id": "model", "tokens_used": "context_tokens"},
            when=t.is_not_word("source", "compact"),
            keep=(
                "session_title seconds_since_last_response prompt_cache_likely_expired "
                "estimated_cache_write_usd"
            ),
        ),
        t.Row(
            "Context.Compaction",
            {"context_phase": t.Const("restarted"), "model_id": "model"},
            hook_point="",
            when=t.is_word("source", "compact"),
            note="the session goes on after a compaction",
        ),
    ),
    "SessionEnd": t.Row(
        "Session.End",
        {"end_reason": t.Words("reason", {"clear": "manual_reset"}, "exit")},
    ),
    "Setup": t.Row("vendor.claude-code.Setup", keep="trigger"),
    "UserPromptSubmit": (
        t.Row(
            "Prompt.Submitted",
            {"prompt": "prompt", "input_source": t.Words("source", {"user": "keyboard"})},
            when=is_human,
            keep="session_title",
        ),
        t.Row(
            "vendor.claude-code.TaskNotification",
            NOTICE,
            when=is_machine_prompt,
            keep="session_title",
        ),
    ),
    "UserPromptExpansion": t.Row(
        "vendor.claude-code.UserPromptExpansion",
        {"prompt": "prompt"},
        keep="expansion_type command_name command_source command_args",
    ),
    "PreToolUse": t.Row("Action.Before", CALL, ignore="mcp_server"),
    "PermissionRequest": t.Row(
        "Agent.Notification",
        {**CALL, "call_id": None, "notification_type": t.Const("ToolPermission")},
        ignore="permission_suggestions mcp_server",
    ),
    "PermissionDenied": t.Row(
        "Policy.Blocked",
        {
            **CALL,
            "decided_by": t.Const("classifier"),
            "decision_reason": "reason",
            "decision_evidence": t.Const("PermissionDenied"),
        },
        ignore="mcp_server",
    ),
    "PostToolUse": t.Row(
        "Action.After",
        {
            **CALL,
            "success": succeeded,
            "outcome": interrupted,
            "output": "tool_response",
            "duration_ms": "duration_ms",
            "input_tokens": "tool_response.usage.input_tokens",
            "output_tokens": "tool_response.usage.output_tokens",
            "cache_read_tokens": "tool_response.usage.cache_read_input_tokens",
            "model_id": "tool_response.resolvedModel",
        },
        ignore="mcp_server",
    ),
    "PostToolUseFailure": (
        t.Row(
            "Policy.Blocked",
            {
                **CALL,
                "decided_by": t.Const("mod"),
                "decision_reason": error_line,
                "decision_evidence": t.Const("PostToolUseFailure"),
            },
            when=wording.is_spawn_denied,
            ignore="mcp_server",
        ),
        t.Row(
            "Action.After",
            {
                **CALL,
                "success": t.Const(False),
                "outcome": failed_outcome,
                "exit_code": t.exit_code("error", wording.EXIT_CODE),
                "error_message": error_line,
                "output": failed_output,
                "duration_ms": "duration_ms",
            },
            when=is_failure,
        ),
        t.tool_failed(CALL, when=is_failure, error_message=error_line),
    ),
    "PostToolBatch": t.Row(
        "Action.After",
        {
            "action_native": "tool_name",
            "input": "tool_input",
            "call_id": "tool_use_id",
            "output": "tool_response",
            "told_output": withheld,
            "outcome": batch_outcome,
            "decided_by": wording.refused_by,
            "guardian": wording.batch_guardian,
            "decision_evidence": wording.refusal_evidence,
            "certainty": wording.refusal_certainty,
            "decision_reason": wording.strange_reason,
            "refusal": wording.refusal,
            "reported_by": t.Const("batch"),
        },
        hook_point="",
        each="tool_calls",
        note="the sessions stage tells executed, refused and invalid calls apart",
    ),
    "Notification": t.Row(
        "Agent.Notification",
        {
            "notification_type": t.Words(
                "notification_type",
                {"permission_prompt": "ToolPermission", "idle_prompt": "IdleTimeout"},
            ),
            "message": "message",
        },
        keep="title",
    ),
    "MessageDisplay": t.Row(
        "vendor.claude-code.MessageDisplay",
        {"response": "delta", "message_id": "message_id", "final": "final"},
        keep="index",
        ignore="turn_id",
    ),
    "SubagentStart": t.Row("Agent.Plan.Start", {"plan_type": plan_type}),
    "SubagentStop": (
        t.Row(
            "Agent.Plan.End",
            {"response": "last_assistant_message", "plan_type": plan_type},
            when=is_agent,
            keep="stop_hook_active agent_transcript_path",
            ignore="background_tasks session_crons",
        ),
        t.Ignore("compaction helper, no sub-agent"),
    ),
    "Stop": t.Row(
        "Agent.Response",
        {"response": "last_assistant_message", "final": t.Const(True)},
        keep="stop_hook_active",
        ignore="background_tasks session_crons",
    ),
    "StopFailure": (
        t.Row(
            "Model.Failed",
            {
                "error_code": "error",
                "error_message": ("error_details", "last_assistant_message"),
            },
        ),
        t.model_failed({}, error_code="error", error_message="last_assistant_message"),
    ),
    "PreCompact": t.Row(
        "Context.Compaction",
        {"context_trigger": "trigger", "context_phase": t.Const("before")},
        hook_point="PreCompact",
        keep="custom_instructions",
    ),
    "PostCompact": t.Row(
        "Context.Compaction",
        {
            "context_trigger": "trigger",
            "context_phase": t.Const("after"),
            "summary": "compact_summary",
        },
    ),
    "PreModelSwitch": t.Row(
        "vendor.claude-code.PreModelSwitch",
        {"tokens_used": "context_tokens"},
        keep="from_model to_model requested_model source",
        ignore="prompt_cache_warm cache_ttl estimated_cache_write_usd pricing",
        note="fires with targets that are not taken; PostModelSwitch is the change",
    ),
    "PostModelSwitch": t.Row(
        "vendor.claude-code.PostModelSwitch",
        {"tokens_used": "context_tokens", "model_id": "to_model"},
        keep="from_model requested_model source",
        ignore="prompt_cache_warm cache_ttl estimated_cache_write_usd pricing",
    ),
    "TaskCreated": t.Row(
        "vendor.claude-code.TaskCreated",
        {"task": ("task_description", "task_subject")},
        keep="task_id teammate_name team_name",
    ),
    "TaskCompleted": t.Row(
        "vendor.claude-code.TaskCompleted",
        {"task": ("task_description", "task_subject")},
        keep="task_id teammate_name team_name",
    ),
    "TeammateIdle": t.Row(
        "Agent.Notification",
        {"notification_type": t.Const("IdleTimeout")},
        keep="teammate_name team_name",
    ),
    "InstructionsLoaded": t.Row(
        "vendor.claude-code.InstructionsLoaded",
        {"file_path": "file_path"},
        keep="memory_type load_reason globs trigger_file_path parent_file_path",
    ),
    "ConfigChange": t.Row(
        "vendor.claude-code.ConfigChange", {"file_path": "file_path"}, keep="source"
    ),
    "CwdChanged": t.Row("vendor.claude-code.CwdChanged", keep="old_cwd new_cwd"),
    "DirectoryAdded": t.Row("vendor.claude-code.DirectoryAdded", keep="directory source"),
    "FileChanged": t.Row(
        "vendor.claude-code.FileChanged", {"file_path": "file_path"}, keep="event"
    ),
    "WorktreeCreate": t.Row("vendor.claude-code.WorktreeCreate", keep="name"),
    "WorktreeRemove": t.Row("vendor.claude-code.WorktreeRemove", keep="worktree_path"),
    "Elicitation": t.Row(
        "Agent.Notification",
        {"mcp_server": "mcp_server_name", "message": "message", "url": "url"},
        keep="mode elicitation_id",
        ignore="requested_schema",
    ),
    "ElicitationResult": t.Row(
        "vendor.claude-code.ElicitationResult",
        {"mcp_server": "mcp_server_name", "response": "content"},
        keep="mode action elicitation_id",
    ),
}

VENDOR = t.Vendor(
    "claude-code",
    capabilities=Capabilities(
        silence_means="refused",
        only_after_question=True,
        batch_names_refusals=True,
        has_mods=True,
        answers_for_user="host",
        totals_are_rests=True,
    ),
    claims=claims,
    event="hook_event_name",
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore="effort",
)
