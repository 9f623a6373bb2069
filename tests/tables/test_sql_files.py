"""SQL that changes tables is in files: `tables/sql/`, one a relation, and `tables/sql/steps/`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import hookstream.tables
from hookstream.tables.connection import steps

ROOM = Path(hookstream.tables.__file__).parent
CHANGE = re.compile(r"\b(?:create (?:or replace|table|view|temp)|delete from|insert into)\b")


def test_no_statement_over_several_lines_is_a_string_of_python() -> None:
    long = [
        f"{path.name}:{node.lineno}"
        for path in sorted(ROOM.glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant | ast.JoinedStr)
        and node.end_lineno != node.lineno
        and CHANGE.search(ast.unparse(node))
    ]
    assert not long


def test_every_step_is_run() -> None:
    sources = "".join(path.read_text("utf-8") for path in ROOM.glob("*.py"))
    assert not [name for name in steps() if f'"{name}"' not in sources]
