"""Goose's database and its older files, made here in the form of its source: none was recorded."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from homes import DATA, Told

from hookstream.core.parse import UnreadableLine
from hookstream.normalizers.goose.rules import rules

SCHEMA = """
create table sessions (id text primary key, working_dir text, session_type text, created_at text,
 updated_at text, accumulated_input_tokens integer, accumulated_output_tokens integer,
 parent_session_id text, goose_mode text, model_config_json text);
create table messages (id integer primary key, message_id text, session_id text, role text,
 content_json text, created_timestamp integer, metadata_json text);
"""
LEDGER = """
create table usage_ledger (id integer primary key, session_id text, created_timestamp integer,
 model text, input_tokens integer, output_tokens integer, cache_read_tokens integer,
 cache_write_tokens integer, cost real, is_compaction integer);
insert into usage_ledger values (1, '20261128_1', 1795900010, 'm', 100, 10, 5, 0, 0.0, 0),
 (2, '20261128_1', 1795900020, 'm', 200, 20, 0, 0, 0.25, 1);
"""
DENIED = (
    "Tool call denied by policy hook `guard`: no deletes. "
    "Do not retry; this is a policy denial, not a transient failure."
)
BROKEN = (
    "Tool call blocked because policy hook `guard` could not be evaluated: the hook command failed "
    "to run. That plugin is configured to block when its hook returns no decision."
)
DECLINED = "The user has declined to run this tool. DO NOT attempt to call this tool again."


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def request(number: int) -> dict[str, Any]:
    call = {"name": "developer__shell", "arguments": {"command": f"run {number}"}}
    tool_call = {"status": "success", "value": call}
    return {"type": "toolRequest", "id": f"call_{number}", "toolCall": tool_call}


def result(number: int, words: str, is_error: bool = True) -> dict[str, Any]:
    value = {"content": [text(words)], "isError": is_error}
    return response(number, {"status": "success", "value": value})


def response(number: int, value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "toolResponse", "id": f"call_{number}", "toolResult": value}


def question(number: int) -> dict[str, Any]:
    data = {"actionType": "toolConfirmation", "id": f"call_{number}", "toolName": "x"}
    return {"type": "actionRequired", "data": data}


MESSAGES = [
    ("user", [text("clean up")], {}),
    ("assistant", [text("I will."), *map(request, range(1, 8))], {}),
    ("assistant", [question(4)], {"agentVisible": False}),
    ("user", [result(1, "done", is_error=False), result(2, DENIED), result(3, BROKEN)], {}),
    ("user", [result(4, DECLINED), result(5, DECLINED), result(6, "exit code 1")], {}),
    ("user", [response(7, {"status": "success", "value": [text("old form")]})], {}),
    ("user", [text("a summary of all")], {"userVisible": False}),
]
ENDS = {
    "call_1": ("ok", None, None),
    "call_2": ("denied", "hook", "guard"),
    "call_3": ("denied", "hook", "guard"),
    "call_4": ("denied", "user", None),
    "call_5": ("denied", None, None),
    "call_6": ("error", None, None),
    "call_7": (None, None, None),
}


def database(home: Path, ledger: str = "") -> None:
    path = home / ".local/share/goose/sessions/sessions.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA + ledger)
        session = ["20261128_1", "/home/dev/project", "user", "2026-11-28 12:00:00"]
        rest = ["2026-11-28 12:01:00", 300, 30, None, "auto", '{"model_name": "m"}']
        child = ["20261128_2", "/home/dev/project", "sub_agent", "2026-11-28 12:00:30"]
        parent = ["2026-11-28 12:01:00", None, None, "20261128_1", "auto", None]
        for row in (session + rest, child + parent):
            connection.execute(f"insert into sessions values ({','.join('?' * 10)})", row)
        rows = [("20261128_1", *message) for message in MESSAGES]
        rows.append(("20261128_2", "user", [text("count the files")], {}))
        for number, (session_id, role, content, metadata) in enumerate(rows):
            row = [None, f"m{number}", session_id, role, json.dumps(content)]
            row += [1795900000 + number, json.dumps(metadata)]
            connection.execute("insert into messages values (?,?,?,?,?,?,?)", row)
        connection.commit()


def ends_of(told: Told) -> dict[str, tuple[Any, Any, Any]]:
    facts = [e.facts for e in told.events if e.type in ("Action.After", "Policy.Blocked")]
    return {
        f["call_id"]: (
            "denied" if f.get("decision") == "deny" else f.get("outcome"),
            f.get("decided_by"),
            f.get("guardian"),
        )
        for f in facts
    }


def test_calls_of_the_database_end_as_their_words_say(tmp_path: Path) -> None:
    database(tmp_path, LEDGER)
    told = Told([tmp_path])
    assert ends_of(told) == ENDS
    assert not told.rejections
    assert [e.facts["prompt_length"] for e in told.of("Prompt.Submitted")] == [len("clean up")]
    assert [e.facts["session_id"] for e in told.of("vendor.goose.Task")] == ["20261128_2"]
    assert [e.facts.get("parent_session_id") for e in told.of("Session.Start")] == [
        None,
        "20261128_1",
    ]
    assert len(told.of("Agent.Notification")) == 1


@pytest.mark.parametrize("ledger", ["", LEDGER])
def test_tokens_are_of_the_ledger_or_of_the_sums(ledger: str, tmp_path: Path) -> None:
    database(tmp_path, ledger)
    told = Told([tmp_path])
    spent = [e.facts["input_tokens"] for e in told.of("Model.Responded")]
    sums = [e.facts["input_tokens"] for e in told.of("vendor.goose.UsageTotals")]
    assert (spent, sums) == (([100, 200], []) if ledger else ([], [300]))


def test_a_file_of_an_older_client_says_the_same(tmp_path: Path) -> None:
    folder = tmp_path / ".local/share/goose/sessions"
    shutil.copytree(DATA / "goose/reference", folder)
    told = Told([tmp_path])
    assert ends_of(told) == ENDS
    assert {e.facts["session_id"] for e in told.events} == {"20261128_1"}


def test_permission_rules() -> None:
    data = b"""---
user:
  always_allow:
  - git__status
  ask_before: []
  never_allow:
    - 'developer__shell'
smart_approve:
  always_allow: []
  ask_before:
  - developer__write
  never_allow: []
"""
    listed = [(rule.answer, rule.tools) for rule in rules(data, "permission.yaml")]
    assert listed == [
        ("allow", ("git__status",)),
        ("deny", ("developer__shell",)),
        ("ask", ("developer__write",)),
    ]
    assert list(rules(b"user: {}\n", "permission.yaml")) == []
    with pytest.raises(UnreadableLine):
        list(rules(b"user: [odd, form]\n", "permission.yaml"))
