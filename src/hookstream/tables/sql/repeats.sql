-- Events of such sessions that say again what another witness's event says: a prompt, the start or
-- end of a sub-agent, a compaction, what was derived of the same call. `first_id` is that event.
with
facts as (
    select
        machine, tool, session_id, event_id, event_type, at_, believed, first_,
        case
            when event_type = 'Prompt.Submitted' then 'prompt'
            when event_type in ('Agent.Plan.Start', 'Agent.Plan.End') then event_type
            when event_type = 'Context.Compaction' and context_phase = 'after' then 'compaction'
            when event_type in ('Session.Start', 'Session.End') then event_type
            when event_type = 'Model.Failed' and final then 'failed'
            when derived then event_type || coalesce(cast(retry_iteration as varchar), '')
        end as kind,
        case
            when event_type = 'Prompt.Submitted' then prompt_hash
            when event_type in ('Agent.Plan.Start', 'Agent.Plan.End')
                then coalesce(agent_id, child_session_id)
            when derived then coalesce(action_fingerprint, call_id, '')
        end as mark
    from whole.told
),
wanted as (from facts where kind is not null),
-- The n-th with the same mark of one witness is the n-th of another; of the rest the n-th is.
by_mark as (
    select *, row_number() over (
        partition by machine, tool, session_id, kind, mark, believed order by at_, event_id
    ) as n
    from wanted where mark is not null
),
first_by_mark as (
    select machine, tool, session_id, kind, mark, n, arg_min(event_id, (first_, at_)) as first_id
    from by_mark group by all having count(distinct believed) > 1
),
joined as (
    select b.event_id, b.machine, f.first_id
    from by_mark as b join first_by_mark as f using (machine, tool, session_id, kind, mark, n)
),
others as (
    select s.*, row_number() over (
        partition by machine, tool, session_id, kind, believed order by at_, event_id
    ) as n
    from wanted as s anti join joined as j on s.machine = j.machine and s.event_id = j.event_id
    where coalesce(not contains(kind, '.') or kind in (
        'Agent.Plan.Start', 'Agent.Plan.End', 'Session.Start', 'Session.End'), true)
),
first_other as (
    select machine, tool, session_id, kind, n, arg_min(event_id, (first_, at_)) as first_id
    from others group by all having count(distinct believed) > 1
),
found as (
    from joined
    union all
    select o.event_id, o.machine, f.first_id
    from others as o join first_other as f using (machine, tool, session_id, kind, n)
)
select event_id, machine, first_id from found where event_id <> first_id
