-- One row per session and plugin that its client loaded, as telemetry or a mod that observes reports.
-- A policy may have refused it, and a plugin need not hold mods. `prevented` counts the events of
-- hooks that it would have answered, had a managed guard not passed it by.
select
    s.machine_id, max(coalesce(s.user_id, k.user_id)) as user_id, s.tool, s.session_id,
    coalesce(s.guardian, split_part(s.server_id, '@', 1)) as plugin,
    max(s.server_id) as plugin_id, max(s.guardian_scope) as scope,
    list_sort(list(distinct coalesce(s.witness, 'hook'))) as witnesses,
    bool_or(s.hook_point = 'PrePluginLoad') as loaded,
    count(distinct s.hook_event) filter (s.hook_point is null) as prevented,
    min(s."timestamp") as first_at, max(s."timestamp") as last_at, s.machine
from base.stream as s
join base.known as k using (machine, tool, session_id)
where starts_with(s.event_type, 'vendor.') and coalesce(s.guardian, s.server_id) is not null
    and (s.hook_point = 'PrePluginLoad'
        or (ends_with(s.event_type, '.TaskNotification') and s.hook_event is not null))
group by s.machine, s.machine_id, s.tool, s.session_id, plugin
