"""The list pages: which question each shows, what it is narrowed by, and which columns come first.

A page is data; `listing.py` renders them all. A named question without a page of its own has one
too, at /q/NAME.
"""

from __future__ import annotations

from dataclasses import dataclass

from hookstream.queries.catalog import queries


@dataclass(frozen=True)
class Page:
    """`question` is the named question or, with `sql`, only a name; `time` its time column, `shows`
    the columns on the page in order (empty: all), `groups` the columns to group by, `order` the
    default order, `texts` the columns that are searched (empty: all texts), `ids` those that only
    longer texts are looked for in. Rows of a page that is `kept` are derived once for a state of
    the lake; one that is not and has its own `sql` is about single events."""

    key: str
    title: str
    question: str
    lead: str = ""
    time: str | None = "timestamp"
    shows: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    order: str = ""
    sql: str = ""
    texts: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    kept: bool = True


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
USAGE_SQL = """select u.*, round(
    coalesce(input_tokens, 0) * input_usd + coalesce(output_tokens, 0) * output_usd
        + coalesce(cache_read_tokens, 0) * cache_read_usd, 4
) as cost_usd
from usage as u left join model_prices using (tool, model_id)"""
INVENTORY_SQL = """with of_events as (
    select tool, machine_id, user_id, session_id, tool_version, model_id, mcp_server, server_id,
        file_path, policy_id, policy_version, hook_point, hookstream_version,
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
        {kind: 'policy hook', name: policy_id, version: policy_version}
    ]) as item
    from of_events
)
select item.kind as kind, item.name as name, item.version as version, tool, machine_id, user_id,
    min(first_seen) as first_seen, max(last_seen) as last_seen,
    cast(sum(events) as bigint) as events, count(distinct session_id) as sessions
from named
where item.name is not null and item.name <> ''
group by all"""

WHO = ("machine_id", "user_id", "tool")

PAGES = {
    page.key: page
    for page in (
        Page(
            "denies",
            "Denies",
            "denies",
            "What was denied, by whom and why, and whether it ran anyway.",
            shows=("timestamp", *WHO, "session_id", "action_name", "command", "file_path", "url",
                   "decided_by", "decision_reason", "certainty", "executed_afterwards", "event_id"),
            groups=("certainty", "decided_by", "command", "decision_reason", "matched_rule_id"),
            order='"timestamp" desc',
        ),
        Page(
            "bypasses",
            "Bypasses",
            "bypasses",
            "Denied, then reached another way.",
            groups=("how",),
        ),
        Page(
            "sessions",
            "Sessions",
            "sessions",
            "Every session with what it did.",
            time="started_at",
            shows=("started_at", *WHO, "session_id", "duration_ms", "ended_how", "prompts",
                   "actions", "failures", "denies", "compactions", "input_tokens",
                   "output_tokens", "max_risk"),
            groups=("ended_how",),
            order='"max_risk" desc nulls last, "started_at" desc',
        ),
        Page(
            "loops",
            "Retry loops",
            "retry_loops",
            "The same action again and again: failing, denied or with an unchanged result.",
            time="first_at",
            groups=("kind", "action_name"),
            order='"attempts" desc',
        ),
        Page(
            "secrets",
            "Secrets",
            "secrets",
            "Secrets that went through an agent. The fingerprint is a keyed digest of the value."
            " state: open, quiet for 30 days, rotated, or used after rotation.",
            time="last_seen",
            sql=SECRETS_SQL,
            groups=("rule", "state", "fingerprint"),
            order='"last_seen" desc',
        ),
        Page(
            "destinations",
            "Destinations",
            "egress",
            "Hosts that commands and URLs name, the rarest first.",
            time="last_seen",
            shows=("host", "first_in_lake", "on_machines", "is_new", "via", "calls", "ran",
                   "denied", "internal", "max_risk", "example", "machine_id", "user_id", "tool"),
            groups=("host", "via", "is_new", "internal"),
            order='"internal", "on_machines", "first_in_lake" desc',
            sql=RARE_SQL.format(name="host", question="egress"),
        ),
        Page(
            "mcp",
            "MCP servers",
            "mcp_servers",
            "Servers that were called or connected, the rarest first.",
            time="last_seen",
            shows=("server", "first_in_lake", "on_machines", "is_new", "calls", "failures",
                   "denied", "sessions", "tools", "transport", "server_command", "url",
                   "machine_id", "user_id", "tool"),
            groups=("server", "is_new"),
            order='"on_machines", "first_in_lake" desc',
            sql=RARE_SQL.format(name="server", question="mcp_servers"),
        ),
        Page(
            "packages",
            "Packages",
            "packages",
            "Packages that agents installed, the rarest first.",
            time="last_seen",
            shows=("package", "manager", "first_in_lake", "on_machines", "is_new", "calls", "ran",
                   "denied", "sessions", "example", "machine_id", "user_id", "tool"),
            groups=("manager", "package", "is_new"),
            order='"on_machines", "first_in_lake" desc',
            sql=RARE_SQL.format(name="manager, package", question="packages"),
        ),
        Page(
            "usage",
            "Usage and cost",
            "usage",
            "Tokens by day, client, model, user and repository. cost_usd is the list price, without"
            " tiers for long contexts; empty where a model has none.",
            time="date",
            shows=("date", "tool", "model_id", "user_id", "repo", "sessions", "answers",
                   "input_tokens", "output_tokens", "cache_read_tokens", "cost_usd", "counted"),
            groups=("model_id", "repo"),
            order='"date" desc, "cost_usd" desc nulls last',
            sql=USAGE_SQL,
        ),
        Page(
            "permissions",
            "Permissions",
            "permissions",
            "Who decides, what is always approved, and which rules never match.",
            time=None,
        ),
        Page("compactions", "Compactions", "compactions", "What compaction threw away.",
             groups=("trigger", "completed", "certainty"), order='"timestamp" desc'),
        Page("failed_open", "Failed open", "failed_open",
             "Policy hooks that failed, and what ran without them.", order='"timestamp" desc'),
        Page(
            "search",
            "Search",
            "search",
            "Full text over commands, files, addresses, reasons and errors.",
            groups=("event_type", "action_name", "decision", "outcome", "risk_level"),
            order='"timestamp" desc',
            sql=SEARCH_SQL,
            texts=("what", "reason", "action_native", "mcp_server", "cwd"),
            ids=("session_id", "event_id"),
            kept=False,
        ),
        Page(
            "inventory",
            "Inventory",
            "inventory",
            "Clients, models, tools, MCP servers, plugins and skills, with first and last use.",
            time="last_seen",
            groups=("kind", "name", "version"),
            order='"kind", "name", "version" nulls last',
            sql=INVENTORY_SQL,
        ),
        Page("gaps", "Gaps", "gaps", "Why an empty answer may not be trusted.", time=None,
             groups=("gap",)),
    )
}  # fmt: skip

# What the navigation lists, in order; the first path segment of each page.
NAVIGATION = (
    ("", "Overview"),
    ("denies", "Denies"),
    ("bypasses", "Bypasses"),
    ("findings", "Findings"),
    ("sessions", "Sessions"),
    ("loops", "Loops"),
    ("secrets", "Secrets"),
    ("destinations", "Destinations"),
    ("mcp", "MCP"),
    ("packages", "Packages"),
    ("usage", "Usage"),
    ("permissions", "Permissions"),
    ("inventory", "Inventory"),
    ("gaps", "Gaps"),
    ("search", "Search"),
    ("sql", "SQL"),
    ("saved", "Saved"),
)


def page_of(key: str) -> Page | None:
    """The page of a key, or one made for the named question `q/NAME`; None where there is none."""
    if key in PAGES:
        page = PAGES[key]
        return page if page.sql or page.question in queries() else None
    name = key.removeprefix("q/")
    asked = queries().get(name)
    if asked is None or key == name:
        return None
    return Page(
        key, name, name, asked.description, time=asked.time, shows=tuple(asked.shows), kept=False
    )
