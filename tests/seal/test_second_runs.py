"""A sealed part stays as it is, whatever a later run would write; what is new is added."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hookstream.seal.verify import verify
from same_process import text_of

DENY = Path(__file__).parents[2] / "samples" / "codex" / "deny.jsonl"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def run(source: Path, lake: Path, *more: str) -> str:
    done = text_of("run", source, "--to", f"parquet:{lake}", *more)
    assert done.returncode == 0, done.stderr
    return done.stderr


def parts(lake: Path) -> dict[str, bytes]:
    return {
        path.relative_to(lake).as_posix(): path.read_bytes() for path in lake.rglob("*.parquet")
    }


def begin(source: Path, to: Path) -> Path:
    """The first half of a source."""
    lines = source.read_bytes().splitlines(keepends=True)
    to.write_bytes(b"".join(lines[: len(lines) // 2]))
    return to


def test_a_second_run_in_another_form_leaves_sealed_parts_and_says_so(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    assert "sealed lake" not in run(DENY, lake, "--seal")
    sealed = parts(lake)
    (first,) = verify(lake)
    for more, form in ((("--privacy", "redact"), "in another form"), ((), "as they are")):
        said = run(DENY, lake, *more)
        assert f"{first.records} events are in the sealed lake already" in said
        assert form in said
        assert parts(lake) == sealed
        (verdict,) = verify(lake)
        assert verdict.records == first.records


def test_a_source_that_has_grown_adds_what_is_new(tmp_path: Path) -> None:
    lake, source = tmp_path / "lake", begin(DENY, tmp_path / "deny.jsonl")
    run(source, lake, "--seal")
    sealed = parts(lake)
    (before,) = verify(lake)
    shutil.copy(DENY, source)
    run(source, lake)
    assert sealed.items() < parts(lake).items()
    (after,) = verify(lake)
    run(DENY, tmp_path / "once", "--seal")
    (once,) = verify(tmp_path / "once")
    assert before.records < after.records == once.records


def test_a_seal_that_comes_later_covers_what_was_there(tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    run(DENY, lake)
    before = parts(lake)
    assert "in another form" in run(DENY, lake, "--privacy", "redact", "--seal")
    assert parts(lake) == before
    verify(lake)


def test_the_name_of_a_part_holds_its_content(tmp_path: Path) -> None:
    """Without a seal a run over the same source takes the place of the earlier one's part, and
    tables see that."""
    lake = tmp_path / "lake"
    run(DENY, lake)
    before = parts(lake)
    run(DENY, lake)
    assert parts(lake) == before
    run(DENY, lake, "--privacy", "redact")
    after = parts(lake)
    assert len(after) == len(before)
    assert not set(after) & set(before)
