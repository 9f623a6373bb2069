"""Schema of the `events` table: column names, types, an Event's row. One list for Parquet and SQL.

Types are "text", "int", "float", "flag", "time" (plain UTC), "texts" (a list) or the
two lists of structs, "artifacts" and "secrets".
"""

from __future__ import annotations

from typing import Any

from hookstream.core.event import FACTS, Event, witness_of
from hookstream.standards.agent_hooks import actor_of, emitter_risk
from hookstream.version import __version__

_ORDER = """event_id event_type timestamp received_at tool tool_version machine_id session_id
parent_session_id agent_id agent_type turn_id call_id sequence user_id actor_type agent_mode
permission_mode cwd repo native_event hook_point action_name action_category action_native
action_fingerprint command file_path url mcp_server success exit_code error_message duration_ms
outcome about decision modified decision_reason decided_by decision_evidence certainty category
severity matched_rule_id policy_id policy_version failure prompt_hash prompt_length response_hash
response_length output_hash output_length model_id input_tokens output_tokens cache_read_tokens
context_trigger context_phase tokens_used tokens_limit percentage_used tokens_before tokens_after
tokens_removed retry_iteration risk_score risk_level risk_factors artifacts redactions
duplicate_of derived agent_hooks aarts
vendor session_alias child_session_id parent_agent_id parent_call_id message_id dialect
start_reason end_reason
abort_reason total_tokens total_actions is_followup input_source final plan_type task_hash
task_length summary_hash summary_length latency_ms retry_count stop_reason query policy_engine
resolution tokens_remaining message_count strategy retry_kind elapsed_ms tokens_consumed
notification_type message error_type error_code origin_event server_id transport server_command
memory_store reported_by secrets unmapped synthesized witness cache_write_tokens cost_usd
hookstream_version shares_id_with capture_scope decision_point guardian
input_hash modified_input_hash changed_paths rewritten_hash rewritten_length reasoning_hash
reasoning_length task_id task_state organization subject enforced actor_id
actor_name memory_hash memory_length requested_command told_output_hash told_output_length
guardian_scope hook_event cache_write_1h_tokens speed attended inference_geo"""

_OWN = {
    "event_type": "text",
    "timestamp": "time",
    "received_at": "time",
    "hook_point": "text",
    "risk_score": "int",
    "risk_level": "text",
    "risk_factors": "texts",
    "artifacts": "artifacts",
    "redactions": "int",
    "agent_hooks": "text",
    "aarts": "text",
    "vendor": "text",
    "secrets": "secrets",
    "unmapped": "texts",
    "synthesized": "texts",
}
_TYPES = {str: "text", int: "int", float: "float", bool: "flag"}

# The folder of a partition without a value, as Hive names it.
NO_PARTITION = "__HIVE_DEFAULT_PARTITION__"

# column -> type, in the order of the table
COLUMNS: dict[str, str] = {
    name: _OWN.get(name) or _TYPES[FACTS[name][1]] for name in _ORDER.split()
}
FACT_COLUMNS = tuple(name for name in COLUMNS if name not in _OWN and name != "actor_type")


def row(event: Event, agent_hooks: str, aarts: str | None) -> dict[str, Any]:
    """The Event's row: column -> value or None. Times stay RFC 3339 text; `redactions` is a count,
    `unmapped` the sorted paths."""
    facts = event.facts
    out: dict[str, Any] = {name: facts.get(name) for name in FACT_COLUMNS}
    out["event_type"] = event.type
    out["timestamp"] = facts["timestamp"]
    out["received_at"] = facts.get("received_at")
    out["actor_type"] = actor_of(event)
    out["hook_point"] = event.hook_point
    out["vendor"] = event.vendor
    out["witness"] = witness_of(facts)
    out["hookstream_version"] = facts.get("hookstream_version", __version__)
    risk = event.risk or emitter_risk(event)
    out["risk_score"], out["risk_level"] = (risk[0], risk[1]) if risk else (None, None)
    out["risk_factors"] = list(risk[2]) if risk else []
    out["artifacts"] = [artifact[:3] for artifact in event.artifacts]
    out["secrets"] = event.secrets
    out["redactions"] = sum(event.redactions.values()) if event.redactions else 0
    out["unmapped"] = sorted(event.unmapped) if event.unmapped else []
    out["synthesized"] = event.synthesized
    out["agent_hooks"] = agent_hooks
    out["aarts"] = aarts
    return out
