-- One row a compaction: what announced it, the session's start after it and what closed it, joined
-- in order. An announcement alone is one that did not come about, once the session has ended; where
-- the client sends nothing after any (`capabilities`) it stays unconfirmed.
with
phases as (
    select
        machine, tool, session_id, coalesce(agent_id, '') as agent, place, event_id, "timestamp",
        context_phase, context_trigger, tokens_before, tokens_after, tokens_removed, certainty,
        native_event, coalesce(witness, 'hook') as witness,
        count(*) filter (context_phase = 'before') over (
            partition by machine, tool, session_id, coalesce(agent_id, '')
            order by place, event_id
        ) as opened
    from whole.stream
    where event_type = 'Context.Compaction'
),
numbered as (
    select
        *,
        row_number() over (
            partition by machine, tool, session_id, agent, opened, context_phase
            order by place, event_id
        ) as number
    from phases
),
joined as (
    select
        machine, tool, session_id, agent,
        min(place) as first_place, max(place) as last_place,
        arg_min("timestamp", place) as "timestamp",
        arg_min(event_id, place) as event_id,
        list(event_id order by place, event_id) as evidence,
        list_sort(list(distinct witness)) as witnesses,
        arg_min(context_trigger, place) as "trigger",
        max(tokens_before) as tokens_before,
        max(tokens_after) as tokens_after,
        max(tokens_removed) as tokens_removed,
        bool_or(context_phase is distinct from 'before') as has_more,
        bool_or(
            context_phase is distinct from 'before' and context_phase is distinct from 'restarted'
        ) as has_post,
        bool_or(certainty = 'observed') as said_observed
    from numbered
    group by machine, tool, session_id, agent, opened, number
),
ended as (
    select
        machine, tool, session_id,
        max(place) filter (event_type in ('Session.End', 'Session.Abort')) as end_place
    from whole.stream
    where event_type in ('Session.End', 'Session.Abort')
    group by all
),
refused as (
    select j.machine, j.tool, j.session_id, j.event_id, count(*) as denies
    from joined as j
    join whole.denied as d on j.machine = d.machine and j.tool = d.tool
        and j.session_id = d.session_id and d.deny_place < j.first_place
    group by all
)
select
    nullif(j.machine, '') as machine_id, s.user_id, j.tool, j.session_id,
    nullif(j.agent, '') as agent_id, j.event_id, j."timestamp",
    j."trigger", j.tokens_before, j.tokens_after,
    coalesce(j.tokens_removed, j.tokens_before - j.tokens_after) as tokens_removed,
    case
        when j.has_more then true
        when not k.confirms_compactions then
            case when j."trigger" = 'manual' then true end
        when e.end_place > j.last_place then false
    end as completed,
    case
        when j.has_more then 'completed'
        when not k.confirms_compactions then 'unconfirmed'
        when e.end_place > j.last_place then 'not_completed'
        else 'open'
    end as "end",
    case
        when j.has_post or j.said_observed or j.tokens_after < j.tokens_before then 'observed'
        when j."trigger" = 'manual' and "end" <> 'not_completed' then 'observed'
        else 'inferred'
    end as certainty,
    coalesce(r.denies, 0) as denies_before, j.evidence, j.witnesses,
    j.first_place, j.last_place, j.machine
from joined as j
join whole.known as s using (machine, tool, session_id)
left join ended as e using (machine, tool, session_id)
left join whole.capabilities as k on j.tool = k.tool
left join refused as r using (machine, tool, session_id, event_id)
