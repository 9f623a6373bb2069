-- Facts of calls in those events, under the call's own name; `n` counts the uses of an id that is
-- used again, in each witness's own order.
select
    t.*, coalesce(c.named, t.call_id, t.event_id) as call,
    greatest(1, count(*) filter (t.event_type = 'Action.Before') over (
        partition by
            t.machine, t.tool, t.session_id, coalesce(c.named, t.call_id, t.event_id), t.believed
        order by t.at_ range between unbounded preceding and current row
    )) as n
from base.told as t
left join base.call_names as c on t.machine = c.machine and t.tool = c.tool
    and t.session_id = c.session_id and t.believed = c.believed and t.has_no_id
    and coalesce(t.call_id, t.event_id) = c.call
where coalesce(t.derived, false) = false and (
    starts_with(t.event_type, 'Action.')
    or (t.event_type in ('Policy.Blocked', 'Policy.Override')
        and coalesce(t.subject, 'action') = 'action')
    or (t.notification_type = 'ToolPermission' and t.call_id is not null)
    -- A verdict, and what it made of the input, have the id that their hook's event has.
    or c.named is not null
)
