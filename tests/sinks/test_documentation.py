"""docs/sinks.md: its commands run, its files are read, its sinks open, its options exist."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path

import pytest

from hookstream.cli.configured import follower_job
from hookstream.sinks import KINDS

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
    for sink in follower_job({"config": path}).outputs:
        if not sink.uri.startswith("parquet:s3"):  # asks the bucket what is there
            sink.open().close()


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "faulty"])
def test_every_sink_has_a_section_and_every_option_a_word(kind: str) -> None:
    module = import_module(f"hookstream.sinks.{KINDS[kind]}")
    given = signature(module.open_sink).parameters.values()
    options = {one.name for one in given if one.kind is Parameter.KEYWORD_ONLY}
    known = {"standard", "now", "installation", "timeout_s", "arguments"}
    everywhere = {"token", "headers", "ca_file", "cert_file", "key_file"}
    for option in options - known - everywhere:
        assert f"`{option}`" in section(kind), option
    assert f"| `{kind}:` |" in TEXT


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
