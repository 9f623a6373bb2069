"""OpenClaw: plugin hooks, recorded by a plugin as {hook, event, ctx}.

Source: payloads recorded from OpenClaw 2026.9.6 (35 of its 42 hooks); the other seven and the old
names after the typings of its plugin SDK, which no recording backs.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.openclaw import calls, runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Facts = Mapping[str, t.Source | None]


def claims(p: dict[str, Any]) -> bool:
    """{hook, event, ctx}: a string and two objects."""
    return (
        type(p.get("hook")) is str and type(p.get("event")) is dict and type(p.get("ctx")) is dict
    )


PATHS = ("path", "file_path", "filePath")
TOOLS = {
    "exec": t.shell(),
    "process": t.Tool("process", "shell"),
    "code_execution": t.Tool("code_execution", "code_exec"),
    "read": t.read(PATHS),
    "write": t.write(PATHS),
    "edit": t.edit(PATHS),
    "apply_patch": t.edit(PATHS),
    "ls": t.listing(),
    "find": t.find(),
    "grep": t.find(),
    "file_fetch": t.read(PATHS),
    "file_write": t.write(PATHS),
    "dir_list": t.listing(),
    "dir_fetch": t.read(PATHS),
    "web_fetch": t.fetch(),
    "web_search": t.search(),
    "browser": t.Tool("browser", "browser", url="targetUrl"),
    "canvas": t.Tool("canvas", "browser", url="url"),
    "sessions_spawn": t.delegate(),
    "sessions_send": t.delegate(),
    "memory_search": t.Tool("memory_search", "other", query="query"),
    "memory_get": t.Tool("memory_get", "other", file_path="path"),
    "sessions_search": t.Tool("sessions_search", "other", query="query"),
    "message": t.Tool("message", "other"),
    "skill_workshop": t.Tool("skill", "other"),
    "secrets": t.Tool("secrets", "other"),
}

COMMON: Mapping[str, t.Source] = {
    "session_id": runs.session_id,
    "session_alias": runs.session_alias,
    "agent_id": runs.agent_id,
    "agent_type": ("ctx.agentId", "event.agentId"),
    "turn_id": ("ctx.runId", "event.runId"),
    "user_id": (
        "ctx.senderId",
        "event.senderId",
        "ctx.requester.senderId",
        "ctx.channelContext.sender.id",
    ),
    "cwd": ("ctx.workspaceDir", "event.cwd"),
    "model_id": runs.model_id,
}
# Functions, the whole configuration, ids of the requester and of the channel.
IGNORE = (
    "ctx.abortSignal ctx.accountId ctx.activeProjectKeys ctx.cfg ctx.channel "
    "ctx.channelContext ctx.channelId ctx.chatId ctx.config ctx.contextTokenBudget "
    "ctx.contextWindowReferenceTokens ctx.contextWindowSource ctx.conversationId "
    "ctx.getCron ctx.hookInvocation ctx.inputProvenance ctx.messageId "
    "ctx.messageProvider ctx.port ctx.requester ctx.senderExternalId ctx.toolAuthority "
    "ctx.toolCallId ctx.toolInputKind ctx.toolKind ctx.toolName ctx.childSessionKey "
    "ctx.requesterSessionKey"
)

PROMPT: Facts = {
    "prompt": "event.prompt",
    "input_source": ("ctx.inputProvenance.kind", "ctx.messageProvider", "ctx.channel"),
    "same_as": runs.prompt_key,
}
PROMPT_LEFT_OUT = (
    "event.messages event.systemPrompt event.attachments event.accountId event.channelId"
)
# One prompt per run: the first of these hooks reports it, the others are duplicates. A retried
# attempt raises before_agent_run again.
PROMPTS = (
    t.Row(
        "Prompt.Submitted",
        PROMPT,
        when=runs.is_human,
        keep="event.senderIsOwner",
        ignore=PROMPT_LEFT_OUT,
    ),
    t.Row(
        "vendor.openclaw.MachinePrompt",
        PROMPT,
        when=runs.is_machine,
        keep="ctx.inputProvenance.sourceSessionKey ctx.inputProvenance.sourceTool",
    ),
)
CALL: Facts = {
    "action_native": "event.toolName",
    "input": "event.params",
    "call_id": "event.toolCallId",
}
AFTER: Facts = {**CALL, "mcp_server": f"{calls.DETAILS}.mcpServer"}
MODEL_CALL_KEEP = "event.callId"
MODEL_CALL_LEFT_OUT = (
    "event.api event.transport event.contextTokenBudget event.contextWindowSource "
    "event.contextWindowReferenceTokens event.requestPayloadBytes "
    "event.responseStreamBytes event.timeToFirstByteMs event.upstreamRequestIdHash"
)
RUN_TOKENS: Facts = {
    "input_tokens": "event.usage.input",
    "output_tokens": "event.usage.output",
    "cache_read_tokens": "event.usage.cacheRead",
    "stop_reason": "event.lastAssistant.stopReason",
    "tokens_used": runs.context_used,
    "tokens_limit": "event.contextTokenBudget",
}
RUN_LEFT_OUT = (
    "event.prompt event.lastAssistant event.usage event.contextWindowSource "
    "event.contextWindowReferenceTokens event.harnessId event.reasoningEffort "
    "event.fastMode"
)
CHILD: Facts = {
    "session_id": ("event.childSessionKey", "ctx.childSessionKey"),
    "session_alias": None,
    "parent_session_id": "ctx.requesterSessionKey",
    "agent_id": ("event.childSessionKey", "ctx.childSessionKey"),
    "agent_type": "event.agentId",
    "plan_type": runs.default_plan,
}
SPAWN = t.Row(
    "Agent.Plan.Start",
    {**CHILD, "model_id": "event.resolvedModel", "same_as": runs.spawn_key},
    keep="event.label event.mode",
    ignore="event.requester event.threadRequested event.resolvedProvider",
)
INSTALL_KEEP = (
    "event.targetName event.origin event.sourcePathKind event.request.kind "
    "event.request.mode event.request.requestedSpecifier event.builtinScan.status "
    "event.builtinScan.critical event.builtinScan.warn event.plugin event.skill"
)
INSTALL_LEFT_OUT = "event.builtinScan ctx.targetType ctx.requestKind ctx.origin"
STOP = t.Row("vendor.openclaw.GatewayStop", keep="event.reason")

EVENTS: t.Events = {
    # A turn: prompt, model calls, answer.
    "before_model_resolve": PROMPTS,
    "before_agent_run": PROMPTS,
    "before_agent_start": PROMPTS,  # the old name, gone from current versions
    "before_agent_reply": t.Ignore("repeats the run's prompt"),
    "agent_turn_prepare": t.Ignore("repeats the run's prompt"),
    "before_prompt_build": t.Ignore("repeats the run's prompt"),
    "heartbeat_prompt_contribution": t.Ignore("asks plugins for text"),
    "llm_input": t.Ignore("repeats the prompt and the history for each attempt"),
    "model_call_started": t.Row(
        "Model.Requested",
        keep=MODEL_CALL_KEEP,
        ignore=MODEL_CALL_LEFT_OUT,
        note="callId is not a call id: its counter starts again when an attempt is retried",
    ),
    "model_call_ended": (
        t.Row(
            "Model.Responded",
            {"latency_ms": "event.durationMs"},
            when=t.is_word("event.outcome", "completed"),
            keep=MODEL_CALL_KEEP,
            ignore=MODEL_CALL_LEFT_OUT,
        ),
        t.Row(
            "Model.Failed",
            {
                "latency_ms": "event.durationMs",
                "error_code": ("event.failureKind", "event.errorCategory"),
            },
            when=t.is_not_word("event.outcome", "completed"),
            keep=MODEL_CALL_KEEP,
        ),
    ),
    "llm_output": (
        t.Row(
            "Agent.Response",
            {**RUN_TOKENS, "response": runs.answer, "final": t.Const(True)},
            when=runs.has_answer,
            ignore=RUN_LEFT_OUT,
            note="usage is the sum over the attempt's model calls",
        ),
        t.Row(
            "vendor.openclaw.RunFailed",
            {
                **RUN_TOKENS,
                "error_message": "event.lastAssistant.errorMessage",
                "error_code": "event.lastAssistant.errorCode",
            },
            when=runs.model_failed,
            note="model_call_ended is the failure; agent_end says success for these attempts",
        ),
        t.Row(
            "vendor.openclaw.RunStopped",
            RUN_TOKENS,
            when=runs.stopped_without_answer,
        ),
    ),
    "before_agent_finalize": t.Ignore("repeats the answer of llm_output"),
    "agent_end": (
        t.Row(
            "Policy.Blocked",
            {
                "decided_by": t.Const("hook"),
                "decision_reason": "event.error",
                "decision_evidence": t.Const("agent_end.error"),
                "decision_point": t.Const("PreUserInput"),
                "policy_engine": runs.blocking_plugin,
                "same_as": runs.blocked_run_key,
            },
            when=runs.run_was_blocked,
            ignore="event.messages",
            note="a hook refused the prompt",
        ),
        t.Row(
            "vendor.openclaw.RunEnded",
            {"duration_ms": "event.durationMs", "error_message": "event.error"},
            when=runs.run_was_not_blocked,
            keep="event.success",
            note="event.success is true after a failed model call: it is not a `success`",
        ),
    ),
    # Tool calls.
    "before_tool_call": t.Row(
        "Action.Before",
        {**CALL, "file_path": calls.derived_path},
        keep="event.derivedPaths event.toolKind event.toolInputKind",
    ),
    "after_tool_call": (
        t.Row(
            "Policy.Blocked",
            {
                **AFTER,
                "decided_by": calls.of_refusal("who"),
                "decision_reason": calls.error_line,
                "decision_evidence": calls.of_refusal("evidence"),
                "failure": calls.of_refusal("failure"),
            },
            when=calls.is_refused,
            keep="event.result.details.deniedReason",
        ),
        t.Row(
            "Agent.Notification",
            {**AFTER, "notification_type": t.Const("ToolPermission")},
            when=calls.is_asked,
            keep="event.result.details.approvalId event.result.details.host",
        ),
        t.Row(
            "Action.After",
            {
                **AFTER,
                "success": calls.success,
                "outcome": calls.outcome,
                "exit_code": "event.result.details.exitCode",
                "error_message": calls.error_line,
                "output": calls.output,
                "duration_ms": "event.durationMs",
                "child_session_id": "event.result.details.childSessionKey",
            },
            when=calls.has_run,
            keep="event.result.details.status event.result.details.exitReason",
        ),
    ),
    "tool_result_persist": t.Ignore("repeats after_tool_call"),
    "resolve_exec_env": t.Ignore("precedes before_tool_call and says nothing of its own"),
    "before_message_write": (
        t.Row(
            "Policy.Blocked",
            {
                "decided_by": t.Const("hook"),
                "decision_reason": runs.blocked_reason,
                "decision_evidence": t.Const("message.__openclaw.beforeAgentRunBlocked"),
                "decision_point": t.Const("PreUserInput"),
                "policy_engine": "event.message.__openclaw.beforeAgentRunBlocked.blockedBy",
                "turn_id": runs.blocked_turn,
                "same_as": runs.blocked_message_key,
            },
            when=runs.is_blocked_prompt,
            ignore="event.message",
            note="a hook refused the prompt; agent_end says it again",
        ),
        t.Ignore("repeats the run's prompt", when=t.is_word("event.message.role", "user")),
        t.Ignore("repeats after_tool_call", when=t.is_word("event.message.role", "toolResult")),
        t.Ignore("repeats llm_output", when=t.is_word("event.message.role", "assistant")),
        t.Ignore("a message of the transcript"),
    ),
    # Sessions, context, sub-agents.
    "session_start": t.Row(
        "Session.Start",
        {"start_reason": runs.start_reason},
        keep="event.resumedFrom",
    ),
    "session_end": (
        t.Row(
            "Session.End",
            {
                "end_reason": t.Words(
                    "event.reason",
                    {
                        "new": "manual_reset",
                        "reset": "manual_reset",
                        "idle": "idle_timeout",
                        "daily": "idle_timeout",
                        "deleted": "exit",
                        "shutdown": "exit",
                        "restart": "exit",
                    },
                ),
                "duration_ms": "event.durationMs",
                "transcript_path": "event.sessionFile",
            },
            when=t.is_not_word("event.reason", "compaction"),
            keep="event.transcriptArchived event.nextSessionId event.nextSessionKey",
            ignore="event.messageCount",
            note="messageCount is 0 in every recording, long sessions included",
        ),
        t.Ignore("the session goes on after a compaction"),
    ),
    "before_reset": t.Row(
        "vendor.openclaw.BeforeReset",
        {"transcript_path": "event.sessionFile"},
        keep="event.reason",
        ignore="event.messages",
    ),
    "before_compaction": t.Row(
        "Context.Compaction",
        {
            "context_phase": t.Const("before"),
            "tokens_before": "event.tokenCount",
            "message_count": "event.messageCount",
            "transcript_path": "event.sessionFile",
        },
        hook_point="PreCompact",
        keep="event.compactingCount",
        ignore="event.messages",
        note="no field tells the trigger",
    ),
    "after_compaction": t.Row(
        "Context.Compaction",
        {
            "context_phase": t.Const("after"),
            "tokens_after": "event.tokenCount",
            "message_count": "event.messageCount",
            "transcript_path": "event.sessionFile",
        },
        keep="event.compactedCount event.previousSessionId",
    ),
    "subagent_spawning": SPAWN,  # the old name of the moment before subagent_spawned
    "subagent_spawned": SPAWN,
    "subagent_ended": (
        t.Row(
            "Agent.Plan.End",
            {
                **CHILD,
                "session_id": "event.targetSessionKey",
                "agent_id": "event.targetSessionKey",
                "success": runs.ended_well,
                "outcome": t.Words(
                    "event.outcome",
                    {"ok": "ok", "error": "error", "timeout": "timeout", "killed": "cancelled"},
                ),
                "error_message": "event.error",
            },
            when=runs.is_subagent,
            keep="event.reason",
            ignore="event.endedAt event.sendFarewell event.accountId",
        ),
        t.Ignore("a session was reset or deleted: no sub-agent"),
    ),
    "subagent_progress": t.Ignore("repeats subagent_spawned and subagent_ended"),
    "subagent_delivery_target": t.Ignore("asks plugins for a route"),
    # Messages between channels and the gateway.
    "message_received": t.Row(
        "vendor.openclaw.MessageReceived",
        {
            "prompt": "event.content",
            "message_id": ("event.messageId", "ctx.messageId"),
            "input_source": "ctx.channelId",
            "context_trigger": runs.requested_compaction,
        },
        ignore=(
            "event.from event.location event.media event.mediaStagingPending event.metadata "
            "event.originalMedia event.parentSpanId event.providerUpdate event.replyToBody "
            "event.replyToId event.replyToIdFull event.replyToIsQuote event.replyToSender "
            "event.spanId event.threadId event.timestamp event.trace event.traceId"
        ),
        note="no prompt: commands such as /compact pass here, and group messages nobody answers",
    ),
    "inbound_claim": t.Ignore("repeats message_received"),
    "before_dispatch": t.Ignore("repeats message_received"),
    "reply_dispatch": t.Ignore("repeats message_received"),
    "reply_payload_sending": t.Ignore("repeats message_sending"),
    "message_sending": t.Row(
        "vendor.openclaw.MessageSending",
        {"response": "event.content"},
        keep="ctx.channelId",
        ignore="event.to event.replyToId event.threadId event.metadata",
    ),
    "message_sent": t.Row(
        "vendor.openclaw.MessageSent",
        {
            "response": "event.content",
            "message_id": "event.messageId",
            "success": "event.success",
            "error_message": "event.error",
        },
        keep="ctx.channelId",
        ignore="event.to event.trace event.traceId event.spanId event.parentSpanId",
    ),
    "channel_pairing_requested": t.Row(
        "vendor.openclaw.ChannelPairingRequested",
        keep="event.channel",
        ignore="event.code event.metadata event.accountId",
        note="the code admits the sender: it is a secret",
    ),
    # The gateway, its scheduler, its skills and plugins.
    "gateway_start": t.Row("vendor.openclaw.GatewayStart", keep="event.port"),
    "gateway_stop": STOP,
    "deactivate": STOP,  # the old name
    "cron_reconciled": t.Ignore("scheduler bookkeeping"),
    "cron_changed": t.Row(
        "vendor.openclaw.CronChanged",
        {
            "task": ("event.job.payload.message", "event.job.payload.text"),
            "summary": "event.summary",
            "error_message": "event.error",
            "duration_ms": "event.durationMs",
        },
        keep=(
            "event.action event.jobId event.job.name event.job.enabled event.job.schedule "
            "event.job.payload.kind event.job.payload.toolsAllow event.sessionTarget "
            "event.status event.completionStatus event.deliveryStatus"
        ),
        ignore=(
            "event.job event.delivered event.deliveryError event.deliverySuppressionReason "
            "event.nextRunAtMs event.runAtMs"
        ),
    ),
    "before_install": (
        t.Row(
            "vendor.openclaw.BeforeInstall",
            {"file_path": "event.sourcePath"},
            hook_point="PreSkillLoad",
            when=t.is_word("event.targetType", "skill"),
            keep=INSTALL_KEEP,
            ignore=INSTALL_LEFT_OUT,
        ),
        t.Row(
            "vendor.openclaw.BeforeInstall",
            {"file_path": "event.sourcePath"},
            hook_point="PrePluginLoad",
            when=t.is_not_word("event.targetType", "skill"),
            keep=INSTALL_KEEP,
        ),
    ),
    "skill_changed": t.Row(
        "vendor.openclaw.SkillChanged",
        {
            "timestamp": "event.occurredAt",
            "file_path": ("event.after.skillFile", "event.before.skillFile"),
        },
        keep=(
            "event.action event.source event.after.name event.after.revision event.before.name "
            "event.before.revision"
        ),
        ignore="event.after event.before event.proposal",
    ),
    "skill_proposal_evaluate": t.Row(
        "vendor.openclaw.SkillProposalEvaluate",
        keep="event.reason event.proposal event.skill.name event.skill.skillKey",
        ignore="event.skill event.candidate event.baseline event.correlationId",
    ),
    "skill_proposal_changed": t.Row(
        "vendor.openclaw.SkillProposalChanged",
        {"timestamp": "event.occurredAt", "file_path": "event.proposal.skillFile"},
        keep="event.action event.proposal event.eventId",
        ignore="event.evaluations event.sequence event.correlationId",
    ),
}

VENDOR = t.Vendor(
    "openclaw",
    claims=claims,
    event="hook",
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=calls.mcp,
    ignore=IGNORE,
    keep="ctx.trigger ctx.jobId ctx.trace",
)
