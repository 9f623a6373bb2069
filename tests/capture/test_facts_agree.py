"""One list of events a client: its table, what install registers, and its verdict contract."""

import pytest

from hookstream.capture.install.agents import agents
from hookstream.normalizers import VENDORS, compiled
from hookstream.normalizers.hook_facts import AFTER, GATE, NOTED, TOOL, TURN, hook_facts

AGENTS = {agent.key: agent for agent in agents()}
# What a client sends and nobody registers: another spelling (Copilot), names of earlier versions
# (OpenClaw), and a bus on which everything goes by (OpenCode).
MORE_IN_TABLE = {"copilot", "openclaw", "opencode"}


def table_of(vendor: str) -> set[str]:
    return set(compiled(vendor).vendor.events)


def contracts():
    for vendor in VENDORS:
        facts = hook_facts(vendor)
        for dialect, contract in {"": facts.verdicts, **facts.dialects}.items():
            if contract is not None:
                yield pytest.param(vendor, contract, id=f"{vendor}/{dialect}")


@pytest.mark.parametrize("vendor", AGENTS)
def test_the_table_knows_what_is_registered(vendor: str) -> None:
    agent = AGENTS[vendor]
    assert set(agent.events) <= table_of(vendor)
    assert not set(agent.events) & set(agent.left_out)
    if vendor not in MORE_IN_TABLE:
        assert table_of(vendor) <= {*agent.events, *agent.left_out}


@pytest.mark.parametrize(("vendor", "contract"), list(contracts()))
def test_a_contract_names_events_of_the_table(vendor: str, contract) -> None:
    assert set(contract.events) <= table_of(vendor)
    assert set(contract.events.values()) <= {TOOL, GATE, NOTED, TURN, AFTER}
    assert contract.deny_on_other_exit | contract.deny_on_bad_output <= set(contract.events)


@pytest.mark.parametrize("vendor", [v for v in VENDORS if hook_facts(v).budgets_ms])
def test_budgets_are_of_events_that_are_registered(vendor: str) -> None:
    assert set(hook_facts(vendor).budgets_ms) <= set(AGENTS[vendor].events)
