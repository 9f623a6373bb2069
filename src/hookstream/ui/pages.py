"""The list pages: the question of each, its filters, and its first columns.

A page is data; `listing.py` renders them all. Every other named question has a page too, at
/q/NAME.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from hookstream.queries.catalog import Query, by, finer_names, queries
from hookstream.ui.page_sql import (
    ABOUT,
    NEW_SQL,
    ORDER_OF_FINDINGS,
    ORDER_OF_INVENTORY,
    SEARCH_SQL,
    SECRETS_SQL,
    USAGE_SQL,
)


@dataclass(frozen=True)
class QuestionPage:
    """`question` is the named question or, with `sql`, only a name; `time` its time column, `shows`
    the columns on the page in order (empty: those its question declares), `groups` the columns to
    group by, `order` the default order, `texts` the columns that are searched (empty: all texts),
    `ids` those that only longer texts are looked for in, `weight` the column that groups add up
    (empty: they count rows), `level` how finely rows of the fleet are told apart. Rows of a page
    that is `kept` are derived once for a state of the lake; one that is not and has its own `sql`
    is about single events."""

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
    weight: str = ""
    kept: bool = True
    level: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that name what a row of the fleet is about; empty for rows of one machine."""
        asked = queries().get(self.question)
        return tuple(asked.keys) if asked and not self.level else ()

    def apart(self, level: str) -> QuestionPage:
        """The page with rows of a level, such as machine. Raises QueryError for one that its
        question does not have."""
        asked = queries().get(self.question)
        if asked is None or not level:
            return self
        finer = by(asked, level)
        if finer is asked:
            return self
        finer_name = f"{asked.name}_by_{level}"
        shows = tuple(finer_names(self.shows, level))
        sql = self.sql.replace(f"from {asked.name}", f"from {finer_name}")
        return replace(self, level=level, shows=shows, sql=sql or f"from {finer_name}")


PAGES = {
    page.key: page
    for page in (
        QuestionPage(
            "denies",
            "Denies",
            "denies",
            "What was denied, by whom and why, and whether it ran anyway.",
            sql="select * from denies",
            groups=("executed_afterwards", "decided_by", "certainty", "subject", "action_name",
                    "decision_reason", "matched_rule_id"),
            order='"timestamp" desc',
        ),
        QuestionPage(
            "bypasses",
            "Bypasses",
            "bypasses",
            "Denied, then reached another way.",
            sql="select * from bypasses",
            groups=("link", "target", "decided_by"),
            order='"timestamp" desc',
        ),
        QuestionPage(
            "findings",
            "Findings",
            "findings",
            "Hits of the rules. Status and notes are stored next to the lake.",
            groups=("status", "level", "title"),
            order=ORDER_OF_FINDINGS,
            sql="select * from findings",
            texts=("title", "shown", "machine_id", "user_id", "session_id", "reason"),
        ),
        QuestionPage(
            "sessions",
            "Sessions",
            "sessions",
            "Every session with what it did.",
            time="started_at",
            groups=("ended_how",),
            order='"started_at" desc',
        ),
        QuestionPage(
            "loops",
            "Retry loops",
            "retry_loops",
            "The same action again and again: failing, denied or with an unchanged result.",
            time="first_at",
            groups=("kind", "action_name"),
            order='"first_at" desc',
        ),
        QuestionPage(
            "secrets",
            "Secrets",
            "secrets",
            "Secrets that went through an agent. The fingerprint is a keyed digest of the value."
            " state: open, quiet for 30 days, rotated, or used after rotation.",
            time="last_seen",
            shows=tuple((
                "last_seen tool user_id rule state fingerprint where count machines users "
                "first_seen rotated_on machine_id session_id"
            ).split()),
            sql=SECRETS_SQL,
            groups=("rule", "state", "fingerprint"),
            order='"last_seen" desc',
        ),
        QuestionPage(
            "destinations",
            "Destinations",
            "egress",
            "Hosts that commands and URLs name, outside ones and the newest first.",
            time="last_seen",
            shows=tuple((
                "host machines users is_new first_seen last_seen via calls ran denied internal "
                "max_risk example tool"
            ).split()),
            groups=("host", "via", "is_new", "internal"),
            order='"internal", "first_seen" desc, "host"',
            sql=NEW_SQL.format(name="host", question="egress"),
        ),
        QuestionPage(
            "mcp",
            "MCP servers",
            "mcp_servers",
            "MCP servers that were called or connected, the newest first.",
            time="last_seen",
            shows=tuple((
                "server machines users is_new first_seen last_seen tool calls failures denied "
                "sessions tools transport server_command url"
            ).split()),
            groups=("server", "is_new"),
            order='"first_seen" desc, "server"',
            sql=NEW_SQL.format(name="server", question="mcp_servers"),
        ),
        QuestionPage(
            "packages",
            "Packages",
            "packages",
            "Packages that agents installed, the newest first.",
            time="last_seen",
            shows=tuple((
                "package manager machines users is_new first_seen last_seen tool calls ran denied "
                "sessions example"
            ).split()),
            groups=("manager", "package", "is_new"),
            order='"first_seen" desc, "manager", "package"',
            sql=NEW_SQL.format(name="manager, package", question="packages"),
        ),
        QuestionPage(
            "usage",
            "Usage and cost",
            "usage",
            "Tokens by day, client, model, user and project. cost_usd is the client's own, else"
            " the list price; empty where a model has none.",
            time="date",
            shows=tuple((
                "date tool model_id user_id cost_usd input_tokens output_tokens "
                "cache_read_tokens answers sessions project counted machine_id"
            ).split()),
            groups=("model_id", "project", "date"),
            weight="cost_usd",
            order='"date" desc, "cost_usd" desc nulls last',
            sql=USAGE_SQL,
        ),
        QuestionPage(
            "permissions",
            "Permissions",
            "permissions",
            "Who decides, what is always approved, and which rules never match. Always approved or"
            " refused: three questions or more with one answer, so that a rule would spare them;"
            " not told: nothing says who decided; rule never matched: a rule in the settings of"
            " this machine that no call met.",
            time=None,
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
            shows=tuple((
                "timestamp tool user_id what event_type outcome decision reason action_name "
                "risk_level machine_id session_id event_id"
            ).split()),
            texts=("what", "reason", "action_native", "mcp_server", "cwd"),
            ids=("session_id", "event_id"),
            kept=False,
        ),
        QuestionPage(
            "inventory",
            "Inventory",
            "inventory",
            "Versions of clients, models, tools, MCP servers, plugins and skills, the newest of"
            " each kind first.",
            time="last_seen",
            shows=tuple((
                "kind name version machines users is_new first_seen last_seen tool sessions "
                "events"
            ).split()),
            groups=("kind", "name", "version", "is_new"),
            order=ORDER_OF_INVENTORY,
            sql=NEW_SQL.format(name="kind, name, version", question="inventory"),
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
    ("sessions", "Sessions"),
    ("q/waiting", "Waiting"),
    ("gaps", "Gaps"),
    ("search", "Search"),
    ("sql", "SQL"),
    ("saved", "Saved"),
    ("q", "All questions"),
    ("denies", "Denies"),
    ("bypasses", "Bypasses"),
    ("q/asks", "Asks"),
    ("q/decisions", "Decisions"),
    ("failed_open", "Failed open"),
    ("loops", "Loops"),
    ("q/errors", "Errors"),
    ("compactions", "Compactions"),
    ("destinations", "Destinations"),
    ("mcp", "MCP servers"),
    ("packages", "Packages"),
    ("secrets", "Secrets"),
    ("q/sensitive_files", "Sensitive files"),
    ("cost", "Cost"),
    ("usage", "Usage"),
    ("q/costs", "Bill"),
    ("permissions", "Permissions"),
    ("q/risky_modes", "Risky modes"),
    ("q/tools", "Tools"),
    ("q/mods", "Mods"),
    ("inventory", "Inventory"),
    ("q/calls", "Calls"),
    ("q/prompts", "Prompts"),
    ("q/turns", "Turns"),
    ("q/agents", "Sub-agents"),
    ("q/timeline", "Timeline"),
    ("q/replay", "Replay"),
    ("q/context_pressure", "Context windows"),
    ("q/assurance", "Assurance"),
    ("q/coverage", "Coverage"),
    ("q/conformance", "Conformance"),
    ("q/unmapped", "Unmapped fields"),
)
# The heading over the entries that follow.
HEADINGS = {
    "denies": "What happened",
    "destinations": "Where it went",
    "cost": "The fleet",
    "q/calls": "Inside sessions",
    "q/assurance": "Evidence",
}
# Headings whose entries are folded away unless one of them is the page.
FOLDED = ("Inside sessions", "Evidence")
# Of pages that are not questions.
LEADS = {
    "": "Events and denies over time, what is new, and how complete the record is.",
    "rules": "Own and shipped rules with their level, status and findings.",
    "cost": "What the tokens cost, by day, client, model, project and user.",
    "sql": "One SELECT over every table, with completion.",
    "saved": "Pages with their filters under a name.",
    "q": "Every question with what it answers.",
}
OWN = "Own questions"
# The order of questions about one session: that of events.
ORDERS = {"timeline": '"timestamp", "sequence"', "replay": '"session_id", "step"'}
# Questions without a time of rows for the terminal, whose rows are single events all the same.
TIMES = {"timeline": "timestamp"}
# Questions whose rows are read as they are: tables have them, or there are too many to keep.
READ = ("calls", "prompts", "timeline")
# The end of a question that names columns, the first of which orders its rows.
LAST_ORDER = re.compile(r'\norder by (?:\w\.)?"?(\w+)"?( desc)?(?:[^\n]|\n )*\s*\Z')


def page_of(key: str) -> QuestionPage | None:
    """The page of a key, or one made for the named question `q/NAME`; None if it does not exist."""
    if key in PAGES:
        page = PAGES[key]
        return page if page.sql or page.question in queries() else None
    name = key.removeprefix("q/")
    asked = queries().get(name)
    if asked is None or key == name:
        return None
    title = dict(NAVIGATION).get(key, name)
    return QuestionPage(
        key,
        title,
        name,
        asked.description,
        time=asked.time or TIMES.get(name),
        order=_order_of(asked),
        sql=f"from {name}" if name in TIMES else "",
        kept=not asked.own and name not in READ,
    )


def _order_of(asked: Query) -> str:
    """The order of a question's rows on its page: the newest first, else by the first column that
    its SQL sorts by."""
    time = asked.time or TIMES.get(asked.name)
    if time is not None:
        return f'"{time}" desc'
    if asked.name in ORDERS:
        return ORDERS[asked.name]
    found = LAST_ORDER.search(asked.sql)
    return f'"{found[1]}"{found[2] or ""} nulls last' if found else ""


def groups() -> list[tuple[str, list[tuple[str, str, str]]]]:
    """The navigation as (heading, [(key, title, description)]): every page and every question,
    also those of the user, who may have given them names of ours."""
    made: list[tuple[str, list[tuple[str, str, str]]]] = [("", [])]
    for key, title in NAVIGATION:
        if key in HEADINGS:
            made.append((HEADINGS[key], []))
        page = page_of(key)
        if page is not None or key in LEADS:
            made[-1][1].append((key, title, page.lead if page else LEADS[key]))
    own = [(f"q/{n}", n, one.description) for n, one in queries().items() if one.own]
    return [*made, (OWN, own)] if own else made


def decisive(page: QuestionPage, columns: Iterable[str]) -> list[str]:
    """The columns that a page shows by itself, in order, of those that its rows have: when, tool,
    who, then as the question declares for a terminal too; which machine and session last."""
    known = list(columns)
    asked = queries().get(page.question)
    names = list(page.shows) or list(asked.shows if asked else ())
    if not names:
        return known
    if asked and asked.keys:
        names = finer_names(names, page.level)
    elif not page.shows:
        if "what" in known:
            names = ["what" if name == "command" else name for name in names]
            names = [name for name in names if name not in ABOUT]
        if page.time and asked and asked.time:
            names = [page.time, "tool", "user_id", *names]
        elif "session_id" in known and "tool" in names:
            at = names.index("tool") + 1
            names = [*names[:at], "user_id", *names[at:]]
        ends = ["user_id", "machine_id", "session_id"]
        # Rows of many sessions in one order: which one matters at once.
        if names[1:2] == ["session_id"]:
            ends.remove("session_id")
        names = [name for name in names if name not in ends[1:]] + ends
    return [name for name in dict.fromkeys(names) if name in known]
