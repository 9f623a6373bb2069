"""Pi, 0.73: events of an extension in its process, written out as `{hook, event, session, cwd}`.

Source: the extension documentation and types in 0.73.1, recordings of it. The events carry neither
session nor folder nor time: the extension adds the session's file and the folder. Each call ends
with tool_execution_end; one that ran has had a tool_result before it.
"""

from __future__ import annotations

import re

from hookstream.normalizers.pi.calls import exit_code, is_invalid, message, outcome
from hookstream.normalizers.table import (
    Const,
    Ignore,
    Row,
    Vendor,
    Words,
    at,
    edit,
    find,
    is_not_word,
    is_word,
    listing,
    read,
    reads,
    shell,
    text_at,
    write,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record
    from hookstream.normalizers.table import Source

    Payload = dict[str, Any]

SESSION = re.compile(r"_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl\Z")


@reads("session_id", "session")
def session_id(p: Payload, r: Record) -> Any:
    """The id, which the name of the session's file ends with."""
    found = SESSION.search(text_at(p, "session"))
    return p.get("session_id") or (found[1] if found else None)


def texts_of(content: Any) -> str:
    parts = content if type(content) is list else ()
    return "\n".join(text for text in (text_at(part, "text") for part in parts) if text)


def tool_of(p: Payload) -> str:
    return text_at(p, "event.toolName")


def result_text(p: Payload) -> str:
    return texts_of(at(p, "event.result.content") or at(p, "event.content"))


@reads("event.isError")
def success(p: Payload, r: Record) -> bool:
    return at(p, "event.isError") is not True


@reads("event.content", "event.result")
def failed_exit_code(p: Payload, r: Record) -> int | None:
    """A command that ended well has none either: its text is the output alone."""
    if not success(p, r):
        return exit_code(tool_of(p), result_text(p))
    return 0 if tool_of(p) == "bash" else None


@reads("event.content", "event.result")
def failed_outcome(p: Payload, r: Record) -> str | None:
    return None if success(p, r) else outcome(tool_of(p), result_text(p))


@reads("event.content", "event.result")
def failed_message(p: Payload, r: Record) -> str | None:
    return None if success(p, r) else message(tool_of(p), result_text(p))


@reads("event.content", "event.result")
def output(p: Payload, r: Record) -> str | None:
    return result_text(p) or None


@reads("event.isError")
def has_failed(p: Payload, r: Record) -> bool:
    return not success(p, r)


@reads("event.result", "event.isError")
def is_invalid_call(p: Payload, r: Record) -> bool:
    return not success(p, r) and is_invalid(tool_of(p), result_text(p))


def is_valid_call(p: Payload, r: Record) -> bool:
    return not is_invalid_call(p, r)


@reads("event.result", "event.isError")
def refusal(p: Payload, r: Record) -> str | None:
    """The reason of a refusal, should no tool_result have come before."""
    return None if success(p, r) else result_text(p).strip()[:2000]


def of_refusal(value: str) -> Any:
    """A fact of such a refusal."""

    @reads("event.isError")
    def fact(p: Payload, r: Record) -> str | None:
        return None if success(p, r) else value

    return fact


@reads("event.result", "event.isError")
def ended_well(p: Payload, r: Record) -> str | None:
    return "ok" if success(p, r) else None


@reads("event.message")
def response(p: Payload, r: Record) -> str | None:
    return texts_of(at(p, "event.message.content")) or None


@reads("event.messages")
def last_response(p: Payload, r: Record) -> str | None:
    messages = at(p, "event.messages")
    last = messages[-1] if type(messages) is list and messages else None
    return texts_of(at(last, "content")) if at(last, "role") == "assistant" else None


@reads("is_resumed")
def start_reason(p: Payload, r: Record) -> str | None:
    """`startup` is also said of a session that is continued; the extension sees what it holds."""
    words = {"new": "new", "fork": "new", "resume": "resume"}
    if at(p, "event.reason") == "startup" and type(p.get("is_resumed")) is bool:
        return "resume" if p["is_resumed"] else "new"
    return words.get(text_at(p, "event.reason"))


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    """The client has no servers; an extension's tools have any name."""
    return None


def claims(p: Payload) -> bool:
    """The names that the extension gives, and a session file in the client's own folder."""
    hook, session = p.get("hook"), p.get("session", "")
    if type(hook) is not str or hook not in EVENTS or "ctx" in p or type(session) is not str:
        return False
    return at(p, "event.type") == hook and "cwd" in p


TOOLS = {
    "bash": shell(),
    "read": read("path"),
    "write": write("path"),
    "edit": edit("path"),
    "grep": find(),
    "find": find(),
    "ls": listing(),
}

CALL: dict[str, Source] = {"action_native": "event.toolName", "call_id": "event.toolCallId"}
RESULT: dict[str, Source] = {
    **CALL,
    "success": success,
    "exit_code": failed_exit_code,
    "outcome": failed_outcome,
    "error_message": failed_message,
    "output": output,
}
FAILED = Row(
    "Agent.Error",
    None,
    {
        **CALL,
        "error_type": Const("ToolFailed"),
        "error_message": failed_message,
        "origin_event": Const("Action.After"),
    },
    when=has_failed,
    derived=True,
)
TOKENS: dict[str, Source] = {
    "model_id": "event.message.model",
    "input_tokens": "event.message.usage.input",
    "output_tokens": "event.message.usage.output",
    "cache_read_tokens": "event.message.usage.cacheRead",
    "cache_write_tokens": "event.message.usage.cacheWrite",
    "cost_usd": "event.message.usage.cost.total",
}
MESSAGE_LEFT_OUT = ("event.message", "event.toolResults", "event.turnIndex")

REPEATED = Ignore("repeats tool_execution_start")
ON_ITS_WAY = Ignore("the whole prompt, on its way to the model")
QUIET = {
    "tool_call": REPEATED,
    "tool_execution_update": Ignore("a piece of a result"),
    "context": ON_ITS_WAY,
    "before_provider_request": ON_ITS_WAY,
    "after_provider_response": Ignore("turn_end tells of the answer"),
    "before_agent_start": Ignore("repeats input"),
    "agent_start": Ignore("repeats input"),
    "turn_start": Ignore("turn_end tells of the turn"),
    "message_start": Ignore("turn_end tells of the message"),
    "message_update": Ignore("a piece of a message"),
    "message_end": Ignore("turn_end tells of the message"),
    "resources_discover": Ignore("the client's own bookkeeping"),
}

EVENTS: dict[str, Row | Ignore | tuple[Row | Ignore, ...]] = {
    "session_start": (
        Row(
            "Session.Start",
            "SessionStart",
            {"start_reason": start_reason},
            when=is_not_word("event.reason", "reload"),
            keep=("event.reason", "event.previousSessionFile"),
        ),
        Ignore("extensions were loaded again"),
    ),
    "session_shutdown": (
        Row(
            "Session.End",
            "SessionEnd",
            {"end_reason": Words("event.reason", {"new": "manual_reset"}, "exit")},
            when=is_not_word("event.reason", "reload"),
            keep=("event.targetSessionFile",),
        ),
        Ignore("extensions are loaded again"),
    ),
    "session_before_switch": Row(
        "vendor.pi.SessionBeforeSwitch", None, keep=("event.reason", "event.targetSessionFile")
    ),
    "session_before_fork": Row(
        "vendor.pi.SessionBeforeFork", None, keep=("event.entryId", "event.position")
    ),
    "session_tree": Row(
        "vendor.pi.SessionTree",
        None,
        keep=("event.newLeafId", "event.oldLeafId", "event.fromExtension"),
        ignore=("event.summaryEntry",),
    ),
    "session_before_compact": Row(
        "Context.Compaction",
        "PreCompact",
        {"context_phase": Const("before"), "tokens_before": "event.preparation.tokensBefore"},
        ignore=("event.preparation", "event.branchEntries", "event.customInstructions"),
    ),
    "session_compact": Row(
        "Context.Compaction",
        "PostCompact",
        {
            "context_phase": Const("after"),
            "tokens_before": "event.compactionEntry.tokensBefore",
            "summary": "event.compactionEntry.summary",
        },
        keep=("event.fromExtension",),
        ignore=("event.compactionEntry",),
    ),
    "input": (
        Row(
            "Prompt.Submitted",
            "PreUserInput",
            {"prompt": "event.text", "input_source": "event.source"},
            when=is_not_word("event.source", "extension"),
            ignore=("event.images",),
        ),
        Row(
            "vendor.pi.ExtensionInput",
            None,
            {"prompt": "event.text"},
            when=is_word("event.source", "extension"),
            ignore=("event.images", "event.source"),
            note="an extension wrote it",
        ),
    ),
    "user_bash": Row(
        "vendor.pi.UserBash",
        None,
        {"command": "event.command"},
        keep=("event.excludeFromContext",),
        ignore=("event.cwd",),
        note="a line that the person ran, not the model",
    ),
    "tool_execution_start": Row("Action.Before", "PreToolUse", {**CALL, "input": "event.args"}),
    "tool_result": (
        Row(
            "Action.After",
            "PostToolUse",
            {**RESULT, "input": "event.input"},
            ignore=("event.details",),
        ),
        FAILED,
    ),
    "tool_execution_end": (
        Row("Action.After", "PostToolUse", RESULT, when=is_invalid_call),
        Row(
            "Action.After",
            None,
            {
                **CALL,
                "outcome": ended_well,
                "output": output,
                "decided_by": of_refusal("hook"),
                "decision_evidence": of_refusal("tool_execution_end without tool_result"),
                "certainty": of_refusal("observed"),
                "refusal": refusal,
                "reported_by": Const("batch"),
            },
            when=is_valid_call,
            note="repeats tool_result; without one an extension blocked the call",
        ),
        Row("Agent.Error", None, FAILED.facts, when=is_invalid_call, derived=True),
    ),
    "turn_end": (
        Row(
            "Model.Failed",
            None,
            {
                "model_id": "event.message.model",
                "error_message": "event.message.errorMessage",
                "timestamp": "event.message.timestamp",
            },
            when=is_word("event.message.stopReason", "error"),
            ignore=MESSAGE_LEFT_OUT,
        ),
        Row(
            "Model.Responded",
            "PostLLMResponse",
            {**TOKENS, "response": response, "stop_reason": "event.message.stopReason"},
            when=is_not_word("event.message.stopReason", "error"),
            ignore=MESSAGE_LEFT_OUT,
        ),
    ),
    "agent_end": Row(
        "Agent.Response",
        "PreOutputDeliver",
        {"response": last_response, "final": Const(True)},
        ignore=("event.messages",),
    ),
    "model_select": Row(
        "vendor.pi.ModelSelect",
        None,
        {"model_id": "event.model.id"},
        keep=("event.source", "event.previousModel.id"),
        ignore=("event.model", "event.previousModel"),
    ),
    "thinking_level_select": Row(
        "vendor.pi.ThinkingLevelSelect", None, keep=("event.level", "event.previousLevel")
    ),
    **QUIET,
}

VENDOR = Vendor(
    "pi",
    claims=claims,
    event="hook",
    common={"session_id": session_id, "cwd": "cwd", "transcript_path": "session"},
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore=("event.type",),
)
