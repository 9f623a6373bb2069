-- Everything a session did, in the order of events.
-- passes: by day
-- shows: timestamp session_id event_type what outcome decision action_name agent_type sequence risk_score
-- Narrow it with --session; a whole lake comes day by day.
with
-- A result, or a refusal in its place, names no tool if its call is in another file.
nameless as (
    select distinct machine_id, tool, session_id, call_id
    from stream where event_type in ('Action.After', 'Policy.Blocked') and action_native is null
        and call_id is not null
),
named as (
    select
        s.machine_id, s.tool, s.session_id, s.call_id, arg_min(s.action_name, s.place) as action_name,
        arg_min(coalesce(s.command, s.file_path, s.url, s.query), s.place) as what
    from stream as s
    join nameless as n on s.machine_id is not distinct from n.machine_id and s.tool = n.tool
        and s.session_id = n.session_id and s.call_id = n.call_id
    where s.action_native is not null
    group by all
)
select
    e."timestamp", e.tool, e.session_id, e.sequence, e.event_type, e.agent_id, e.agent_type,
    e.turn_id, e.call_id, coalesce(n.action_name, e.action_name) as action_name,
    coalesce(
        e.command, e.file_path, e.url, e.query, n.what, e.error_message, e.message,
        e.context_trigger
    ) as what,
    e.result as outcome, e.decision, e.decided_by, e.risk_score, e.risk_level, e.native_event,
    e.hook_point, e.event_id, e.about, e.machine_id, e.user_id
from stream as e
left join named as n on e.machine_id is not distinct from n.machine_id and e.tool = n.tool
    and e.session_id = n.session_id and e.call_id = n.call_id
    and e.event_type in ('Action.After', 'Policy.Blocked') and e.action_native is null
order by case when getvariable('f_session') is null then cast(e."timestamp" as date) end,
    e.machine_id, e.tool, e.session_id, e.place, e.derived nulls first, e.event_type, e.event_id
