"""A refresh writes the files again that hold rows of touched sessions, and no others."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from tests.queries.history import write
from tests.tables.test_refresh import rebuilt, rows_of, story

from hookstream.core.event import Event
from hookstream.tables import manifest
from hookstream.tables.manifest import folder_of
from hookstream.tables.update import update

pytestmark = pytest.mark.long


def by_session(seed: int) -> list[list[Event]]:
    found: dict[str, list[Event]] = {}
    for event in story(seed):
        found.setdefault(str(event.facts["session_id"]), []).append(event)
    return [found[name] for name in sorted(found)]


def files_of(lake: Path) -> dict[str, int]:
    folder = folder_of(lake)
    return {
        path.relative_to(folder).as_posix(): path.stat().st_ino
        for path in folder.glob("*/date=*/*.parquet")
    }


@pytest.mark.long
@pytest.mark.parametrize("small", [0, 1 << 20])
@pytest.mark.parametrize("seed", [3, 8])
def test_a_refresh_gives_what_a_build_gives_file_by_file(
    tmp_path: Path, small: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookstream.tables.rewrite.SMALL_BYTES", small)
    sessions = by_session(seed)
    lake = tmp_path / "lake"
    write(lake, sessions[0], "parquet")
    update(lake)
    late = [events[:1] for events in sessions[1:]] + [events[1:] for events in sessions[1:]]
    for events in late:
        before = (folder_of(lake) / manifest.NAME).read_bytes()
        write(lake, events, "parquet")  # which refreshes
        # Killed before the manifest was written, and begun again.
        (folder_of(lake) / manifest.NAME).write_bytes(before)
        (folder_of(lake) / manifest.UNFINISHED).touch()
        assert update(lake).how == "refreshed"
    assert rows_of(folder_of(lake)) == rebuilt(lake, tmp_path / "again")
    beside = Counter(name.rpartition("/")[0] for name in files_of(lake))
    assert max(beside.values()) == (1 if small else 2)


def test_new_sessions_leave_large_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookstream.tables.rewrite.SMALL_BYTES", 0)
    first, second, *_ = by_session(3)
    # Of one machine and day, so that both belong to the same files.
    start = first[0].facts["timestamp"]
    for event in (*first, *second):
        event.facts |= {"timestamp": start, "machine_id": "m", "user_id": "u"}
    lake = tmp_path / "lake"
    write(lake, first, "parquet")
    update(lake)
    before = files_of(lake)
    write(lake, second, "parquet")
    update(lake)
    after = files_of(lake)
    assert {name for name in after if name not in before}
    assert {name for name in before if after[name] != before[name]} == set()
    assert os.listdir(folder_of(lake) / "sessions") == [f"date={str(start)[:10]}"]
