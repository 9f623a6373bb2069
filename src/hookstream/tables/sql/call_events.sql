-- Rows that belong to a call.
select
    machine, tool, session_id, parent_session_id, call_id, event_id, event_type, "timestamp", place,
    sequence, coalesce(agent_id, '') as agent, coalesce(turn_id, '') as turn, about,
    action_name, action_category, action_native, action_fingerprint, command, file_path, url,
    mcp_server, permission_mode, cwd, repo, tool_version, model_id, input_tokens, output_tokens,
    result, exit_code, error_message, duration_ms, output_hash, output_length,
    decision, decision_reason, decided_by, decision_evidence, certainty, severity,
    matched_rule_id, policy_id, reported_by, failure, risk_score, risk_factors, secrets,
    native_event, coalesce(witness, 'hook') as witness,
    event_type = 'Action.Before' as is_before,
    event_type = 'Action.After' as is_after,
    event_type = 'Policy.Blocked'
        or (decision = 'deny' and starts_with(event_type, 'Action.'))
        or (event_type = 'Action.After' and result = 'denied') as is_deny,
    -- What only a missing after event shows is none where one came later.
    event_type = 'Policy.Blocked' and reported_by = 'batch'
        and decision_evidence = native_event || ' without an after event' as is_by_exclusion,
    decision is not null and is_by_exclusion is distinct from true as is_saying,
    notification_type = 'ToolPermission' as is_ask,
    -- An entry of a batch that does not say how its call ended.
    event_type = 'Action.After' and reported_by = 'batch' and result is null as is_open_entry
from whole.stream
where starts_with(event_type, 'Action.')
    or event_type in ('Policy.Blocked', 'Policy.Override')
    or (notification_type = 'ToolPermission' and call_id is not null)
