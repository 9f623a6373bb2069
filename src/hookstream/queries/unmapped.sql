-- What no table maps yet: fields of payloads that are kept as they came, by vendor and event.
-- by: machine
-- keys: tool native_event path
-- shows: tool native_event path machines events sessions first_seen last_seen tool_version example
select
    tool, native_event, path, cast(sum(events) as bigint) as events,
    count(distinct (machine, told_as)) as sessions,
    count(distinct machine_id) as machines, count(distinct user_id) as users, min(first_seen) as first_seen,
    max(last_seen) as last_seen, max(tool_version) as tool_version, min(example) as example,
    by_machine(machine_id) as machine_id, by_machine(user_id) as user_id
from spanned.unmapped
group by all
order by events desc, tool, native_event, path, machine_id, user_id
