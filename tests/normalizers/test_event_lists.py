"""One list of events a client: its table, what install registers, and its verdict contract."""

from __future__ import annotations

import pytest

from hookstream.capture.install.registered import installable
from hookstream.normalizers import VENDORS, compiled
from hookstream.normalizers.client import client_of
from hookstream.normalizers.hook_facts import AFTER, GATE, NOTED, TOOL, TURN, Contract, hook_facts

# Vendors whose table knows more events than are installed: other dialects, a bus, older builds.
MORE = {
    "copilot": "PascalCase events of VS Code and of Claude's settings file",
    "openclaw": "events of older builds and of other plugins",
    "opencode": "the bus, which the plugin filters",
    "kilo": "the bus, which the plugin filters",
}
CONTRACTS = {
    f"{vendor}/{dialect}": contract
    for vendor in VENDORS
    for dialect, contract in {
        "": hook_facts(vendor).verdicts,
        **hook_facts(vendor).dialects,
    }.items()
    if contract is not None
}


def known(vendor: str) -> set[str]:
    table = compiled(vendor).vendor
    return {*table.events, *table.absent}


@pytest.mark.parametrize("name", CONTRACTS)
def test_what_a_policy_hook_may_refuse_is_an_event_of_the_table(name: str) -> None:
    contract: Contract = CONTRACTS[name]
    assert set(contract.events) <= set(compiled(name.partition("/")[0]).vendor.events)
    assert set(contract.events.values()) <= {TOOL, GATE, NOTED, TURN, AFTER}
    assert contract.deny_on_other_exit | contract.deny_on_bad_output <= set(contract.events)


@pytest.mark.parametrize("vendor", [client.key for client in installable()])
def test_what_is_installed_is_the_table(vendor: str) -> None:
    agent = client_of(vendor)
    installed, left_out = set(agent.events), set(agent.left_out)
    assert installed | left_out <= known(vendor)
    assert not installed & left_out
    if vendor not in MORE:
        assert set(compiled(vendor).vendor.events) <= installed | left_out


@pytest.mark.parametrize("vendor", [v for v in VENDORS if hook_facts(v).budgets_ms])
def test_budgets_are_of_events_that_are_installed(vendor: str) -> None:
    assert set(hook_facts(vendor).budgets_ms) <= set(client_of(vendor).events)
