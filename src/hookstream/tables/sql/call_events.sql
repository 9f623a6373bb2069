-- Rows that belong to a call: its own events, and decisions about it.
with rows as (
    select
        machine, tool, session_id, parent_session_id, call_id, event_id, event_type, "timestamp",
        place, sequence, agent_id, turn_id, about, action_name, action_category, action_native,
        action_fingerprint, own_fingerprint, command, file_path, url, mcp_server, permission_mode, cwd, repo,
        tool_version, model_id, input_tokens, output_tokens, result, exit_code, error_message,
        duration_ms, output_hash, output_length, cast(null as varchar) as decision,
        cast(null as varchar) as decision_reason, decided_by, decision_evidence, certainty, severity,
        matched_rule_id, policy_id, cast(null as varchar) as policy_engine, reported_by, failure, risk_score, risk_factors, secrets,
        native_event, witness, notification_type, modified, guardian, guardian_scope,
        requested_command, told_output_hash, cast(null as varchar) as subject,
        cast(null as varchar) as point, cast(null as boolean) as enforced, false as is_of_call
    from base.stream
    where (
        starts_with(event_type, 'Action.')
        or (notification_type = 'ToolPermission' and call_id is not null)
    ) and decision is null and failure is null
        and not (event_type = 'Action.After' and result is not distinct from 'denied')
    union all by name
    select
        * exclude (
            machine_id, user_id, category, policy_version, hook_point,
            decision_point, is_loose
        )
    from base.decided
    where is_of_call or starts_with(event_type, 'Action.')
        or (notification_type = 'ToolPermission' and call_id is not null)
)
select
    * exclude (agent_id, turn_id, notification_type) replace (
        coalesce(witness, 'hook') as witness
    ),
    coalesce(agent_id, '') as agent, coalesce(turn_id, '') as turn,
    event_type = 'Action.Before' as is_before,
    event_type = 'Action.After' as is_after,
    -- A result of which nothing shows that its tool ran (`hookstream.core.decisions`).
    event_type = 'Action.After' and decision_evidence is not distinct from 'no run shown'
        as is_undecided,
    is_of_call and decision = 'deny' and enforced as is_deny,
    -- What only a missing after event shows does not count if one came later.
    event_type = 'Policy.Blocked' and reported_by = 'batch'
        and decision_evidence = native_event || ' without an after event' as is_by_exclusion,
    -- A word that the client does not know decides nothing.
    is_of_call and decision is not null and is_by_exclusion is distinct from true
        and (enforced is distinct from false or decision = 'deny') as is_saying,
    notification_type = 'ToolPermission' as is_question,
    is_question or (is_of_call and decision = 'ask') as is_ask,
    -- An entry of a batch that does not say how its call ended.
    event_type = 'Action.After' and reported_by = 'batch' and result is null as is_open_entry
from rows
