"""Names, sessions, prompts and messages of OpenCode that a row of its table cannot express.

Source: payloads recorded from OpenCode 1.18.33.
"""

from __future__ import annotations

from hookstream.normalizers.opencode.wording import REJECTED
from hookstream.normalizers.table import at, model_name, reads, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record

PROPERTIES = "event.properties"
PART = "event.properties.part"
INFO = "event.properties.info"
# Built-in agents that only a `task` call starts.
SUBAGENTS = frozenset(("general", "explore"))


# Which callback? A bus event names itself, a plugin callback is known by the name it was
# registered under. A bare payload without that name still has a shape.


def native_event(p: Payload, r: Record) -> str | None:
    named = text_at(p, "event.type", "hook_type")
    if named:
        return named
    return None if r.native_event else shape(p)


native_event.reads = ("event.type", "hook_type")  # type: ignore[attr-defined]


def shape(p: Payload) -> str | None:
    """The callback a bare {input, output} comes from, or None."""
    given, made = p.get("input"), p.get("output")
    if type(given) is not dict or type(made) is not dict or len(p) != 2:
        return None
    if "callID" in given and "tool" in given:
        return "tool.execute.before" if "args" in made else "tool.execute.after"
    if "sessionID" not in given:
        return "tool.definition" if "toolID" in given else None
    if "message" in made and "parts" in made:
        return "chat.message"
    if "command" in given and "arguments" in given:
        return "command.execute.before"
    for name, key in (
        ("chat.params", "options"),
        ("chat.headers", "headers"),
        ("shell.env", "env"),
        ("experimental.session.compacting", "context"),
        ("experimental.text.complete", "text"),
        ("experimental.chat.system.transform", "system"),
        ("experimental.compaction.autocontinue", "enabled"),
        ("permission.ask", "status"),
    ):
        if key in made:
            return name
    return None


@reads(
    "event.properties.sessionID event.properties.sessionId "
    "event.properties.info.sessionID event.properties.info.id "
    "event.properties.part.sessionID input.sessionID properties.sessionID "
    "properties.sessionId properties.info.id session_id"
)
def session_id(p: Payload, r: Record) -> str | None:
    text = text_at(
        p,
        f"{PROPERTIES}.sessionID",
        f"{INFO}.sessionID",
        f"{PART}.sessionID",
        "input.sessionID",
        "properties.sessionID",
        "properties.sessionId",
        "session_id",
    )
    if text:
        return text
    # Only a session's own events carry the session as `info`.
    named = native_event(p, r) or ""
    return text_at(p, f"{INFO}.id", "properties.info.id") or None if "session." in named else None


@reads(f"{INFO}.providerID {INFO}.modelID {INFO}.model output.message.model")
def model_id(p: Payload) -> str | None:
    for provider, model in (
        (f"{INFO}.providerID", f"{INFO}.modelID"),
        (f"{INFO}.model.providerID", f"{INFO}.model.modelID"),
        (f"{INFO}.model.providerID", f"{INFO}.model.id"),
        ("output.message.model.providerID", "output.message.model.modelID"),
    ):
        name, vendor = text_at(p, model), text_at(p, provider)
        if name:
            return model_name(vendor, name)
    return None


@reads(f"{INFO}.permission properties.info.permission")
def attended(p: Payload) -> bool | None:
    return attended_by(at(p, f"{INFO}.permission") or at(p, "properties.info.permission"))


def attended_by(rules: Any) -> bool | None:
    """A run without a person denies the tool that asks one."""
    is_denied = any(
        at(rule, "permission") == "question" and at(rule, "action") == "deny"
        for rule in (rules if type(rules) is list else ())
    )
    return False if is_denied else None


# Prompts.


def texts_of(parts: Any, synthetic: bool) -> list[str]:
    return [
        part["text"]
        for part in (parts if type(parts) is list else ())
        if type(part) is dict
        and part.get("type") == "text"
        and type(part.get("text")) is str
        and (part.get("synthetic") is True) is synthetic
    ]


@reads("output.parts input.agent prompt")
def prompt(p: Payload) -> str | None:
    """The typed text. `opencode run` wraps it in literal quotes and names no agent."""
    text = text_at(p, "prompt") or "\n".join(texts_of(at(p, "output.parts"), False))
    if at(p, "input.agent") is None and len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1]
    return text or None


@reads("output.parts output.message.agent parent_session_id parent_lookup_failed")
def is_human(p: Payload) -> bool:
    """A child session's first message is the delegated task."""
    if text_at(p, "parent_session_id") or p.get("parent_lookup_failed") is True:
        return False
    if text_at(p, "output.message.agent") in SUBAGENTS:
        return False
    parts = at(p, "output.parts")
    return bool(texts_of(parts, False)) or not texts_of(parts, True)


def is_task(p: Payload) -> bool:
    return not is_human(p)


# Messages and texts on the bus.


@reads(f"{PART}.id input.partID")
def text_key(p: Payload) -> str | None:
    """A finished text is reported by a callback and by the bus."""
    part = text_at(p, f"{PART}.id", "input.partID")
    return f"text:{part}" if part else None


@reads(f"{PART}.type {PART}.time.end {PART}.synthetic {PART}.text")
def is_finished_text(p: Payload) -> bool:
    """Only an assistant's text part has an end; the user's have no time at all."""
    return (
        text_at(p, f"{PART}.type") == "text"
        and type(at(p, f"{PART}.time.end")) is int
        and at(p, f"{PART}.synthetic") is not True
        and text_at(p, f"{PART}.text") != ""
    )


@reads(f"{PART}.id")
def compaction_key(p: Payload) -> str | None:
    part = text_at(p, f"{PART}.id")
    return f"compaction:{part}" if part else None


@reads(f"{PART}.auto")
def compaction_trigger(p: Payload) -> str | None:
    auto = at(p, f"{PART}.auto")
    return None if type(auto) is not bool else "auto" if auto else "manual"


@reads(f"{INFO}.id")
def message_key(p: Payload) -> str | None:
    """message.updated fires several times for one message."""
    message = text_at(p, f"{INFO}.id")
    return f"message:{message}" if message else None


@reads(f"{INFO}.role {INFO}.time.completed {INFO}.error")
def is_answered(p: Payload) -> bool:
    return (
        text_at(p, f"{INFO}.role") == "assistant"
        and type(at(p, f"{INFO}.time.completed")) is int
        and type(at(p, f"{INFO}.error")) is not dict
    )


@reads(f"{INFO}.role {INFO}.error")
def is_failed_message(p: Payload) -> bool:
    return text_at(p, f"{INFO}.role") == "assistant" and type(at(p, f"{INFO}.error")) is dict


@reads(f"{INFO}.error.data.statusCode {INFO}.error.name")
def message_error_code(p: Payload) -> Any:
    return at(p, f"{INFO}.error.data.statusCode") or at(p, f"{INFO}.error.name")


# Sessions.


@reads(f"{INFO}.parentID properties.info.parentID")
def is_child(p: Payload) -> bool:
    return text_at(p, f"{INFO}.parentID", "properties.info.parentID") != ""


def is_root(p: Payload) -> bool:
    return not is_child(p)


def error_is(*names: str, other: bool = False) -> Any:
    """Predicate: session.error has one of these names, or with `other` none of them."""

    @reads(f"{PROPERTIES}.error.name properties.error.name")
    def test(p: Payload) -> bool:
        name = text_at(p, f"{PROPERTIES}.error.name", "properties.error.name")
        return (name in names) is not other

    return test


is_abort = error_is("MessageAbortedError")
is_unnamed_error = error_is("UnknownError", "")
is_model_error = error_is("MessageAbortedError", "UnknownError", "", other=True)


@reads(f"{PROPERTIES}.error.name {PROPERTIES}.error.data.message")
def is_refusal(p: Payload) -> bool:
    """A call that was running was refused (doom_loop): permission.replied reports it."""
    text = text_at(p, f"{PROPERTIES}.error.data.message", "properties.error.data.message")
    return is_unnamed_error(p) is True and text.startswith(REJECTED)


@reads(f"{PROPERTIES}.error.name {PROPERTIES}.error.data.message")
def is_unknown_error(p: Payload) -> bool:
    return is_unnamed_error(p) is True and not is_refusal(p)


@reads(
    f"{PROPERTIES}.error.data.statusCode {PROPERTIES}.error.name "
    "properties.error.data.statusCode properties.error.name"
)
def error_code(p: Payload) -> Any:
    for root in (PROPERTIES, "properties"):
        code = at(p, f"{root}.error.data.statusCode") or at(p, f"{root}.error.name")
        if code:
            return code
    return None
