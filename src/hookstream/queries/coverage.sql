-- What was captured: vendor, native event, event type and hook point, with counts.
-- by: machine
-- keys: vendor tool native_event event_type hook_point
-- shows: vendor tool native_event event_type hook_point machines events first_seen last_seen sessions duplicates
select
    vendor, tool, native_event, event_type, hook_point, cast(sum(events) as bigint) as events,
    cast(sum(duplicates) as bigint) as duplicates, count(*) as sessions,
    count(distinct machine_id) as machines, count(distinct user_id) as users,
    min(first_seen) as first_seen, max(last_seen) as last_seen,
    by_machine(machine_id) as machine_id, by_machine(user_id) as user_id
from spanned.coverage
group by all
order by vendor, tool, native_event, event_type, hook_point, machine_id, user_id
