"""What is said of a witness is what its table can say."""

from __future__ import annotations

import json

import pytest

from hookstream.cli.coverage import vendors
from hookstream.normalizers import compiled, has_table
from hookstream.normalizers.proofs import FACTS, PROOFS, proofs
from hookstream.normalizers.table import Row
from hookstream.transcripts.clients import CLIENTS

TYPES = {
    "prompt": "Prompt.Submitted",
    "call": "Action.Before",
    "outcome": "Action.After",
    "deny": "Policy.Blocked",
    "compaction": "Context.Compaction",
    "sub-agent": "Agent.Plan.Start",
    "tokens": "Model.Responded",
    "final model error": "Model.Failed",
}


# What is said of them is that they have no such file.
WITHOUT_FILES = {"antigravity", "aos", "devin", "grok-build", "qoder", "zapier"}


def test_every_client_whose_files_are_read_has_its_row() -> None:
    assert set(PROOFS) == {*CLIENTS, *WITHOUT_FILES}
    assert len(proofs()) == len(PROOFS) * len(FACTS)


@pytest.mark.parametrize("client", CLIENTS)
def test_what_a_session_file_proves_its_table_can_say(client: str) -> None:
    assert has_table(client, "transcript")
    types = set()
    for rows in compiled(client, "transcript").vendor.events.values():
        for row in rows if isinstance(rows, tuple) else (rows,):
            if isinstance(row, Row):
                types.add(row.type)
    for said in proofs(client):
        kind = TYPES.get(said["fact"])
        if kind is not None and said["session file"] == "yes":
            assert kind in types, said


def test_what_a_platform_cannot_show_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    vendors("zapier", "json")
    rows = json.loads(capsys.readouterr().out)
    assert {row["session file"] for row in rows} == {"no"}
    assert "changes of configuration only" in rows[0]["note"]


def test_vendors_shows_it(capsys: pytest.CaptureFixture[str]) -> None:
    vendors("codex", "markdown", witness=True)
    assert "| codex | exit code | no | yes | partly |" in capsys.readouterr().out
