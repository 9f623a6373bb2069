-- Events that hold a decision, or say that a guard failed to give one. A type may be a decision by
-- itself, and so is a result that says its call was refused.
select
    machine, machine_id, user_id, tool, session_id, parent_session_id, call_id, event_id, event_type,
    "timestamp", place, sequence, agent_id, turn_id, about, action_name, action_category,
    action_native, action_fingerprint, own_fingerprint, command, file_path, url, mcp_server, permission_mode, cwd, repo,
    tool_version, model_id, input_tokens, output_tokens, result, exit_code, error_message, duration_ms,
    output_hash, output_length, requested_command, told_output_hash, decision_reason,
    -- Where no person attends, a person's words are a program's or the client's own.
    case when decided_by = 'user' and a.is_attended is false then a.answers_for_user else decided_by
        end as decided_by, decision_evidence, certainty, category,
    severity, matched_rule_id, policy_id, policy_version, policy_engine, guardian, guardian_scope, modified,
    reported_by, failure, risk_score, risk_factors, secrets, native_event, witness, hook_point,
    notification_type, decision_point, subject, enforced, input_hash,
    coalesce(modified_input_hash, rewritten_hash) as modified_input_hash, changed_paths,
    coalesce(
        decision,
        case
            when event_type = 'Policy.Blocked' then 'deny'
            when event_type = 'Policy.Override' then 'allow'
            when event_type = 'Action.After' and result = 'denied' then 'deny'
        end
    ) as decision
from base.stream
left join base.attended as a using (machine, tool, session_id)
where decision is not null or failure is not null
    or event_type in ('Policy.Blocked', 'Policy.Override')
    or (event_type = 'Action.After' and result = 'denied')
