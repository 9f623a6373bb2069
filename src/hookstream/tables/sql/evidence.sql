-- What the hooks of a client show on a machine and for a user, whatever its sessions are: after
-- events (of all tools, and of each by name), successes, failures, batches, turns.
with shown as (
    select
        machine, user_id, tool,
        count(*) filter (has_after) as "after",
        count(*) filter (has_ok) as ok,
        count(*) filter (has_failed) as failed,
        count(*) filter (has_batch) as batch,
        count(*) filter (has_turns) as turns,
        count(*) filter (has_before) as "before"
    from base.known
    group by machine, user_id, tool
)
select machine, user_id, tool, shows, cast(null as varchar) as action_native, sessions
from shown unpivot (sessions for shows in ("after", ok, failed, batch, turns, "before"))
where sessions > 0
union all
select machine, user_id, tool, 'after' as shows, action_native, count(*) as sessions
from (select machine, user_id, tool, unnest(after_natives) as action_native from base.known)
where action_native is not null
group by machine, user_id, tool, action_native
