-- One row per sub-agent: its start and its end, joined by its id, else in order.
with
marked as (
    select
        machine, tool, session_id, event_id, event_type, place, "timestamp", agent_id, agent_type,
        parent_agent_id, child_session_id, coalesce(call_id, parent_call_id) as call_id, turn_id, plan_type, task_hash, task_length,
        sequence, model_id, input_tokens, output_tokens,
        list_prepend(coalesce(witness, 'hook'), other_witnesses) as witnesses,
        list_prepend(event_id, other_evidence) as evidence,
        coalesce(agent_id, child_session_id) as own, (place, event_id) as nth,
        row_number() over (
            partition by machine, tool, session_id, event_type,
                coalesce(agent_id, child_session_id)
            order by place, event_id
        ) as number
    from base.stream
    where event_type in ('Agent.Plan.Start', 'Agent.Plan.End')
)
select
    nullif(m.machine, '') as machine_id, any_value(k.user_id) as user_id, m.tool, m.session_id,
    arg_min(m.call_id, m.nth) as call_id, arg_min(m.agent_id, m.nth) as agent_id,
    arg_min(m.turn_id, m.nth) as turn_id, arg_min(m.agent_type, m.nth) as agent_type,
    -- The session itself is not an agent.
    nullif(arg_min(m.parent_agent_id, m.nth), m.session_id) as parent_agent_id,
    arg_min(m.child_session_id, m.nth) as child_session_id,
    arg_min(m.plan_type, m.nth) as plan_type,
    min(m."timestamp") filter (m.event_type = 'Agent.Plan.Start') as started_at,
    max(m."timestamp") filter (m.event_type = 'Agent.Plan.End') as ended_at,
    date_diff('millisecond', started_at, ended_at) as duration_ms,
    arg_min(m.task_hash, m.nth) as task_hash, max(m.task_length) as task_length,
    arg_max(m.model_id, m.nth) as model_id,
    max(m.input_tokens) as input_tokens, max(m.output_tokens) as output_tokens,
    list_distinct(flatten(list(m.evidence order by m.nth))) as evidence,
    list_sort(list_distinct(flatten(list(m.witnesses)))) as witnesses,
    min(m.sequence) as sequence, min(m.place) as place, min(m."timestamp") as first_at,
    max(m."timestamp") as last_at, m.machine
from marked as m
join base.known as k using (machine, tool, session_id)
group by m.machine, m.tool, m.session_id, m.own, m.number
