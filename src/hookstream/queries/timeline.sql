-- Everything a session did, in the order of events.
-- passes: by day
-- shows: timestamp session_id sequence event_type agent_type action_name what outcome decision risk_score
-- Narrow it with --session; a whole lake comes day by day.
select
    "timestamp", tool, session_id, sequence, event_type, agent_id, agent_type, turn_id, call_id, action_name,
    coalesce(command, file_path, url, query, error_message, message, context_trigger) as what,
    result as outcome, decision, decided_by, risk_score, risk_level, native_event, hook_point,
    event_id, about, machine_id, user_id
from stream
order by case when getvariable('f_session') is null then cast("timestamp" as date) end,
    machine_id, tool, session_id, place, derived nulls first, event_type, event_id
