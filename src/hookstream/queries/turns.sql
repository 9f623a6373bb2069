-- One row a turn: what one prompt set off, how long it took and what it cost.
-- time: started_at
-- shows: tool session_id turn_id started_at duration_ms prompts actions failures denies input_tokens output_tokens
select
    tool, session_id, turn_id, started_at, ended_at, duration_ms, prompts, actions, failures, denies,
    agents, model_failures, input_tokens, output_tokens, prompt_length, max_risk, machine_id,
    user_id
from derived.turns
order by started_at desc, tool, session_id, first_place, turn_id
