-- Events by which compactions are decided, numbered: those that report one, the ends of their
-- sessions, and if a client only announces them the model calls that show the result. Model calls
-- of several witnesses are not one sequence: there the events that the stream derived of them are
-- used.
with
told as (
    select
        *,
        case
            when event_type = 'Context.Compaction' then 'compaction'
            when event_type in ('Session.End', 'Session.Abort') then 'end'
            when context_trigger is not null and starts_with(event_type, 'vendor.') then 'announced'
            else 'model'
        end as what
    from base.stream
    where event_type in (
        'Context.Compaction', 'Session.End', 'Session.Abort', 'Prompt.Submitted', 'Session.Start',
        'Agent.Plan.Start', 'Agent.Plan.End', 'Model.Requested', 'Model.Responded'
    ) or (context_trigger is not null and starts_with(event_type, 'vendor.'))
),
sessions as materialized (
    select
        machine, tool, session_id,
        bool_or(what = 'announced' and told_place is null) as is_announced
    from told where what in ('compaction', 'announced')
    group by all
)
select
    row_number() over () as n, t.machine, t.tool, t.session_id, t.place, t.event_id, t.event_type,
    t."timestamp", coalesce(t.witness, 'hook') as witness, coalesce(t.agent_id, '') as agent,
    t.context_phase, t.context_trigger, t.tokens_before, t.tokens_after, t.tokens_removed,
    coalesce(t.certainty = 'observed', false) as is_observed, t.message_count, t.input_tokens,
    coalesce(c.confirms_compactions, true) as confirms
from told as t
join sessions as s using (machine, tool, session_id)
left join base.capabilities as c on t.tool = c.tool
where t.what in ('compaction', 'end') or s.is_announced
