"""What SQL may name over a stream, and what its filters mean."""

from __future__ import annotations

import re

from hookstream.tables.relations import sources

# What SQL may name as `whole.NAME`.
READ = frozenset(("events", *sources()))
# What a row must be to be seen through the filters of a question.
FILTERED = """
(getvariable('f_tool') is null or tool = cast(getvariable('f_tool') as varchar))
and (getvariable('f_session') is null or session_id = cast(getvariable('f_session') as varchar))
and (getvariable('f_machine') is null or machine_id = cast(getvariable('f_machine') as varchar))
and (getvariable('f_user') is null or user_id = cast(getvariable('f_user') as varchar))
"""
# Whether a time lies in the span that is asked about.
WITHIN = """
create macro within(t) as (
    (getvariable('f_since') is null or t >= cast(getvariable('f_since') as timestamp))
    and (getvariable('f_until') is null or t < cast(getvariable('f_until') as timestamp))
)
"""
DERIVED = re.compile(r"\bderived\.(\w+)")
WORD = re.compile(r"\w+")
# Tables that have another name than the question that reads them, with all their columns.
MORE = {
    "denied": "denies", "looped": "loops", "compacted": "compactions", "loops": "loops",
    "destinations": "destinations",
}  # fmt: skip
# Words of SQL that lists what there is.
LISTING = frozenset("show describe tables information_schema duckdb_views duckdb_tables".split())
