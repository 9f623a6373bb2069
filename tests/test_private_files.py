"""Every file that a command writes is for its owner alone, whatever the umask."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookstream.core.files import keep_private, make_private, write_atomic, write_private
from same_process import text_of

SAMPLE = Path(__file__).parents[1] / "samples" / "codex" / "deny.jsonl"

pytestmark = pytest.mark.posix("modes are POSIX's")


@pytest.fixture(autouse=True)
def lenient() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    return sorted(
        f"{stat.filemode(path.lstat().st_mode)} {path.relative_to(folder)}"
        for path in folder.rglob("*")
        if not path.is_symlink() and path.lstat().st_mode & 0o077
    )


def test_helpers_write_private_files(tmp_path: Path) -> None:
    make_private(tmp_path / "a" / "b")
    write_atomic(tmp_path / "a" / "atomic", b"x")
    write_private(tmp_path / "a" / "private", "x")
    (tmp_path / "a" / "old").touch(0o644)
    keep_private(tmp_path / "a" / "old")
    keep_private(tmp_path / "a" / "new")
    assert open_to_others(tmp_path) == []


def test_a_file_of_the_users_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "page").touch(0o644)
    write_private(tmp_path / "page", "x")
    assert stat.S_IMODE((tmp_path / "page").stat().st_mode) == 0o644


@pytest.mark.long
def test_whatever_commands_write_is_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir(0o700)
    out.mkdir(0o700)
    monkeypatch.setenv("HOME", str(home))
    (home / "cache").mkdir(0o700)
    for name in ("STATE", "CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    lake, log = out / "lake", out / "log"

    def run(*words: str | Path, code: int = 0) -> str:
        done = text_of(*words)
        assert done.returncode == code, done.stderr
        return done.stdout

    source = out / "broken.jsonl"
    source.write_bytes(SAMPLE.read_bytes() + b"not JSON\n")
    source.chmod(0o600)
    run("run", source, "--to", f"jsonl:{log}", "--seal", "--report", out / "report.json")
    run("run", source, "--to", f"parquet:{lake}", "--seal", "--seal-to", f"file:{out / 'second'}")
    run("run", source, "--to", f"cloudevents:{out / 'ce'}")
    run(
        "run", source, "--to", f"jsonl:{out / 'two'}", "--to", "webhook:http://127.0.0.1:9/", code=3
    )
    run("tables", lake, "--report", out / "tables.json")
    run("detect", lake)
    run("report", lake, "--out", out / "page.html", "--format", "html")
    run("export", lake, out / "export.duckdb")
    run("compact", lake)
    run("hold", lake, "case-1", "--session", "s")
    event_id = json.loads((log / "agent-hooks.jsonl").read_bytes().splitlines()[0])["event_id"]
    run("verify", log, "--event", event_id, "--proof", out / "proof")
    run("bundle", out / "hookstream.pyz")
    from hookstream.ui.casebook import Casebook

    Casebook(lake).decide(["finding"], "known", "")
    files = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert {"report.json", "page.html", "export.duckdb", "proof", "second"} < files
    # A program for other machines holds nothing of this one, and other users run it.
    assert open_to_others(out) == ["-rwxr-xr-x hookstream.pyz"]
    assert open_to_others(home) == []
