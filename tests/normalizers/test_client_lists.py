"""Lists of clients all over the tree know every client that there is a table of."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.capture.install.registered import installable
from hookstream.normalizers import GUARDIANS, SPANS, VENDORS, WITHOUT_HOOKS, has_table, registering
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
    """Kiro has neither: a person registers its hooks in each agent."""
    half = [client.key for client in clients() if bool(client.files) != bool(client.events)]
    assert half == [], "`events` is what `install` writes into `files`: declare both or neither"


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


# Where a client is named outside its folder, and why.
NAMED = {
    "core/clients.py": "made of the folders",
    "cli/examples.py": "samples of command lines",
    "rules/cases.py": "the client of a case that names none",
    "capture/hook/failures.py": "answers if the package cannot be loaded",
    "capture/install/mod.py": "the one client with mods",
    "capture/install/registration.py": "the one client with mods",
    "capture/plugins/feed.py": "the one client with mods",
    "integrations/claude_agent_sdk.py": "a framework of that client",
}
# Names that are words of other things too: only in quotation marks, and in names of events.
WORDS = {"cursor", "pi", "continue", "n8n", "glean"}


def named_outside() -> dict[str, set[str]]:
    """File -> the clients that it names outside their folders. A client's folder may name others:
    a fork says whose it is."""
    source = ROOT / "src" / "hookstream"
    texts = {
        path.relative_to(source).as_posix(): path.read_text("utf-8")
        for path in source.rglob("*")
        if path.suffix in {".py", ".sql", ".yml", ".html", ".toml"}
    }
    named: dict[str, set[str]] = {}
    for client in clients():
        if client.key in GUARDIANS or client.key == SPANS:
            continue
        quoted = rf"[\"']{client.key}[\"']|vendor\.{client.key}\.|normalizers\.{client.folder}\b"
        plain = rf"(?<![\w./\\-])(?:{client.key}|{client.folder})(?![\w/\\\[-])"
        search = re.compile(quoted if client.key in WORDS else f"{quoted}|{plain}").search
        for name, text in texts.items():
            if not name.startswith(("normalizers/", "redaction/")) and search(text):
                named.setdefault(name, set()).add(client.key)
    return named


def test_a_client_is_named_in_its_folder_alone() -> None:
    """Adding a client changes nothing else. Test cases of rules have clients as samples."""
    named = {n: keys for n, keys in named_outside().items() if not n.endswith(".cases.yml")}
    assert {name: keys for name, keys in named.items() if name not in NAMED} == {}
    assert NAMED.keys() - named.keys() == set()
