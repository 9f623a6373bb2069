-- One row per turn of a session: what was asked, done, refused and used in it.
with
seen as (
    select
        session, turn_id,
        min("timestamp") as started_at, max("timestamp") as ended_at, min(place) as first_place,
        count(*) filter (event_type = 'Prompt.Submitted') as prompts,
        count(*) filter (event_type = 'Agent.Plan.Start') as agents,
        count(*) filter (event_type = 'Model.Failed') as model_failures,
        cast(sum(input_tokens) filter (event_type in ('Model.Responded', 'Agent.Response'))
            as bigint) as input_tokens,
        cast(sum(output_tokens) filter (event_type in ('Model.Responded', 'Agent.Response'))
            as bigint) as output_tokens,
        max(risk_score) as max_risk, max(prompt_length) as prompt_length
    from base.keyed_stream
    where turn_id is not null
    group by all
),
called as (
    select
        machine, tool, session_id, turn_id,
        count(*) as actions,
        count(*) filter (outcome = 'error') as failures
    from base.calls
    where has_before or has_after or denied
    group by all
),
refused as (
    select machine, tool, session_id, turn_id, count(*) as denies from base.denies group by all
)
select
    n.tool, n.session_id, s.turn_id, s.started_at, s.ended_at,
    date_diff('millisecond', s.started_at, s.ended_at) as duration_ms,
    s.prompts, coalesce(c.actions, 0) as actions, coalesce(c.failures, 0) as failures,
    coalesce(d.denies, 0) as denies, s.agents, s.model_failures, s.input_tokens, s.output_tokens,
    s.prompt_length, s.max_risk, nullif(n.machine, '') as machine_id, k.user_id,
    n.machine, s.first_place
from seen as s
join base.numbers as n using (session)
join base.known as k using (machine, tool, session_id)
left join called as c
    on n.machine = c.machine and n.tool = c.tool and n.session_id = c.session_id
    and s.turn_id = c.turn_id
left join refused as d
    on n.machine = d.machine and n.tool = d.tool and n.session_id = d.session_id
    and s.turn_id = d.turn_id
