"""Small doors: each let something in, or said it so that nobody could tell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from delivery.stage import delivery, jsonl, read_lines
from hookstream.bundle.build import build
from hookstream.capture.log.append import LogFile
from hookstream.capture.log.place import default_log
from hookstream.core.sources import each_once, find
from hookstream.delivery.follow import follow
from hookstream.seal.verify import verify
from same_process import hookstream
from seal.stage import Stage

DENY = Path(__file__).parents[1] / "samples" / "claude-code" / "deny.jsonl"
NAME = "agent-hooks.jsonl"
RECORDED = Path(__file__).parents[1] / "samples" / "claude-code"


def test_both_standards_of_one_stream_are_told_once(tmp_path: Path) -> None:
    out, lake = tmp_path / "out", tmp_path / "lake"
    assert hookstream("run", RECORDED, "--to", f"jsonl:{out}").returncode == 0
    both = (out / "aarts.jsonl", out / "agent-hooks.jsonl")
    assert hookstream("run", *both, "--to", f"parquet:{lake}").returncode == 0
    ids = pq.read_table(lake).column("event_id").to_pylist()
    assert len(ids) == len(set(ids)) == len(both[1].read_bytes().splitlines())
    assert find([str(both[0])]) == [both[0]]
    assert find([str(one) for one in both]) == find([str(out)]) == [both[1]]
    renamed = [tmp_path / "renamed" / name for name in ("a.jsonl", "b.jsonl", "c.jsonl")]
    renamed[0].parent.mkdir()
    for one, other in zip((both[1], *both), renamed, strict=True):
        os.link(one, other)
    assert each_once(renamed) == renamed[:2]
    lines = b"".join(one.read_bytes() for one in reversed(both))
    folder, many = renamed[0].parent, tmp_path / "many"
    follow(delivery(tmp_path, [str(folder)], [jsonl(many)], once=True))
    assert [line["event_id"] for line in read_lines(many / NAME)] == ids
    for number, words in enumerate(([folder], [folder, "--workers", "2"], renamed[1:], ["-"])):
        there = tmp_path / f"out{number}"
        assert hookstream("run", *words, "--to", f"jsonl:{there}", given=lines).returncode == 0
        assert [line["event_id"] for line in read_lines(there / NAME)] == ids
    # Of another stream, or with a line that the other lacks: that line is read.
    part = tmp_path / "part.jsonl"
    part.write_bytes(b"".join(both[1].read_bytes().splitlines(keepends=True)[1:]))
    assert hookstream("run", renamed[1], part, "--to", f"jsonl:{tmp_path / 'rest'}").returncode == 0
    assert {line["event_id"] for line in read_lines(tmp_path / "rest" / NAME)} == set(ids)


def test_lines_that_only_one_standard_has_are_read(tmp_path: Path) -> None:
    names = ("aarts.jsonl", "aarts.jsonl.1", "agent-hooks.jsonl", "agent-hooks.jsonl.1")
    for name in names:
        (tmp_path / name).touch()
    named = [tmp_path / name for name in names[:3]]
    assert find([str(one) for one in named]) == named


def test_a_state_inside_its_source_is_named(tmp_path: Path) -> None:
    source, config = tmp_path / "source", tmp_path / "c.toml"
    source.mkdir()
    config.write_text(
        f'sources = ["{source}"]\nstate = "{source}/state"\n'
        f'[[sink]]\nuri = "jsonl:{tmp_path}/out"\n'
    )
    done = hookstream("run", "--config", config)
    assert done.returncode == 2
    said = str(done.stderr)
    assert f"{source}: holds the state folder {source}/state: name another" in said


@pytest.mark.posix("modes are POSIX's")
def test_the_users_own_log_is_made_private_again(tmp_path: Path) -> None:
    own, named = Path(str(default_log())), tmp_path / "named.jsonl"
    own.parent.mkdir(parents=True)
    for path in (own, named):
        path.touch()
        path.chmod(0o666)
        LogFile(str(path)).append(b"{}\n")
    assert [oct(path.stat().st_mode & 0o777) for path in (own, named)] == ["0o600", "0o666"]


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_second_place_that_was_cut_short_is_doubted(tmp_path: Path, kind: str) -> None:
    stage = Stage(tmp_path, kind)
    for _ in range(3):
        stage.write(batches=4, step_s=4000.0)
    lines = stage.second.read_bytes().splitlines(keepends=True)
    third = len(lines) // 3
    # One that was named later has less, and lacks nothing.
    for kept, is_cut in ((lines, False), (lines[:third], True), (lines[third:], False)):
        stage.second.write_bytes(b"".join(kept))
        said = str([one.doubts for one in verify(stage.folder, against=stage.second)])
        assert (f"{stage.second} lacks" in said) is is_cut


@pytest.mark.posix("the kernel reads #!")
@pytest.mark.long
def test_a_bundle_that_is_run_as_a_program_is_isolated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle, mark = tmp_path / "hookstream.pyz", tmp_path / "ran"
    build(bundle)
    (tmp_path / "sitecustomize.py").write_text(f"open({str(mark)!r}, 'w').close()\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.defpath)))
    done = subprocess.run([bundle, "--version"], capture_output=True, text=True)
    assert (done.returncode, mark.exists()) == (0, False), done.stderr
    assert subprocess.run([sys.executable, bundle, "--version"], capture_output=True).stdout
    assert mark.exists()  # a Python that is not isolated runs it
