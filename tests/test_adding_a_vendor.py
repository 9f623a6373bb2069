"""The vendor of docs/adding-a-vendor.md works as the page shows it, and its commands as pasted."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.records import Record, read_record
from hookstream.normalizers import normalize
from hookstream.normalizers.ready import CompiledVendor

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "adding-a-vendor.md"
BLOCK = re.compile(r"`((?:src|samples)/[^`]*acme[^`]+)`[^`]*?:\n\n```\w+\n(.*?)```", re.DOTALL)
NOW = "2026-11-21T12:00:00.000Z"


def test_the_example_gives_what_the_page_says() -> None:
    blocks = dict(BLOCK.findall(PAGE.read_text("utf-8")))
    module: dict[str, Any] = {}
    exec(blocks["src/hookstream/normalizers/acme/table.py"], module)  # noqa: S102
    table = CompiledVendor(module["VENDOR"])
    events = []
    for number, line in enumerate(blocks["samples/acme/tools.jsonl"].splitlines()):
        record = read_record(line.encode(), "page", number)
        assert isinstance(record, Record)
        assert table.vendor.claims(record.payload), json.dumps(record.payload)
        taken = normalize(record, table, NOW)
        assert isinstance(taken, list), taken
        assert taken[0].unmapped is None
        events += taken
    assert [event.type for event in events] == [
        "Session.Start",
        "Prompt.Submitted",
        "Action.Before",
        "Action.After",
    ]
    after = events[-1].facts
    assert (after["success"], after["outcome"], after["action_name"]) == (True, "ok", "shell")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the page's commands need, with the vendor of the page in it."""
    place = tmp_path / "checkout"
    ignored = shutil.ignore_patterns("__pycache__", "*.pyc", ".pytest_cache")
    for name in ("src", "tests", "samples", "docs", "examples", "benchmarks"):
        shutil.copytree(ROOT / name, place / name, ignore=ignored)
    for name in (
        "pyproject.toml",
        "README.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "Makefile",
        ".gitignore",
    ):
        shutil.copy2(ROOT / name, place)
    for name, text in BLOCK.findall(PAGE.read_text("utf-8")):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, "utf-8")
    for words in (["init", "-q"], ["add", "docs/coverage.md", "README.md"]):
        subprocess.run(["git", *words], cwd=place, check=True)
    return place


@pytest.mark.long
def test_the_commands_of_the_page_run_as_they_are_pasted(checkout: Path) -> None:
    text = PAGE.read_text("utf-8").partition("\nThen\n\n")[2].partition("\nA new version")[0]
    fence, setup, *commands, _ = [line.strip() for line in text.splitlines() if line.strip()]
    assert fence == "```sh"
    assert setup == "make setup; . .venv/bin/activate" and len(commands) == 7
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = {**os.environ, "PATH": path, "PYTHONPATH": str(checkout / "src")}
    for name in [name for name in env if name.startswith("PYTEST")]:
        del env[name]
    said = ""
    for line in commands:
        done = subprocess.run(
            ["bash", "-c", line], cwd=checkout, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}{done.stderr[-1000:]}"
        said += done.stdout
    expected = (checkout / "samples/acme/tools.expected.jsonl").read_text("utf-8").splitlines()
    assert json.loads(expected[-1])["report"]["events"] == 4
    assert "| acme |" in said and "before_tool" in said
    changed = subprocess.run(
        ["git", "diff", "--no-index", "--stat", str(ROOT / "samples"), str(checkout / "samples")],
        capture_output=True, text=True,
    )  # fmt: skip
    assert " 3 files changed" in changed.stdout, "one sample is regenerated, and no other; a row"
