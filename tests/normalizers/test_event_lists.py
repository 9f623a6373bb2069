"""One list of events a client: what is installed, and what a hook may refuse, is in the table."""

from __future__ import annotations

import sys

import pytest

from hookstream.capture.install.agents import MODULES, agent_of
from hookstream.capture.wrap.verdicts import CONTRACTS
from hookstream.normalizers import compiled

# Vendors whose table knows more events than are installed: other dialects, a bus, older builds.
MORE = {
    "copilot": "PascalCase events of VS Code and of Claude's settings file",
    "codex": "notify, which is installed on its own",
    "openclaw": "events of older builds and of other plugins",
    "opencode": "the bus, which the plugin filters",
}


def known(vendor: str) -> set[str]:
    table = compiled(vendor).vendor
    return {*table.events, *table.absent}


@pytest.mark.parametrize("name", CONTRACTS)
def test_what_a_policy_hook_may_refuse_is_an_event_of_the_table(name: str) -> None:
    vendor = name.partition("/")[0]
    assert set(CONTRACTS[name].events) <= set(compiled(vendor).vendor.events)


@pytest.mark.parametrize("vendor", MODULES)
def test_what_is_installed_is_the_table(vendor: str) -> None:
    module = sys.modules[agent_of(vendor).files.__module__]
    installed, left_out = set(module.EVENTS), set(getattr(module, "LEFT_OUT", ()))
    assert installed | left_out <= known(vendor)
    assert not installed & left_out
    if vendor not in MORE:
        assert set(compiled(vendor).vendor.events) <= installed | left_out
