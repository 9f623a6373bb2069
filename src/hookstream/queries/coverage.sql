-- What was captured: vendor, native event, event type and hook point, with counts.
select
    vendor, tool, native_event, event_type, hook_point, count(*) as events,
    count(*) filter (duplicate_of is not null) as duplicates,
    count(distinct session_id) as sessions,
    min("timestamp") as first_seen, max("timestamp") as last_seen, machine_id, user_id
from events
group by machine_id, user_id, vendor, tool, native_event, event_type, hook_point
order by vendor, tool, native_event, event_type, hook_point, machine_id, user_id
