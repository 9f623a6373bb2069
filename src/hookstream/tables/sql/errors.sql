-- Each error that was recorded, a failed action's too.
select
    "timestamp", tool, session_id, call_id, error_type, error_code, error_message, exit_code,
    origin_event, action_name, action_native, command, file_path, url, agent_id, turn_id, model_id,
    native_event, event_id, machine_id, user_id, machine, place
from whole.stream
where event_type = 'Agent.Error'
