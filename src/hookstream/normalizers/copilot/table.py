"""GitHub Copilot: CLI and cloud agent (1.0.x) in two dialects, VS Code chat in a third.

Source: the vendor's hooks reference, the extension's source, and recordings of CLI 1.0.102 and
chat 0.42.0; one of them with both of the CLI's spellings registered at once.
"""

from __future__ import annotations

from hookstream.normalizers.capabilities import Capabilities
from hookstream.normalizers.copilot.calls import (
    ENDED,
    RESULT_TEXT,
    TOOLS,
    edited_file,
    error_line,
    error_output,
    error_part,
    error_type,
    guessed_server,
    is_done,
    is_failed,
    is_model_error,
    is_other_error,
    is_refused,
    joined_name,
    mcp,
    part,
    same_as,
)
from hookstream.normalizers.copilot.dialects import (
    PASCAL,
    agent_id,
    agent_session,
    both,
    call_id,
    claims,
    dialect,
    event_name,
    goes_on,
    in_agent,
    in_main,
    is_autopilot,
    is_inner,
    is_like,
    is_notice,
    parent_session,
    plan_type,
    root_session,
)
from hookstream.normalizers.table import Const, Row, Vendor, Words, is_not_word, is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.normalizers.table import Events, Facts

COMMON: Facts = {
    "session_id": both("sessionId"),
    "timestamp": "timestamp",
    "cwd": ("cwd", "workingDirectory"),
    "transcript_path": both("transcriptPath"),
    "agent_id": agent_id,
    "agent_type": both("agentType", "agentName"),
    "parent_agent_id": both("parentAgentId"),
    "parent_session_id": parent_session,
    "dialect": dialect,
    "same_as": same_as(),
}
CALL: Facts = {
    "action_native": both("toolName"),
    "input": (*both("toolArgs"), *both("toolInput")),
    "call_id": call_id,
    "mcp_server": guessed_server,
    "file_path": edited_file,
}
CHILD: Facts = {
    "session_id": agent_session,
    "parent_session_id": both("parentAgentId"),
}
TOOL_FAILED: Facts = {
    **CALL,
    "error_type": Const("ToolFailed"),
    "error_message": error_line,
    "origin_event": Const("Action.After"),
    "same_as": same_as("/error"),
}
MODEL_ERROR: Facts = {
    "error_code": error_part("type"),
    "error_message": error_part("message"),
}
END = Words(
    "reason",
    {"complete": "completed", "error": "error", "timeout": "error", "user_exit": "exit"},
)
ERROR_NOISE = ("error.stack",)
AGENT_NAMES = both("agentName", "agentDisplayName", "agentDescription")


def by_agent(
    kind: str,
    facts: Facts,
    *,
    keep: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    note: str = "",
) -> tuple[Row, Row]:
    """The row of a payload that names the root's session, and the same inside a sub-agent."""
    inside = {**facts, **CHILD}
    return (
        Row(kind, facts, when=in_main, keep=keep, ignore=ignore, note=note),
        Row(kind, inside, when=in_agent, keep=keep),
    )


ROWS: Events = {
    "sessionStart": Row(
        "Session.Start",
        {
            "start_reason": Words("source", {"new": "new", "startup": "new", "resume": "resume"}),
            "prompt": both("initialPrompt"),
        },
        note="initialPrompt repeats the prompt that userPromptSubmitted tells",
    ),
    "sessionEnd": (
        Row(
            "Session.End",
            {
                "end_reason": END,
                "response": both("finalMessage"),
                "error_message": error_line,
            },
            when=is_not_word("reason", "abort"),
            note="reason error is the only sign that a turn was lost for good",
        ),
        Row(
            "Session.Abort",
            {
                "abort_reason": "reason",
                "response": both("finalMessage"),
                "error_message": error_line,
            },
            hook_point="SessionEnd",
            when=is_word("reason", "abort"),
        ),
    ),
    "userPromptSubmitted": (
        Row(
            "vendor.copilot.TaskNotification",
            {"prompt": "prompt"},
            when=is_notice,
            note="a background task ended: nobody typed it",
        ),
        Row(
            "vendor.copilot.AutopilotPrompt",
            {"prompt": "prompt"},
            when=is_autopilot,
            note="autopilot's own prompt to continue: no person typed it",
        ),
        Row("Prompt.Submitted", {"prompt": "prompt"}, when=in_main),
        Row(
            "vendor.copilot.AgentPrompt",
            {"task": "prompt"},
            when=in_agent,
            note="the task delegated to a sub-agent: nobody typed it",
        ),
    ),
    "userPromptTransformed": Row(
        "vendor.copilot.UserPromptTransformed",
        {"prompt": "prompt", "request": both("transformedPrompt")},
        hook_point="PostInputProcessing",
        note="the text the model gets in place of the prompt",
    ),
    "preToolUse": Row("Action.Before", CALL),
    "preMcpToolCall": by_agent(
        "Action.Before",
        {
            **CALL,
            "action_native": joined_name,
            "input": "arguments",
            "call_id": None,
            "file_path": None,
            "mcp_server": "serverName",
            "reported_by": Const("specific"),
        },
        keep=("toolCallId",),
        ignore=("_meta",),
        note="repeats the preToolUse of the same call, which has no call id",
    ),
    "postToolUse": (
        Row(
            "Policy.Blocked",
            {
                **CALL,
                "decided_by": part("decided_by"),
                "decision_reason": part("reason"),
                "matched_rule_id": part("rule"),
                "decision_evidence": Const("resultType"),
            },
            when=is_refused,
            note="before 1.0.15 a refused call came through postToolUse",
        ),
        Row(
            "Action.After",
            {
                **CALL,
                **ENDED,
                "output": (*RESULT_TEXT, "tool_response"),
            },
            when=is_done,
        ),
        Row(
            "Agent.Error",
            {**TOOL_FAILED, "error_message": None},
            when=is_failed,
            derived=True,
        ),
    ),
    "postToolUseFailure": (
        Row(
            "Action.After",
            {
                **CALL,
                "success": Const(False),
                "error_message": error_line,
                "output": error_output,
            },
        ),
        Row("Agent.Error", TOOL_FAILED, derived=True),
    ),
    "permissionRequest": by_agent(
        "Agent.Notification",
        {**CALL, "notification_type": Const("ToolPermission")},
        ignore=("permissionSuggestions",),
        note="fires under allow-all too: it does not say that a person was asked",
    ),
    "agentStop": (
        Row(
            "vendor.copilot.AgentStop",
            {
                "session_id": root_session,
                "agent_id": both("sessionId"),
                "stop_reason": both("stopReason"),
            },
            when=is_inner,
            keep=("stop_hook_active",),
            note="only here a sub-agent's own events name the session that it belongs to",
        ),
        Row(
            "Agent.Response",
            {"final": Const(True), "stop_reason": both("stopReason"), "is_followup": goes_on},
            when=in_main,
            keep=("stop_hook_active",),
            note="with stop_hook_active the prompt before it was the reason of a hook that let the"
            " agent not stop: is_followup",
        ),
        Row(
            "vendor.copilot.AgentStop",
            {"stop_reason": both("stopReason")},
            when=in_agent,
            keep=("stop_hook_active",),
            note="subagentStop tells the parent what came of it",
        ),
    ),
    "subagentStart": Row(
        "Agent.Plan.Start",
        {"session_id": root_session, "plan_type": plan_type},
        keep=AGENT_NAMES,
    ),
    "subagentStop": Row(
        "Agent.Plan.End",
        {
            "session_id": root_session,
            "response": ("response", "last_assistant_message"),
            "plan_type": plan_type,
            "stop_reason": both("stopReason"),
        },
        keep=(*AGENT_NAMES, "stop_hook_active"),
    ),
    "preCompact": Row(
        "Context.Compaction",
        {"context_trigger": "trigger", "context_phase": Const("before")},
        hook_point="PreCompact",
        keep=both("customInstructions"),
        note="no event confirms that a compaction followed",
    ),
    "errorOccurred": (
        Row(
            "Model.Failed",
            MODEL_ERROR,
            when=is_model_error,
            keep=("recoverable", "error.name"),
            ignore=ERROR_NOISE,
            note="one an attempt, those recovered later too; recoverable is true in all of them",
        ),
        Row(
            "Agent.Error",
            {
                **MODEL_ERROR,
                "error_type": Const("ModelError"),
                "origin_event": Const("Model.Failed"),
                "same_as": same_as("/error"),
            },
            when=is_model_error,
            derived=True,
        ),
        Row(
            "Agent.Error",
            {**MODEL_ERROR, "error_type": error_type},
            when=is_other_error,
            keep=("recoverable", "error.name", *both("errorContext")),
        ),
    ),
    "notification": Row(
        "Agent.Notification",
        {
            "notification_type": Words("notification_type", {"agent_idle": "IdleTimeout"}),
            "message": "message",
        },
        keep=("title",),
        note="permission_prompt repeats a permissionRequest, which has the call: no ToolPermission",
    ),
}

EVENTS: Events = {
    **ROWS,
    **{pascal: ROWS[camel] for camel, pascal in PASCAL.items() if camel != "userPromptTransformed"},
}

VENDOR = Vendor(
    "copilot",
    capabilities=Capabilities(
        silence_means="refused",
        turn_goes_on=True,
        confirms_compactions=False,
        answers_name_prompts=True,
        pairs_lone=True,
        unasked_mode="allow-all",
    ),
    claims=claims,
    host=is_like,
    event=event_name,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    keep=("traceparent", "tracestate"),
    absent={"UserPromptTransformed": "the PascalCase spelling never fires"},
)
