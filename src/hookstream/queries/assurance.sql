-- One row a session: how far its record can be relied on, and what of it is missing or contradicted.
-- time: started_at
-- shows: tool session_id assurance reasons started_at user_id machine_id
-- assurance: managed_hooks, user_hooks, project_hooks (whose settings registered what was captured), hooks (not
-- known whose), callbacks, files (session files alone), telemetry (alone). reasons, besides those that the
-- sessions table has: hooks_seen_before, managed_hooks_seen_before (on this machine and client, before this
-- session began: it was started without them), calls_without_hooks (calls that files or telemetry know and the
-- session's hooks do not), hooks_silenced (events that no hook saw, see `gaps`), witnesses_disagree. Hooks run as the user: this shows what is missing, and proves
-- nothing of what was forged.
with
unseen as (
    select coalesce(machine_id, '') as machine, tool, session_id, count(*) as calls
    from derived.calls
    where not list_has_any(witnesses, ['hook', 'wrap', 'callback'])
        and not (outcome in ('answered', 'denied') and decided_by is not distinct from 'mod')
    group by all
),
silenced as (select distinct machine, tool, session_id from derived.silenced),
disagreed as (
    select coalesce(machine_id, '') as machine, tool, session_id, count(*) as calls
    from derived.conflicts
    group by all
)
select
    s.machine_id, s.user_id, s.tool, s.session_id, s.started_at, s.assurance,
    list_concat(
        s.assurance_reasons,
        list_filter(
            [
                case when s.assurance in ('files', 'telemetry') and h.any_at <= s.first_at
                    then 'hooks_seen_before' end,
                case when s.assurance <> 'managed_hooks' and h.managed_at <= s.first_at
                    then 'managed_hooks_seen_before' end,
                case when u.calls > 0 and s.assurance not in ('files', 'telemetry')
                    then 'calls_without_hooks' end,
                case when m.tool is not null then 'hooks_silenced' end,
                case when d.calls > 0 then 'witnesses_disagree' end
            ],
            lambda one: one is not null
        )
    ) as reasons,
    s.witnesses, s.capture_scopes, s.missing_events, coalesce(u.calls, 0) as calls_without_hooks,
    s.actions, s.tool_version, s.attended
from (from derived.sessions where not is_stray) as s
left join base.hooked as h using (machine, tool)
left join unseen as u using (machine, tool, session_id)
left join silenced as m using (machine, tool, session_id)
left join disagreed as d using (machine, tool, session_id)
order by s.started_at desc, s.tool, s.session_id
