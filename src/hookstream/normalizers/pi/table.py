"""Pi, 0.73 to 1.6: events of an extension in its process, as `{hook, event, session, cwd}`.

Source: the extension documentation and types in 0.73.1, recordings of it and of 1.6.0. The events
carry neither session nor folder nor time: the extension adds the session's file and the folder.
Each call ends with tool_execution_end; one that ran has had a tool_result before it.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t
from hookstream.normalizers.pi import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.wording import Ending

SESSION = re.compile(r"_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl\Z")


@t.reads("session_id session")
def session_id(p: Payload) -> Any:
    """The id, which the name of the session's file ends with."""
    match = SESSION.search(t.text_at(p, "session"))
    return p.get("session_id") or (match[1] if match else None)


def texts_of(content: Any) -> str:
    parts = content if type(content) is list else ()
    return "\n".join(text for text in (t.text_at(part, "text") for part in parts) if text)


def tool_of(p: Payload) -> str:
    return t.text_at(p, "event.toolName")


def result_text(p: Payload) -> str:
    return texts_of(t.at(p, "event.result.content") or t.at(p, "event.content"))


@t.reads("event.isError")
def success(p: Payload) -> bool | None:
    """The client always says whether a call failed; without its word nothing is known."""
    failed = t.at(p, "event.isError")
    return not failed if type(failed) is bool else None


@t.reads("event.isError")
def has_failed(p: Payload) -> bool:
    return success(p) is False


def failure(p: Payload) -> Ending | None:
    return wording.ended(tool_of(p), result_text(p)) if success(p) is False else None


of_failure = t.parts_of(failure, "event.content event.result")


EXIT_CODES = ("event.structuredContent.exit_code", "event.result.structuredContent.exit_code")


@t.reads("event.content event.result", *EXIT_CODES)
def exit_code(p: Payload) -> int | None:
    """The code, of which before 1.6 only the text of a command that failed told."""
    codes = [code for code in (t.at(p, path) for path in EXIT_CODES) if type(code) is int]
    if codes:
        return int(codes[0])
    end = failure(p)
    if end is not None:
        return end.exit_code
    return 0 if success(p) and tool_of(p) == wording.SHELL else None


@t.reads("event.content event.result")
def output(p: Payload) -> str | None:
    return result_text(p) or None


@t.reads("event.result event.isError")
def is_invalid_call(p: Payload) -> bool:
    return has_failed(p) and wording.is_invalid(tool_of(p), result_text(p))


is_valid_call = t.negate(is_invalid_call)


@t.reads("event.result event.isError")
def refusal(p: Payload) -> str | None:
    """The reason of a refusal, should no tool_result have come before."""
    return result_text(p).strip()[:2000] if has_failed(p) else None


def of_refusal(value: str) -> Any:
    """A fact of such a refusal."""

    @t.reads("event.isError")
    def fact(p: Payload) -> str | None:
        return value if has_failed(p) else None

    return fact


@t.reads("event.result event.isError")
def ended_well(p: Payload) -> str | None:
    return "ok" if success(p) else None


@t.reads("event.message")
def response(p: Payload) -> str | None:
    return texts_of(t.at(p, "event.message.content")) or None


@t.reads("event.messages")
def last_response(p: Payload) -> str | None:
    messages = t.at(p, "event.messages")
    last = messages[-1] if type(messages) is list and messages else None
    return texts_of(t.at(last, "content")) if t.at(last, "role") == "assistant" else None


@t.reads("is_resumed")
def start_reason(p: Payload) -> str | None:
    """`startup` is also said of a session that is continued; the extension sees what it holds."""
    words = {"new": "new", "fork": "new", "resume": "resume"}
    if t.at(p, "event.reason") == "startup" and type(p.get("is_resumed")) is bool:
        return "resume" if p["is_resumed"] else "new"
    return words.get(t.text_at(p, "event.reason"))


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    """The client has no servers; an extension's tools have any name."""
    return None


def claims(p: Payload) -> bool:
    """The names that the extension gives, and a session file in the client's own folder."""
    hook, session = p.get("hook"), p.get("session", "")
    if type(hook) is not str or hook not in EVENTS or "ctx" in p or type(session) is not str:
        return False
    return bool(t.at(p, "event.type") == hook)


TOOLS = {
    "bash": t.shell(),
    "read": t.read("path"),
    "write": t.write("path"),
    "edit": t.edit("path"),
    "grep": t.find(),
    "find": t.find(),
    "ls": t.listing(),
}

CALL: t.Facts = {"action_native": "event.toolName", "call_id": "event.toolCallId"}
RESULT: t.Facts = {
    **CALL,
    "success": success,
    "exit_code": exit_code,
    "outcome": of_failure("outcome"),
    "error_message": of_failure("message"),
    "output": output,
}
LASTED = {"duration_ms": "event.durationMs"}
FAILED = t.tool_failed(CALL, when=has_failed, error_message=of_failure("message"))


@t.reads("event.message.provider event.message.model")
def model_id(p: Payload) -> str | None:
    return t.model_name(t.at(p, "event.message.provider"), t.at(p, "event.message.model"))


@t.reads("event.model")
def selected_model(p: Payload) -> str | None:
    return t.model_name(t.at(p, "event.model.provider"), t.at(p, "event.model.id"))


TOKENS: t.Facts = {
    "model_id": model_id,
    "input_tokens": "event.message.usage.input",
    "output_tokens": "event.message.usage.output",
    "cache_read_tokens": "event.message.usage.cacheRead",
    "cache_write_tokens": "event.message.usage.cacheWrite",
    "cost_usd": "event.message.usage.cost.total",
}
TURN = "event.outcome event.continue"
TURN_LEFT_OUT = (
    "event.toolResults event.turnIndex event.context event.entries event.messageEntryId "
    " event.toolResultEntryIds"
)

REPEATED = t.Ignore("repeats tool_execution_start")
ON_ITS_WAY = t.Ignore("the whole prompt, on its way to the model")
QUIET = {
    "tool_call": REPEATED,
    "tool_execution_update": t.Ignore("a piece of a result"),
    "context": ON_ITS_WAY,
    "before_provider_request": ON_ITS_WAY,
    "after_provider_response": t.Ignore("turn_end tells of the answer"),
    "before_agent_start": t.Ignore("repeats input"),
    "agent_start": t.Ignore("repeats input"),
    "turn_start": t.Ignore("turn_end tells of the turn"),
    "message_start": t.Ignore("turn_end tells of the message"),
    "message_update": t.Ignore("a piece of a message"),
    "message_end": t.Ignore("turn_end tells of the message"),
    "resources_discover": t.Ignore("the client's own bookkeeping"),
}

EVENTS: t.Events = {
    "session_start": (
        t.Row(
            "Session.Start",
            {"start_reason": start_reason},
            when=t.is_not_word("event.reason", "reload"),
            keep="event.reason event.previousSessionFile",
        ),
        t.Ignore("extensions were loaded again"),
    ),
    "session_shutdown": (
        t.Row(
            "Session.End",
            {"end_reason": t.Words("event.reason", {"new": "manual_reset"}, "exit")},
            when=t.is_not_word("event.reason", "reload"),
            keep="event.targetSessionFile",
        ),
        t.Ignore("extensions are loaded again"),
    ),
    "session_before_switch": t.Row(
        "vendor.pi.SessionBeforeSwitch", keep="event.reason event.targetSessionFile"
    ),
    "session_before_fork": t.Row(
        "vendor.pi.SessionBeforeFork", keep="event.entryId event.position"
    ),
    "session_tree": t.Row(
        "vendor.pi.SessionTree",
        keep="event.newLeafId event.oldLeafId event.fromExtension",
        ignore="event.summaryEntry",
    ),
    "session_before_compact": t.Row(
        "Context.Compaction",
        {"context_phase": t.Const("before"), "tokens_before": "event.preparation.tokensBefore"},
        hook_point="PreCompact",
        ignore="event.preparation event.branchEntries event.customInstructions",
    ),
    "session_compact": t.Row(
        "Context.Compaction",
        {
            "context_phase": t.Const("after"),
            "tokens_before": "event.compactionEntry.tokensBefore",
            "summary": "event.compactionEntry.summary",
        },
        keep="event.fromExtension",
        ignore="event.compactionEntry",
    ),
    "input": (
        t.Row(
            "Prompt.Submitted",
            {"prompt": "event.text", "input_source": "event.source"},
            when=t.is_not_word("event.source", "extension"),
            ignore="event.images",
        ),
        t.Row(
            "vendor.pi.ExtensionInput",
            {"prompt": "event.text"},
            when=t.is_word("event.source", "extension"),
            note="an extension wrote it",
        ),
    ),
    "user_bash": t.Row(
        "vendor.pi.UserBash",
        {"command": "event.command"},
        keep="event.excludeFromContext",
        ignore="event.cwd",
        note="a line that the person ran, not the model",
    ),
    "tool_execution_start": t.Row("Action.Before", {**CALL, "input": "event.args"}),
    "tool_result": (
        t.Row(
            "Action.After",
            {**RESULT, "input": "event.input"},
            ignore="event.details event.structuredContent",
        ),
        FAILED,
    ),
    "tool_execution_end": (
        t.Row("Action.After", {**RESULT, **LASTED}, when=is_invalid_call),
        t.Row(
            "Action.After",
            {
                **CALL,
                **LASTED,
                "outcome": ended_well,
                "output": output,
                "decided_by": of_refusal("hook"),
                "decision_evidence": of_refusal("tool_execution_end without tool_result"),
                "certainty": of_refusal("observed"),
                "refusal": refusal,
                "reported_by": t.Const("batch"),
            },
            hook_point="",
            when=is_valid_call,
            note="repeats tool_result; without one an extension blocked the call",
        ),
        t.tool_failed(CALL, when=is_invalid_call, error_message=of_failure("message")),
    ),
    "turn_end": (
        t.Row(
            "Model.Failed",
            {
                "model_id": model_id,
                "error_message": "event.message.errorMessage",
                "timestamp": "event.message.timestamp",
            },
            when=t.is_word("event.message.stopReason", "error"),
            keep=TURN,
            ignore=TURN_LEFT_OUT,
        ),
        t.Row(
            "Model.Responded",
            {**TOKENS, "response": response, "stop_reason": "event.message.stopReason"},
            when=t.is_not_word("event.message.stopReason", "error"),
            keep=TURN,
        ),
    ),
    "agent_end": t.Row(
        "Agent.Response",
        {"response": last_response, "final": t.Const(True)},
    ),
    "model_select": t.Row(
        "vendor.pi.ModelSelect",
        {"model_id": selected_model},
        keep="event.source event.previousModel.id",
        ignore="event.previousModel",
    ),
    "thinking_level_select": t.Row(
        "vendor.pi.ThinkingLevelSelect", keep="event.level event.previousLevel"
    ),
    **QUIET,
}

VENDOR = t.Vendor(
    "pi",
    claims=claims,
    event="hook",
    common={"session_id": session_id, "cwd": "cwd", "transcript_path": "session"},
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore="event.type",
)
