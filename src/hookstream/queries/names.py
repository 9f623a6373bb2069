"""Names that SQL may use over a stream, and the meaning of its filters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hookstream.tables.relations import NAMED, sources

# What SQL may name as `base.NAME`.
READ = frozenset(("events", *sources()))
# What a row must be to be seen through the filters of a question.
FILTERED = """
(getvariable('f_tool') is null or tool = cast(getvariable('f_tool') as varchar))
and (getvariable('f_session') is null or session_id = cast(getvariable('f_session') as varchar))
and (getvariable('f_machine') is null or machine_id = cast(getvariable('f_machine') as varchar))
and (getvariable('f_user') is null or user_id = cast(getvariable('f_user') as varchar))
"""
# Whether a time is in the span that is asked about.
WITHIN = """
create macro within(t) as (
    (getvariable('f_since') is null or t >= cast(getvariable('f_since') as timestamp))
    and (getvariable('f_until') is null or t < cast(getvariable('f_until') as timestamp))
)
"""
# Whether an event is: by the later of its time and its receipt, since an agent writes the former.
HEARD = """
create macro heard_within(t, heard) as (
    within(t) or (t < cast(getvariable('f_since') as timestamp) and within(heard))
)
"""
# Events that were received in the span, though they say that they are older.
LATE_EVENTS = """
create table base.late_events (event_id varchar, session_id varchar, moment varchar)
"""
# The same of what a row is made of: an event of its session at this time was received in the span,
# though it says that it is older; whether it was there before the span.
HEARD_LATE = """
create macro late(t, session) as (
    concat(session, ' ', epoch_us(t)) in (select moment from base.late_events)
)
"""
HEARD_ROW = "create macro heard(t, session) as (within(t) or late(t, session))"
IS_BEFORE = """
create macro is_before(t, session) as (
    t < cast(getvariable('f_since') as timestamp) and not late(t, session)
)
"""
MACROS = (WITHIN, HEARD, HEARD_LATE, HEARD_ROW, IS_BEFORE)
# A relation of the events within the span that is asked about: as it is kept where that is all of
# them, else derived from what the span leaves.
SPANNED = re.compile(r"\bspanned\.(\w+)")
EVENTS = re.compile(r"\bbase\.(?=(?:events|stream)\b)")
# Events of the span need their session's number too; a sum over answers takes those of the span.
KEYED = re.compile(r"\bbase\.(?=keyed_|token_counts\b)")
UNBOUND = "(getvariable('f_since') is null and getvariable('f_until') is null)"
OF_SPAN = """
create or replace view spanned.{name} as
from base.{name} where {unbound} and {filtered}
union all by name
from (
{text}
) where not {unbound}
"""
# The name of `base` in questions of users that were written up to 0.3.
OLD_BASE = re.compile(r"\bwhole\.(\w+)")
DERIVED = re.compile(r"\bderived\.(\w+)")
WORD = re.compile(r"\w+")
# Tables that have another name than the question that reads them, with all their columns.
MORE = {
    "denied": "denies", "looped": "loops", "compacted": "compactions", "loops": "loops",
    "destinations": "destinations",
}  # fmt: skip
FROM_EVENTS = re.compile(r"\b(?:from|join)\s+(?:events|stream)\b")
SORTED_ANEW = re.compile(
    r"\b(?:group|order)\s+by\b|\b(?:count|sum|min|max|avg)\s*\(", re.IGNORECASE
)
# Words of SQL that lists what there is.
LISTING = frozenset("show describe tables information_schema duckdb_views duckdb_tables".split())
EVERY = LISTING | {"events", "stream"}


def names_events(sql: str) -> bool:
    """Return whether SQL of anybody may read events, or asks for what there is."""
    return not {word.lower() for word in WORD.findall(sql)}.isdisjoint(EVERY)


def reads_events(sql: str) -> bool:
    """Return whether SQL of ours reads events."""
    return FROM_EVENTS.search(sql) is not None


def is_sorted_anew(sql: str) -> bool:
    """Return whether the order in which a question gives its rows does not matter to SQL over
    it.
    """
    return SORTED_ANEW.search(sql) is not None


def without_order(sql: str) -> str:
    """A question of ours that ends in an ORDER BY, without it."""
    head, found, order = sql.rpartition("\norder by ")
    return head if found and "(" not in order and "\n" not in order.rstrip() else sql


def read_in(sql: str) -> set[str]:
    """The relations that SQL names."""
    return {
        name for pattern in (NAMED, OLD_BASE, DERIVED, SPANNED) for name in pattern.findall(sql)
    }


def views_in(sql: str, of_span: bool) -> Iterator[tuple[str, list[str], str]]:
    """Each view `derived.NAME` and `spanned.NAME` in SQL: its name, the relations it is made of,
    the SQL that makes it. Only what is asked `of_span` looks at events, which in a lake of several
    witnesses have to be joined first."""
    kept = "create or replace view {schema}.{name} as from base.{name} where " + FILTERED
    for name in READ.intersection(OLD_BASE.findall(sql)):
        yield f"whole.{name}", [name], f"create or replace view whole.{name} as from base.{name}"
    for name in DERIVED.findall(sql):
        if name in sources():
            yield f"derived.{name}", [name], kept.format(schema="derived", name=name)
    for name in SPANNED.findall(sql):
        if not of_span:
            yield f"spanned.{name}", [name], kept.format(schema="spanned", name=name)
            continue
        text = KEYED.sub("spanned.", EVENTS.sub("", sources()[name]))
        inner = set(SPANNED.findall(text))
        for answers in sorted(one for one in inner if not one.startswith("keyed_")):
            yield from views_in(f"spanned.{answers}", of_span)
        for keyed in sorted(one for one in inner if one.startswith("keyed_")):
            shown = f"create or replace view spanned.{keyed} as\n{EVENTS.sub('', sources()[keyed])}"
            yield f"spanned.{keyed}", ["events", "numbers"], shown
        made = OF_SPAN.format(name=name, unbound=UNBOUND, filtered=FILTERED, text=text)
        yield f"spanned.{name} of_span", [name, "events", *NAMED.findall(sources()[name])], made
