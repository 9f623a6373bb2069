"""What the commands say of session files that a client will delete."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hookstream.cli.app import app


@pytest.mark.long
@pytest.mark.parametrize("command", ["status", "backfill"])
def test_a_command_names_what_will_be_deleted(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    path = tmp_path / ".claude" / "projects" / "-srv-app" / "s.jsonl"
    path.parent.mkdir(parents=True)
    said = {"role": "user", "content": "hello"}
    record = {"type": "user", "uuid": "u1", "sessionId": "s1", "message": said}
    path.write_text(json.dumps({**record, "timestamp": "2026-11-01T00:00:00Z"}) + "\n")
    os.utime(path, (time.time() - 28 * 86400,) * 2)
    shown = CliRunner().invoke(app, [command])
    assert shown.exit_code == 0, shown.output
    assert "Claude Code deletes 1 session file within 7 days" in shown.output.replace("\n", " ")
