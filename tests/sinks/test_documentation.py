"""docs/sinks.md: its commands run, its files are read, its sinks open, its options exist."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.configuration.catalog import FOLLOWER
from hookstream.delivery.settings import job_of
from hookstream.sinks.kinds import SinkKind
from hookstream.sinks.reference import kinds, renewed

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "sinks.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.S)


def section(kind: str) -> str:
    return TEXT.split(f"### `{kind}:`")[1].split("\n#")[0]


@pytest.mark.long
def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples").symlink_to(ROOT / "samples" / "codex")
    (tmp_path / "hookstream.toml").write_text(
        'sources = ["samples"]\n[[sink]]\nuri = "jsonl:siem"\nformat = "ocsf"\n'
    )
    code = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"
    (shown,) = blocks("sh")
    for line in shown.splitlines():
        program, *words = shlex.split(line)
        assert program == "hookstream"
        done = subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, f"{line}: {done.stderr}"


@pytest.mark.parametrize("number", range(len(blocks("toml"))))
def test_the_files_are_read_and_the_sinks_open(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("HEC_TOKEN", "LAKE_KEY", "LAKE_SECRET", "KAFKA_PASSWORD"):
        monkeypatch.setenv(name, "w" * 8)
    path = tmp_path / "hookstream.toml"
    path.write_text(blocks("toml")[number])
    for sink in job_of({"config": path}, FOLLOWER).outputs:
        if not sink.uri.startswith("parquet:s3"):  # asks the bucket what is there
            sink.open().close()


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.name)
def test_the_example_of_a_kind_opens_it(
    kind: SinkKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in re.findall(r'env = "(\w+)"|_env = "(\w+)"', kind.example):
        monkeypatch.setenv("".join(name), "w" * 8)
    (tmp_path / "token").write_text("w" * 8)
    (tmp_path / "token").chmod(0o600)
    path = tmp_path / "hookstream.toml"
    path.write_text(f'sources = ["log"]\n[[sink]]\n{kind.example}')
    (sink,) = job_of({"config": path}, FOLLOWER).outputs
    assert sink.uri.startswith(f"{kind.name}:")
    sink.open().close()


def test_the_tables_are_those_of_the_declarations() -> None:
    assert renewed(TEXT) == TEXT, "run: python -m hookstream.sinks.reference docs/sinks.md"
    for kind in kinds():
        assert f"<!-- options of {kind.name} -->" in section(kind.name)
    assert renewed(TEXT.replace("| `ack` |", "| `akc` |")) == TEXT


def test_the_table_names_the_sinks_of_the_benchmark() -> None:
    table = TEXT.split("<!-- throughput -->")[1].split("<!-- /throughput -->")[0]
    tree = ast.parse((ROOT / "benchmarks" / "delivery" / "sinks.py").read_text("utf-8"))
    (cases,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == "CASES"
    )
    names = [one.elts[0].value for one in cases.elts]  # type: ignore[union-attr]
    assert len(names) > 15
    for name in names:
        assert f"| {name} |" in table
