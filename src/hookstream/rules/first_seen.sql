-- What the lake saw when for the first time: hosts, MCP servers, packages, clients, models.
-- age_hours: how old the lake was by then; machines of lake_machines ever used it; sent: data went
-- there. Only what ran counts.
with
ran as (from rule_calls where coalesce(outcome, '') not in ('denied', 'cancelled')),
lake as (select min(first_at) as began, count(distinct machine_id) as lake_machines from ran),
named as (
    select *, 'mcp_server' as kind, mcp_server as value, false as is_sent
    from ran where mcp_server is not null
    union all
    select *, 'client', tool, false from ran where tool is not null
    union all
    select *, 'model', model_id, false from ran where model_id is not null
    union all
    select *, 'package', unnest(command_packages), false from ran
    union all
    select *, 'host', unnest(command_hosts), list_contains(command_effects, 'data_sent') from ran
    union all
    select ran.*, 'host', hosts.host, false
    from ran join rule_url_hosts as hosts using (url)
)
select
    kind, value, min(first_at) as "timestamp",
    arg_min(machine_id, first_at) as machine_id, arg_min(user_id, first_at) as user_id,
    arg_min(tool, first_at) as tool, arg_min(session_id, first_at) as session_id,
    arg_min(sequence, first_at) as sequence, arg_min(rule_event, first_at) as event_id,
    arg_min(command, first_at) as command, kind || ' ' || value as what,
    count(*) as calls, count(distinct machine_id) as machines,
    count(distinct user_id) as users, any_value(lake.lake_machines) as lake_machines,
    date_diff('second', any_value(lake.began), min(first_at)) / 3600.0 as age_hours,
    bool_or(is_sent) as sent,
    kind = 'host' and regexp_matches(
        value,
        '^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?::1\]?$|\[?f[cde][0-9a-f]*:)|\.(?:local|internal|localhost|lan)$'
    ) as internal
from named, lake
where value <> ''
group by kind, value
