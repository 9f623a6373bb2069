-- Calls that a hook refused by an error which names no call (`thrown_refusal`): the n-th call that
-- failed in these words and was not run, by telemetry of what was, and the n-th such error of its
-- session and its sub-agents', which telemetry may not tell apart. Neither shows it alone.
with recursive
parents as (
    select machine, tool, session_id, max(parent_session_id) as parent
    from base.told group by all having parent <> session_id
),
above as (
    select machine, tool, session_id, parent as top, 1 as steps from parents
    union all
    select a.machine, a.tool, a.session_id, p.parent, a.steps + 1
    from above as a
    join parents as p on a.machine = p.machine and a.tool = p.tool and a.top = p.session_id
    where p.parent <> a.session_id and a.steps < 32
),
tops as (
    select machine, tool, session_id, arg_max(top, steps) as top
    from above group by machine, tool, session_id
),
failed as (
    select
        c.machine, c.tool, c.session_id, c.call, c.n,
        arg_min(c.error_message, (c.believed, c.at_, c.error_message))
            filter (c.event_type = 'Action.After') as words,
        max(c.at_) filter (c.event_type = 'Action.After') as ended_at
    from base.told_calls as c
    join base.capabilities as k on c.tool = k.tool
    where k.thrown_refusal <> ''
    group by c.machine, c.tool, c.session_id, c.call, c.n
    having bool_and(c.result = 'error') filter (c.event_type = 'Action.After')
        and not bool_or(c.event_type in ('Policy.Blocked', 'Policy.Override'))
        and not coalesce(
            bool_or(c.believed = 3 and starts_with(c.native_event, k.shows_execution)), false
        )
),
calls as (
    select f.*, coalesce(p.top, f.session_id) as top, row_number() over (
        partition by f.machine, f.tool, coalesce(p.top, f.session_id), words
        order by ended_at, call, n
    ) as number
    from failed as f left join tops as p using (machine, tool, session_id)
    where words is not null
),
errors as (
    select t.*, coalesce(p.top, t.session_id) as top, row_number() over (
        partition by t.machine, t.tool, coalesce(p.top, t.session_id), t.error_message
        order by t.at_, t.event_id
    ) as number
    from base.told as t
    left join tops as p using (machine, tool, session_id)
    join base.capabilities as k on t.tool = k.tool
    where t.native_event = k.thrown_refusal and t.error_message is not null
),
refused as (
    select
        c.machine, c.tool, c.session_id, c.call, c.n, c.words, e.event_id, e.native_event
    from calls as c
    join errors as e on c.machine = e.machine and c.tool = e.tool
        and c.top = e.top and c.words = e.error_message and c.number = e.number
        and e.at_ <= c.ended_at
)
-- The error, and what was taken for that call's end.
select machine, session_id, event_id, call, words, native_event, true as is_error from refused
union all
select r.machine, r.session_id, t.event_id, r.call, r.words, r.native_event, false as is_error
from refused as r
join base.told_calls as t using (machine, tool, session_id, call, n)
where t.event_type = 'Action.After'
