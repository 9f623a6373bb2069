-- Events of a client that no hook saw although its hooks see such events: a function inside the
-- client answered them in the hooks' place. One row per session and event; `evidence` is mod (the
-- log of one that observes), telemetry (hooks are registered for the event and none ran) or hooks
-- (they saw the call at its other events: they are not registered for this one, or were silenced).
with
of_clients as (select tool from base.capabilities where has_mods),
ended as (
    select
        r.machine, r.tool, r.session_id, r.call, r.instance,
        bool_or(r.witness = 'hook' and r.is_before) as saw_before,
        bool_or(
            r.witness = 'hook' and r.is_after and r.reported_by is distinct from 'batch'
        ) as saw_end,
        bool_or(r.witness = 'telemetry' and r.is_before) as told_before
    from base.placed as r semi join of_clients using (tool)
    group by r.machine, r.tool, r.session_id, r.call, r.instance
),
calls as (
    select
        c.*, e.saw_before, e.saw_end, e.told_before,
        case c.outcome when 'ok' then 'PostToolUse' when 'error' then 'PostToolUseFailure' end
            as end_event
    from (from base.calls where ran) as c
    join ended as e using (machine, tool, session_id, call, instance)
),
-- What happened, as another witness than the hooks shows it.
happened as (
    select machine, tool, session_id, 'PreToolUse' as hook_event, first_at as moment, saw_before as seen
    from calls
    where told_before
    union all
    select machine, tool, session_id, end_event, last_at, saw_end from calls
    where end_event is not null and list_contains(witnesses, 'telemetry')
    union all
    select
        coalesce(machine_id, ''), tool, session_id, 'UserPromptSubmit', "timestamp", false
    from base.merged
    where event_type = 'Prompt.Submitted' and witness = 'telemetry' and native_event = 'user_prompt'
),
told as (
    select
        coalesce(machine_id, '') as machine, tool, session_id, hook_event,
        bool_or(ends_with(event_type, '.HookRegistered')) as is_registered,
        bool_or(ends_with(event_type, '.HooksRun')) as has_run
    from base.merged
    where hook_event is not null and witness = 'telemetry'
    group by all
),
-- Hooks saw one end of these calls, and not the other.
half_seen as (
    select
        machine, tool, session_id,
        case when saw_end then 'PreToolUse' else end_event end as hook_event, first_at as moment
    from calls
    where saw_before <> saw_end and (saw_end or end_event is not null)
        and not starts_with(coalesce(call_id, ''), 'call-')
),
found as (
    select
        coalesce(machine_id, '') as machine, tool, session_id, hook_event, 'mod' as evidence,
        arg_min(guardian, "timestamp") as guardian,
        arg_min(guardian_scope, "timestamp") as guardian_scope, count(*) as times,
        min("timestamp") as first_at, max("timestamp") as last_at
    from base.merged
    where ends_with(event_type, '.HooksSilenced')
    group by all
    union all by name
    select
        h.machine, h.tool, h.session_id, h.hook_event, 'telemetry' as evidence,
        count(*) as times, min(h.moment) as first_at, max(h.moment) as last_at
    from happened as h
    join told as t using (machine, tool, session_id, hook_event)
    where t.is_registered and not t.has_run
    group by all
    union all by name
    select
        machine, tool, session_id, hook_event, 'hooks' as evidence,
        count(*) as times, min(moment) as first_at, max(moment) as last_at
    from half_seen
    group by all
)
select
    nullif(f.machine, '') as machine_id, k.user_id, f.tool, f.session_id, f.hook_event, f.evidence,
    f.times, f.guardian, f.guardian_scope, f.first_at, f.last_at, f.machine
from found as f
join base.known as k using (machine, tool, session_id)
qualify row_number() over (
    partition by f.machine, f.tool, f.session_id, f.hook_event
    order by case f.evidence when 'mod' then 1 when 'telemetry' then 2 else 3 end
) = 1
