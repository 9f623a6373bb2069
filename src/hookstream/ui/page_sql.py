"""SQL of the pages that show more than a named question answers."""

from __future__ import annotations

from collections.abc import Container

SEARCH_SQL = """select "timestamp", machine_id, user_id, tool, session_id, event_type, action_name,
    action_native, coalesce(command, file_path, url, query, message) as what,
    coalesce(decision_reason, error_message) as reason, mcp_server, decision, outcome, risk_level,
    cwd, event_id
from events"""
# A question of the fleet; new is what no machine has shown before the last week of the lake, nor on
# its first day: then everything is.
NEW_SQL = """select * replace (min(first_seen) over (partition by {name})
    >= (select greatest(max(last_at) - interval 7 day, min(first_at) + interval 1 day)
        from derived.sessions) as is_new)
from {question}"""
SECRETS_SQL = """select s.* replace (case
    when rotated_on is null then s.state
    when max(s.last_seen) over (partition by s.rule, s.fingerprint) >= rotated_on + interval 1 day
        then 'used after rotation'
    else 'rotated' end as state), rotated_on
from secrets as s left join rotated_secrets using (fingerprint)"""
USAGE_SQL = "from usage"
# What an analyst looks for first; the rest, and hookstream itself, follow.
ORDER_OF_INVENTORY = """list_position(['client', 'model', 'mcp server', 'plugin',
    'skill or instructions', 'tool', 'policy hook', 'policy', 'capture'], "kind"),
    "first_seen" desc, "name", "version" nulls last"""
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
