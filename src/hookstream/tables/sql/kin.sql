-- Sessions that a client's hooks give to a sub-agent, if its file reports the sub-agent within its
-- parent's session.
select coalesce(machine_id, '') as machine, tool, agent_id as session_id, min(session_id) as parent
from whole.events
where agent_id is not null and agent_id <> session_id
    and witness in ('transcript', 'telemetry')
group by coalesce(machine_id, ''), tool, agent_id
