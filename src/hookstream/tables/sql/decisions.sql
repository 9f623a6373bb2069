-- Each decision that was recorded, and each that a guard failed to give.
select
    "timestamp", tool, session_id, call_id, event_id, about, decision, modified, decided_by,
    decision_reason, decision_evidence, certainty, category, severity, matched_rule_id, policy_id,
    policy_version, policy_engine, failure, action_name, action_native, command, file_path, url,
    event_type, native_event, agent_id, turn_id, risk_score, machine_id, user_id, subject,
    point as hook_point, enforced, guardian, input_hash, modified_input_hash, changed_paths, machine,
    place
from base.decided
