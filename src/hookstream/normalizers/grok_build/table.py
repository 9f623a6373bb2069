"""Grok Build 1.0: fifteen hook events, each field in its camelCase and, since 1.0.41, in Claude
Code's snake_case as well.

Source: recordings of 1.0.41 and 1.0.5. A sub-agent's hooks have a session, the id of the sub-agent,
which SubagentStart ties to its parent. The client answers its own question where no person is
there, and says that the user cancelled.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.grok_build import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

# The snake_case twins of 1.0.41: the same values again.
TWINS = (
    "hookEventName session_id transcript_path permission_mode tool_name tool_input tool_use_id "
    "tool_response duration_ms is_interrupt workspaceRoot toolInputTruncated toolResultTruncated "
    "isBackgrounded last_assistant_message stop_hook_active agent_id agent_type prompt_id "
    "notification_type error_details background_tasks session_crons subagent_id"
)


def claims(p: Payload) -> bool:
    """Its own spelling next to the folder of its workspace."""
    return type(p.get("workspaceRoot")) is str and type(p.get("hookEventName")) is str


def event(p: Payload) -> str | None:
    """The event as it is registered: the client's own word is in snake_case."""
    name = p.get("hook_event_name")
    if type(name) is str and name in EVENTS:
        return name
    name = p.get("hookEventName")
    if type(name) is not str:
        return None
    registered = "".join(part.title() for part in name.split("_"))
    return registered if registered in EVENTS else name


event.reads = ("hook_event_name", "hookEventName")  # type: ignore[attr-defined]


def is_like(p: Payload) -> bool:
    """Return whether a payload in its environment is its own."""
    return claims(p)


part = t.parts_of(lambda p: wording.ended(p.get("toolResult")), "toolResult")


@t.reads("prompt")
def prompt(p: Payload) -> Any:
    return wording.asked(p.get("prompt"))


@t.reads("toolResult")
def output(p: Payload) -> Any:
    """The result as the model gets it; bytes are left out."""
    result = p.get("toolResult")
    if type(result) is dict and type(result.get("output_for_prompt")) is str:
        return result["output_for_prompt"]
    return result


@t.reads("toolName")
def unnamed(p: Payload) -> None:
    """The decider of a refusal: a rule or a person, and the payload does not say which."""


TOOLS = {
    "run_terminal_command": t.shell(),
    "run_terminal_cmd": t.shell(),
    "read_file": t.read("target_file"),
    "search_replace": t.edit(),
    "write": t.write(),
    "list_dir": t.listing("target_directory"),
    "grep": t.find(),
    "web_fetch": t.fetch(),
    "web_search": t.search(),
    "spawn_subagent": t.delegate(),
    "task": t.delegate(),
}
mcp = t.mcp_name("")
CALL: t.Facts = {
    "action_native": "toolName",
    "input": "toolInput",
    "call_id": "toolUseId",
    "agent_type": "subagentType",
}
is_answer = t.is_word("reason", "end_turn")

EVENTS: t.Events = {
    "SessionStart": t.Row(
        "Session.Start",
        {
            "start_reason": t.Words("source", {"new": "new", "load": "resume"}, "new"),
            "model_id": "modelId",
        },
        keep="agentType",
    ),
    "SessionEnd": t.Row(
        "Session.End",
        {"end_reason": t.Words("reason", {}, "exit"), "agent_type": "subagentType"},
        keep="turnCount toolCallCount",
    ),
    "UserPromptSubmit": (
        t.Row(
            "Prompt.Submitted",
            {"prompt": prompt},
            when=t.is_word("subagentType", None),
        ),
        t.Row(
            "vendor.grok-build.SubagentTask",
            {"prompt": prompt, "agent_type": "subagentType"},
            when=t.is_not_word("subagentType", None),
        ),
    ),
    "PreToolUse": t.Row("Action.Before", CALL),
    "PostToolUse": (
        t.Row(
            "Action.After",
            {**CALL, **t.end_of(part), "output": output, "duration_ms": "durationMs"},
            note="fires for commands that failed, too",
        ),
        t.tool_failed(
            CALL,
            when=t.has_failed(part("exit_code"), part("success")),
            error_message=part("message"),
        ),
    ),
    "PostToolUseFailure": (
        t.Row(
            "Action.After",
            {
                **CALL,
                "success": t.Const(False),
                "error_message": t.first_line("error"),
                "duration_ms": "durationMs",
            },
            keep="isInterrupt",
        ),
        t.tool_failed(CALL, when=None, error_message=t.first_line("error")),
    ),
    "PermissionDenied": t.Row(
        "Policy.Blocked",
        {
            **CALL,
            "decided_by": unnamed,
            "decision_evidence": t.Const("PermissionDenied"),
        },
        note="by a rule or a person: it does not say which",
    ),
    "Notification": t.Row(
        "Agent.Notification",
        {
            "notification_type": t.Words(
                "notificationType",
                {"permission_prompt": "ToolPermission", "idle_prompt": "IdleTimeout"},
            ),
            "message": "message",
        },
        keep="title level",
    ),
    "Stop": (
        t.Row(
            "Agent.Response",
            {"response": "lastAssistantMessage", "final": t.Const(True)},
            when=is_answer,
            keep="stopHookActive",
            ignore="backgroundTasks sessionCrons",
        ),
        t.Ignore("a second Stop at the end of the session: no answer"),
    ),
    "StopFailure": t.Row(
        "Model.Failed",
        {"error_code": "error", "error_message": t.first_line("errorDetails")},
        keep="lastAssistantMessage",
    ),
    "StopCancelled": t.Row(
        "Session.Abort",
        {"abort_reason": "reason"},
        keep="cancelledBy cancelTrigger reasonDetails lastAssistantMessage",
        note="the turn is over; cancelledBy user proves no person: the client says so, too",
    ),
    "SubagentStart": t.Row(
        "Agent.Plan.Start",
        {
            "child_session_id": "subagentId",
            "agent_type": "subagentType",
            "plan_type": t.plan_of("subagentType"),
            "task": "description",
        },
    ),
    "SubagentStop": (
        t.Row(
            "Agent.Response",
            {"response": "lastAssistantMessage", "agent_type": "subagentType"},
            hook_point="",
            keep="phase",
            ignore="reason backgroundTasks sessionCrons",
        ),
        t.Row(
            "Agent.Plan.End",
            {
                "child_session_id": "subagentId",
                "agent_type": "subagentType",
                "plan_type": t.plan_of("subagentType"),
                "response": "lastAssistantMessage",
            },
            keep="phase stopHookActive",
            note="in the session of the sub-agent",
        ),
    ),
    "PreCompact": t.Row(
        "Context.Compaction",
        {"context_trigger": "source", "context_phase": t.Const("before")},
        hook_point="PreCompact",
    ),
    "PostCompact": t.Row(
        "Context.Compaction",
        {"context_trigger": "source", "context_phase": t.Const("after")},
    ),
}

VENDOR = t.Vendor(
    "grok-build",
    claims=claims,
    event=event,
    common={
        "session_id": "sessionId",
        "transcript_path": "transcriptPath",
        "cwd": ("cwd", "workspaceRoot"),
        "turn_id": "promptId",
        "permission_mode": "permissionMode",
        "timestamp": "timestamp",
        "dialect": "clientIdentifier",
    },
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore=TWINS,
    # Rules and persons have events of their own, a cancelled question ends the turn.
    capabilities=Capabilities(
        silence_means="refused", turn_goes_on=True, silent_refuser="hook", totals_are_rests=True
    ),
    host=is_like,
)
