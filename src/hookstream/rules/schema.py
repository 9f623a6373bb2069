"""Tables that a rule can be about (`logsource: {product: hookstream, service: NAME}`), their
columns, and which of these say when, where and who."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches

# Of the columns every finding has; what a table lacks is null.
KEYS = ("machine_id", "user_id", "tool", "session_id")
# What says, of a row, when it was; the first that the table has.
TIMES = ("timestamp", "first_at", "started_at", "first_seen", "at", "last_at", "last_seen")
# What names its event; `evidence` is a list of ids.
EVENTS = ("event_id", "before_id", "deny_id", "denied_event_id", "first_event_id")
# Texts that a keyword without a field is looked for in.
TEXTS = ("command", "file_path", "url", "server_command", "error_message", "decision_reason")
# What a finding shows of its row.
SHOWN = tuple("what command file_path url mcp_server server_id gap message".split())
# Services whose rows of a session depend on nothing but that session.
OF_SESSION = frozenset(
    "calls events prompts agents sessions denies asks compactions turns bypasses failed_open"
    " retry_loops".split()
)


@dataclass(frozen=True)
class RuleTable:
    """A table or view: its SQL name and columns with their DuckDB types."""

    name: str
    relation: str
    columns: dict[str, str] = field(default_factory=dict)
    # What rules have named: a copy of the table needs no more.
    used: set[str] = field(default_factory=set, compare=False)

    def has(self, name: str) -> bool:
        """Return whether there is such a column; it counts as used from then on."""
        if name in self.columns:
            self.used.add(name)
        return name in self.columns

    def nearest(self, name: str) -> str:
        near = get_close_matches(name, self.columns, 1)
        return f", did you mean {near[0]!r}?" if near else ""

    def kind(self, column: str) -> str:
        """text, number, flag, time, list, structs or other."""
        declared = self.columns[column].upper()
        if declared.endswith("[]"):
            return "structs" if declared.startswith("STRUCT") else "list"
        if declared.startswith(("VARCHAR", "ENUM", "UUID")):
            return "text"
        if declared == "BOOLEAN":
            return "flag"
        if declared.startswith(("TIMESTAMP", "DATE")):
            return "time"
        numbers = ("BIGINT", "INTEGER", "DOUBLE", "FLOAT", "DECIMAL", "HUGEINT", "UBIGINT")
        more = ("SMALLINT", "TINYINT", "UINTEGER", "USMALLINT", "UTINYINT", "UHUGEINT")
        return "number" if declared.startswith((*numbers, *more)) else "other"

    def _first(self, names: tuple[str, ...], other: str) -> str:
        return next((f'"{name}"' for name in names if self.has(name)), other)

    @property
    def when(self) -> str:
        return self._first(TIMES, "cast(null as timestamp)")

    @property
    def event(self) -> str:
        if self.has("evidence") and self.kind("evidence") == "list":
            return "evidence[1]"
        return self._first(EVENTS, "cast(null as varchar)")

    def hit(self) -> str:
        """The columns of every hit, as a select list: h_time, h_place, h_event, h_shown, the
        KEYS."""
        keys = [
            f'cast("{key}" as varchar) as {key}' if self.has(key) else f"null::varchar as {key}"
            for key in KEYS
        ]
        place = self._first(("sequence", "first_place", "place"), "null")
        shown = [f'cast("{name}" as varchar)' for name in SHOWN if self.has(name)]
        text = f"coalesce({', '.join([*shown, 'null::varchar'])})"
        return (
            f"cast({self.when} as timestamp) as h_time, try_cast({place} as bigint) as h_place, "
            f"cast({self.event} as varchar) as h_event, {text} as h_shown, {', '.join(keys)}"
        )


def identifier(name: str) -> str:
    """A column's name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as a SQL literal: standard strings have no escape but the doubled quote."""
    return "'" + text.replace("\0", "").replace("'", "''") + "'"
