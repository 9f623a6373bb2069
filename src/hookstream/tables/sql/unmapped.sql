-- Fields of native events that no table maps, by session.
select
    coalesce(e.machine_id, '') as machine, e.machine_id, e.user_id, e.tool,
    coalesce(m.root, e.session_id) as session_id, e.session_id as told_as, e.native_event,
    e.path, count(*) as events, min(e."timestamp") as first_seen, max(e."timestamp") as last_seen,
    max(e.tool_version) as tool_version, min(e.event_id) as example
from (select *, unnest(unmapped) as path from base.events where len(unmapped) > 0) as e
left join base.moved as m on coalesce(e.machine_id, '') = m.machine and e.tool = m.tool
    and e.session_id = m.session_id
group by all
