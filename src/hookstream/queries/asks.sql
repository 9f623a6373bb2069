-- What the agent asked permission for, how it was answered and how long that took.
-- time: timestamp
-- shows: timestamp tool what resolution decided_by session_id action_name waited_ms
-- A question about no call, such as whether to continue in a loop, is one if its answer names it.
-- approved and denied are somebody's answers (`decided_by`: user, host, rule, mode, hook, client), of which
-- `decision_evidence` is what shows them: that an action ran does not answer it. asked_nobody: the client answered by itself;
-- unknown: nothing shows who answered. `waited_ms` is null where no answer has a time.
select
    "timestamp", tool, session_id, call_id, action_name, resolution, decided_by, waited_ms,
    action_native, command, file_path, url, mcp_server, agent_id, turn_id, event_id,
    machine_id, user_id, evidence, witnesses, decision_evidence, certainty, held, held_evidence,
    held_certainty, coalesce(command, file_path, url, action_native) as what
from derived.asks
order by "timestamp" desc, tool, session_id, event_id
