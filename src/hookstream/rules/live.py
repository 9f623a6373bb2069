"""Rules about single rows, evaluated on events as they pass: `run --rules` in a stream.

A call is judged when it begins (Action.Before), before it is known how it ends. Correlations are
asked of the lake that a follower writes (`following`), rules about what only a whole lake shows by
`hookstream detect`. A finding follows its event as a derived Policy.Violation; the same SQL as over
a lake decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from hookstream.core.event import Event
from hookstream.lake.columns import COLUMNS
from hookstream.rules import commands, files, urls
from hookstream.rules.compile import Compiled, Compiler, compiled_of
from hookstream.rules.findings import Finding
from hookstream.rules.load import RuleError, RuleErrors, load, pack
from hookstream.rules.schema import SHOWN, RuleTable
from hookstream.rules.tuning import Tuning
from hookstream.shell.processes import Process
from hookstream.standards.rendered import Rendered

TYPES = {
    "text": "VARCHAR", "int": "BIGINT", "float": "DOUBLE", "flag": "BOOLEAN", "time": "TIMESTAMP",
    "texts": "VARCHAR[]",
    "artifacts": "STRUCT(type VARCHAR, value VARCHAR, source_field VARCHAR)[]",
    "secrets": "STRUCT(rule VARCHAR, path VARCHAR, fingerprint VARCHAR)[]",
}  # fmt: skip
EVENTS = {name: TYPES[kind] for name, kind in COLUMNS.items()}
CALLS = {
    **EVENTS,
    "first_at": "TIMESTAMP",
    "executed_afterwards": "BOOLEAN",
    "evidence": "VARCHAR[]",
    "command_words": "VARCHAR",
    **dict.fromkeys((*commands.LISTS, *urls.LISTS), "VARCHAR[]"),
    **dict.fromkeys(urls.TEXTS, "VARCHAR"),
    commands.PROCESSES: "STRUCT("
    + ", ".join(f"{name} VARCHAR[]" for name in Process._fields)
    + ")[]",
    "file_name": "VARCHAR",
    "file_spellings": "VARCHAR[]",
}
TRIPLES = {
    "secrets": ("rule", "path", "fingerprint"),
    "artifacts": ("type", "value", "source_field"),
}


class Live:
    """Rules ready for events; `skipped` counts those that need more than one row."""

    def __init__(self, places: Sequence[Path] = ()) -> None:
        import duckdb

        self.connection = duckdb.connect(config={"threads": 1})
        rules = load(places or (pack(),))
        self.tuning = Tuning()
        self.tables = {
            "calls": RuleTable("calls", "live_calls", CALLS),
            "events": RuleTable("events", "live_events", EVENTS),
        }
        self.rules: dict[str, list[Compiled]] = {"calls": [], "events": []}
        self.skipped = 0
        self._compile(rules)
        self.asked = {name: self._sql(name) for name in self.rules if self.rules[name]}

    def _compile(self, rules: Any) -> None:
        compiler = Compiler(self.tables.get)
        errors: list[RuleError] = []
        for rule in rules.rules:
            source = getattr(rule, "logsource", None)
            foreign = source is None or (
                source.product == "hookstream" and source.service not in self.tables
            )
            if foreign:
                self.skipped += 1
                continue
            try:
                compiled = compiled_of(compiler, rule)
            except RuleError as error:
                errors.append(error)
                continue
            if compiled is not None and self.tuning.level_of(compiled) != "off":
                self.rules[compiled.table].append(compiled)
        if errors:
            raise RuleErrors(errors)

    def _sql(self, name: str) -> str:
        tests = ", ".join(
            f"case when {rule.where} then {number} end"
            for number, rule in enumerate(self.rules[name])
        )
        return (
            f"select h_row, h_rule from (select h_row, unnest([{tests}]) as h_rule "
            f"from live_{name}) where h_rule is not null order by h_row, h_rule"
        )

    def see(self, groups: list[list[Rendered]]) -> None:
        """Put findings after the events of each group that they are about."""
        events = [item.event for group in groups for item in group]
        found: dict[int, list[Finding]] = {}
        for name in self.asked:
            rows = [event for event in events if name == "events" or event.type == "Action.Before"]
            for event, finding in self._found(name, rows):
                found.setdefault(id(event), []).append(finding)
        if not found:
            return
        for group in groups:
            items: list[Rendered] = []
            for item in group:
                items.append(item)
                items += [Rendered(one.event()) for one in found.get(id(item.event), ())]
            group[:] = items

    def _found(self, name: str, events: list[Event]) -> list[tuple[Event, Finding]]:
        import pyarrow as pa

        if not events:
            return []
        used = [column for column in self.tables[name].columns if column in self.tables[name].used]
        make = call_row if name == "calls" else event_row
        rows = [make(event) for event in events]
        columns = {column: [row.get(column) for row in rows] for column in used}
        table = pa.table(
            {"h_row": pa.array(range(len(rows)), pa.int64())}
            | {
                column: pa.array(columns[column], arrow(self.tables[name], column))
                for column in used
            }
        )
        self.connection.register(f"live_{name}", table)
        try:
            hits = self.connection.execute(self.asked[name]).fetchall()
        finally:
            self.connection.unregister(f"live_{name}")
        pairs = []
        for row, number in hits:
            rule = self.rules[name][number]
            finding = self.tuning.apply(_finding(rule, rows[row]), rule)
            if finding is not None:
                pairs.append((events[row], finding))
        return pairs


def arrow(table: RuleTable, column: str) -> Any:
    import pyarrow as pa

    plain = {"text": pa.string(), "flag": pa.bool_(), "time": pa.timestamp("us")}
    kind = table.kind(column)
    if kind == "number":
        return pa.float64() if table.columns[column] == "DOUBLE" else pa.int64()
    if kind == "structs":
        if column == commands.PROCESSES:
            return commands.processes_type()
        return pa.list_(pa.struct([(part, pa.string()) for part in TRIPLES[column]]))
    return plain.get(kind) or pa.list_(pa.string())


def event_row(event: Event) -> dict[str, Any]:
    """The columns of `events` that an event has; its JSON is left out."""
    row = dict(event.facts)
    row["event_type"], row["hook_point"] = event.type, event.hook_point
    row["timestamp"] = _time(row.get("timestamp"))
    row["received_at"] = _time(row.get("received_at"))
    if event.risk is not None:
        row["risk_score"], row["risk_level"], factors = event.risk
        row["risk_factors"] = list(factors)
    for name, given in (("secrets", event.secrets), ("artifacts", event.artifacts)):
        row[name] = [dict(zip(TRIPLES[name], one, strict=False)) for one in given]
    return row


def call_row(event: Event) -> dict[str, Any]:
    """The columns of `calls` that are known when a call begins."""
    row = event_row(event)
    row["first_at"] = row["timestamp"]
    row["evidence"] = [row["event_id"]]
    if row.get("command") is not None:
        row.update(commands.facts(row["command"]))
    if row.get("url") is not None:
        row.update(urls.parts(row["url"]))
    if row.get("file_path") is not None:
        row.update(files.parts(row["file_path"]))
    return row


def _time(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text).replace("Z", "+00:00")).replace(tzinfo=None)
    except ValueError:
        return None


def _finding(rule: Compiled, row: dict[str, Any]) -> Finding:
    shown = next((str(row[name]) for name in SHOWN if row.get(name)), None)
    who = {name: row.get(name) for name in ("machine_id", "user_id", "tool", "session_id")}
    return Finding(
        rule_id=rule.id,
        title=rule.title,
        level=rule.level,
        timestamp=row["timestamp"],
        event_id=row["event_id"],
        shown=shown,
        events=(row["event_id"],),
        tags=rule.tags,
        atlas=rule.atlas,
        owasp=rule.owasp,
        rule=rule.name,
        **who,
    )
