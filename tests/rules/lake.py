"""A lake in memory for rules, filled with a few rows."""

from __future__ import annotations

from typing import Any

from hookstream.rules.cases import CaseLake
from hookstream.rules.compile import Compiled, compile_rules
from hookstream.rules.evaluate import RuleTables, findings
from hookstream.rules.findings import Finding
from hookstream.rules.load import load
from hookstream.rules.tuning import Tuning


def calls(*rows: dict[str, Any]) -> RuleTables:
    return CaseLake().fill({"calls": list(rows)})


def compiled(lake: RuleTables, *paths: Any) -> list[Compiled]:
    return compile_rules(load(paths), lake.table)


def found(lake: RuleTables, *paths: Any, tuning: Tuning | None = None) -> list[Finding]:
    return findings(lake, compiled(lake, *paths), tuning)
