"""run --seal and verify on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from same_process import text_of

SAMPLES = Path(__file__).parents[2] / "samples" / "codex"
CODE = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)

    return text_of


@pytest.mark.long
def test_run_seal_verify_and_prove(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    done = run("run", str(SAMPLES), "--to", "jsonl:out", "--seal", "--seal-to", "file:second")
    assert done.returncode == 0, done.stderr
    done = run("verify", "out", "--against", "second", "--key", "out/.seal/agent-hooks.jsonl/vkey")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "records whole" in done.stderr
    # The key of one log says nothing of the others.
    assert done.stderr.count("first key was not given") == 2
    # What lies in .seal is nobody's input.
    done = run("validate", "out")
    assert done.returncode == 0, done.stdout
    log = tmp_path / "out" / "agent-hooks.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    event_id = json.loads(lines[2])["event_id"]
    done = run("verify", "out", "--event", event_id, "--proof", "p")
    assert done.returncode == 0, done.stderr
    key = done.stdout.strip()
    (tmp_path / "line").write_bytes(lines[2])
    assert run("verify", "p", "--line", "line", "--key", key).returncode == 0
    (tmp_path / "line").write_bytes(lines[3])
    assert run("verify", "p", "--line", "line", "--key", key).returncode == 1
    log.write_bytes(b"".join([*lines[:4], *lines[5:]]))
    done = run("verify", "out")
    assert done.returncode == 1
    assert done.stdout.startswith(f"{Path('out') / 'agent-hooks.jsonl'}:5: ")
    assert "removed" in done.stdout


def test_what_is_not_sealed_cannot_be_checked(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "plain").mkdir()
    done = run("verify", "plain")
    assert (done.returncode, "not sealed" in done.stderr) == (2, True)
    assert run("verify", "nothing").returncode == 2


@pytest.mark.long
def test_a_delivery_is_sealed_by_its_file(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "h.toml").write_text(
        f'sources = ["{SAMPLES}"]\nseal = true\nseal_to = ["file:second"]\n'
        '[[sink]]\nuri = "parquet:lake"\n[[sink]]\nuri = "jsonl:out"\nformat = "ocsf"\n'
    )
    done = run("run", "--config", "h.toml")
    assert done.returncode == 0, done.stderr
    for folder in ("lake", "out"):
        done = run("verify", folder, "--against", "second")
        assert done.returncode == 0, done.stdout + done.stderr
    done = run("run", str(SAMPLES), "--to", "jsonl:x", "--seal-to", "nowhere")
    assert (done.returncode, "second place" in done.stderr) == (2, True)
