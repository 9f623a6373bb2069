-- One row per call of an MCP server's tool, a connection to a server, or what else names one.
select
    machine_id, user_id, tool, session_id, mcp_server as server, call_id, before_id as event_id,
    has_before or has_after or denied as is_call, action_native, outcome, ran,
    null as transport, null as server_command, null as url, first_at, last_at, machine, call, instance
from base.calls
where mcp_server is not null
union all by name
select
    s.machine_id, coalesce(s.user_id, k.user_id) as user_id, s.tool, s.session_id,
    coalesce(s.mcp_server, s.server_id) as server, s.call_id, s.event_id, false as is_call,
    s.action_native, null as outcome, false as ran, s.transport, s.server_command,
    case when s.hook_point = 'PreMCPConnect' then s.url end as url,
    s."timestamp" as first_at, s."timestamp" as last_at, s.machine, null as call, null as instance
from base.stream as s
join base.known as k using (machine, tool, session_id)
where (s.mcp_server is not null or (s.server_id is not null and s.hook_point = 'PreMCPConnect'))
    and s.derived is distinct from true and not starts_with(s.event_type, 'Action.')
    and s.event_type <> 'Policy.Blocked'
