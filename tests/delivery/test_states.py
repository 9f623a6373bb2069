"""Whose state a delivery uses: its sources' and its sinks' targets', whatever these are called."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hookstream.delivery.cursor import identity, place_of
from same_process import hookstream

from .stage import deliver_once, delivery, jsonl, many

PAYLOADS = Path(__file__).parents[2] / "samples" / "claude-code" / "deny.jsonl"
LINES = 37


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def read_by(folder: Path, *sinks: tuple[str, str], cwd: Path | None = None) -> int:
    """How many lines a run of these named sinks reads; its standard error has no warning."""
    config = folder / "one.toml"
    parts = [f'[[sink]]\nname = "{name}"\nuri = "{uri}"\n' for name, uri in sinks]
    config.write_text(f'sources = ["{PAYLOADS}"]\n' + "".join(parts))
    done = hookstream("run", "--config", config, cwd=cwd or folder)
    assert done.returncode == 0, done.stderr
    return int(re.search(r"read (\d+)", done.stderr.decode())[1])  # type: ignore[index]


def events(folder: Path) -> int:
    return len((folder / "agent-hooks.jsonl").read_text().splitlines())


def test_one_name_with_another_target_is_another_sink(tmp_path: Path) -> None:
    for name in ("first", "second"):
        assert read_by(tmp_path, ("siem", f"jsonl:{tmp_path}/{name}")) == LINES
    assert events(tmp_path / "first") == events(tmp_path / "second") > 0
    for name in ("first", "second"):
        assert read_by(tmp_path, ("siem", f"jsonl:{tmp_path}/{name}")) == 0


def test_a_relative_target_is_that_of_its_folder(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        assert read_by(tmp_path, ("lines", "jsonl:out"), cwd=tmp_path / name) == LINES
        assert read_by(tmp_path, ("lines", f"jsonl:{tmp_path}/{name}/./out")) == 0
    assert events(tmp_path / "a/out") == events(tmp_path / "b/out")


def test_a_sink_that_is_added_gets_what_was_read_before(tmp_path: Path) -> None:
    sinks = [("one", f"jsonl:{tmp_path}/one")]
    assert read_by(tmp_path, *sinks) == LINES
    sinks.insert(0, ("two", f"jsonl:{tmp_path}/two"))
    assert read_by(tmp_path, *sinks) == 0
    assert events(tmp_path / "one") == events(tmp_path / "two")
    assert read_by(tmp_path, ("two", f"jsonl:{tmp_path}/two")) == 0


def test_states_of_older_versions_are_used_on(tmp_path: Path, state: Path) -> None:
    uri = f"jsonl:{tmp_path}/one"
    assert read_by(tmp_path, ("siem", uri)) == LINES
    (folder,) = (state / "hookstream" / "delivery").iterdir()
    (cursor,) = (folder / "sinks").iterdir()
    old = cursor.with_name("siem-5eabe06ffe.json")  # by its name alone
    cursor.rename(old)
    assert read_by(tmp_path, ("siem", uri)) == 0
    assert place_of(folder, "siem", uri) == old
    other = f"jsonl:{tmp_path}/two"
    assert place_of(folder, "siem", other).stem == identity("siem", other)
    assert read_by(tmp_path, ("siem", other)) == LINES
    assert json.loads(old.read_text())["sink"] == uri


def test_a_sink_is_told_what_it_does_not_get(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    plans = [jsonl(tmp_path / "one")]
    said: list[str] = []
    for first in (0, 60):  # the spool begins a segment, and leaves the one before
        with log.open("ab") as file:
            file.writelines(many(60, first))
        deliver_once(delivery(tmp_path, [str(log)], plans, segment_bytes=20_000, said=said.append))
    assert not said
    plans.append(jsonl(tmp_path / "two"))
    deliver_once(delivery(tmp_path, [str(log)], plans, said=said.append))
    (line,) = said
    missing = 120 - events(tmp_path / "two")
    assert missing > 0
    assert f"{tmp_path}/two: new here; {missing} records" in line
