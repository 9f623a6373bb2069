-- What the agent asked permission for, how it was answered and how long that took.
-- time: timestamp
-- shows: timestamp tool what resolution decided_by session_id action_name waited_ms
-- A question about no call, such as whether to continue in a loop, is one if its answer names it.
-- approved: the action ran or an override says so; denied: a refusal was observed; else unknown.
select
    "timestamp", tool, session_id, call_id, action_name, resolution, decided_by, waited_ms,
    action_native, command, file_path, url, mcp_server, agent_id, turn_id, event_id,
    machine_id, user_id, evidence, witnesses, coalesce(command, file_path, url, action_native) as what
from derived.asks
order by "timestamp" desc, tool, session_id, event_id
