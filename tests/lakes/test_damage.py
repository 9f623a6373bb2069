"""Damage is named and left out, and the rest answers; derived tables that are damaged are not read,
and are made again."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.queries.history import History, write
from tests.same_process import text_of

from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream, read
from hookstream.seal.chain import BrokenSeal
from hookstream.seal.verify import verify
from hookstream.tables.manifest import folder_of, look
from hookstream.tables.proof import disproof
from hookstream.tables.update import update

pytestmark = pytest.mark.long

PLACE = Path("date=2026-11-21") / "tool=codex"


def history(session: str, tool: str = "claude-code") -> History:
    h = History(tool, session)
    h.start()
    h.prompt("t1")
    h.blocked("c1", "rm -rf /")
    h.ran("c2", "make")
    return h


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    events = [*history("s1").events, *history("s2", "codex").events]
    return write(tmp_path / "lake", events, "parquet")


def no_head(path: Path) -> None:
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])


def no_head_but_magic(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4] + bytes(4092) + data[4096:])


def garbage(path: Path) -> None:
    path.write_bytes(b"PAR1 no more of anything PAR1")


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def other_schema(path: Path) -> None:
    pq.write_table(pa.table({"a": [1]}), path)


def damaged_inside(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(4, len(data) // 2):
        data[at] ^= 0x5A
    path.write_bytes(data)


KINDS = [
    no_head, no_head_but_magic, garbage, truncated, emptied, folder, other_schema, damaged_inside,
]  # fmt: skip


def denied(lake: Path) -> tuple[set[str], str]:
    """The clients of the denies, and what was said."""
    result = read(lake, lambda stream: ask(stream, "denies"))
    return {str(row["tool"]) for row in objects(result)}, "\n".join(result.warnings)


@pytest.mark.parametrize("damage", KINDS)
@pytest.mark.parametrize("tables", ["none", "beside"])
def test_a_damaged_part_is_named_and_the_rest_answers(
    lake: Path, damage: Callable[[Path], None], tables: str
) -> None:
    """`beside` are tables of the other parts: the damaged one came after they were made."""
    (part,) = (lake / PLACE).glob("*.parquet")
    if tables == "beside":
        kept = part.read_bytes()
        part.unlink()
        update(lake)
        part.write_bytes(kept)
    damage(part)
    name = part.relative_to(lake).as_posix()
    tools, said = denied(lake)
    assert tools == {"claude-code"}
    assert name in said
    made = update(lake)
    assert any(name in left for left in made.left)
    assert denied(lake)[0] == {"claude-code"}


def test_a_part_that_may_not_be_read_is_named(lake: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (part,) = (lake / PLACE).glob("*.parquet")
    part.chmod(0)
    tools, said = denied(lake)
    assert tools == {"claude-code"}
    assert "Permission denied" in said


@pytest.mark.parametrize(
    "words", [("query", "timeline"), ("query", "denies"), ("cost",), ("report",)]
)
def test_commands_end_well_over_a_damaged_part_beside_tables(
    lake: Path, words: tuple[str, ...]
) -> None:
    update(lake)
    garbage(lake / PLACE / "more.parquet")
    done = text_of(*words, lake)
    assert done.returncode == 0, done.stderr
    assert words == ("report",) or "more.parquet" in done.stderr


def without(path: Path) -> None:
    path.unlink()


def no_rows(path: Path) -> None:
    pq.write_table(pq.read_table(path, partitioning=None).slice(0, 0), path)


@pytest.mark.parametrize("damage", [garbage, truncated, emptied, without, no_rows, damaged_inside])
def test_damaged_tables_are_not_read_and_made_again(
    lake: Path, damage: Callable[[Path], None]
) -> None:
    right, said = denied(lake)
    assert not said
    update(lake)
    (file,) = (folder_of(lake) / "denies").rglob("*.parquet")
    damage(file)
    tools, said = denied(lake)
    assert tools == right == {"claude-code", "codex"}
    assert "damaged tables (denies/" in said
    assert "hookstream tables" in said
    assert disproof(lake) == ""
    done = text_of("tables", lake)
    assert done.returncode == 0
    assert ": damaged: denies/" in done.stderr
    assert ": built, " in done.stderr
    assert denied(lake) == (right, "")


def test_a_file_put_among_tables_is_damage(lake: Path) -> None:
    right, _ = denied(lake)
    update(lake)
    (file,) = (folder_of(lake) / "denies").rglob("*.parquet")
    shutil.copy(file, file.with_name("more.parquet"))
    assert denied(lake)[0] == right
    assert "more.parquet: not written with these tables" in look(folder_of(lake))[1]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"parts": []}', '{"parts": {"a": "b"}}'])
def test_a_broken_manifest_is_named_and_made_again(lake: Path, text: str) -> None:
    update(lake)
    (folder_of(lake) / "manifest.json").write_text(text)
    tools, said = denied(lake)
    assert tools == {"claude-code", "codex"}
    assert "manifest.json: cannot be read" in said
    assert update(lake).damaged
    assert denied(lake)[1] == ""


def test_tables_copied_elsewhere_are_whole(lake: Path, tmp_path: Path) -> None:
    """A copy has other times: digests say that it is the same."""
    update(lake)
    shutil.copytree(lake, tmp_path / "copy")
    shutil.copytree(folder_of(lake), folder_of(tmp_path / "copy"), copy_function=shutil.copyfile)
    with open_stream(tmp_path / "copy") as stream:
        assert stream.has_tables


def forge(lake: Path) -> None:
    """What somebody who knows how tables are kept would do: rows go, and the manifest agrees."""
    tables = folder_of(lake)
    known, _ = look(tables)
    assert known is not None
    (file,) = (tables / "denies").rglob("*.parquet")
    no_rows(file)
    known.name_files(tables, None)
    known.write(tables)


def test_forged_tables_are_found_by_verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    source = Path(__file__).parents[2] / "samples" / "codex" / "deny.jsonl"
    lake = tmp_path / "lake"
    assert text_of("run", source, "--to", f"parquet:{lake}", "--seal").returncode == 0
    update(lake)
    (verdict,) = verify(lake)
    assert verdict.has_proven_tables
    forge(lake)
    assert denied(lake) == (set(), "")
    with pytest.raises(BrokenSeal, match=r"denies.*differ from what the events give"):
        verify(lake)
    # Whoever says that a refresh broke off has questions read the tables, and verify as well.
    (folder_of(lake) / "denies" / "more.parquet").touch()
    (folder_of(lake) / ".unfinished").touch()
    with pytest.raises(BrokenSeal):
        verify(lake)
    (folder_of(lake) / "denies" / "more.parquet").unlink()
    (folder_of(lake) / ".unfinished").unlink()
    (verdict,) = verify(lake, tables=False)
    assert any("the derived tables are not covered" in doubt for doubt in verdict.doubts)
    done = text_of("tables", lake, "--rebuild")
    assert done.returncode == 0, done.stderr
    (verdict,) = verify(lake)
    assert verdict.has_proven_tables


def test_tables_of_fewer_parts_are_proven_with_what_a_question_adds(lake: Path) -> None:
    update(lake)
    write(lake, history("s3", "codex").events, "parquet")
    assert disproof(lake) == ""
    forge(lake)
    assert "denies" in disproof(lake)
    assert json.loads((folder_of(lake) / "manifest.json").read_text())["parts"]
