"""The canonical Event and its closed vocabularies (enums).

An Event knows neither a vendor's payload nor a wire format. Vendors map into it once, both
standards are rendered from it, every sink carries either.
"""

from __future__ import annotations

from hookstream.core.limits import SAFE_INTEGER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Agent Hooks 0.1.0, section 6: the 23 standard event types.
EVENT_TYPES = tuple(
    (
        "Session.Start Session.End Session.Abort Prompt.Submitted Agent.Plan.Start Agent.Plan.End "
        "Agent.Decision Agent.Response Model.Requested Model.Responded Model.Failed Action.Before "
        "Action.After Retry.Triggered Retry.Loop.Detected Retry.Loop.Aborted "
        "Context.UntilCompaction Context.Compaction Policy.Violation Policy.Blocked "
        "Policy.Override Agent.Notification Agent.Error"
    ).split()
)

# AARTS 0.1: the 20 hook points the text defines.
HOOK_POINTS = tuple(
    (
        "SessionStart SessionEnd PrePluginLoad PreSkillLoad PreMCPConnect PreUserInput "
        "PostInputProcessing PreLLMRequest PostLLMResponse PreCompact PostCompact PreToolUse "
        "PostToolUse PreToolInputModification PreSubAgentSpawn PostSubAgentResult PreOutputDeliver "
        "PreMemoryWrite PreMemoryRead PostAskResolution"
    ).split()
)
# The one of a type of event, where its client or its emitter names no other.
POINT_OF_TYPE = {
    "Session.Start": "SessionStart",
    "Session.End": "SessionEnd",
    "Prompt.Submitted": "PreUserInput",
    "Model.Requested": "PreLLMRequest",
    "Model.Responded": "PostLLMResponse",
    "Agent.Response": "PreOutputDeliver",
    "Action.Before": "PreToolUse",
    "Action.After": "PostToolUse",
}

# AARTS 0.1, tool taxonomy.
TOOL_CATEGORIES = tuple(
    (
        "shell file_write file_edit file_read file_delete web_request mcp_call code_exec "
        "package_install browser database delegate other"
    ).split()
)

DECISIONS = ("allow", "deny", "ask")
CERTAINTIES = ("observed", "inferred")
# answered: the model got a result, and the tool did not run.
OUTCOMES = ("ok", "error", "denied", "cancelled", "timeout", "answered")
# What a record comes from. The first three are seen live, in the agent's own process tree; a mod
# is a function inside the client, whose account is a separate history.
WITNESSES = ("hook", "wrap", "callback", "mod", "transcript", "telemetry")
LIVE = frozenset(("hook", "wrap", "callback"))

# Field classes. They decide what the privacy stage does with a fact.
IDENTIFIER = "identifier"  # kept, scanned
ENUM = "enum"  # a word of a closed or native vocabulary: kept, scanned
NUMBER = "number"
FLAG = "flag"
ARGUMENT = "argument"  # kept, scanned: command, path, URL, query, reason of a decision
MESSAGE = "message"  # kept and scanned while short and on one line, else content
CONTENT = "content"  # digest and length unless content is asked for

# fact -> (class, type). The names are the Parquet columns where a column exists.
FACTS: dict[str, tuple[str, type]] = {
    "event_id": (IDENTIFIER, str),
    "timestamp": (IDENTIFIER, str),
    "received_at": (IDENTIFIER, str),
    "tool": (IDENTIFIER, str),
    "tool_version": (IDENTIFIER, str),
    "machine_id": (IDENTIFIER, str),
    "claimed_machine_id": (IDENTIFIER, str),
    "hookstream_version": (IDENTIFIER, str),
    "session_id": (IDENTIFIER, str),
    "parent_session_id": (IDENTIFIER, str),
    "session_alias": (IDENTIFIER, str),
    "child_session_id": (IDENTIFIER, str),
    "agent_id": (IDENTIFIER, str),
    "parent_agent_id": (IDENTIFIER, str),
    "agent_type": (ENUM, str),
    "turn_id": (IDENTIFIER, str),
    "call_id": (IDENTIFIER, str),
    "parent_call_id": (IDENTIFIER, str),
    "message_id": (IDENTIFIER, str),
    # the id of a message that another one carries (MCP, A2A)
    "wrapped_id": (IDENTIFIER, str),
    "sequence": (NUMBER, int),
    "user_id": (IDENTIFIER, str),
    "organization": (IDENTIFIER, str),
    "user_name": (IDENTIFIER, str),
    "actor_type": (ENUM, str),
    "actor_id": (IDENTIFIER, str),
    "actor_name": (IDENTIFIER, str),
    "agent_mode": (ENUM, str),
    "permission_mode": (ENUM, str),
    "cwd": (ARGUMENT, str),
    "repo": (ARGUMENT, str),
    "transcript_path": (ARGUMENT, str),
    "dialect": (ENUM, str),
    "native_event": (ENUM, str),
    # sessions
    "start_reason": (ENUM, str),
    "end_reason": (ENUM, str),
    "abort_reason": (ENUM, str),
    "total_tokens": (NUMBER, int),
    "total_actions": (NUMBER, int),
    "total_verdicts": (NUMBER, int),
    "total_denials": (NUMBER, int),
    # prompts, responses
    "prompt": (CONTENT, str),
    "prompt_hash": (IDENTIFIER, str),
    "prompt_length": (NUMBER, int),
    "is_followup": (FLAG, bool),
    "input_source": (ENUM, str),
    "attached_files": (ARGUMENT, list),
    "response": (CONTENT, str),
    "response_hash": (IDENTIFIER, str),
    "response_length": (NUMBER, int),
    "final": (FLAG, bool),
    # sub-agents
    "plan_type": (ENUM, str),
    "step_count": (NUMBER, int),
    "task": (CONTENT, str),
    "task_hash": (IDENTIFIER, str),
    "task_length": (NUMBER, int),
    # models
    "model_id": (IDENTIFIER, str),
    "input_tokens": (NUMBER, int),
    "output_tokens": (NUMBER, int),
    "cache_read_tokens": (NUMBER, int),
    "cache_write_tokens": (NUMBER, int),
    # those of them that are kept for an hour
    "cache_write_1h_tokens": (NUMBER, int),
    # how fast the model was asked to answer, where that has a price
    "speed": (ENUM, str),
    # where the model ran, where that has a price
    "inference_geo": (ENUM, str),
    "cost_usd": (NUMBER, float),
    "latency_ms": (NUMBER, float),
    "retry_count": (NUMBER, int),
    # why the agent does what it does, as it states it
    "reasoning": (CONTENT, str),
    "reasoning_hash": (IDENTIFIER, str),
    "reasoning_length": (NUMBER, int),
    "stop_reason": (ENUM, str),
    "request": (CONTENT, str),
    "request_hash": (IDENTIFIER, str),
    "request_length": (NUMBER, int),
    # actions
    "action_name": (ENUM, str),
    "action_category": (ENUM, str),
    "action_native": (ENUM, str),
    "action_fingerprint": (IDENTIFIER, str),
    "command": (ARGUMENT, str),
    # what the model asked for, where another command ran
    "requested_command": (ARGUMENT, str),
    "file_path": (ARGUMENT, str),
    "url": (ARGUMENT, str),
    "query": (ARGUMENT, str),
    "mcp_server": (IDENTIFIER, str),
    "success": (FLAG, bool),
    "exit_code": (NUMBER, int),
    "error_message": (MESSAGE, str),
    "duration_ms": (NUMBER, float),
    "outcome": (ENUM, str),
    "output": (CONTENT, str),
    "output_hash": (IDENTIFIER, str),
    "output_length": (NUMBER, int),
    # what the model got in the place of the output
    "told_output": (CONTENT, str),
    "told_output_hash": (IDENTIFIER, str),
    "told_output_length": (NUMBER, int),
    # decisions
    "about": (IDENTIFIER, str),
    # the hook point a decision was made at: of the event it is about, which may not be known
    "decision_point": (ENUM, str),
    # who decided: a guardian's id, a wrapped hook's command, a mod's name
    "guardian": (ARGUMENT, str),
    # who installed it: managed, user, project, marketplace, builtin
    "guardian_scope": (ENUM, str),
    "decision": (ENUM, str),
    "modified": (FLAG, bool),
    # what a decision is about, and what it made of that: digests, and the leaves that differ
    "input_hash": (IDENTIFIER, str),
    "modified_input_hash": (IDENTIFIER, str),
    "changed_paths": (ARGUMENT, str),
    # what a decision put in the place of a text
    "rewritten": (CONTENT, str),
    "rewritten_hash": (IDENTIFIER, str),
    "rewritten_length": (NUMBER, int),
    "decision_reason": (ARGUMENT, str),
    "decided_by": (ENUM, str),
    "decision_evidence": (ENUM, str),
    "certainty": (ENUM, str),
    "category": (ENUM, str),
    "severity": (ENUM, str),
    "matched_rule_id": (IDENTIFIER, str),
    "policy_id": (IDENTIFIER, str),
    "policy_version": (IDENTIFIER, str),
    "policy_engine": (IDENTIFIER, str),
    "failure": (ENUM, str),
    "resolution": (ENUM, str),
    # what is decided about (`hookstream.core.decisions`)
    "subject": (ENUM, str),
    # false: an engine's verdict that nothing carried out
    "enforced": (FLAG, bool),
    # what would be the reason if history shows that this entry of a batch was refused
    "refusal": (ARGUMENT, str),
    # context
    "context_trigger": (ENUM, str),
    "context_phase": (ENUM, str),
    "tokens_used": (NUMBER, int),
    "tokens_limit": (NUMBER, int),
    "percentage_used": (NUMBER, float),
    "tokens_remaining": (NUMBER, int),
    "tokens_before": (NUMBER, int),
    "tokens_after": (NUMBER, int),
    "tokens_removed": (NUMBER, int),
    "message_count": (NUMBER, int),
    "strategy": (ENUM, str),
    "summary": (CONTENT, str),
    "summary_hash": (IDENTIFIER, str),
    "summary_length": (NUMBER, int),
    # retries
    "retry_iteration": (NUMBER, int),
    "retry_kind": (ENUM, str),
    "elapsed_ms": (NUMBER, float),
    "tokens_consumed": (NUMBER, int),
    # notifications, errors
    "notification_type": (ENUM, str),
    "message": (MESSAGE, str),
    "error_type": (ENUM, str),
    "error_code": (ENUM, str),
    "origin_event": (ENUM, str),
    # tasks given to other agents (A2A)
    "task_id": (IDENTIFIER, str),
    "task_state": (ENUM, str),
    # configuration, memory, skills
    "server_id": (IDENTIFIER, str),
    "transport": (ENUM, str),
    "server_command": (ARGUMENT, str),
    "memory_store": (IDENTIFIER, str),
    "memory": (CONTENT, str),
    "memory_hash": (IDENTIFIER, str),
    "memory_length": (NUMBER, int),
    "load_context": (ENUM, str),
    # one action reported twice
    "reported_by": (ENUM, str),
    # absent: a hook (see `witness_of`)
    "witness": (ENUM, str),
    # whose settings registered the hook: managed, user, project
    "capture_scope": (ENUM, str),
    # whether a person attends the session, where a mark of the client says so
    "attended": (FLAG, bool),
    # the client's event that hooks are registered for, ran for, or did not see
    "hook_event": (ENUM, str),
    "same_as": (IDENTIFIER, str),
    "duplicate_of": (IDENTIFIER, str),
    # the event of another call, whose call id or event id this one also had
    "shares_id_with": (IDENTIFIER, str),
    "derived": (FLAG, bool),
}

CONTENT_FACTS = tuple(name for name, (kind, _) in FACTS.items() if kind == CONTENT)

# Argument names of tools whose value is content whatever its length. Names are compared
# lower-case with separators removed.
CONTENT_ARGUMENTS = frozenset(
    "content contents newstring oldstring newstr oldstr newsource oldcontent newcontent filetext "
    "text prompt patch patchtext diff edits inserttext code codeedit body instructions task todos "
    "plan questions answers message messages summary input stdin data html result output stdout "
    "stderr systemprompt reasoning thought thinking originalfile structuredpatch script response "
    "transcript delta explanation toolcode replacementchunks args newtext oldtext question context "
    "fact objective taskprogress".split()
)
# Names whose value is an argument (kept) whatever its length.
KEPT_ARGUMENTS = frozenset(
    "command cmd commands commandline filepath path paths url urls uri query pattern glob cwd "
    "directory dirpath workdir absolutepath relativepath notebookpath regex include exclude "
    "filename filenames targetfile filepaths skillfiles attachedfiles serveruri reasons".split()
)


MISSING: Any = object()
NUMBERS = frozenset((int, float))


def witness_of(facts: dict[str, Any]) -> str:
    """The witness of an Event's record: as the record names it, else a hook or the wrap around
    one.
    """
    return facts.get("witness") or ("wrap" if facts.get("reported_by") == "wrap" else "hook")


def place_of(facts: dict[str, Any]) -> tuple[str, str]:
    """The history an Event belongs to: its tool, and its session with the machine it ran on, if
    known: a session of two machines is two sessions, whatever its id. A session file and telemetry
    report a session again, each with a separate history."""
    tool, session = facts["tool"], facts["session_id"]
    witness = facts.get("witness")
    machine = facts.get("machine_id")
    return (
        tool if witness is None or witness in LIVE else f"{tool}\0{witness}",
        session if machine is None else f"{machine}\0{session}",
    )


def fit(value: Any, want: type) -> Any:
    """The value as the type a fact has, or MISSING: a wrong type is not a fact, nor a number that
    not every reader can hold."""
    kind = type(value)
    if want in NUMBERS:
        if want is int and kind is str and value.isascii() and value.isdigit() and len(value) < 16:
            return int(value)
        if kind not in NUMBERS or not abs(value) <= SAFE_INTEGER:
            return MISSING
        if kind is want or want is float:
            return value
        return int(value) if value.is_integer() else MISSING
    if kind is want:
        return value
    if want is str:
        return str(value) if kind is int else MISSING
    if want is bool and kind is str and value in ("true", "false"):
        return value == "true"
    return MISSING


# Characters of a reason that is read out of a text which may continue with something else.
REASON_LENGTH = 300


def short_reason(text: str) -> str:
    """The first line of a refusal's text, at most REASON_LENGTH characters of it."""
    line = text.strip().split("\n", 1)[0].rstrip()
    return line if len(line) <= REASON_LENGTH else line[:REASON_LENGTH].rstrip() + "..."


class Event:
    """One canonical event: a type, a hook point or none, and facts named in FACTS.

    `input` holds a tool's arguments under their native names; `native` holds leaves a table keeps
    on purpose, `unmapped` those it does not know. `synthesized` names facts derived by a rule,
    `redacted` the paths privacy changed, `redactions` counts secrets by rule, `secrets` says which.
    `read_back`: it was read from a standard's line, which anybody may have written; `emitter` then
    holds what that line says and no fact does, at its places: `event` of an Agent Hooks object,
    `aarts` and `verdict` of AARTS.
    `pairs_lone`, `has_mods`: its client's capabilities of these names.
    """

    __slots__ = (
        "artifacts",
        "content_arguments",
        "emitter",
        "facts",
        "has_mods",
        "hook_point",
        "input",
        "native",
        "pairs_lone",
        "read_back",
        "redacted",
        "redactions",
        "risk",
        "secrets",
        "synthesized",
        "type",
        "unmapped",
        "vendor",
    )

    def __init__(
        self,
        type: str,
        hook_point: str | None,
        facts: dict[str, Any],
        vendor: str = "",
    ) -> None:
        self.type = type
        self.hook_point = hook_point
        self.facts = facts
        self.vendor = vendor
        self.input: dict[str, Any] | None = None
        self.native: dict[str, Any] | None = None
        self.unmapped: dict[str, Any] | None = None
        self.emitter: dict[str, dict[str, Any]] | None = None
        self.synthesized: list[str] = []
        self.read_back = False
        self.pairs_lone = False
        self.has_mods = False
        self.redacted: list[str] = []
        self.redactions: dict[str, int] | None = None
        self.risk: tuple[int, str, tuple[str, ...]] | None = None
        self.content_arguments: frozenset[str] = frozenset()
        # AARTS artifacts: (type, value, source_field, context)
        self.artifacts: list[tuple[str, str, str, str]] = []
        # secrets found: (rule, path, keyed fingerprint of the value)
        self.secrets: list[tuple[str, str, str]] = []

    def __repr__(self) -> str:
        return f"Event({self.type!r}, {self.hook_point!r}, {self.facts!r})"
