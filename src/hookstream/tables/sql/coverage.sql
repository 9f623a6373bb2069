-- The kinds of event that each session has, and how many.
with counted as (
    select
        session, user_id, vendor, native_event, event_type, hook_point, count(*) as events,
        count(*) filter (duplicate_of is not null) as duplicates,
        min("timestamp") as first_seen, max("timestamp") as last_seen
    from base.keyed_events
    group by all
)
select
    n.machine, nullif(n.machine, '') as machine_id, c.user_id, c.vendor, n.tool, c.native_event,
    c.event_type, c.hook_point, coalesce(m.root, n.session_id) as session_id,
    n.session_id as told_as, c.events, c.duplicates, c.first_seen, c.last_seen
from counted as c
join base.numbers as n using (session)
left join base.moved as m
    on n.machine = m.machine and n.tool = m.tool and n.session_id = m.session_id
