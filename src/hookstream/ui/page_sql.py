"""SQL of the pages that show more than a named question answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

SEARCH_SQL = """select "timestamp", machine_id, user_id, tool, session_id, event_type, action_name,
    action_native, coalesce(command, file_path, url, query, message) as what,
    coalesce(decision_reason, error_message) as reason, mcp_server, decision, outcome, risk_level,
    cwd, event_id
from events"""
# When something was seen first in the whole lake, on how many machines, and whether that is new: in
# the last day that the lake has.
RARE_SQL = """select * exclude (is_new),
    min(first_seen) over (partition by {name}) as first_in_lake,
    count(distinct machine_id) over (partition by {name}) as on_machines,
    first_in_lake >= (select max(last_at) from derived.sessions) - interval 1 day as is_new
from {question}"""
SECRETS_SQL = """select s.* replace (case
    when rotated_on is null then s.state
    when max(s.last_seen) over (partition by s.rule, s.fingerprint) >= rotated_on + interval 1 day
        then 'used after rotation'
    else 'rotated' end as state), rotated_on
from secrets as s left join rotated_secrets using (fingerprint)"""
USAGE_SQL = "from usage"
# Each way of grouping has one row a session, so that sessions are counted without their ids.
INVENTORY_SQL = """with named as (
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
select kind, name, version, tool, machine_id, user_id, min(first_seen) as first_seen,
    max(last_seen) as last_seen, cast(sum(events) as bigint) as events, count(*) as sessions
from used
where name <> ''
group by all"""
# What an analyst looks for first; the rest, and hookstream itself, follow.
ORDER_OF_INVENTORY = """list_position(['client', 'model', 'mcp server', 'plugin',
    'skill or instructions', 'tool', 'policy hook', 'policy', 'capture'], "kind"), "name",
    "version" nulls last"""
# What an action is about, in one column, and the columns that say it.
ABOUT = ("command", "file_path", "url")
ORDER_OF_FINDINGS = """list_position(['critical', 'high', 'medium', 'low', 'informational'],
    "level"), "timestamp" desc, "finding_id\""""


def what_of(columns: Container[str]) -> str:
    """The SQL of a column `what` over a relation whose rows are about an action; empty where it
    has one, or is not about actions."""
    if "what" in columns or not all(name in columns for name in ABOUT):
        return ""
    names = [*ABOUT, *(["action_native"] if "action_native" in columns else [])]
    return f"coalesce({', '.join(names)})"
