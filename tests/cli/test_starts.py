"""A command imports what it uses: help needs no command's library, a refusal no redaction rules."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.cli.app import COMMANDS, MODULES, commands_of

SAMPLE = Path(__file__).parents[2] / "samples" / "codex"
# Each of them takes 10 to 100 ms of a start.
HEAVY = {
    *("rich", "pydantic", "click", "duckdb", "pyarrow", "multiprocessing", "cryptography"),
    # what seals, what engines call, what reads the session files of other clients
    *("hookstream.seal.log", "hookstream.pipeline.state", "hookstream.normalizers.n8n.transcript"),
}
OWN_OPTIONS = {"wrap", "ship"}  # these read their command lines themselves


def modules_of(*words: str, cwd: Path | None = None) -> tuple[int, set[str], str]:
    """The exit code of a command line, the modules in memory at its end, and its output."""
    code = (
        "import sys\n"
        "from hookstream.cli import command\n"
        "try:\n code = command()\n"
        "finally: print('\\n--modules', *sys.modules)\n"
        "sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=cwd, capture_output=True, text=True, timeout=60,
        env={"XDG_STATE_HOME": str(cwd), "XDG_CONFIG_HOME": str(cwd)} if cwd else None,
    )  # fmt: skip
    output, _, modules = done.stdout.rpartition("\n--modules ")
    return done.returncode, set(modules.split()), output + done.stderr


def test_the_version_needs_no_library() -> None:
    code, modules, output = modules_of("--version")
    assert code == 0 and output.startswith("hookstream ")
    assert not modules & {*HEAVY, "typer", "orjson"}


def test_the_help_imports_no_command() -> None:
    code, modules, output = modules_of("--help")
    assert code == 0 and "backfill" in output
    assert not modules & {
        *HEAVY,
        "orjson",
        *(f"hookstream.cli.{name}" for name in MODULES.values()),
    }


@pytest.mark.parametrize("command", sorted({*MODULES} - OWN_OPTIONS))
def test_the_help_of_a_command_imports_nothing_heavy(command: str) -> None:
    code, modules, output = modules_of(command, "--help")
    assert code == 0 and output.startswith(f"Usage: hookstream {command}")
    assert not modules & HEAVY


def test_a_refused_option_imports_nothing_heavy() -> None:
    code, modules, output = modules_of("query", "--frobnicate")
    assert code == 2 and "No such option: --frobnicate" in output
    assert not modules & {*HEAVY, "hookstream.redaction"}


def test_a_refusal_does_not_repeat_a_secret() -> None:
    token = "gh" + "p_" + "x9Kd3Lm8Qw2Er5Ty7Ui1Op4As6Df0GhJkZxC"[:36]
    code, _, output = modules_of("query", f"--token={token}")
    assert code == 2 and token not in output
    code, _, output = modules_of(token)
    assert code == 2 and token not in output


def test_a_run_over_a_line_imports_nothing_heavy(tmp_path: Path) -> None:
    sample = min(path for path in SAMPLE.rglob("*.jsonl") if "expected" not in path.name)
    line = sample.read_bytes().splitlines(keepends=True)[0]
    (tmp_path / "one.jsonl").write_bytes(line)
    code, modules, output = modules_of("run", "one.jsonl", "--to", "jsonl:out", cwd=tmp_path)
    assert code == 0 and "read 1" in output
    assert not modules & HEAVY


def test_every_command_is_listed_with_its_own_first_sentence() -> None:
    for section in COMMANDS.values():
        for name, (module, summary) in section.items():
            command = commands_of(module)[name]
            assert command.get_short_help_str(200) == summary, name
    assert {name for module in MODULES.values() for name in commands_of(module)} == set(MODULES)


@pytest.mark.long
def test_a_question_over_a_lake_imports_nothing_that_reads_lines(tmp_path: Path) -> None:
    assert modules_of("run", str(SAMPLE), "--to", "parquet:lake", cwd=tmp_path)[0] == 0
    code, modules, output = modules_of("query", "denies", "lake", "--format", "csv", cwd=tmp_path)
    assert code == 0 and "decision_reason" in output
    lines = {"hookstream.redaction", "hookstream.pipeline", "hookstream.queries.load"}
    assert not modules & {"rich", "pyarrow.parquet", *lines}
