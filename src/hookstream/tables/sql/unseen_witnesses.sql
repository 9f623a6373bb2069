-- Machines and clients of which one kind of witness reports nothing, if it reports others and can
-- be read for this client too.
with
seen as (select *, unnest(kinds) as kind from base.capture),
kinds as (select distinct kind from seen),
places as (
    select
        machine, machine_id, tool, max(user_id) as user_id, count(*) as sessions,
        min(first_seen) as first_seen, max(last_seen) as last_seen
    from base.capture group by machine, machine_id, tool
)
select
    p.machine_id, p.user_id, p.tool, '' as session_id, k.kind, p.sessions, p.first_seen, p.last_seen
from places as p
cross join kinds as k
semi join base.readable as r on p.tool = r.tool and k.kind = r.kind
anti join seen as s on p.machine = s.machine and p.tool = s.tool and k.kind = s.kind
