"""Findings and facts of commands stored beside the tables: equal to asking anew, and never stale."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.rules import ask as asking
from hookstream.rules import commands
from hookstream.rules.ask import DetectOptions, RuleAnswer, ask
from hookstream.rules.load import pack
from hookstream.rules.stored import StoredCommandFacts
from hookstream.tables.update import update

pytestmark = pytest.mark.long


def call(number: int, command: str) -> list[dict[str, Any]]:
    made = []
    for event in ("PreToolUse", "PostToolUse"):
        payload: dict[str, Any] = {
            "session_id": "s1", "hook_event_name": event, "cwd": "/p", "tool_name": "Bash",
            "tool_input": {"command": command}, "tool_use_id": f"t{number}",
        }  # fmt: skip
        if event == "PostToolUse":
            payload["tool_response"] = {"stdout": "", "stderr": "", "interrupted": False}
        at = f"2026-11-22T{10 + number // 60:02}:{number % 60:02}:00Z"
        made.append({"vendor": "claude-code", "native_event": event, "payload": payload,
                     "received_at": at, "machine": "m1", "user": "ann"})  # fmt: skip
    return made


def add(lake: Path, first: int, *texts: str) -> None:
    """Another part, by one run."""
    records = [one for n, text in enumerate(texts, first) for one in call(n, text)]
    source = lake.with_name(f"captured-{first}.jsonl")
    source.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    execute(Job([str(source)], [f"parquet:{lake}"]))


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    made = tmp_path / "lake"
    add(made, 0, "git push -f origin main", "ls", "rm -rf ~", "crontab -e")
    return made


def found(answer: RuleAnswer) -> list[tuple[Any, ...]]:
    return [one.row() for one in answer.findings]


def no_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the rules were asked again")

    monkeypatch.setattr(asking, "read", refuse)


RULES = tuple(pack() / f"call_{name}.yml" for name in ("forced_push", "mass_delete", "persistence"))
QUESTIONS = [
    DetectOptions(RULES),
    DetectOptions(RULES, level="high"),
    DetectOptions(RULES, since=datetime(2026, 11, 22, 10, 1)),
    DetectOptions(RULES, until=datetime(2026, 11, 22, 10, 1)),
    DetectOptions(RULES, only=frozenset({"call_mass_delete"})),
    DetectOptions(RULES[:1]),
]


@pytest.mark.long
def test_what_is_stored_answers_as_the_rules_do(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = tmp_path / "tuning.toml"
    tuning.write_text('[levels]\ncall_mass_delete = "off"\n[critical]\nusers = ["x"]\n', "utf-8")
    questions = [*QUESTIONS, DetectOptions(RULES, tuning=tuning)]
    without = [found(ask(lake, asked)) for asked in questions]
    assert len(without[0]) >= 3 and without[0] != without[-1]
    assert not lake.with_name("lake.tables").exists()
    update(lake)
    assert [found(ask(lake, asked)) for asked in questions] == without
    no_evaluation(monkeypatch)
    assert [found(ask(lake, asked)) for asked in questions] == without
    (listed,) = ask(lake, QUESTIONS[-1]).rules
    assert listed.title == "Forced Push"


def test_a_new_part_and_a_changed_rule_are_seen(lake: Path, tmp_path: Path) -> None:
    rule = tmp_path / "rule.yml"
    text = (pack() / "call_forced_push.yml").read_text("utf-8")
    rule.write_text(text, "utf-8")
    update(lake)
    before = found(ask(lake, DetectOptions(rules=(rule,))))
    add(lake, 10, "git push --force origin feature")
    assert len(found(ask(lake, DetectOptions(rules=(rule,))))) == len(before) + 1
    rule.write_text(text.replace("level: medium", "level: low"), "utf-8")
    levels = {one.level for one in ask(lake, DetectOptions(rules=(rule,))).findings}
    assert levels == {"low"}


def test_only_new_commands_are_read(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    update(lake)
    ask(lake, DetectOptions(RULES))
    add(lake, 10, "ls", "whoami")
    read: list[str] = []
    real = commands.facts
    monkeypatch.setattr(commands, "facts", lambda text: read.append(text) or real(text))
    ask(lake, DetectOptions(RULES))
    assert read == ["whoami"]


def test_many_parts_of_facts_become_one_and_old_ones_go(tmp_path: Path) -> None:
    stored = StoredCommandFacts(tmp_path)
    stored.folder.mkdir()
    (stored.folder / "0000-old.parquet").write_bytes(b"of another version")
    for number in range(20):
        row = {"command": f"echo {number}", **commands.facts(f"echo {number}")}
        stored.add(pa.Table.from_pylist([row], schema=commands.schema()))
    assert 1 <= len(list(stored.folder.iterdir())) <= 8
    read = stored.read()
    assert read is not None
    assert set(read["command"].to_pylist()) == {f"echo {number}" for number in range(20)}


def test_a_damaged_file_is_computed_again(lake: Path) -> None:
    update(lake)
    before = found(ask(lake, DetectOptions(RULES)))
    stored = lake.with_name("lake.tables")
    for name in ("findings", "commands"):
        for file in (stored / name).glob("*.parquet"):
            file.write_bytes(b"PAR1 torn")
    assert found(ask(lake, DetectOptions(RULES))) == before


def test_stored_findings_that_somebody_emptied_are_computed_again(lake: Path) -> None:
    update(lake)
    before = found(ask(lake, DetectOptions(RULES)))
    assert before
    for file in (lake.with_name("lake.tables") / "findings").glob("*.parquet"):
        pq.write_table(pq.read_table(file).slice(0, 0), file)
    assert found(ask(lake, DetectOptions(RULES))) == before


def test_stored_findings_are_private_and_few(lake: Path) -> None:
    update(lake)
    for number in range(6):
        rule = lake.with_name(f"{number}.yml")
        rule.write_text(RULES[0].read_text("utf-8") + f"# {number}\n", "utf-8")
        ask(lake, DetectOptions((rule,)))
    files = list((lake.with_name("lake.tables") / "findings").iterdir())
    assert 1 <= len(files) <= 4
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
