"""A lake of several machines answers as one lake a machine does: nothing that one machine shows is
evidence for another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.catalog import shipped
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, open_stream
from hookstream.tables.update import update

pytestmark = pytest.mark.long

SAMPLES = Path(__file__).parents[2] / "samples"
# Sessions of one id, on machines whose hooks show different things: all, some, none after an event.
MACHINES: dict[str, Callable[[str], bool]] = {
    "whole": lambda line: True,
    "deaf": lambda line: "PostToolUse" not in line and "AfterTool" not in line,
    "half": lambda line: len(line) % 2 == 0,
}
# What counts the whole fleet on purpose: where else a secret was seen.
FLEET = {"secrets": ("sessions", "users", "machines", "state")}
# Answers about each client and version of the whole fleet, not about a machine.
SUMMED = {"conformance"}
Answers = dict[str, list[str]]


def answers(lake: Path, *, stored: bool) -> Answers:
    if stored:
        update(lake)
    made = {}
    with open_stream(lake) as stream:
        for name in set(shipped()) - SUMMED:
            level = "machine" if shipped()[name].by else None
            rows: list[dict[str, Any]] = objects(ask(stream, name, Filters(by=level)))
            left = FLEET.get(name, ())
            made[name] = sorted(
                str({key: value for key, value in row.items() if key not in left}) for row in rows
            )
    return made


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """A lake of all machines, and one of each."""
    folder = tmp_path_factory.mktemp("machines")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        alone = []
        for machine, keeps in MACHINES.items():
            for client in ("claude-code", "gemini-cli", "copilot", "openclaw", "cursor"):
                for file in sorted((SAMPLES / client).glob("*.jsonl")):
                    if file.name.endswith(".expected.jsonl"):
                        continue
                    kept = [line for line in file.read_text().splitlines() if keeps(line)]
                    to = folder / "input" / machine / client / file.name
                    to.parent.mkdir(parents=True, exist_ok=True)
                    text = "".join(f"{line}\n" for line in kept)
                    # A field that no table maps, for the question about such.
                    named = '"hook_event_name"'
                    to.write_text(text.replace(named, f'"zz_new": 1, {named}'))
            lake = folder / "lakes" / machine
            source = str(folder / "input" / machine)
            for one in (lake, folder / "fleet"):
                execute(Job([source], [f"parquet:{one}"], machine=machine, now="2026-11-21T12:00Z"))
            alone.append(lake)
    return folder / "fleet", alone


@pytest.mark.long
@pytest.mark.parametrize("stored", [False, True])
def test_a_fleet_is_its_machines(lakes: tuple[Path, list[Path]], stored: bool) -> None:
    fleet, alone = lakes
    expected: Answers = {name: [] for name in set(shipped()) - SUMMED}
    for lake in alone:
        for name, rows in answers(lake, stored=stored).items():
            expected[name] += rows
    found = answers(fleet, stored=stored)
    assert found["denies"] and found["unmapped"]
    differs = {name for name, rows in found.items() if rows != sorted(expected[name])}
    assert not differs, {
        name: (sorted(set(found[name]) ^ set(expected[name])))[:2] for name in differs
    }
