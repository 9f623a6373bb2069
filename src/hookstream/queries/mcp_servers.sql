-- Which MCP servers were used: their tools, calls, failures and when each was first seen.
-- by: machine
-- keys: server
-- shows: server tool machines users calls failures denied sessions first_seen last_seen tools
-- One row per server. transport, command and url are known where a client reports the
-- connection.
select * exclude (known_before), server as mcp_server,
    not bool_or(known_before) over (partition by server) as is_new
from (
    select
        server, names_by_machine(tool) as tool, count(distinct machine_id) as machines, count(distinct user_id) as users,
        count(*) filter (is_call and heard(first_at, session_id)) as calls,
        count(*) filter (outcome in ('error', 'timeout') and heard(first_at, session_id)) as failures,
        count(*) filter (outcome = 'denied' and heard(first_at, session_id)) as denied,
        count(distinct (machine, tool, session_id)) filter (heard(first_at, session_id)) as sessions,
        min(first_at) as first_seen, max(last_at) as last_seen,
        list_sort(list(distinct action_native) filter (action_native is not null)) as tools,
        max(transport) as transport, max(server_command) as server_command, max(url) as url,
        bool_or(is_before(first_at, session_id)) as known_before,
        by_machine(machine_id) as machine_id, by_machine(user_id) as user_id
    from derived.mcp_servers
    group by all
)
qualify sessions > 0
order by first_seen desc, server, tool, machine_id, user_id
