"""The law of the lister: a file that somebody plants is seen by every command, or by none and
named; what a question or a run reads, `verify` covers."""

from __future__ import annotations

import gzip
import os
import re
import shutil
from pathlib import Path

import pytest
from tests.same_process import text_of

from hookstream.core.errors import NothingToRead
from hookstream.core.sources import inside
from hookstream.lake.listing import Parts
from hookstream.queries.runner import ask_sql, open_stream
from hookstream.queries.sources import find
from hookstream.seal.chain import BrokenSeal
from hookstream.seal.parts import found_in
from hookstream.seal.verify import verify

pytestmark = pytest.mark.long

SAMPLES = Path(__file__).parents[2] / "samples"
IN_LAKE = (
    "stray.parquet",
    "sub/stray.parquet",
    ".hidden/stray.parquet",
    "_old/stray.parquet",
    "date=2026-11-21/stray.parquet",
    "date=2026-11-21/tool=codex/planted.parquet",
    "date=2026-11-21/tool=codex/part-00007-0123456789ab-0123456789ab.parquet",
    "date=2026-11-21/tool=codex/.hidden.parquet",
    "date=2026-11-21/tool=codex/deeper/planted.parquet",
    "date=2026-11-21/tool=codex/planted.PARQUET",
    "date=2026-11-21/tool=codex/planted.parquet.gz",
    "date=2026-11-21/tool=/planted.parquet",
    "date=2026-11-21/tool=other/planted.parquet",
    "date=tomorrow/tool=codex/planted.parquet",
    "Date=2026-11-21/tool=codex/planted.parquet",
    "sub/date=2026-11-21/tool=codex/planted.parquet",
    "lake.tables/calls/part-9.parquet",
    "_delta/part-9.parquet",
)
PARTS = {
    "date=2026-11-21/tool=codex/planted.parquet",
    "date=2026-11-21/tool=codex/part-00007-0123456789ab-0123456789ab.parquet",
    "date=2026-11-21/tool=other/planted.parquet",
}
IN_LOG = (
    "sub/agent-hooks.jsonl",
    ".hidden/agent-hooks.jsonl",
    "_old/agent-hooks.jsonl",
    "agent-hooks-2.jsonl",
    "agent-hooks.jsonl.9",
    "agent-hooks.jsonl.9.gz",
    "agent-hooks.ndjson",
    "other.jsonl",
    ".other.jsonl",
    "sub/other.ndjson.gz",
    "AGENT-HOOKS.JSONL",
    "agent-hooks.jsonl.old",
    "rejected-2.jsonl",
    "aarts-2.jsonl",
    "stray.parquet",
    "date=2026-11-21/tool=codex/planted.parquet",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed lake, a sealed log, and a lake of other events to plant from."""
    place = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(place / "state"))
        for kind, name, more in (
            ("parquet", "lake", ("--seal",)),
            ("jsonl", "log", ("--seal",)),
            ("parquet", "other", ()),
        ):
            source = SAMPLES / ("cursor" if name == "other" else "codex") / "deny.jsonl"
            done = text_of("run", source, "--to", f"{kind}:{place / name}", *more)
            assert done.returncode == 0, done.stderr
    return place


@pytest.fixture
def place(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made, tmp_path / "place", symlinks=True)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "place" / "state"))
    return tmp_path / "place"


def events_in(path: Path) -> int:
    with open_stream(path) as stream:
        return int(ask_sql(stream, "select count(*) from events").rows[0][0])


def named_in(path: Path) -> set[str]:
    """The files that a question leaves out and names."""
    with open_stream(path) as stream:
        return {row[0] for row in ask_sql(stream, "select file from broken_lines").rows}


def part(place: Path) -> bytes:
    return next((place / "other").rglob("*.parquet")).read_bytes()


def put(target: Path, data: bytes) -> None:
    """A planted file, older than the seal's last checkpoint: a younger one is not sealed yet."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(data, mtime=0) if target.suffix == ".gz" else data)
    os.utime(target, (1_700_000_000, 1_700_000_000))


@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_part_planted_in_a_lake_is_seen_by_all(place: Path, name: str) -> None:
    lake = place / "lake"
    events = events_in(lake)
    put(lake / name, part(place))
    assert {Path(file) for file in find(lake).files} == {lake / found for found in found_in(lake)}
    assert events_in(lake) > events
    with pytest.raises(BrokenSeal, match=re.escape(name)):
        verify(lake)


def test_whatever_else_is_planted_in_a_lake_is_seen_by_none_and_named(place: Path) -> None:
    lake = place / "lake"
    events = events_in(lake)
    strays = set(IN_LAKE) - PARTS
    for name in strays:
        put(lake / name, part(place))
    assert set(Parts(lake).strays) == strays
    assert events_in(lake) == events
    assert named_in(lake) == strays
    (verdict,) = verify(lake)
    assert any(f"{len(strays)} files that no command reads: " in doubt for doubt in verdict.doubts)
    for words in (
        ("compact", lake),
        ("tables", lake),
        ("retain", lake, "--max-age", "9000d", "--dry-run"),
    ):
        done = text_of(*words)
        assert done.returncode == 0, done.stderr
        assert {name for name in strays if name in done.stderr} == strays
    assert events_in(lake) == events
    assert all((lake / name).exists() for name in strays)


@pytest.mark.parametrize("name", IN_LOG)
def test_a_file_planted_in_a_log_that_anything_reads_is_not_covered(place: Path, name: str) -> None:
    log = place / "log"
    events = events_in(log)
    verify(log)
    lines = (log / "agent-hooks.jsonl").read_bytes().replace(b'"event_id":"', b'"event_id":"x')
    put(log / name, part(place) if name.endswith(".parquet") else lines)
    read_by_run = log / name in inside(log)
    try:
        read_by_question = events_in(log) != events
    except NothingToRead:
        read_by_question = True
    if read_by_run or read_by_question or Path(name).name.startswith("rejected"):
        with pytest.raises(BrokenSeal, match=re.escape(name)):
            verify(log)
    else:
        verify(log)
    if (
        read_by_run
        and not read_by_question
        and not Path(name).name.startswith((".", "aarts", "rejected"))
    ):
        assert name.startswith(".") or name in named_in(log)


def test_a_link_among_lines_is_read_by_all(place: Path) -> None:
    put(place / "target", b"")
    link = place / "log" / "agent-hooks-link.jsonl"
    link.symlink_to(place / "target")
    assert str(link) in find(place / "log").files
    with pytest.raises(BrokenSeal, match=link.name):
        verify(place / "log")


def test_a_link_among_parts_is_read_by_none_and_named(place: Path) -> None:
    """Questions may not open what is outside of a lake, so a link must not be a part."""
    lake = place / "lake"
    put(place / "target", part(place))
    link = lake / "date=2026-11-21" / "tool=codex" / "link.parquet"
    link.symlink_to(place / "target")
    assert str(link) not in find(lake).files
    assert named_in(lake) == {link.relative_to(lake).as_posix()}
    verify(lake)
    moved = next(path for path in link.parent.glob("*.parquet") if not path.is_symlink())
    moved.rename(place / "moved")
    moved.symlink_to(place / "moved")
    with pytest.raises(BrokenSeal):
        verify(lake)


def test_a_part_that_is_a_folder_is_named(place: Path) -> None:
    lake = place / "lake"
    put(lake / "date=2026-11-21" / "tool=other" / "more.parquet", part(place))
    gone = next((lake / "date=2026-11-21" / "tool=codex").glob("*.parquet"))
    gone.unlink()
    gone.mkdir()
    name = gone.relative_to(lake).as_posix()
    assert named_in(lake) == {name}
    with pytest.raises(BrokenSeal, match=re.escape(name)):
        verify(lake)


def test_a_folder_of_several_lakes_has_the_parts_of_each(place: Path) -> None:
    shutil.copytree(place / "other", place / "two" / "a")
    shutil.copytree(place / "other", place / "two" / "b")
    put(place / "two" / "b" / "sub" / "date=2026-11-21" / "tool=x" / "p.parquet", b"")
    put(place / "two" / "stray.parquet", b"")
    listed = Parts(place / "two")
    parts = Parts(place / "other").sizes
    assert list(listed.sizes) == [f"{lake}/{part}" for lake in "ab" for part in parts]
    assert set(listed.strays) == {"b/sub/date=2026-11-21/tool=x/p.parquet", "stray.parquet"}
    assert not listed.is_lake
