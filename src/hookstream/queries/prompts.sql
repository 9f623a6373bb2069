-- Every prompt of a person: when, where, how long; its text is only a digest.
-- time: timestamp
-- shows: timestamp tool session_id turn_id prompt_length input_source permission_mode secrets
select
    machine_id, user_id, tool, session_id, agent_id, turn_id, event_id, "timestamp", sequence,
    prompt_hash, prompt_length, input_source, is_followup, permission_mode, agent_mode, cwd, repo,
    tool_version, model_id, risk_score, secrets, evidence, witnesses
from derived.prompts
order by "timestamp" desc, tool, session_id, sequence, event_id
