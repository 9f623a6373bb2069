"""What a real client does and what hookstream keeps of it, against a recorder beside it."""

import json

import pytest

from clients import checks, runs
from clients.scenarios import SCENARIOS

pytestmark = pytest.mark.clients
every_scenario = pytest.mark.parametrize("scenario", list(SCENARIOS))


@every_scenario
def test_the_agent_does_the_same_with_and_without_hookstream(client: str, scenario: str) -> None:
    checks.did_the_same(runs.bare(client, scenario), runs.watched(client, scenario))


@every_scenario
def test_every_event_the_recorder_saw_is_in_the_log(client: str, scenario: str) -> None:
    run = runs.watched(client, scenario)
    checks.has_every_event(run)
    if not run.scenario.deny:  # else the wrapped hook's own process keeps its event too
        ids = [line["event_id"] for line in run.lines()]
        assert len(ids) == len(set(ids))


@every_scenario
def test_the_log_is_valid_private_and_without_errors(client: str, scenario: str) -> None:
    checks.is_in_order(runs.watched(client, scenario))


def test_a_hostile_env_file_takes_no_event_away(client: str) -> None:
    run = runs.hostile(client, "tools")
    checks.has_every_event(run)
    if client == "gemini-cli":  # it loads the file into its hooks; else this would show nothing
        errors = (run.state / "hook-errors").read_text()
        assert "AGENT_HOOKS_LOG=off in the environment: ignored" in errors
    project = run.home / "project"
    assert not [path for path in project.rglob("*hookstream*") if ".git" not in path.parts]


def test_a_denied_call_is_a_deny_that_a_hook_made(client: str) -> None:
    checks.has_the_deny(runs.watched(client, "deny"))


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
    lost = row["attempts"] - row["failures"] - run.agent.aborts_loops
    assert lost in ((0, 1) if run.agent.loses_last_end else (0,))
    assert row["attempts"] == calls


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


def test_secrets_lie_nowhere_else_in_the_home_either(client: str) -> None:
    """All that is new there with hookstream is what the recorder wrote."""
    bare, watched = runs.bare(client, "secrets"), runs.watched(client, "secrets")
    values = [value.encode() for value in watched.scenario.secrets.values()]
    before = bare.places_of(values)
    assert "project/settings.env" in before
    assert watched.places_of(values) - before == {".capture/recorded.jsonl"}


def test_uninstall_leaves_the_hooks_of_others(client: str) -> None:
    run = runs.watched(client, "deny")
    assert "hookstream" in run.hook_settings()
    run.uninstall()
    after = run.hook_settings()
    assert "recorder" in after and "policy" in after
    assert "hookstream-" not in after and " wrap " not in after
