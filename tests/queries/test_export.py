"""A lake as one DuckDB file: every question answers there as it does over the lake."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import duckdb
import pytest

from hookstream.cli.app import run_app
from hookstream.queries.catalog import shipped
from hookstream.queries.runner import ask, open_stream

pytestmark = pytest.mark.long

OLDEST = "duckdb==1.2.2"
ASK = """
import sys
import duckdb

with duckdb.connect(sys.argv[1], read_only=True) as file:
    for name in sys.argv[2:]:
        print(file.execute(f'select count(*) from "{name}"').fetchone()[0])
"""
SAMPLES = Path(__file__).parent.parent.parent / "samples"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("export")
    sources = [
        str(SAMPLES / "claude-code" / name) for name in ("deny.jsonl", "context-events.jsonl")
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["hookstream", "run", *sources, "--to", f"parquet:{out}/lake"])
        assert run_app() == 0
    return out / "lake"


def run(*words: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["hookstream", *words])
        return run_app()


@pytest.mark.long
def test_the_file_answers_as_the_lake_does(
    lake: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "analyst.duckdb"
    assert run("export", str(lake), str(target)) == 0
    with duckdb.connect(str(target), read_only=True) as file, open_stream(lake) as stream:
        for name in shipped():
            rows = file.execute(f'select * from "{name}"').fetchall()
            assert sorted(map(str, rows)) == sorted(map(str, ask(stream, name).rows)), name
        described = file.execute(
            "select count(*) from duckdb_columns() where table_name = 'denies' "
            "and comment is not null"
        ).fetchall()
        assert described[0][0] > 20
        assert "agent_hooks" not in [row[0] for row in file.execute("describe events").fetchall()]
    assert [one.name for one in tmp_path.iterdir()] == ["analyst.duckdb"]
    capsys.readouterr()
    assert run("export", str(lake), str(target)) == 2
    assert "--force" in capsys.readouterr().err
    assert run("export", str(lake), str(target), "--force") == 0


def test_an_older_duckdb_opens_the_file_and_every_question(lake: Path, tmp_path: Path) -> None:
    """The oldest version that the file is written for, in an environment for this test alone."""
    target = tmp_path / "a.duckdb"
    assert run("export", str(lake), str(target)) == 0
    older = tmp_path / "older"
    venv.create(older, symlinks=True)
    words = ["-m", "pip", "--python", str(older), "install", "--quiet", OLDEST]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=120)
    if done.returncode:
        pytest.skip(f"pip cannot get {OLDEST}: {done.stderr.strip()[-200:]}")
    asked = subprocess.run(
        [older / "bin" / "python", "-c", ASK, target, *shipped()], capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr
    with duckdb.connect(str(target), read_only=True) as file:
        counts = [
            file.execute(f'select count(*) from "{name}"').fetchone()[0] for name in shipped()
        ]
    assert asked.stdout.split() == list(map(str, counts))


def test_views_are_statements_that_a_file_takes(
    lake: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("views") == 0
    text = capsys.readouterr().out
    target = tmp_path / "a.duckdb"
    assert run("export", str(lake), str(target)) == 0
    with duckdb.connect(str(target)) as file:
        for statement in duckdb.extract_statements(text):
            file.execute(statement).fetchall()
