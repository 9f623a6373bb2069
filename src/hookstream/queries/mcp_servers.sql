-- Which MCP servers were used: their tools, calls, failures and when each was first seen.
-- One row a client and server. transport, command and url are known where a client tells of the
-- connection.
with
servers as (
    select
        machine_id, user_id, tool, coalesce(mcp_server, server_id) as server, session_id, call_id,
        event_type, action_native, action_name, result, transport, server_command, url, hook_point,
        "timestamp", event_id
    from derived.stream
    where mcp_server is not null or (server_id is not null and hook_point = 'PreMCPConnect')
)
select
    tool, server,
    count(distinct (session_id, coalesce(call_id, event_id)))
        filter (
            (starts_with(event_type, 'Action.') or event_type = 'Policy.Blocked')
            and within("timestamp")
        ) as calls,
    count(*) filter (event_type = 'Action.After' and result in ('error', 'timeout')
        and within("timestamp")) as failures,
    count(*) filter (
        (event_type = 'Policy.Blocked' or (event_type = 'Action.After' and result = 'denied'))
        and within("timestamp")
    ) as denied,
    count(distinct session_id) filter (within("timestamp")) as sessions,
    min("timestamp") as first_seen, max("timestamp") as last_seen,
    list_sort(list(distinct action_native) filter (action_native is not null)) as tools,
    max(transport) as transport, max(server_command) as server_command,
    max(url) filter (hook_point = 'PreMCPConnect') as url,
    machine_id, user_id,
    min(min("timestamp")) over (partition by server) >= cast(getvariable('f_since') as timestamp) as is_new
from servers
group by machine_id, user_id, tool, server
having count(*) filter (within("timestamp")) > 0
order by first_seen, tool, server, machine_id, user_id
