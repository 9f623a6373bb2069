"""The list pages: the question of each, its filters, and its first columns.

A page is data; `listing.py` renders them all. Every other named question has a page too, at
/q/NAME.
"""

from __future__ import annotations

from dataclasses import dataclass

from hookstream.queries.catalog import queries
from hookstream.ui.page_sql import (
    INVENTORY_SQL,
    ORDER_OF_FINDINGS,
    ORDER_OF_INVENTORY,
    RARE_SQL,
    SEARCH_SQL,
    SECRETS_SQL,
    USAGE_SQL,
    WHAT,
)


@dataclass(frozen=True)
class QuestionPage:
    """`question` is the named question or, with `sql`, only a name; `time` its time column, `shows`
    the columns on the page in order (empty: all), `groups` the columns to group by, `order` the
    default order, `texts` the columns that are searched (empty: all texts), `ids` those that only
    longer texts are looked for in, `also` more columns that an address may filter by, `weight` the
    column that groups add up (empty: they count rows). Rows of a page that is `kept` are derived
    once for a state of the lake; one that is not and has its own `sql` is about single events."""

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
    also: tuple[str, ...] = ()
    weight: str = ""
    kept: bool = True


WHO = ("tool", "user_id", "machine_id")

PAGES = {
    page.key: page
    for page in (
        QuestionPage(
            "denies",
            "Denies",
            "denies",
            "What was denied, by whom and why, and whether it ran anyway.",
            shows=("timestamp", "subject", "action_name", "what", "decided_by", "decision_reason",
                   "certainty", "enforced", "executed_afterwards", *WHO, "session_id", "event_id"),
            sql=f"select *, {WHAT} as what from denies",
            groups=("subject", "certainty", "decided_by", "command", "decision_reason",
                    "matched_rule_id"),
            also=("executed_afterwards",),
            order='"timestamp" desc',
        ),
        QuestionPage(
            "bypasses",
            "Bypasses",
            "bypasses",
            "Denied, then reached another way.",
            shows=("timestamp", "denied_command", "target", "what", "outcome", "link", "decided_by",
                   "decision_reason", "certainty", *WHO, "session_id", "denied_event_id"),
            sql=f"select *, {WHAT} as what from bypasses",
            groups=("link", "target", "decided_by"),
            also=("outcome",),
            order='"timestamp" desc',
        ),
        QuestionPage(
            "findings",
            "Findings",
            "findings",
            "Hits of the rules. What you say of one is kept beside the lake.",
            groups=("status", "level", "title"),
            order=ORDER_OF_FINDINGS,
            sql="select * from findings",
            texts=("title", "shown", "machine_id", "user_id", "session_id", "reason"),
            also=("rule_id", "rule", "finding_id", "event_id"),
        ),
        QuestionPage(
            "sessions",
            "Sessions",
            "sessions",
            "Every session with what it did.",
            time="started_at",
            shows=("started_at", "session_id", *WHO, "duration_ms", "ended_how", "prompts",
                   "actions", "failures", "denies", "compactions", "input_tokens",
                   "output_tokens", "max_risk"),
            groups=("ended_how",),
            order='"max_risk" desc nulls last, "started_at" desc',
        ),
        QuestionPage(
            "loops",
            "Retry loops",
            "retry_loops",
            "The same action again and again: failing, denied or with an unchanged result.",
            time="first_at",
            shows=("first_at", "kind", "action_name", "command", "attempts", "failures",
                   "elapsed_ms", "aborted", "tokens", *WHO, "session_id", "agent_id"),
            groups=("kind", "action_name"),
            order='"attempts" desc',
        ),
        QuestionPage(
            "secrets",
            "Secrets",
            "secrets",
            "Secrets that went through an agent. The fingerprint is a keyed digest of the value."
            " state: open, quiet for 30 days, rotated, or used after rotation.",
            time="last_seen",
            shows=("rule", "fingerprint", "state", "where", "first_seen", "last_seen", "rotated_on",
                   "count", "machines", "users", *WHO, "session_id"),
            sql=SECRETS_SQL,
            groups=("rule", "state", "fingerprint"),
            order='"last_seen" desc',
        ),
        QuestionPage(
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
        QuestionPage(
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
        QuestionPage(
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
        QuestionPage(
            "usage",
            "Usage and cost",
            "usage",
            "Tokens by day, client, model, user and repository. cost_usd is the client's own, else"
            " the list price; empty where a model has none.",
            time="date",
            shows=("date", "tool", "model_id", "user_id", "repo", "sessions", "answers",
                   "input_tokens", "output_tokens", "cache_read_tokens", "cost_usd", "counted"),
            groups=("model_id", "repo", "date"),
            weight="cost_usd",
            order='"date" desc, "cost_usd" desc nulls last',
            sql=USAGE_SQL,
        ),
        QuestionPage(
            "permissions",
            "Permissions",
            "permissions",
            "Who decides, what is always approved, and which rules never match. always_approved and"
            " always_refused: three questions or more with one answer, so that a rule would spare"
            " them; not_told: nothing says who decided; rule_never_matched: a rule in the settings"
            " of this machine that no call met.",
            time=None,
            shows=("finding", "target", "rule", "calls", "asked", "approved", "refused", "ran",
                   "decided_by", "tool", "action_name", "answer", "file", "sessions",
                   "first_seen", "last_seen", "machine_id", "user_id"),
            groups=("finding", "decided_by", "rule", "action_name", "target"),
        ),
        QuestionPage("compactions", "Compactions", "compactions", "What compaction threw away.",
             groups=("trigger", "completed", "certainty"), order='"timestamp" desc'),
        QuestionPage("failed_open", "Failed open", "failed_open",
             "Policy hooks that failed, and what ran without them.", order='"timestamp" desc'),
        QuestionPage(
            "search",
            "Search",
            "search",
            "Full text over commands, files, addresses, reasons and errors.",
            groups=("event_type", "action_name", "decision", "outcome", "risk_level"),
            order='"timestamp" desc',
            sql=SEARCH_SQL,
            shows=("timestamp", "event_type", "what", "action_name", "decision", "outcome",
                   "risk_level", "reason", *WHO, "session_id", "event_id"),
            texts=("what", "reason", "action_native", "mcp_server", "cwd"),
            ids=("session_id", "event_id"),
            kept=False,
        ),
        QuestionPage(
            "inventory",
            "Inventory",
            "inventory",
            "Clients, models, tools, MCP servers, plugins and skills, with first and last use.",
            time="last_seen",
            groups=("kind", "name", "version"),
            order=ORDER_OF_INVENTORY,
            sql=INVENTORY_SQL,
        ),
        QuestionPage("gaps", "Gaps", "gaps", "Why an empty answer may not be trusted.", time=None,
             groups=("gap",)),
    )
}  # fmt: skip

# What the navigation lists, in order; the first path segment of each page.
NAVIGATION = (
    ("", "Overview"),
    ("findings", "Findings"),
    ("rules", "Rules"),
    ("denies", "Denies"),
    ("bypasses", "Bypasses"),
    ("sessions", "Sessions"),
    ("loops", "Loops"),
    ("secrets", "Secrets"),
    ("destinations", "Destinations"),
    ("mcp", "MCP servers"),
    ("packages", "Packages"),
    ("cost", "Cost"),
    ("usage", "Usage"),
    ("permissions", "Permissions"),
    ("inventory", "Inventory"),
    ("gaps", "Gaps"),
    ("search", "Search"),
    ("sql", "SQL"),
    ("saved", "Saved"),
)
# The heading over the entries that follow.
HEADINGS = {
    "denies": "What happened",
    "destinations": "Where it went",
    "cost": "The fleet",
    "search": "Ask",
}


def page_of(key: str) -> QuestionPage | None:
    """The page of a key, or one made for the named question `q/NAME`; None if it does not exist."""
    if key in PAGES:
        page = PAGES[key]
        return page if page.sql or page.question in queries() else None
    name = key.removeprefix("q/")
    asked = queries().get(name)
    if asked is None or key == name:
        return None
    return QuestionPage(
        key, name, name, asked.description, time=asked.time, shows=tuple(asked.shows), kept=False
    )
