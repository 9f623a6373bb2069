-- What no table maps yet: fields of payloads that are kept as they came, by vendor and event.
select
    tool, native_event, path, count(*) as events, count(distinct session_id) as sessions,
    min("timestamp") as first_seen, max("timestamp") as last_seen,
    max(tool_version) as tool_version, min(event_id) as example,
    machine_id, user_id
from (
    select
        tool, native_event, session_id, "timestamp", tool_version, event_id, machine_id,
        user_id,
        unnest(unmapped) as path
    from events
)
group by machine_id, user_id, tool, native_event, path
order by events desc, tool, native_event, path, machine_id, user_id
