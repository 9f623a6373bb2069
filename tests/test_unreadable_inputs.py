"""Inputs that cannot be read: each is named, and a run that could read nothing of any fails."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from same_process import text_of

SAMPLE = Path(__file__).parents[1] / "samples" / "codex" / "deny.jsonl"
BAD = {
    "x.csv": b"a,b\n1,2\n",
    "x.jsonl": b"\x00\x01\xff",
    "cut.jsonl.gz": gzip.compress(os.urandom(9000))[:4000],
    "plain.jsonl.gz": b"hello",
    "bomb.jsonl.gz": gzip.compress(bytes(3_000_000)),
    "plain.jsonl.zst": b"hello",
}


@pytest.mark.parametrize("name", BAD)
def test_a_run_that_can_read_nothing_says_of_what_and_fails(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(BAD[name])
    done = text_of("run", tmp_path / name, "--to", f"jsonl:{tmp_path / 'out'}")
    assert done.returncode == 2
    assert f"{tmp_path / name}: " in done.stderr
    assert "Traceback" not in done.stderr
    assert "internal" not in done.stderr
    strict = ("run", tmp_path / name, "--strict", "--to", f"jsonl:{tmp_path / 'out'}")
    assert text_of(*strict).returncode == 1


def test_a_file_that_breaks_off_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "good.jsonl").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "in" / "plain.jsonl.gz").write_bytes(b"hello")
    done = text_of("run", tmp_path / "in", "--to", f"jsonl:{tmp_path / 'out'}")
    assert done.returncode == 0
    assert "plain.jsonl.gz: unreadable: BadGzipFile" in done.stderr
    assert "good.jsonl" not in done.stderr


def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (tmp_path / "x.jsonl").write_bytes(SAMPLE.read_bytes())
    (tmp_path / "x.jsonl").chmod(0)
    done = text_of("run", tmp_path / "x.jsonl", "--to", f"jsonl:{tmp_path / 'out'}")
    assert done.returncode == 2
    assert "x.jsonl: unreadable: Permission denied" in done.stderr
