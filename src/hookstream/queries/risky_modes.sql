-- Who switched the guards off: sessions in a mode that never asks, and commands that bypass checks.
-- by: machine session
-- keys: kind mode
-- shows: first_seen mode unguarded tool machines users sessions actions max_risk last_seen example
-- One row per mode. kind mode: the permission mode of a session's events; kind flag: an option of a command line.
select
    kind, word as mode, names_by_machine(tool) as tool,
    unguarded,
    min(first_seen) as first_seen, max(last_seen) as last_seen,
    cast(sum(actions) as bigint) as actions, cast(sum(events) as bigint) as events,
    count(distinct (machine, tool, session_id)) as sessions,
    count(distinct machine_id) as machines, count(distinct user_id) as users, max(max_risk) as max_risk,
    by_machine(machine_id) as machine_id, by_machine(user_id) as user_id,
    by_session(session_id) as session_id, by_session(cwd) as cwd,
    arg_min(example, (first_seen, example)) as example
from spanned.risky_modes
group by all
order by first_seen desc, kind, mode, tool, session_id, machine_id, user_id
