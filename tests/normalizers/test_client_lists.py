"""Lists of clients all over the tree know every client that there is a table of."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from hookstream.capture.install.agent import Agent
from hookstream.capture.install.agents import MODULES, agents
from hookstream.normalizers import VENDORS, has_table
from hookstream.shell.effects.agents import AGENTS
from hookstream.transcripts.clients import CLIENTS

PACKAGE = "hookstream.normalizers"
ROOT = Path(__file__).parents[2]
DOCS = {
    name: (ROOT / name).read_text("utf-8")
    for name in ("README.md", "docs/capture.md", "docs/session-files.md")
}
# Programs that run no task without a person, as far as is known.
WITH_A_PERSON = {"cursor", "windsurf", "openclaw", "devin", "antigravity"}


def test_install_knows_every_client_whose_folder_lists_events_to_register() -> None:
    """Without `install.py` a client is registered by hand, as Kiro is in each agent of a user."""
    listed = {key for key, name in VENDORS.items() if find_spec(f"{PACKAGE}.{name}.install")}
    assert set(MODULES) == listed


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
