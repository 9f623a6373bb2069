-- The sub-agent that a call started, as its best witness names it: another may have only the call.
select
    machine, tool, session_id, parent_call_id as call,
    arg_min(
        coalesce(agent_id, child_session_id), (is_agent_made, believed, at_, event_id)
    ) as named
from base.told
where event_type in ('Agent.Plan.Start', 'Agent.Plan.End') and parent_call_id is not null
group by all
