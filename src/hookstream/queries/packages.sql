-- What was installed: packages that install commands name, also inside longer command lines.
-- by: machine
-- keys: manager package
-- shows: package manager tool machines users calls ran denied first_seen last_seen example
-- One row per package manager and package as written (with its version or tag), its ecosystem
-- and name. A list of requirements is not a package name.
select * exclude (known_before),
    not bool_or(known_before) over (partition by manager, package) as is_new
from (
    select
        manager, package, names_by_machine(tool) as tool,
        count(distinct machine_id) as machines, count(distinct user_id) as users, any_value(ecosystem) as ecosystem, any_value(name) as name,
        any_value(version) as version, count(*) filter (heard(first_at, session_id)) as calls,
        count(*) filter (ran and heard(first_at, session_id)) as ran,
        count(*) filter (outcome = 'denied' and heard(first_at, session_id)) as denied,
        count(distinct (machine, tool, session_id)) filter (heard(first_at, session_id)) as sessions,
        min(first_at) as first_seen, max(last_at) as last_seen,
        arg_min(command, (first_at, command)) as example,
        bool_or(is_before(first_at, session_id)) as known_before,
        by_machine(machine_id) as machine_id, by_machine(user_id) as user_id
    from derived.packages
    group by all
)
qualify sessions > 0
order by first_seen desc, manager, package, tool, machine_id, user_id
