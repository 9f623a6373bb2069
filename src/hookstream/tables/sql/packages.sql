-- One row per call and package that its command installs or runs, as the one reader of commands
-- says; `package` as written, `version` as asked for.
with found as (
    select command, unnest(packages, recursive := true)
    from base.words
    where len(packages) > 0
)
select
    c.machine_id, c.user_id, c.tool, c.session_id, c.call_id, p.manager, p.package, p.name, p.version,
    p.ecosystem, c.command, c.outcome, c.ran, c.first_at, c.last_at, c.machine, c.call, c.instance
from base.calls as c
join found as p on c.command = p.command
