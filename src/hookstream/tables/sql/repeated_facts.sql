-- Facts that the kept event lacks and those that repeat it have; a sub-agent's id is that of the
-- witness believed most, which may be the kept one.
with reports as (
    select machine, first_id, event_id from base.repeats
    union all
    select distinct machine, first_id, first_id as event_id from base.repeats
)
select
    r.machine, r.first_id as event_id,
    list_sort(list(distinct coalesce(t.witness, 'hook')) filter (t.event_id <> r.first_id))
        as witnesses,
    list(t.event_id order by t.at_, t.event_id) filter (t.event_id <> r.first_id) as evidence,
    max(t.tokens_before) as tokens_before, max(t.tokens_after) as tokens_after,
    max(t.tokens_removed) as tokens_removed,
    arg_min(t.context_trigger, (t.believed, t.at_, t.context_trigger)) as context_trigger,
    arg_min(t.agent_id, (t.is_agent_made, t.believed, t.at_, t.agent_id)) as agent_id,
    arg_min(t.agent_type, (t.believed, t.at_, t.agent_type)) as agent_type,
    arg_min(t.parent_agent_id, (t.believed, t.at_, t.parent_agent_id)) as parent_agent_id,
    arg_min(t.parent_call_id, (t.believed, t.at_, t.parent_call_id)) as parent_call_id,
    arg_min(nullif(t.turn_id, 'turn-0'), (t.first_, t.at_, t.turn_id)) as turn_id
from reports as r
join base.told as t on r.machine = t.machine and r.event_id = t.event_id
group by r.machine, r.first_id
