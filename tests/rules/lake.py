"""A lake in memory for rules: every table that rules are about, filled with a few rows."""

from __future__ import annotations

import json
from typing import Any

import duckdb

from hookstream.lake.columns import COLUMNS
from hookstream.rules.compile import Compiled, compile_rules
from hookstream.rules.evaluate import RuleTables, findings
from hookstream.rules.findings import Finding
from hookstream.rules.load import load
from hookstream.rules.tuning import Tuning
from hookstream.tables.events import TYPES

KEYS = "machine_id varchar, user_id varchar, tool varchar, session_id varchar, "
CALL = "call_id varchar, command varchar, file_path varchar, url varchar, mcp_server varchar, "
TABLES = {
    "calls": f"""{KEYS}{CALL}agent_id varchar, turn_id varchar, action_name varchar,
        action_native varchar, outcome varchar, exit_code bigint, error_message varchar,
        duration_ms double, decision varchar, decided_by varchar, decision_reason varchar,
        matched_rule_id varchar, failure varchar, certainty varchar, evidence varchar[],
        witnesses varchar[], executed_afterwards boolean, first_at timestamp, last_at timestamp,
        sequence bigint, action_category varchar, action_fingerprint varchar,
        permission_mode varchar, cwd varchar, repo varchar, tool_version varchar,
        model_id varchar, input_tokens bigint, output_tokens bigint, risk_score bigint,
        risk_factors varchar[], command_words varchar,
        secrets struct("rule" varchar, "path" varchar, fingerprint varchar)[]""",
    "events": ", ".join(f'"{name}" {TYPES[kind]}' for name, kind in COLUMNS.items()),
    "bypasses": f'{KEYS}{CALL}"timestamp" timestamp, certainty varchar, event_id varchar',
    "failed_open": f'{KEYS}{CALL}"timestamp" timestamp, event_id varchar, failure varchar, '
    "risk_score bigint",
    "asks": f'{KEYS}{CALL}"timestamp" timestamp, event_id varchar, resolution varchar, '
    "waited_ms bigint",
    "compactions": f'{KEYS}"timestamp" timestamp, event_id varchar, completed boolean',
    "gaps": f'{KEYS}gap varchar, "where" varchar, "count" bigint, first_seen timestamp',
    "turns": f"{KEYS}turn_id varchar, started_at timestamp, input_tokens bigint",
    "retry_loops": f"{KEYS}kind varchar, attempts bigint, elapsed_ms bigint, first_at timestamp, "
    "command varchar",
    "first_seen": f"""{KEYS}kind varchar, "value" varchar, "timestamp" timestamp, event_id varchar,
        command varchar, what varchar, machines bigint, lake_machines bigint, age_hours double,
        sent boolean, internal boolean""",
}
TIME = {"calls": "first_at", "gaps": "first_seen", "turns": "started_at", "retry_loops": "first_at"}
START = "2026-11-22 10:00:00"


class Small:
    """One connection with all tables; `fill` replaces their rows."""

    def __init__(self) -> None:
        self.connection = duckdb.connect()
        for name, columns in TABLES.items():
            self.connection.execute(f"create table {name} ({columns})")
        self.lake = RuleTables(self.connection)

    def fill(self, tables: dict[str, list[dict[str, Any]]]) -> RuleTables:
        """Rows are dicts; `at` is minutes after START (their place in the list, if not said)."""
        for name in TABLES:
            self.connection.execute(f"delete from {name}")
        for name, rows in tables.items():
            for number, given in enumerate(rows):
                self._insert(name, number, dict(given))
        self.lake.forget()
        self.lake.table("calls")
        return self.lake

    def _insert(self, name: str, number: int, row: dict[str, Any]) -> None:
        seconds = round(row.pop("at", number) * 60, 3)
        row = {"machine_id": "m", "user_id": "u", "tool": "claude-code", "session_id": "s", **row}
        if name == "calls":
            row.setdefault("sequence", number)
            row.setdefault("evidence", [f"e{number}"])
            if "command" in row:
                row.setdefault("action_category", "shell")
        elif "event_id varchar" in TABLES[name] or name == "events":
            row.setdefault("event_id", f"e{number}")
        names = ", ".join(f'"{key}"' for key in row)
        marks = ", ".join("?" for _ in row)
        column = TIME.get(name, '"timestamp"')
        self.connection.execute(
            f"insert into {name} ({names}, {column}) values ({marks}, "
            f"timestamp '{START}' + to_milliseconds({int(seconds * 1000)}))",
            [json.loads(json.dumps(value)) for value in row.values()],
        )


def calls(*rows: dict[str, Any]) -> RuleTables:
    return Small().fill({"calls": list(rows)})


def compiled(lake: RuleTables, *paths: Any) -> list[Compiled]:
    return compile_rules(load(paths), lake.table)


def found(lake: RuleTables, *paths: Any, tuning: Tuning | None = None) -> list[Finding]:
    return findings(lake, compiled(lake, *paths), tuning)
