"""Work that takes long shows its count and rate on a terminal, and nothing elsewhere."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest
import rich.progress  # noqa: F401 - so that a bar is there at once

from hookstream.cli.app import run_app
from hookstream.cli.progress import _Bar, bar, texts
from hookstream.core.progress import step
from hookstream.queries.bounds import unwatch, watch, within
from hookstream.tables.connection import connect

pytestmark = pytest.mark.long

SAMPLE = Path(__file__).parents[2] / "samples" / "claude-code" / "deny.jsonl"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Set within the test: between fixture and test pytest sets its own. Each step is drawn,
    however short the work: by itself the bar draws ten times a second."""
    shown = Terminal()
    show = _Bar._show

    def drawn(made: _Bar) -> None:
        show(made)
        if made.progress is not None:
            made.progress.refresh()

    def started(made: _Bar, done: int, total: int | None, unit: str) -> None:
        if made.timer is not None and made.timer.interval == 0:
            made.timer.join()
        step_of(made, done, total, unit)

    step_of = _Bar.step
    monkeypatch.setattr(_Bar, "_show", drawn)
    monkeypatch.setattr(_Bar, "step", started)
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setattr("hookstream.cli.progress.AFTER_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    return shown


def test_each_long_command_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    lake = str(tmp_path / "lake")
    lines = str(tmp_path / "lines")
    config = tmp_path / "run.toml"
    config.write_text(f'sources = ["{SAMPLE}"]\n[[sink]]\nuri = "jsonl:{tmp_path / "more"}"\n')
    rule = str(Path(__file__).parents[2] / "src/hookstream/rules/pack/call_forced_push.yml")
    for words, unit in (
        (["run", str(SAMPLE), "--to", f"parquet:{lake}", "--seal"], "records/s"),
        (["run", str(SAMPLE), "--to", f"parquet:{lake}"], "records/s"),
        (["run", str(SAMPLE), "--to", f"jsonl:{lines}"], "records/s"),
        (["run", "--config", str(config)], "records"),
        (["tables", lake], "batches"),
        (["detect", lake, "--rules", rule], "rules"),
        (["export", lake, str(tmp_path / "a.duckdb")], "tables/s"),
        (["query", "denies", lake], " % "),
        (["query", "select count(*) from events", lake], " % "),
        (["query", "timeline", lake], "rows/s"),
        (["report", lake, "--no-rules"], "questions/s"),
        (["validate", lines], "lines"),
        (["verify", lake], "parts"),
        (["compact", lake], "partitions"),
        (["retain", lines, "--max-age", "1d", "--dry-run"], "records"),
        (["demo"], "records/s"),
    ):
        stderr.truncate(0)
        stderr.seek(0)
        monkeypatch.setattr("sys.argv", ["hookstream", *words])
        assert run_app() == 0, (words, stderr.getvalue())
        assert unit in stderr.getvalue(), words


def test_a_rate_has_the_time_that_is_left() -> None:
    assert texts(1000, None, "records", 2.0) == ("1,000 records", "500 records/s")
    assert texts(5, 10, "rules", 20.0) == ("5/10 rules", "0.2 rules/s, 20 s left")
    assert texts(10_000_000, 40_000_000, "MB", 2.0) == ("10.0/40.0 MB", "5.0 MB/s, 6 s left")
    assert texts(45, 100, "%", 3.0) == ("45 %", "3 s")
    assert texts(-1, None, "rules", 3.0) == ("", "")


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


def test_one_long_statement_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    stderr = terminal(monkeypatch)
    connection = connect(str(tmp_path))
    watch(connection)
    asked = "select count(distinct hash(range)) from range(6000000)"
    try:
        with bar("%"):
            within(lambda: connection.execute(asked).fetchall(), 60)
    finally:
        unwatch(connection)
        connection.close()
    shown = [int(n) for n in re.findall(r"(\d+) %", stderr.getvalue())]
    assert shown and max(shown) > 0


def test_a_pipe_gets_no_progress(tmp_path: Path) -> None:
    lake = str(tmp_path / "lake")
    for words in (["run", str(SAMPLE), "--to", f"parquet:{lake}"], ["query", "denies", lake]):
        ended = subprocess.run(
            [sys.executable, "-m", "hookstream", *words], capture_output=True, text=True, check=True
        )
        assert "%" not in ended.stderr and "\x1b" not in ended.stderr


def test_a_step_without_a_listener_is_nothing() -> None:
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
