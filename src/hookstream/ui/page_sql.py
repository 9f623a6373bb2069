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
INVENTORY_SQL = """with of_events as (
    select tool, machine_id, user_id, session_id, tool_version, model_id, mcp_server, server_id,
        file_path, policy_id, policy_version, hook_point, hookstream_version,
        case when decided_by = 'hook' then 'policy hook' else 'policy' end as policy_kind,
        case when event_type = 'Action.Before' then action_native end as used_tool,
        min("timestamp") as first_seen, max("timestamp") as last_seen, count(*) as events
    from (select * replace (case when hook_point = 'PreSkillLoad' then file_path end as file_path)
        from events)
    group by all
),
named as (
    select *, unnest([
        {kind: 'client', name: tool, version: tool_version},
        {kind: 'capture', name: case when hookstream_version is not null then 'hookstream' end,
            version: hookstream_version},
        {kind: 'model', name: model_id, version: null},
        {kind: 'tool', name: used_tool, version: null},
        {kind: 'mcp server', name: case when mcp_server is not null or hook_point = 'PreMCPConnect'
            then coalesce(mcp_server, server_id) end, version: null},
        {kind: 'plugin', name: case when hook_point = 'PrePluginLoad' then server_id end,
            version: null},
        {kind: 'skill or instructions', name: file_path, version: null},
        {kind: policy_kind, name: policy_id, version: policy_version}
    ]) as item
    from of_events
)
select item.kind as kind, item.name as name, item.version as version, tool, machine_id, user_id,
    min(first_seen) as first_seen, max(last_seen) as last_seen,
    cast(sum(events) as bigint) as events, count(distinct session_id) as sessions
from named
where item.name is not null and item.name <> ''
group by all"""
# What an analyst looks for first; the rest, and hookstream itself, follow.
ORDER_OF_INVENTORY = """list_position(['client', 'model', 'mcp server', 'plugin',
    'skill or instructions', 'tool', 'policy hook', 'policy', 'capture'], "kind"), "name",
    "version" nulls last"""
# What an action is about, in one column, and the columns that say it.
ABOUT = ("command", "file_path", "url")
WHAT = f"coalesce({', '.join(ABOUT)})"
ORDER_OF_FINDINGS = """list_position(['critical', 'high', 'medium', 'low', 'informational'],
    "level"), "timestamp" desc, "finding_id\""""


def what_of(columns: Container[str]) -> str:
    """The SQL of a column `what` over a relation whose rows are about an action; empty where it
    has one, or is not about actions."""
    if "what" in columns or not all(name in columns for name in ABOUT):
        return ""
    return WHAT
