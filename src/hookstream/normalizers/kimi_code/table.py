"""Kimi Code, 2.1: Claude-like events without times, the user's answers to permission questions.

Source: the 20 events in the client's published source, and recordings of 2.1.0. Events after a call
are not awaited: that of the last one is often missing, so silence says nothing.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.kimi_code import wording
from hookstream.normalizers.wording import Ending, denied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

BY_EXCLUSION = "PostToolUseFailure, by exclusion"


@t.reads("prompt")
def prompt(p: Payload) -> Any:
    """The text of the prompt's parts; an image has none."""
    parts = p.get("prompt")
    if type(parts) is not list:
        return parts
    return "\n".join(t.text_at(part, "text") for part in parts) or None


@t.reads("agent_id")
def agent_id(p: Payload) -> Any:
    """Only questions and their answers say whose call it is."""
    agent = p.get("agent_id")
    return None if agent == "main" else agent


@t.reads("turn_id")
def turn_id(p: Payload) -> Any:
    """The turns of each agent count from 0, and the payload does not say whose this is."""
    return p.get("turn_id") if p.get("origin_kind") == "user" else None


def error_text(p: Payload) -> str:
    return wording.words_of(t.text_at(p, "error.message"))


def end(p: Payload) -> Ending:
    """The end of a call that failed: by the client's words, else a hook refused it, by
    exclusion."""
    tool, text = t.text_at(p, "tool_name"), error_text(p)
    if wording.is_unsaid(tool, t.at(p, "tool_input.path"), text):
        return denied("hook", text)
    return wording.ended(tool, text)


of_end = t.parts_of(end, "error")


@t.reads("error")
def is_refused(p: Payload) -> bool:
    return end(p).outcome == "denied"


is_failed = t.negate(is_refused)


@t.reads("error")
def refusal_evidence(p: Payload) -> str:
    return BY_EXCLUSION if end(p).decided_by == "hook" else "error.message"


@t.reads("error")
def refusal_certainty(p: Payload) -> str:
    return "inferred" if end(p).decided_by == "hook" else "observed"


@t.reads("error")
def failed_output(p: Payload) -> str | None:
    text = error_text(p)
    return text if "\n" in text.strip() else None


mcp = t.mcp_name(lone=True)


def claims(p: Payload) -> bool:
    """Claude's event names; the client's name for itself is its mark."""
    name, client = p.get("hook_event_name"), p.get("client_type")
    return type(name) is str and type(client) is str and client.startswith("kimi")


TOOLS = {
    "Bash": t.shell(),
    "Read": t.read("path"),
    "ReadMediaFile": t.read("path"),
    "Write": t.write("path"),
    "Edit": t.edit("path"),
    "Glob": t.find(),
    "Grep": t.find(),
    "FetchURL": t.fetch(),
    "WebSearch": t.search(),
    "Agent": t.delegate(),
    "AgentSwarm": t.delegate(),
    "Skill": t.Tool("skill", "other"),
    "TodoList": t.Tool("todo", "other"),
    "AskUserQuestion": t.Tool("question", "other"),
    "EnterPlanMode": t.Tool("plan", "other"),
    "ExitPlanMode": t.Tool("plan", "other"),
}

COMMON: t.Facts = {"session_id": "session_id", "cwd": "cwd"}
CALL: t.Facts = {
    "action_native": "tool_name",
    "input": "tool_input",
    "call_id": "tool_call_id",
}
# `action` and `display` say in other words what the call's arguments say.
ASKED: t.Facts = {**CALL, "agent_id": agent_id}
ASKED_LEFT_OUT = "id turn_id action display feedback"
ANSWERED: t.Facts = {
    **ASKED,
    "decided_by": t.Const("user"),
    "decision_reason": ("feedback", "selected_label"),
    "decision_evidence": t.Const("PermissionResult.decision"),
}

EVENTS: dict[str, t.Row | tuple[t.Row, ...]] = {
    "SessionStart": t.Row(
        "Session.Start",
        {
            "start_reason": t.Words("source", {"startup": "new", "resume": "resume"}, "new"),
            "model_id": "model",
        },
        keep="profile",
    ),
    "SessionEnd": t.Row("Session.End", {"end_reason": t.Words("reason", {}, "exit")}),
    "SessionHeartbeat": t.Row("vendor.kimi-code.SessionHeartbeat", keep="uptime_ms"),
    "UserPromptSubmit": t.Row(
        "Prompt.Submitted",
        {"prompt": prompt, "is_followup": "is_steer"},
    ),
    "UserPromptQueued": t.Row(
        "vendor.kimi-code.UserPromptQueued",
        {"prompt": prompt},
        keep="prompt_id queue_length",
        note="UserPromptSubmit follows when its turn comes",
    ),
    "TurnStarted": t.Row(
        "vendor.kimi-code.TurnStarted",
        {"prompt": "prompt", "turn_id": turn_id},
        keep="origin_kind origin_name",
        note="repeats the prompt of a person; of a sub-agent the task",
    ),
    "PreToolUse": t.Row("Action.Before", CALL),
    "PermissionRequest": t.Row(
        "Agent.Notification",
        {**ASKED, "notification_type": t.Const("ToolPermission")},
        ignore=ASKED_LEFT_OUT,
    ),
    "PermissionResult": (
        t.Row(
            "Policy.Override",
            {**ANSWERED, "resolution": t.Const("approved")},
            hook_point="PostAskResolution",
            when=t.is_word("decision", "approved"),
            keep="scope",
            ignore=ASKED_LEFT_OUT,
        ),
        t.Row(
            "Policy.Blocked",
            {
                **ANSWERED,
                # A stop of the turn cancels what is asked: no person's answer.
                "decided_by": t.Words("decision", {"rejected": "user"}),
                "resolution": t.Const("denied"),
            },
            hook_point="PostAskResolution",
            when=t.is_word("decision", "rejected", "cancelled"),
            keep="scope",
        ),
        t.Row(
            "vendor.kimi-code.PermissionFailed",
            {**ASKED, "error_message": "error"},
            when=t.is_word("decision", "error"),
        ),
    ),
    "PostToolUse": t.Row(
        "Action.After", {**CALL, "success": t.Const(True), "output": "tool_output"}
    ),
    "PostToolUseFailure": (
        t.Row(
            "Policy.Blocked",
            {
                **CALL,
                "decided_by": t.derived(of_end("decided_by")),
                "decision_reason": of_end("reason"),
                "decision_evidence": refusal_evidence,
                "certainty": refusal_certainty,
            },
            when=is_refused,
        ),
        t.Row(
            "Action.After",
            {
                **CALL,
                "success": t.Const(False),
                "outcome": of_end("outcome"),
                "exit_code": of_end("exit_code"),
                "error_message": of_end("message"),
                "output": failed_output,
            },
            when=is_failed,
        ),
        t.tool_failed(CALL, when=is_failed, error_message=of_end("message")),
    ),
    "SubagentStart": t.Row(
        "Agent.Plan.Start",
        {"plan_type": t.plan_of("agent_name"), "agent_type": "agent_name", "task": "prompt"},
    ),
    "SubagentStop": t.Row(
        "Agent.Plan.End",
        {"plan_type": t.plan_of("agent_name"), "agent_type": "agent_name", "response": "response"},
    ),
    "TaskStarted": t.Row(
        "vendor.kimi-code.TaskStarted",
        {"task": "description", "task_id": "task_id", "task_state": "status"},
        keep="kind detached",
        ignore="started_at",
    ),
    "Notification": t.Row(
        "Agent.Notification",
        keep="notification_type sink source_kind source_id task_id severity",
        ignore="agent_id title body info output_tail",
        note="a background task ended",
    ),
    "PreCompact": t.Row(
        "Context.Compaction",
        {
            "context_trigger": "trigger",
            "context_phase": t.Const("before"),
            "tokens_before": "token_count",
        },
        hook_point="PreCompact",
    ),
    "PostCompact": t.Row(
        "Context.Compaction",
        {
            "context_trigger": "trigger",
            "context_phase": t.Const("after"),
            "tokens_after": "estimated_token_count",
        },
    ),
    "Stop": t.Row(
        "Agent.Response",
        {"final": t.Const(True)},
        keep="stop_hook_active",
        note="once per agent, those of sub-agents included",
    ),
    "StopFailure": (
        t.Row(
            "Model.Failed",
            {
                "error_code": "error_type",
                "error_message": "error_message",
                "final": t.Const(True),
            },
        ),
        t.model_failed({}, error_code="error_type", error_message="error_message"),
    ),
    "Interrupt": t.Row(
        "vendor.kimi-code.Interrupt",
        {"abort_reason": t.Const("interrupt")},
        keep="reason turn_id",
        note="ends the turn, not the session; no Stop follows",
    ),
}

VENDOR = t.Vendor(
    "kimi-code",
    claims=claims,
    event="hook_event_name",
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore="session_title client_type",
)
