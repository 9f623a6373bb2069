"""The same clients while `hookstream serve` is running: the hooks hand over to it."""

import pytest

from clients import checks, runs

pytestmark = pytest.mark.clients
some_scenarios = pytest.mark.parametrize("scenario", ["tools", "deny", "secrets"])


@some_scenarios
def test_the_agent_does_the_same_with_a_collector(client: str, scenario: str) -> None:
    checks.did_the_same(runs.bare(client, scenario), runs.collected(client, scenario))


@some_scenarios
def test_every_event_is_in_the_log(client: str, scenario: str) -> None:
    run = runs.collected(client, scenario)
    checks.has_every_event(run)
    checks.is_in_order(run)


def test_a_flooded_collector_blocks_no_agent_and_loses_no_event(client: str) -> None:
    run = runs.flooded(client, "tools")
    checks.did_the_same(runs.bare(client, "tools"), run)
    checks.has_every_event(run)


def test_the_work_is_the_collectors(client: str) -> None:
    """Which has a log of its own here; what a hook did itself is in the default one."""
    run = runs.collected(client, "tools")
    if not run.agent.hands_over:
        pytest.skip(f"{client}'s plugin has a process of its own, which writes the log")
    assert run.collected.exists()
    others = run.log.read_bytes().splitlines() if run.log.exists() else []
    assert len(others) <= len(run.lines()) / 10


def test_a_denied_call_is_a_deny(client: str) -> None:
    checks.has_the_deny(runs.collected(client, "deny"))


def test_secrets_are_nowhere(client: str) -> None:
    bare, collected = runs.bare(client, "secrets"), runs.collected(client, "secrets")
    values = [value.encode() for value in collected.scenario.secrets.values()]
    new = collected.places_of(values) - bare.places_of(values)
    assert new == {".capture/recorded.jsonl"}
