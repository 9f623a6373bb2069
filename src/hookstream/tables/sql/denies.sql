-- One row per refusal: a denied action (`calls`), anything else that was refused, whoever refused
-- it how often, and what an engine condemned without effect.
with
others as (
    select
        *, cast(place as hugeint) * 18446744073709551616 + hash(event_id) as nth,
        coalesce(about, event_id) as thing
    from base.decided
    where decision = 'deny' and not (is_of_call and enforced) and not is_loose
),
refused as (
    select
        machine, tool, session_id, thing, subject, enforced,
        min(place) as deny_place, min("timestamp") as "timestamp",
        arg_min(event_id, nth) as event_id, arg_min(about, nth) as about,
        arg_min(point, nth) as hook_point, arg_min(call_id, nth) as call_id,
        arg_min(action_name, nth) as action_name, arg_min(action_native, nth) as action_native,
        arg_min(action_category, nth) as action_category,
        arg_min(action_fingerprint, nth) as action_fingerprint, arg_min(command, nth) as command,
        arg_min(file_path, nth) as file_path, arg_min(url, nth) as url,
        arg_min(mcp_server, nth) as mcp_server, arg_min(decided_by, nth) as decided_by,
        arg_min(decision_reason, nth) as decision_reason,
        arg_min(coalesce(decision_evidence, native_event), nth) as decision_evidence,
        coalesce(min(certainty), 'observed') as certainty,
        arg_min(matched_rule_id, nth) as matched_rule_id, arg_min(policy_id, nth) as policy_id,
        arg_min(policy_engine, nth) as policy_engine,
        arg_min(severity, nth) as severity, max(risk_score) as risk_score,
        arg_min(agent_id, nth) as agent_id, arg_min(turn_id, nth) as turn_id,
        case when min(about) is null then [] else [min(about)] end || list(event_id order by nth)
            as evidence,
        list_sort(list(distinct coalesce(witness, 'hook'))) as witnesses,
        max("timestamp") as last_at
    from others
    group by machine, tool, session_id, thing, subject, enforced
)
select
    deny_at as "timestamp", machine_id, user_id, tool, session_id, call_id, deny_id as event_id,
    action_name, action_native, command, denied_by as decided_by, deny_reason as decision_reason,
    deny_evidence as decision_evidence, certainty,
    case when coalesce(deny_subject, 'action') = 'action' then executed_afterwards end
        as executed_afterwards,
    file_path, url, mcp_server, action_category, agent_id, turn_id, before_id as about,
    matched_rule_id, policy_id, policy_engine, deny_severity as severity, risk_score,
    action_fingerprint, evidence, witnesses, coalesce(deny_subject, 'action') as subject,
    case when deny_subject is null then 'PreToolUse' else deny_point end as hook_point,
    true as enforced, deny_place, call, instance, machine, first_at, last_at, effects,
    paths_about, paths_spelled, held, held_evidence, held_certainty
from base.calls
where deny_id is not null
union all by name
select
    d.* exclude (thing), nullif(d.machine, '') as machine_id, k.user_id,
    case when d.subject = 'action' and d.action_fingerprint is not null
        then r.deny_id is not null and r.is_sure end as executed_afterwards,
    cast(null as varchar) as call, '' as instance, d."timestamp" as first_at,
    coalesce(w.effects, []) as effects, cast([] as varchar[]) as paths_about,
    cast([] as varchar[]) as paths_spelled
from refused as d
join base.known as k using (machine, tool, session_id)
left join base.ran_after as r on d.machine = r.machine and d.event_id = r.deny_id
left join base.words as w on d.command = w.command
