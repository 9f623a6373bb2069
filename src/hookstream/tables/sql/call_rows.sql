-- The rows with the call they belong to.
select
    r.*, coalesce(r.call_id, 'event:' || coalesce(p.before_id, r.about, r.event_id)) as call
from base.call_events as r
left join base.paired as p on r.machine = p.machine and r.event_id = p.event_id
