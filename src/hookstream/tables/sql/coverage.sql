-- What kinds of event each session has, and how many.
select
    coalesce(e.machine_id, '') as machine, e.machine_id, e.user_id, e.vendor, e.tool,
    e.native_event, e.event_type, e.hook_point, coalesce(k.parent, e.session_id) as session_id,
    e.session_id as told_as, count(*) as events,
    count(*) filter (e.duplicate_of is not null) as duplicates,
    min(e."timestamp") as first_seen, max(e."timestamp") as last_seen
from whole.events as e
left join whole.kin as k on coalesce(e.machine_id, '') = k.machine and e.tool = k.tool
    and e.session_id = k.session_id
group by all
