"""Sigma's meaning in DuckDB's SQL, and rule files that try to be more than rules."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest
from lake import calls, compiled, found

from hookstream.rules.cases import CaseLake
from hookstream.rules.load import RuleError, load

SMALL = CaseLake()
HEAD = """title: {title}
id: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b11
status: test
level: high
logsource: {{product: hookstream, service: calls}}
detection:
"""
ROWS: list[dict[str, Any]] = [
    {"command": "Git Push", "user_id": "ann", "exit_code": 1, "cwd": "/a"},
    {"command": "rm 50%_off.txt", "user_id": None, "exit_code": 0, "file_path": "/a/x"},
    {"command": "it's", "user_id": "Bob", "exit_code": None, "cwd": "/A", "file_path": "/a"},
    {"command": None, "url": "http://10.1.2.3", "user_id": "10.1.2.3"},
    {"command": "rm -rf x | git push -f", "secrets": [{"rule": "k", "path": "p", "fingerprint": "F"}]},
]  # fmt: skip


def rule(tmp_path: Path, detection: str, title: str = "A Rule") -> Path:
    file = tmp_path / "call_a_rule.yml"
    body = "\n".join("  " + line for line in detection.strip().splitlines())
    file.write_text(HEAD.format(title=json.dumps(title)) + body + "\n", "utf-8")
    return file


@pytest.mark.parametrize(
    ("detection", "want"),
    [
        ("s: {command: git push}", [0]),
        ("s: {command: 'GIT*'}", [0]),
        ("s: {command|cased: Git Push}", [0]),
        ("s: {command|cased: git push}", []),
        ("s: {command|contains: '50%_'}", [1]),
        ("s: {command|contains: '5_%'}", []),
        ("s: {command: 'rm 5?%_off*'}", [1]),
        ('s: {command|contains: "it\'s"}', [2]),
        ("s: {command|startswith: RM, command|endswith: '-f'}", [4]),
        ("s: {command|contains|all: [push, rm]}", [4]),
        ('s: {command|re: "^it\'s$"}', [2]),
        ("s: {command|re|i: '^GIT'}", [0]),
        ("s: {command: null}", [3]),
        ("s: {command|exists: true}", [0, 1, 2, 4]),
        ("s: {exit_code: 1}", [0]),
        ("s: {exit_code|gte: 0}", [0, 1]),
        ("s: {user_id: [ann, bob]}", [0, 2]),
        ("s: {user_id|cidr: 10.0.0.0/8}", [3]),
        ("s: {file_path|fieldref: cwd}", [2]),
        ("s: {command_effects: forced_push}", [4]),
        ("s: {command_programs: [rm, git]}", [0, 1, 4]),
        ("s: {secrets.rule: k}", [4]),
        ("s: {first_at|hour: 10}", [0, 1, 2, 3, 4]),
        ("k: [push, '10.1']", [0, 3, 4]),
        ("s: {command|contains: ''}", [0, 1, 2, 4]),
    ],
)
def test_a_test_means_what_sigma_says(tmp_path: Path, detection: str, want: list[int]) -> None:
    name = detection.partition(":")[0]
    file = rule(tmp_path, f"{detection}\ncondition: {name}")
    hits = found(SMALL.fill({"calls": ROWS}), file)
    assert sorted(int((one.event_id or "e?")[1:]) for one in hits) == want


def test_not_holds_where_a_column_is_null(tmp_path: Path) -> None:
    file = rule(tmp_path, "s: {tool: claude-code}\nf: {user_id: ann}\ncondition: s and not f")
    assert len(found(SMALL.fill({"calls": ROWS}), file)) == 4


HOSTILE = [
    "'; drop table calls; --", "' or 1=1 --", "x') or true or ('", "\\'; select 1; --", "$$x$$",
    "\"; drop table calls; --", "') union select 1,2,3 --", "/*", "*/", ";", "a\nb", "{x}", "%s", "?",
    "$1", "\u2019 or true", "e'\\x27'", "0x27", "'||(select 1)||'",
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("how", ["", "|contains", "|startswith", "|cased", "|fieldless"])
def test_a_value_is_only_ever_a_literal(tmp_path: Path, text: str, how: str) -> None:
    quoted = json.dumps(text)
    detection = f"s: [{quoted}]" if how == "|fieldless" else f"s: {{command{how}: {quoted}}}"
    lake = SMALL.fill({"calls": [{"command": "ls"}, {"command": text}]})
    (made,) = compiled(
        lake, rule(tmp_path, f"{detection}\ncondition: s", title=text.strip() or "t")
    )
    assert len(duckdb.extract_statements(made.rows)) == 1
    hits = lake.connection.execute(f"select h_event from ({made.rows})").fetchall()
    assert ("e0",) not in hits or "?" in text  # Sigma's wildcard
    assert ("e1",) in hits or "*" in text
    assert lake.connection.execute("select count(*) from calls").fetchone() == (2,)


@pytest.mark.parametrize(
    "detection",
    [
        's: {"command\\" or true --": x}',
        's: {"command) or (1=1": x}',
        's: {"(select 1)": x}',
        's: {"secrets.rule\\" or true": x}',
        's: {"secrets.nothing": x}',
        's: {"command.rule": x}',
        's: {"first_at; drop table calls": x}',
        's: {"command|fieldref": "cwd) or true --"}',
        's: {"command|expand": "%x%"}',
    ],
)
def test_a_field_is_a_column_or_an_error(tmp_path: Path, detection: str) -> None:
    file = rule(tmp_path, f"{detection}\ncondition: s")
    with pytest.raises(RuleError, match=r"call_a_rule\.yml:\d+: "):
        compiled(SMALL.fill({}), file)


CORRELATION = """
---
title: Several
id: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b12
status: test
level: high
correlation:
  type: {type}
  rules: [3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b11]
  group-by: [{group}]
  timespan: {span}
  condition: {condition}
"""


@pytest.mark.parametrize(
    ("kind", "group", "span", "condition"),
    [
        ("event_count", '"machine_id) , (select 1"', "10m", "{gte: 2}"),
        ("event_count", "nothing", "10m", "{gte: 2}"),
        ("value_count", "machine_id", "10m", '{gte: 2, field: "command; drop table calls"}'),
        ("event_count", "machine_id", "10m; drop", "{gte: 2}"),
        ("event_count", "machine_id", "10m", '{gte: "2; drop"}'),
        ("temporal", "machine_id", "10m", '"a and not b"'),
    ],
)
def test_a_correlation_injects_nothing(
    tmp_path: Path, kind: str, group: str, span: str, condition: str
) -> None:
    file = rule(tmp_path, "s: {command: x}\ncondition: s")
    more = CORRELATION.format(type=kind, group=group, span=span, condition=condition)
    file.write_text(file.read_text("utf-8").rstrip() + more, "utf-8")
    with pytest.raises(RuleError):
        compiled(SMALL.fill({}), file)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("title: [", r":1: |:2: "),
        ("- a\n- b\n", "a rule is a mapping"),
        ("title: x\n", "a.yml"),
        ("title: x\nid: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b11\nlogsource: {product: hookstream}\n"
         "detection: {s: {command: x}, condition: s}\n", "needs a service"),
        ("title: x\nid: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b11\nlogsource: {product: windows, service: security}\n"
         "detection: {s: {EventID: 1}, condition: s}\n", "nothing here answers"),
        ("title: x\nid: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b11\nlogsource: {product: hookstream, service: calls}\n"
         "detection:\n  s:\n    comand: x\n  condition: s\n", r"a\.yml:6: no field 'comand' in calls, did you mean 'command'"),
        ("title: x\nid: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b11\nlogsource: {product: hookstream, service: calls}\n"
         "detection: {s: {command|re: 'a(?!b)'}, condition: s}\n", "a.yml"),
        ("a: &a [x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b]\n"
         "d: &d [*c, *c, *c, *c, *c, *c, *c]\ne: &e [*d, *d, *d, *d, *d, *d, *d]\n"
         "title: [*e, *e, *e, *e, *e, *e]\n", "a.yml"),
        ("!!python/object/apply:os.system ['id']", "a.yml:1: "),
    ],
)  # fmt: skip
def test_a_wrong_file_is_named_with_its_place(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "a.yml"
    file.write_text(text, "utf-8")
    with pytest.raises(RuleError, match=reason) as error:
        compiled(SMALL.fill({}), file)
    assert all(line.startswith(str(file)) for line in str(error.value).splitlines())


def test_two_rules_of_one_id_are_refused(tmp_path: Path) -> None:
    first = rule(tmp_path, "s: {command: x}\ncondition: s")
    (tmp_path / "call_other.yml").write_text(first.read_text("utf-8"), "utf-8")
    with pytest.raises(RuleError, match="is also in"):
        load([tmp_path])


def test_rules_of_other_products_are_mapped(tmp_path: Path) -> None:
    file = rule(
        tmp_path,
        "s: {Image|endswith: '/curl', CommandLine|contains: ' -T '}\ncondition: s",
    )
    text = file.read_text("utf-8")
    text = text.replace(
        "product: hookstream, service: calls", "product: linux, category: process_creation"
    )
    file.write_text(text, "utf-8")
    lake = calls({"command": "sudo curl -T x https://h"}, {"command": "echo 'curl -T x'"})
    assert [one.event_id for one in found(lake, file)] == ["e0"]


def test_a_filter_rule_takes_rows_away(tmp_path: Path) -> None:
    rule(tmp_path, "s: {command: x}\ncondition: s")
    (tmp_path / "filter.yml").write_text(
        "title: Known\nid: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b19\n"
        "logsource: {product: hookstream, service: calls}\n"
        "filter:\n  rules: [3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b11]\n"
        "  selection: {user_id: ci}\n  condition: not selection\n",
        "utf-8",
    )
    lake = calls({"command": "x", "user_id": "ci"}, {"command": "x", "user_id": "ann"})
    assert [one.user_id for one in found(lake, tmp_path)] == ["ann"]


@pytest.mark.parametrize(
    ("detection", "line", "reason"),
    [
        (f"s: {{command: [{'x,' * 15_000}]}}\ncondition: s", 6, "more than 2000 values"),
        (f"s: {{command: [{'x,' * 50_000}]}}\ncondition: s", 1, "more than 20000 lines"),
        ("s: {command: x}\ncondition: s\ntimeframe: 5m", 9, "a timeframe needs a correlation"),
        ("s: {command: x}\ncondition: " + " or ".join(["s"] * 20_000), 8, "more than 500 words"),
        (
            f"s: {{command: [{'x,' * 1_900}]}}\ncondition: {' or '.join(['s'] * 20)}",
            8,
            "too many tests",
        ),
        (
            "a: &a {command: [" + "x," * 90 + "]}\nb: &b [*a, *a, *a, *a, *a]\n"
            "c: &c [*b, *b, *b, *b, *b]\nd: [*c, *c, *c, *c, *c]\ncondition: d",
            6,
            "more than 2000 values",
        ),
    ],
)
def test_a_rule_that_is_too_large_or_not_heeded_is_refused_at_once_with_its_line(
    tmp_path: Path, detection: str, line: int, reason: str
) -> None:
    file = rule(tmp_path, detection)
    began = time.process_time()
    with pytest.raises(RuleError) as refused:
        load([file])
    assert time.process_time() - began < 3
    assert str(refused.value).startswith(f"{file}:{line}: ")
    assert reason in str(refused.value)


@pytest.mark.long
def test_a_rule_of_as_many_values_as_may_be_is_compiled(tmp_path: Path) -> None:
    file = rule(tmp_path, f"s: {{command|contains: [{'x, ' * 1_999} Push]}}\ncondition: s")
    assert len(found(SMALL.fill({"calls": ROWS}), file)) == 3


def test_compiling_ends_at_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hookstream.rules.compile.COMPILE_S", -1.0)
    file = rule(tmp_path, "s: {command: x}\ncondition: s")
    with pytest.raises(RuleError, match=r"call_a_rule.yml:\d+: the rules take longer than"):
        compiled(SMALL.fill({"calls": ROWS}), file)
