"""Sessions, prompts, runs and sub-agents of OpenClaw that a row of its table cannot express.

Source: payloads recorded from OpenClaw 2026.9.6 and the typings of its plugin SDK.
"""

from __future__ import annotations

import re

from hookstream.normalizers.table import at, derived, model_name, reads, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

SUBAGENT = ":subagent:"
BLOCKED_BY = re.compile(r"\(blocked by ([^()]{1,128})\)\s*\Z")


def joined_text(content: Any) -> Any:
    """The text of a message's content; parts that are not all text stay as they are."""
    if type(content) is not list or not content:
        return content or None
    parts = [part.get("text") if type(part) is dict else None for part in content]
    texts = [part for part in parts if type(part) is str]
    return "\n".join(texts) if len(texts) == len(content) else content


# Identity. Most hooks and every Prisma AIRS line have the session key; the session id is the alias.


@reads("ctx.sessionKey event.sessionKey ctx.sessionId event.sessionId")
def session_id(p: Payload) -> str | None:
    key = text_at(p, "ctx.sessionKey", "event.sessionKey")
    if key and key != "unknown":
        return key
    return text_at(p, "ctx.sessionId", "event.sessionId") or None


@reads("ctx.sessionId event.sessionId")
def session_alias(p: Payload) -> str | None:
    alias = text_at(p, "ctx.sessionId", "event.sessionId")
    return alias if alias and alias != session_id(p) else None


@reads("ctx.sessionKey event.sessionKey")
def agent_id(p: Payload) -> str | None:
    """A sub-agent is its session: agent:<name>:subagent:<uuid>."""
    key = session_id(p)
    return key if key and SUBAGENT in key else None


@reads("event.resolvedRef event.provider event.model ctx.modelProviderId ctx.modelId")
def model_id(p: Payload) -> str | None:
    whole = text_at(p, "event.resolvedRef")
    if whole:
        return whole
    model = text_at(p, "event.model", "ctx.modelId")
    provider = text_at(p, "event.provider", "ctx.modelProviderId")
    return model_name(provider, model)


# Prompts.


@reads("event.prompt ctx.trigger ctx.inputProvenance.kind ctx.runId ctx.sessionKey")
def is_human(p: Payload) -> bool:
    """Schedulers, heartbeats, sub-agents and other sessions start runs too.

    before_model_resolve of a finished sub-agent's announcement has trigger `user` and no
    provenance; its run id and its first words identify it.
    """
    if SUBAGENT in text_at(p, "ctx.sessionKey"):
        return False
    if text_at(p, "ctx.trigger") not in ("", "user"):
        return False
    if text_at(p, "ctx.inputProvenance.kind") not in ("", "external_user"):
        return False
    if text_at(p, "ctx.runId").startswith("announce:"):
        return False
    return not text_at(p, "event.prompt").startswith("[Inter-session message] sourceSession=")


def is_machine(p: Payload) -> bool:
    return not is_human(p)


@reads("ctx.runId")
def prompt_key(p: Payload) -> str | None:
    """A run has one prompt, whatever hooks report it and however often it is tried."""
    run = text_at(p, "ctx.runId")
    return f"prompt:{run}" if run else None


@derived
@reads("event.content")
def requested_compaction(p: Payload) -> str | None:
    """The compaction hooks name no trigger; the command that asks for one is a message."""
    content = text_at(p, "event.content")
    return "manual" if content.split(None, 1)[:1] == ["/compact"] else None


BLOCKED_USER = "hook-block:before_agent_run:user:"


@reads("event.message.role event.message.__openclaw.beforeAgentRunBlocked")
def is_blocked_prompt(p: Payload) -> bool:
    return type(at(p, "event.message.__openclaw.beforeAgentRunBlocked")) is dict


@reads("event.message.idempotencyKey")
def blocked_turn(p: Payload) -> str | None:
    key = text_at(p, "event.message.idempotencyKey")
    return key[len(BLOCKED_USER) :] or None if key.startswith(BLOCKED_USER) else None


@reads("event.message.idempotencyKey")
def blocked_message_key(p: Payload) -> str | None:
    run = blocked_turn(p)
    return f"blocked:{run}" if run else None


@reads("event.message.content")
def blocked_reason(p: Payload) -> str | None:
    text = joined_text(at(p, "event.message.content"))
    return text if type(text) is str else None


@reads("event.success event.error")
def run_was_blocked(p: Payload) -> bool:
    """A prompt that before_agent_run refused ends its run with the refusal's text."""
    error = text_at(p, "event.error")
    return (
        at(p, "event.success") is False
        and error.startswith("Your message could not be sent")
        and BLOCKED_BY.search(error) is not None
    )


def run_was_not_blocked(p: Payload) -> bool:
    return not run_was_blocked(p)


@reads("event.error")
def blocking_plugin(p: Payload) -> str | None:
    match = BLOCKED_BY.search(text_at(p, "event.error"))
    return match[1] if match else None


@reads("ctx.runId event.runId")
def blocked_run_key(p: Payload) -> str | None:
    run = text_at(p, "ctx.runId", "event.runId")
    return f"blocked:{run}" if run else None


# The end of a run.


@reads("event.assistantTexts")
def answer(p: Payload) -> str | None:
    texts = at(p, "event.assistantTexts")
    if type(texts) is not list:
        return None
    return "\n".join(text for text in texts if type(text) is str) or None


@reads("event.assistantTexts event.lastAssistant.stopReason")
def has_answer(p: Payload) -> bool:
    return not model_failed(p) and answer(p) is not None


@reads("event.lastAssistant.stopReason")
def model_failed(p: Payload) -> bool:
    return text_at(p, "event.lastAssistant.stopReason") == "error"


@reads("event.assistantTexts event.lastAssistant.stopReason")
def stopped_without_answer(p: Payload) -> bool:
    return not model_failed(p) and answer(p) is None


@derived
@reads("event.lastAssistant.usage")
def context_used(p: Payload) -> int | None:
    """Prompt tokens of the last model call: what fills the context when the run ends."""
    usage = at(p, "event.lastAssistant.usage")
    if type(usage) is not dict:
        return None
    parts = [usage.get(name) for name in ("input", "cacheRead", "cacheWrite")]
    return sum(part for part in parts if type(part) is int) or None


# Sessions and sub-agents.


@derived
@reads("event.resumedFrom event.sessionId")
def start_reason(p: Payload) -> str:
    """After /new and /reset the id does not change and is its own predecessor."""
    before = text_at(p, "event.resumedFrom")
    if not before:
        return "new"
    return "restart" if before == text_at(p, "event.sessionId") else "resume"


@reads("event.targetSessionKey event.targetKind")
def is_subagent(p: Payload) -> bool:
    """subagent_ended also fires when an ordinary session is reset or deleted (kind acp)."""
    target = text_at(p, "event.targetSessionKey")
    return SUBAGENT in target and at(p, "event.targetKind") != "acp"


@reads("event.childSessionKey ctx.childSessionKey")
def spawn_key(p: Payload) -> str | None:
    child = text_at(p, "event.childSessionKey", "ctx.childSessionKey")
    return f"spawn:{child}" if child else None


@derived
@reads()
def default_plan(p: Payload) -> str:
    return "default"


@reads("event.outcome")
def ended_well(p: Payload) -> bool | None:
    return {"ok": True, "error": False, "timeout": False, "killed": False}.get(
        text_at(p, "event.outcome")
    )
