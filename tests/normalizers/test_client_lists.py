"""Lists of clients all over the tree know every client that there is a table of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.capture.install.registered import installable
from hookstream.normalizers import VENDORS, WITHOUT_HOOKS, has_table, registering
from hookstream.normalizers.client import Client, clients
from hookstream.shell.effects.agents import words_alone
from hookstream.transcripts.clients import CLIENTS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
COVERAGE = (ROOT / "docs" / "coverage.md").read_text("utf-8")
# Programs that run no task without a person, as far as is known.
WITH_A_PERSON = {"cursor", "windsurf", "openclaw", "devin", "antigravity"}


def test_every_client_has_a_declaration_under_its_own_key() -> None:
    assert [client.key for client in clients()] == [*VENDORS, *WITHOUT_HOOKS]


def test_install_knows_every_client_with_events_to_register() -> None:
    """One without files is registered by hand, as Kiro is in each agent of a user."""
    assert [client for client in clients() if bool(client.files) != bool(client.events)] == []


def test_the_register_is_what_the_folders_say() -> None:
    text = registering.TARGET.read_text("utf-8")
    command = [
        sys.executable,
        "-c",
        "from hookstream.normalizers import registering as r; print(r.register_text(), end='')",
    ]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == text


def test_session_files_are_looked_for_of_every_client_that_has_a_table_of_them() -> None:
    assert {key for key in VENDORS if has_table(key, "transcript")} <= set(CLIENTS)


@pytest.mark.parametrize("agent", installable(), ids=lambda agent: agent.key)
def test_documents_name_every_client(agent: Client) -> None:
    assert agent.title in README and f"| {agent.key} |" in COVERAGE


def test_a_client_that_another_agent_starts_is_known_by_its_programs() -> None:
    programs = {program for agent in installable() for program in agent.programs.split()}
    unattended = programs - WITH_A_PERSON
    assert {program for program in unattended if words_alone(program) is None} == set()
