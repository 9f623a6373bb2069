-- Every sub-agent: who started it, as what, how long it worked.
-- time: first_at
-- shows: first_at tool session_id agent_id agent_type plan_type duration_ms input_tokens output_tokens
select
    machine_id, user_id, tool, session_id, call_id, agent_id, turn_id, agent_type, parent_agent_id,
    child_session_id, plan_type, started_at, ended_at, duration_ms, task_hash, task_length,
    model_id, input_tokens, output_tokens, evidence, witnesses, first_at, last_at, sequence
from derived.agents
order by first_at desc, tool, session_id, sequence, agent_id
