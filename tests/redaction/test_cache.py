"""The cache of compiled rules: private, verified, and never a reason to fail."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from hookstream.redaction import cache

pytest.importorskip("hyperscan")
from hookstream.redaction.scanner import Scanner

TEXT = "see ghp_" + "a1B2" * 9


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache, "SHARED", str(tmp_path / "none"))
    return tmp_path / "hookstream"


def small() -> Scanner:
    from hookstream.redaction.rules import rules

    picked = tuple(rule for rule in rules() if rule.id in ("github-pat", "aws-access-key-id"))
    return Scanner("hyperscan", rule_set=picked)


def database(folder: Path) -> Path:
    [path] = folder.glob("*" + cache.SUFFIX)
    return path


def test_folder_and_file_are_private(folder: Path) -> None:
    assert small().scan(TEXT)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(database(folder).stat().st_mode) == 0o600


def test_the_second_run_reads_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small()
    monkeypatch.setattr(
        "hookstream.redaction.hyperscan_engine.build", lambda *a: pytest.fail("built")
    )
    assert small().scan(TEXT)


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "open", "link"])
def test_a_damaged_database_is_compiled_anew(folder: Path, damage: str, tmp_path: Path) -> None:
    small()
    path = database(folder)
    data = path.read_bytes()
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "flip":
        path.write_bytes(data[:-9] + bytes([data[-9] ^ 1]) + data[-8:])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "open":
        path.chmod(0o644)
    else:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.write_bytes(data)
        path.unlink()
        path.symlink_to(elsewhere)
    assert cache.fetch(path.stem) is None
    assert small().scan(TEXT)


def test_an_unwritable_cache_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    assert small().scan(TEXT)


def test_the_key_tells_rules_library_and_processor_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    one = cache.key_of([b"a", b"b"], "1")
    assert one != cache.key_of([b"ab"], "1")
    assert one != cache.key_of([b"a", b"b"], "2")
    monkeypatch.setattr(cache, "features", lambda: "another processor")
    assert one != cache.key_of([b"a", b"b"], "1")


def test_old_databases_do_not_pile_up(folder: Path) -> None:
    for number in range(8):
        cache.store(f"{number:064x}", b"x")
    assert len(list(folder.glob("*" + cache.SUFFIX))) <= 8
    for number in range(8, 16):
        cache.store(f"{number:032x}" + "0" * 32, b"x")
    assert len(list(folder.glob("*" + cache.SUFFIX))) <= 9


def test_another_home_of_the_installation_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "code"
    shared.mkdir()
    monkeypatch.setattr(cache, "SHARED", str(shared))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "one"))
    small()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "two"))
    key = database(shared).stem
    with monkeypatch.context() as patched:
        patched.setattr(
            "hookstream.redaction.hyperscan_engine.build", lambda *a: pytest.fail("built")
        )
        assert small().scan(TEXT)
    database(shared).chmod(0o666)
    assert cache.fetch(key) is None


def test_nothing_is_written_next_to_code_that_writes_no_bytecode(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "SHARED", str(folder.parent))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    small()
    assert not list(folder.parent.glob("*" + cache.SUFFIX))
