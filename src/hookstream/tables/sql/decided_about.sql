-- The events that decisions without a subject are about (lines of another emitter, or straight from
-- a hook, which sees one event at a time), and the texts that other decisions are about.
select
    e.machine, e.event_id, min(e.event_type) as event_type, min(e.hook_point) as hook_point,
    min(coalesce(e.prompt_hash, e.response_hash, e.memory_hash, e.task_hash, e.output_hash))
        as text_hash
from base.stream as e
semi join (
    select machine, about from base.decided_rows
    where subject is distinct from 'action' and about is not null
) as d on e.machine = d.machine and e.event_id = d.about
group by e.machine, e.event_id
