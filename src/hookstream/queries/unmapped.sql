-- What no table maps yet: fields of payloads that are kept as they came, by vendor and event.
select
    tool, native_event, path, cast(sum(events) as bigint) as events,
    count(distinct told_as) as sessions, min(first_seen) as first_seen,
    max(last_seen) as last_seen, max(tool_version) as tool_version, min(example) as example,
    machine_id, user_id
from spanned.unmapped
group by machine_id, user_id, tool, native_event, path
order by events desc, tool, native_event, path, machine_id, user_id
