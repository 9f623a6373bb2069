-- Every verdict that was given: who decided what about which action, and which guard failed.
-- time: timestamp
-- shows: timestamp tool decision what decided_by matched_rule_id decision_reason held session_id failure subject action_name
-- One row a verdict; `about` is the event it decides on. A guard that failed has `failure` and may
-- have no decision at all: that is not an allow. `held` says what became of a guard's verdict about a call: held (it
-- was carried out), ignored (a denied call ran, an allowed one was refused or asked for, an input that was
-- changed ran as it was), asked_nobody (an ask that the client answered by itself), changed (the guard's input
-- ran) or unknown; `held_evidence` what shows it,
-- `outcome` how that call ended.
select
    "timestamp", tool, session_id, call_id, event_id, about, decision, modified, decided_by,
    decision_reason, decision_evidence, certainty, category, severity, matched_rule_id, policy_id,
    policy_version, policy_engine, failure, action_name, action_native, command, file_path, url,
    event_type, native_event, agent_id, turn_id, risk_score, machine_id, user_id, subject, hook_point,
    enforced, guardian, input_hash, modified_input_hash, changed_paths, held, held_evidence,
    held_certainty, outcome,
    coalesce(command, file_path, url, action_native) as what
from derived.decisions
order by "timestamp" desc, tool, session_id, place, event_id
