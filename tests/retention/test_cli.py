"""retain and hold on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from seal.retaining import new_operator

SAMPLES = Path(__file__).parents[2] / "samples" / "codex"
CODE = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", CODE, *words], capture_output=True, text=True, timeout=60
        )

    return call


@pytest.mark.long
def test_retain_by_the_file_of_a_delivery(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    operator = new_operator(tmp_path / "operator.pem")
    (tmp_path / "h.toml").write_text(
        f'sources = ["{SAMPLES}"]\nprivacy = "redact"\nseal = true\nseal_to = ["file:second"]\n'
        '[[sink]]\nuri = "parquet:lake"\n[[sink]]\nuri = "jsonl:out"\n'
        '[retention]\nmax_age = "365d"\ncontent_max_age = "30d"\n'
        'operator_key_file = "operator.pem"\n'
    )
    done = run("run", "--config", "h.toml")
    assert done.returncode == 0, done.stderr
    assert run("tables", "lake").returncode == 0
    retain = ("retain", "--config", "h.toml", "--now")
    done = run(*retain, "2027-01-15T00:00:00Z", "--dry-run", "--format", "json")
    assert done.returncode == 0, done.stderr
    asked, _ = json.JSONDecoder().raw_decode(done.stdout)
    assert asked["dry_run"] and {row["class"] for row in asked["rows"]} == {"content"}
    done = run(*retain, "2027-01-15T00:00:00Z")
    assert done.returncode == 0, done.stderr
    assert "lost their content" in done.stderr and str(operator.verifier) in done.stderr
    for folder in ("lake", "out"):
        done = run("verify", folder, "--against", "second", "--operator", str(operator.verifier))
        assert done.returncode == 0, done.stdout + done.stderr
    # One session is held, and stays when all else is too old.
    session = json.loads((tmp_path / "out/agent-hooks.jsonl").read_bytes().split(b"\n")[0])
    assert run("hold", "lake", "case-1", "--session", session["session_id"]).returncode == 0
    assert "case-1" in run("hold", "lake").stdout
    done = run(
        "retain",
        "lake",
        "--max-age",
        "365d",
        "--operator-key",
        "operator.pem",
        "--now",
        "2028-01-15T00:00:00Z",
    )
    assert done.returncode == 0, done.stderr
    done = run("query", "sessions", "lake", "--format", "json")
    assert [row["session_id"] for row in json.loads(done.stdout)] == [session["session_id"]]
    assert run("verify", "lake").returncode == 0
    assert run("hold", "lake", "case-1", "--release").returncode == 0
    assert run("hold", "lake").stdout == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("retain", "x"), "nothing to do"),
        (("retain", "--max-age", "3d"), "no folder"),
        (("retain", "x", "--max-age", "3 days"), "365d"),
        (("retain", "nowhere", "--max-age", "3d"), "no folder"),
        (("retain", "x", "--max-age", "3d"), "no agent-hooks.jsonl"),
        (("retain", "x", "--max-age", "3d", "--operator-key", "none.pem"), "operator key"),
        (("retain", "s3://bucket/lake", "--max-age", "3d"), "bucket"),
        (("hold", "x", "c"), "--session"),
        (("hold", "x", "c", "--release"), "no hold"),
        (("verify", "x", "--operator", "none"), "operator's public key"),
    ],
)
def test_errors_are_one_line(run, tmp_path: Path, words: tuple[str, ...], said: str) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "x").mkdir()
    done = run(*words)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert said in done.stderr
