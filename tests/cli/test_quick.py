"""`run` with plain arguments starts without the library of the command line, and means the same."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

from hookstream.cli import running
from hookstream.cli.app import app
from hookstream.cli.quick import OPTIONS, arguments

SAMPLE = Path(__file__).parents[2] / "samples" / "codex"
# Each of them took 10 to 100 ms of a start.
HEAVY = (
    *("typer", "pydantic", "rich", "pyarrow", "duckdb", "multiprocessing", "cryptography"),
    # what seals, what engines call, what reads the session files of other clients
    *("hookstream.seal.log", "hookstream.engine", "hookstream.normalizers.n8n.transcript"),
)


def by_typer(words: list[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the command gives `running.run`."""
    seen: dict[str, Any] = {}

    def run(*given: Any) -> int:
        seen.update(inspect.signature(running_run).bind(*given).arguments)
        return 0

    running_run = running.run
    with monkeypatch.context() as patch:
        patch.setattr(running, "run", run)
        app(["run", *words], standalone_mode=False)
    return seen


def test_it_has_every_option_of_the_command() -> None:
    command = typer.main.get_command(app).commands["run"]  # type: ignore[attr-defined]
    options = {
        option: one.name
        for one in command.params
        for option in one.opts
        if option.startswith("--") and option != "--help"
    }
    assert {option: name for option, (name, _) in OPTIONS.items()} == options


@pytest.mark.parametrize(
    "line",
    [
        "in --to jsonl:out",
        "a b - --to=jsonl:out --to parquet:lake --workers 2 --strict",
        "--to jsonl:a=b in --report r.json --now 2026-01-01T00:00:00Z --witness hook,wrap",
        "in --to jsonl:o --hash-key-file k --allow a --machine m --state s --config c.toml",
        "in --to jsonl:o --follow --seal --seal-to file:x --rules pack --rules r --vendor codex",
        "in --to jsonl:o --standard aarts --privacy full --workers=3",
        "",
    ],
)
def test_it_means_what_the_command_means(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = line.split()
    given = arguments(words)
    assert given is not None
    whole = {name: one.default for name, one in inspect.signature(running.run).parameters.items()}
    assert {**whole, **given} == {
        name: value or whole[name] for name, value in by_typer(words, monkeypatch).items()
    }


@pytest.mark.parametrize(
    "line",
    ["--help", "in --to", "in --workers 0", "in --workers two", "in --frobnicate", "-x", "--",
     "in --stric", "in --strict=1", "in --to --strict", "in --to -", "-- in"],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_the_command(line: str) -> None:
    assert arguments(line.split()) is None


def test_a_run_over_a_line_imports_nothing_heavy(tmp_path: Path) -> None:
    line = next(SAMPLE.rglob("*.jsonl")).read_bytes().splitlines(keepends=True)[0]
    (tmp_path / "one.jsonl").write_bytes(line)
    code = (
        "import sys; from hookstream.cli import command; code = command();"
        f"print(code, [name for name in {HEAVY} if name in sys.modules])"
    )
    words = ["run", "one.jsonl", "--to", "jsonl:out"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=tmp_path, capture_output=True, text=True, timeout=60,
        env={"XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout == "0 []\n", done.stderr
    assert "read 1" in done.stderr
