"""A client without any hook of ours: its session files say what its hooks say in a run with them,
call by call, and more."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from clients import runs
from clients.runs import Run

pytestmark = pytest.mark.clients
NAMES = tuple("claude-code codex gemini-cli copilot qwen-code auggie grok-build kilo droid".split())
# Their tokens are of turns or of sessions, and compared over recordings.
UNCOUNTED = ("grok-build", "droid")
TOKENS = (
    "select coalesce(sum(input_tokens), 0) as input, coalesce(sum(output_tokens), 0) as output "
    "from events where event_type = 'Model.Responded'"
)
Row = dict[str, Any]


@pytest.fixture
def reader(client: str) -> str:
    if client not in NAMES:
        pytest.skip(f"{client}: its session files are compared over recordings alone")
    return client


def backfilled(run: Run) -> Path:
    """The lake of what the session files in the run's home say."""
    lake = run.home / "backfilled"
    if not lake.exists():
        words = ["backfill", run.agent.name, "--since", "all", "--home", str(run.home)]
        done = run.command(*words, "--to", f"parquet:{lake}")
        assert done.returncode == 0, done.stderr
    return lake


def asked(run: Run, question: str) -> list[Row]:
    words = ["query", question, str(backfilled(run)), "--format", "json"]
    done = run.command(*words)
    assert done.returncode == 0, done.stderr
    rows: list[Row] = json.loads(done.stdout)
    return rows


def key(row: Row) -> tuple[str, str]:
    """What a call was, whoever tells of it; paths as they are below the project. Codex's hooks put
    the namespace of a tool before its name, its files keep it apart; Auggie's files do not name the
    server of a tool."""
    action = row["action_name"]
    if row["tool"] == "auggie" and action.startswith("mcp:"):
        action = "other"
    target = row["command"] or row["file_path"] or row["url"] or row["action_native"] or ""
    return action, target.rpartition("/project/")[2].removeprefix("multi_agent_v1")


@pytest.mark.parametrize("scenario", ["tools", "deny", "loop", "subagent"])
def test_files_of_a_run_without_hooks_tell_of_the_calls_hooks_tell_of(
    reader: str, scenario: str
) -> None:
    if (reader, scenario) == ("auggie", "subagent"):
        pytest.skip("a sub-agent's calls are in no file of Auggie's")
    hooks = runs.watched(reader, scenario).query("calls")
    files = asked(runs.bare(reader, scenario), "calls")
    seen, told = Counter(map(key, hooks)), Counter(map(key, files))
    assert hooks and seen - told == Counter()
    # Where hooks know how a call ended, files say the same.
    known = Counter((key(row), row["outcome"]) for row in hooks if row["outcome"] != "unknown")
    ended = Counter((key(row), row["outcome"]) for row in files)
    sure = {(one, word): n for (one, word), n in known.items() if seen[one] == told[one]}
    assert Counter(sure) - ended == Counter()


def test_files_of_a_run_without_hooks_name_the_refusal_and_who_refused(reader: str) -> None:
    if reader == "kilo":
        pytest.skip("a plug-in's refusal has no mark in Kilo's files")
    (row,) = asked(runs.bare(reader, "deny"), "denies")
    assert (row["certainty"], row["decided_by"]) == ("observed", "hook")
    (told,) = runs.watched(reader, "deny").query("denies")
    assert key(told) == key(row)


def test_files_of_a_run_without_refusals_name_none(reader: str) -> None:
    assert asked(runs.bare(reader, "tools"), "denies") == []


def test_tokens_are_the_same_with_and_without_hooks(reader: str) -> None:
    if reader in UNCOUNTED:
        pytest.skip(f"{reader}: its tokens are compared over recordings alone")
    without = asked(runs.bare(reader, "tools"), TOKENS)
    assert without == asked(runs.watched(reader, "tools"), TOKENS)
    assert without[0]["input"] > 0 and without[0]["output"] > 0
