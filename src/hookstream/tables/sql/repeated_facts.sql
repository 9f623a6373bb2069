-- What the event that is kept lacks and those that repeat it say.
select
    r.machine, r.first_id as event_id,
    list_sort(list(distinct coalesce(t.witness, 'hook'))) as witnesses,
    list(t.event_id order by t.at_) as evidence,
    max(t.tokens_before) as tokens_before, max(t.tokens_after) as tokens_after,
    max(t.tokens_removed) as tokens_removed, arg_min(t.context_trigger, t.believed) as context_trigger,
    arg_min(t.agent_id, t.believed) as agent_id, arg_min(t.agent_type, t.believed) as agent_type,
    arg_min(t.turn_id, t.believed) as turn_id
from whole.repeats as r
join whole.told as t on r.machine = t.machine and r.event_id = t.event_id
group by r.machine, r.first_id
