-- One row per failure: a call that failed (`calls`), whoever reports it and how often, and each
-- error that is about no such call. What was refused did not fail, nor did a call that the witness
-- believed most has as a success.
with
ends as (
    select
        p.machine, p.tool, p.session_id, p.call, p.instance,
        arg_max(p.event_id, (p.place, p.event_id)) as event_id,
        arg_max(p.native_event, (p.place, p.event_id)) as native_event,
        arg_max(p."timestamp", (p.place, p.event_id)) as "timestamp", max(p.place) as place
    from base.placed as p
    where p.is_after and p.result in ('error', 'timeout')
    group by all
),
failed as (
    select
        e.*, c.call_id, c.error_message, c.exit_code, c.action_name, c.action_native, c.command,
        c.file_path, c.url, c.agent_id, c.turn_id, c.model_id, c.machine_id, c.user_id
    from ends as e
    join base.calls as c using (machine, tool, session_id, call, instance)
    where c.outcome in ('error', 'timeout')
)
select
    "timestamp", tool, session_id, call_id, 'ToolFailed' as error_type,
    cast(null as varchar) as error_code, error_message, exit_code, 'Action.After' as origin_event,
    action_name, action_native, command, file_path, url, agent_id, turn_id, model_id,
    native_event, event_id, machine_id, user_id, machine, place
from failed
union all by name
select
    s."timestamp", s.tool, s.session_id, s.call_id, s.error_type, s.error_code, s.error_message,
    s.exit_code, s.origin_event, s.action_name, s.action_native, s.command, s.file_path, s.url,
    s.agent_id, s.turn_id, s.model_id, s.native_event, s.event_id, s.machine_id, s.user_id,
    s.machine, s.place
from base.stream as s
anti join failed as f
    on s.machine = f.machine and s.tool = f.tool and s.session_id = f.session_id
    and s.call_id = f.call_id
where s.event_type = 'Agent.Error'
    and not (coalesce(s.derived, false) and s.origin_event is not distinct from 'Action.After')
