"""What a real client does and what hookstream keeps of it, against a recorder beside it."""

import json
import stat
from collections import Counter

import pytest

from clients import runs
from clients.scenarios import SCENARIOS

pytestmark = pytest.mark.clients
every_scenario = pytest.mark.parametrize("scenario", list(SCENARIOS))


@every_scenario
def test_the_agent_does_the_same_with_and_without_hookstream(client: str, scenario: str) -> None:
    bare, watched = runs.bare(client, scenario), runs.watched(client, scenario)
    assert bare.requests, "the client never asked the model"
    assert bare.status is not None, "the client ran out of time"
    assert watched.status == bare.status
    assert watched.answer() == bare.answer()
    assert watched.files() == bare.files()
    assert watched.told_steady() == bare.told_steady()
    assert (watched.requests, watched.turns_left) == (bare.requests, bare.turns_left)


@every_scenario
def test_every_event_the_recorder_saw_is_in_the_log(client: str, scenario: str) -> None:
    run = runs.watched(client, scenario)
    agent = run.agent
    expected = agent.expected(run.recorded())
    assert expected, "the recorder saw nothing"
    if run.scenario.deny and agent.wraps:
        # The wrapped hook's own process keeps the payload too, under the same ids.
        expected += Counter({k: n for k, n in expected.items() if k[0] == agent.pre_tool})
    logged = Counter(
        agent.key(own)
        for line in run.lines()
        for own in [line["metadata"]["dev.hookstream"]]
        if not own.get("derived")
        and not line["event_type"].startswith("Policy.")
        and own["native_event"] not in agent.unshared
    )
    late = {key for key in expected if key[0] in agent.unawaited}
    assert Counter({k: n for k, n in logged.items() if k not in late}) == Counter(
        {k: n for k, n in expected.items() if k not in late}
    )


@every_scenario
def test_the_log_is_valid_private_and_without_errors(client: str, scenario: str) -> None:
    run = runs.watched(client, scenario)
    assert not (run.state / "hook-errors").exists(), (run.state / "hook-errors").read_text()
    done = run.command("validate", str(run.log))
    assert done.returncode == 0, done.stdout + done.stderr
    for path in [*run.ours(), run.state, run.log.parent]:
        if ".cache" not in path.parts:
            assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_a_denied_call_is_a_deny_that_a_hook_made(client: str) -> None:
    run = runs.watched(client, "deny")
    rows = run.query("denies")
    assert "build/out.txt" in run.files()
    if not run.agent.wraps:
        # A plugin that refuses looks like one that fails: no proof, so no observed deny.
        assert all(row["certainty"] == "inferred" for row in rows)
        return
    (row,) = rows
    assert row["tool"] == client
    assert row["command"] == run.scenario.deny
    assert (row["decided_by"], row["certainty"]) == ("hook", "observed")
    assert row["decision_reason"] == "refused by the test policy"
    assert row["executed_afterwards"] is False


def test_nothing_is_a_deny_where_nothing_was_refused(client: str) -> None:
    for scenario in ("tools", "loop", "subagent", "model-error"):
        assert runs.watched(client, scenario).query("denies") == []


def test_a_failing_loop_is_found(client: str) -> None:
    run = runs.watched(client, "loop")
    if not run.agent.shows_failures:
        pytest.skip(f"{client} does not show its hooks that a shell command failed")
    calls = sum(event == run.agent.pre_tool for event, _ in run.recorded())
    (row,) = run.query("retry_loops")
    assert (row["tool"], row["action_name"], row["kind"]) == (client, "shell", "failing")
    assert row["attempts"] == row["failures"] == calls


def test_secrets_reach_the_client_and_nothing_of_ours(client: str) -> None:
    run = runs.watched(client, "secrets")
    secrets = {name: value.encode() for name, value in run.scenario.secrets.items()}
    seen = (run.home / ".capture/recorded.jsonl").read_bytes()
    # A check that found no secret anywhere would show nothing.
    assert all(value in seen for value in secrets.values())
    written = {str(path): path.read_bytes() for path in [*run.ours(), *run.streamed()]}
    # What lies compressed in Parquet, as text.
    written["events"] = json.dumps(
        run.query("SELECT * FROM events ORDER BY event_id, received_at, about")
    ).encode()
    assert str(run.log) in written
    leaks = [
        (name, path)
        for path, data in written.items()
        for name, value in secrets.items()
        if value in data
    ]
    assert leaks == []


def test_uninstall_leaves_the_hooks_of_others(client: str) -> None:
    run = runs.watched(client, "deny")
    assert "hookstream" in run.hook_settings()
    run.uninstall()
    after = run.hook_settings()
    assert "recorder" in after and "policy" in after
    assert "hookstream.capture" not in after and " wrap " not in after
