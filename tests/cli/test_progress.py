"""Work that takes long shows its count and rate on a terminal, and nothing elsewhere."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from hookstream.cli.app import run_app
from hookstream.cli.progress import bar
from hookstream.progress import step

SAMPLE = Path(__file__).parents[2] / "samples" / "claude-code" / "deny.jsonl"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Set within the test: between fixture and test pytest sets its own."""
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr("hookstream.cli.progress.AFTER_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    return shown


def test_each_long_command_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    lake = str(tmp_path / "lake")
    rule = str(Path(__file__).parents[2] / "src/hookstream/rules/pack/call_forced_push.yml")
    for words, unit in (
        (["run", str(SAMPLE), "--to", f"parquet:{lake}"], "records/s"),
        (["tables", lake], "batches/s"),
        (["detect", lake, "--rules", rule], "rules/s"),
        (["export", lake, str(tmp_path / "a.duckdb")], "tables/s"),
    ):
        stderr.truncate(0)
        stderr.seek(0)
        monkeypatch.setattr("sys.argv", ["hookstream", *words])
        assert run_app() == 0, words
        assert unit in stderr.getvalue(), words


def test_short_work_and_pipes_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    monkeypatch.setattr("hookstream.cli.progress.AFTER_S", 60.0)
    with bar("things"):
        step(1, 2)
    assert stderr.getvalue() == ""
    plain = io.StringIO()
    monkeypatch.setattr("hookstream.cli.progress.AFTER_S", 0.0)
    monkeypatch.setattr("sys.stderr", plain)
    with bar("things"):
        step(1, 2)
    assert plain.getvalue() == ""


def test_nobody_has_to_listen() -> None:
    step(1)
    step(1, 2)


def test_the_bar_goes_when_the_work_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    with pytest.raises(ValueError, match="broken"), bar("things"):
        step(1, 2)
        raise ValueError("broken")
    before = stderr.getvalue()
    step(2, 2)
    assert stderr.getvalue() == before
