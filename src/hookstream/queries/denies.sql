-- What was denied, by whom and why, and did it run anyway later in the session.
-- time: timestamp
-- shows: timestamp tool what decided_by matched_rule_id decision_reason executed_afterwards certainty session_id subject action_name
-- One row a refusal. `subject` says of what (action, prompt, response, result, memory, retrieval,
-- sub-agent, compaction, trigger, connection, other), `hook_point` where; `enforced` is false where
-- nothing carried it out, as for the verdict of an audit. `inferred` is not an event: a before event that nothing followed, of a
-- client that says nothing more when an action is refused (an interrupted one looks the same).
-- `executed_afterwards` compares fingerprints, and is null where the action has none, and of all but
-- actions. `matched_rule_id`, `policy_id` and `policy_engine` are the rule, what holds it and the hook's command or
-- the plug-in, where the client says it. `held` is what became of a guard's verdict about the call (decisions).
select
    "timestamp", tool, session_id, call_id, event_id, action_name, action_native,
    command, decided_by, decision_reason, decision_evidence, certainty, executed_afterwards,
    file_path, url, mcp_server, action_category, agent_id, turn_id, about, matched_rule_id,
    policy_id, severity, risk_score, action_fingerprint, machine_id, user_id, evidence, witnesses,
    subject, hook_point, enforced, held, held_evidence, held_certainty, policy_engine,
    coalesce(command, file_path, url, action_native) as what
from derived.denies
order by "timestamp" desc, tool, session_id, event_id
