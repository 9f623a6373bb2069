"""Lists of clients all over the tree know every client that there is a table of."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookstream.capture.install.agent import Agent
from hookstream.capture.install.agents import MODULES, agents
from hookstream.normalizers import GUARDIANS, VENDORS, has_table
from hookstream.shell.effects.agents import AGENTS
from hookstream.transcripts.clients import CLIENTS

ROOT = Path(__file__).parents[2]
DOCS = {
    name: (ROOT / name).read_text("utf-8")
    for name in ("README.md", "docs/capture.md", "docs/session-files.md")
}
# Nothing is registered for it: its hooks are part of each agent that a user writes.
BY_HAND = {"kiro"}
# Programs that run no task without a person, as far as is known.
WITH_A_PERSON = {"cursor", "windsurf", "openclaw", "devin", "antigravity"}


def test_every_client_is_installed_or_known_to_be_registered_by_hand() -> None:
    assert set(MODULES) == set(VENDORS) - GUARDIANS - BY_HAND


def test_session_files_are_looked_for_of_every_client_that_has_a_table_of_them() -> None:
    assert {key for key in VENDORS if has_table(key, "transcript")} <= set(CLIENTS)


@pytest.mark.parametrize("agent", agents(), ids=lambda agent: agent.key)
def test_documents_name_every_client(agent: Agent) -> None:
    title, key = agent.title.removeprefix("GitHub "), agent.key
    assert title in DOCS["README.md"] and title in DOCS["docs/capture.md"]
    if has_table(key, "transcript"):
        assert title in DOCS["docs/session-files.md"]


def test_a_client_that_another_agent_starts_is_known_by_its_programs() -> None:
    programs = {program for agent in agents() for program in agent.programs}
    unattended = programs - WITH_A_PERSON
    assert unattended <= set(AGENTS)
