-- Each decision that was recorded, and each that a guard failed to give.
select
    d."timestamp", d.tool, d.session_id, call_id, d.event_id, about, decision, modified, decided_by,
    decision_reason, decision_evidence, certainty, category, severity, matched_rule_id, policy_id,
    policy_version, policy_engine, failure, action_name, action_native, command, file_path, url,
    event_type, native_event, agent_id, turn_id, risk_score, machine_id, user_id, subject,
    point as hook_point, enforced, guardian, input_hash, modified_input_hash, changed_paths, d.machine,
    place, h.held, h.held_evidence, h.held_certainty, h.outcome
from base.decided as d
left join base.held as h on d.machine = h.machine and d.event_id = h.event_id
