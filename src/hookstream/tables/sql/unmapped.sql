-- Fields of native events that no table maps, by session.
select
    coalesce(e.machine_id, '') as machine, e.machine_id, e.user_id, e.tool,
    coalesce(k.parent, e.session_id) as session_id, e.session_id as told_as, e.native_event,
    e.path, count(*) as events, min(e."timestamp") as first_seen, max(e."timestamp") as last_seen,
    max(e.tool_version) as tool_version, min(e.event_id) as example
from (select *, unnest(unmapped) as path from whole.events where len(unmapped) > 0) as e
left join whole.kin as k on coalesce(e.machine_id, '') = k.machine and e.tool = k.tool
    and e.session_id = k.session_id
group by all
