-- What the agent asked permission for, how it was answered and how long that took.
-- time: timestamp
-- shows: timestamp tool session_id action_name command resolution decided_by waited_ms
-- approved: the action ran or an override says so; denied: a refusal was observed; else unknown.
select
    ask_at as "timestamp", tool, session_id, call_id, action_name,
    case
        when denied and not ran then 'denied'
        when ran or overridden or after_result is not null then 'approved'
        else 'unknown'
    end as resolution,
    case when denied and not ran then denied_by else override_by end as decided_by,
    case
        when denied and not ran then date_diff('millisecond', ask_at, deny_at)
        when overridden then date_diff('millisecond', ask_at, override_at)
        when ran or after_result is not null then date_diff('millisecond', ask_at, after_at)
    end as waited_ms,
    action_native, command, file_path, url, mcp_server, agent_id, turn_id, ask_id as event_id
from calls_of('asked_rows')
where asked
order by "timestamp", tool, session_id, ask_place, event_id
