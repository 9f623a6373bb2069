-- The events that decisions without a subject are about: lines of another emitter, or straight from
-- a hook, which sees one event at a time.
select
    e.machine, e.event_id, min(e.event_type) as event_type, min(e.hook_point) as hook_point
from whole.stream as e
semi join (
    select machine, about from whole.decided_rows where subject is null and about is not null
) as d on e.machine = d.machine and e.event_id = d.about
group by e.machine, e.event_id
