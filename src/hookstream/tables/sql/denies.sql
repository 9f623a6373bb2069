-- One row a denied action.
select
    deny_at as "timestamp", machine_id, user_id, tool, session_id, call_id, deny_id as event_id,
    action_name, action_native, command, denied_by as decided_by, deny_reason as decision_reason,
    deny_evidence as decision_evidence, certainty, executed_afterwards,
    file_path, url, mcp_server, action_category, agent_id, turn_id, before_id as about,
    matched_rule_id, deny_policy as policy_id, deny_severity as severity, risk_score,
    action_fingerprint, evidence, witnesses, deny_place, call, instance, machine, first_at, last_at,
    effects
from whole.calls
where deny_id is not null
