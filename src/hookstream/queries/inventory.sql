-- What is in use: clients and their versions, models, tools, MCP servers, plugins, skills, policies.
-- by: machine
-- keys: kind name version
-- shows: kind name version tool machines users first_seen last_seen sessions events
-- One row per kind, name and version. The kind capture is hookstream itself.
with named as (
    select tool, machine_id, user_id, tool_version, model_id, policy_id, policy_version,
        "timestamp", hookstream_version as capture, hash(session_id) as session,
        case when event_type = 'Action.Before' then action_native end as used_tool,
        case when mcp_server is not null or hook_point = 'PreMCPConnect'
            then coalesce(mcp_server, server_id) end as server,
        case when hook_point = 'PrePluginLoad' then server_id end as plugin,
        case when hook_point = 'PreSkillLoad' then file_path end as skill,
        case when decided_by = 'hook' then 'policy hook' else 'policy' end as policy_kind
    from events
),
frequent as (
    select tool, machine_id, user_id, tool_version, capture, model_id, used_tool,
        grouping(tool_version) = 0 as is_client,
        min("timestamp") as first_seen, max("timestamp") as last_seen, count(*) as events
    from named
    group by grouping sets (
        (tool, machine_id, user_id, session, tool_version),
        (tool, machine_id, user_id, session, capture),
        (tool, machine_id, user_id, session, model_id),
        (tool, machine_id, user_id, session, used_tool)
    )
),
rare as (
    select tool, machine_id, user_id, server, plugin, skill, policy_kind, policy_id,
        policy_version,
        min("timestamp") as first_seen, max("timestamp") as last_seen, count(*) as events
    from named
    where coalesce(server, plugin, skill, policy_id) is not null
    group by grouping sets (
        (tool, machine_id, user_id, session, server),
        (tool, machine_id, user_id, session, plugin),
        (tool, machine_id, user_id, session, skill),
        (tool, machine_id, user_id, session, policy_kind, policy_id, policy_version)
    )
),
used as (
    select tool, machine_id, user_id, first_seen, last_seen, events,
        case when is_client then 'client' when capture is not null then 'capture'
            when model_id is not null then 'model' else 'tool' end as kind,
        case when is_client then tool when capture is not null then 'hookstream'
            else coalesce(model_id, used_tool) end as name,
        case when is_client then tool_version else capture end as version
    from frequent
    union all by name
    select tool, machine_id, user_id, first_seen, last_seen, events,
        case when server is not null then 'mcp server' when plugin is not null then 'plugin'
            when skill is not null then 'skill or instructions' else policy_kind end as kind,
        coalesce(server, plugin, skill, policy_id) as name, policy_version as version
    from rare
)
select *,
    min(first_seen) over (partition by kind, name, version)
        >= cast(getvariable('f_since') as timestamp) as is_new
from (
    select
        kind, name, version, names_by_machine(tool) as tool,
        count(distinct machine_id) as machines, count(distinct user_id) as users,
        min(first_seen) as first_seen, max(last_seen) as last_seen,
        cast(sum(events) as bigint) as events, count(*) as sessions,
        by_machine(machine_id) as machine_id, by_machine(user_id) as user_id
    from used
    where name <> ''
    group by all
)
order by list_position(['client', 'model', 'mcp server', 'plugin', 'skill or instructions', 'tool', 'policy hook', 'policy', 'capture'], kind), first_seen desc, name, version nulls last, tool, machine_id, user_id
