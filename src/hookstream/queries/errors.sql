-- What went wrong: failed tools, failed models and failed hooks, each once.
-- time: timestamp
-- shows: timestamp tool error_type what error_message session_id error_code action_name
select
    "timestamp", tool, session_id, call_id, error_type, error_code, error_message, exit_code,
    origin_event, action_name, action_native, command, file_path, url, agent_id, turn_id, model_id,
    native_event, event_id, machine_id, user_id,
    coalesce(command, file_path, url, action_native) as what
from derived.errors
order by "timestamp" desc, tool, session_id, place, event_id
