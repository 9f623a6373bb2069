-- Which MCP servers were used: their tools, calls, failures and when each was first seen.
-- One row a client and server. transport, command and url are known where a client tells of the
-- connection.
select
    tool, server,
    count(*) filter (is_call and within(first_at)) as calls,
    count(*) filter (outcome in ('error', 'timeout') and within(first_at)) as failures,
    count(*) filter (outcome = 'denied' and within(first_at)) as denied,
    count(distinct session_id) filter (within(first_at)) as sessions,
    min(first_at) as first_seen, max(last_at) as last_seen,
    list_sort(list(distinct action_native) filter (action_native is not null)) as tools,
    max(transport) as transport, max(server_command) as server_command, max(url) as url,
    machine_id, user_id,
    min(min(first_at)) over (partition by server) >= cast(getvariable('f_since') as timestamp) as is_new
from derived.mcp_servers
group by machine_id, user_id, tool, server
qualify count(*) filter (within(first_at)) > 0
order by first_seen desc, tool, server, machine_id, user_id
