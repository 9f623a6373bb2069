-- What was captured: vendor, native event, event type and hook point, with counts.
select
    vendor, tool, native_event, event_type, hook_point, cast(sum(events) as bigint) as events,
    cast(sum(duplicates) as bigint) as duplicates, count(*) as sessions,
    min(first_seen) as first_seen, max(last_seen) as last_seen, machine_id, user_id
from spanned.coverage
group by machine_id, user_id, vendor, tool, native_event, event_type, hook_point
order by vendor, tool, native_event, event_type, hook_point, machine_id, user_id
