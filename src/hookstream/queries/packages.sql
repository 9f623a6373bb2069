-- What was installed: packages that install commands name, also inside longer command lines.
-- One row a client, package manager and package as written (with its version or tag), its ecosystem
-- and name. A list of requirements is not a package name.
select
    tool, manager, package, any_value(ecosystem) as ecosystem, any_value(name) as name,
    any_value(version) as version, count(*) filter (within(first_at)) as calls,
    count(*) filter (ran and within(first_at)) as ran,
    count(*) filter (outcome = 'denied' and within(first_at)) as denied,
    count(distinct session_id) filter (within(first_at)) as sessions,
    min(first_at) as first_seen, max(last_at) as last_seen,
    arg_min(command, (first_at, command)) as example, machine_id, user_id,
    min(min(first_at)) over (partition by manager, package) >= cast(getvariable('f_since') as timestamp) as is_new
from derived.packages
group by machine_id, user_id, tool, manager, package
qualify count(*) filter (within(first_at)) > 0
order by first_seen desc, tool, manager, package, machine_id, user_id
