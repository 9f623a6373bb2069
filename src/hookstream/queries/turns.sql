-- One row a turn: what one prompt set off, how long it took and what it cost.
-- time: started_at
-- shows: tool session_id turn_id started_at duration_ms prompts actions failures denies input_tokens output_tokens
with
seen as (
    select
        machine, tool, session_id, turn_id,
        min("timestamp") as started_at, max("timestamp") as ended_at, min(place) as first_place,
        count(*) filter (event_type = 'Prompt.Submitted') as prompts,
        count(*) filter (event_type = 'Agent.Plan.Start') as agents,
        count(*) filter (event_type = 'Model.Failed') as model_failures,
        sum(input_tokens) filter (event_type in ('Model.Responded', 'Agent.Response'))
            as input_tokens,
        sum(output_tokens) filter (event_type in ('Model.Responded', 'Agent.Response'))
            as output_tokens,
        max(risk_score) as max_risk, max(prompt_length) as prompt_length
    from stream
    where turn_id is not null
    group by all
),
called as (
    select
        machine, tool, session_id, turn_id,
        count(*) as actions,
        count(*) filter (outcome = 'error') as failures,
        count(*) filter (denied) as denies
    from derived.calls
    where has_before or has_after or denied
    group by all
)
select
    s.tool, s.session_id, s.turn_id, s.started_at, s.ended_at,
    date_diff('millisecond', s.started_at, s.ended_at) as duration_ms,
    s.prompts, coalesce(c.actions, 0) as actions, coalesce(c.failures, 0) as failures,
    coalesce(c.denies, 0) as denies, s.agents, s.model_failures, s.input_tokens, s.output_tokens,
    s.prompt_length, s.max_risk, nullif(s.machine, '') as machine_id, k.user_id
from seen as s
join whole.known as k using (machine, tool, session_id)
left join called as c
    on s.machine = c.machine and s.tool = c.tool and s.session_id = c.session_id
    and s.turn_id = c.turn_id
order by s.started_at, s.tool, s.session_id, s.first_place, s.turn_id
