"""Files that do not belong where they are: every command that reads the folder sees one, or none
does and one names it. Nothing waits for a pipe, and an error is a line."""

from __future__ import annotations

import gzip
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from same_process import text_of

SAMPLE = Path(__file__).parents[1] / "samples" / "codex" / "deny.jsonl"
HOOKSTREAM = (sys.executable, "-m", "hookstream")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX"),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sealed lake and a sealed log."""
    folder = tmp_path_factory.mktemp("made")
    for sink in ("parquet", "jsonl"):
        done = text_of("run", SAMPLE, "--to", f"{sink}:{folder / sink}", "--seal")
        assert done.returncode == 0, done.stderr
    return folder


def ran(
    *words: str | Path, seconds: float = 60, limit: Callable[[], None] | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """A command in a process that may not take longer."""
    return subprocess.run(
        [*HOOKSTREAM, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=seconds,
        preexec_fn=limit,
        env={**os.environ, **env},
        input="",
    )


def in_one_line(done: subprocess.CompletedProcess[str]) -> bool:
    return done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def bound(path: Path) -> None:
    """A socket at the path, whose own address may be too long for one."""
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path.name)
    finally:
        os.chdir(here)


# What is put at a path that a file would have; each needs the bytes of a good one.
PLANTED: dict[str, Callable[[Path, bytes], object]] = {
    "pipe": lambda path, data: os.mkfifo(path),
    "socket": lambda path, data: bound(path),
    "device": lambda path, data: path.symlink_to("/dev/zero"),
    "link to nothing": lambda path, data: path.symlink_to("nowhere"),
    "link to itself": lambda path, data: path.symlink_to(path.name),
    "folder": lambda path, data: path.mkdir(),
}
LINES = {
    **PLANTED,
    "packed twice": lambda path, data: Path(f"{path}.gz").write_bytes(
        gzip.compress(gzip.compress(data))
    ),
    "torn": lambda path, data: Path(f"{path}.gz").write_bytes(gzip.compress(data)[:-99]),
}
PARTS = {
    **PLANTED,
    "link": lambda path, data: path.symlink_to(next(path.parent.glob("*.parquet")).resolve()),
    "another case": lambda path, data: path.with_suffix(".PARQUET").write_bytes(data),
    "packed": lambda path, data: Path(f"{path}.gz").write_bytes(gzip.compress(data)),
    "torn": lambda path, data: path.write_bytes(data[:-9]),
}


@pytest.mark.parametrize("kind", PARTS)
def test_what_is_no_part_of_a_lake_is_read_by_none_and_named_by_all(
    kind: str, made: Path, tmp_path: Path
) -> None:
    lake = tmp_path / "lake"
    shutil.copytree(made / "parquet", lake)
    part = next(lake.rglob("*.parquet"))
    PARTS[kind](part.parent / "zz.parquet", part.read_bytes())
    expected = text_of("query", "calls", made / "parquet", "--format", "json").stdout
    asked = text_of("query", "calls", lake, "--format", "json")
    assert (asked.returncode, asked.stdout) == (0, expected)
    for words in (("tables", lake), ("compact", lake), ("verify", lake)):
        done = text_of(*words)
        assert done.returncode == (1 if (words[0], kind) == ("verify", "torn") else 0), done.stderr
        if (words[0], kind) != ("compact", "torn"):  # a single small part: it is not opened
            assert "zz." in done.stderr + done.stdout, words
    assert "zz." in asked.stderr


@pytest.mark.parametrize("kind", LINES)
def test_what_is_no_file_of_lines_is_named_and_the_others_are_read(
    kind: str, made: Path, tmp_path: Path
) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "good.jsonl").write_bytes(SAMPLE.read_bytes())
    LINES[kind](source / "odd.jsonl", SAMPLE.read_bytes())
    done = ran("run", source, "--to", f"jsonl:{tmp_path / 'out'}")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    events = (tmp_path / "out" / "agent-hooks.jsonl").read_text().count("\n")
    assert events >= (made / "jsonl" / "agent-hooks.jsonl").read_text().count("\n")
    if kind not in ("folder", "packed twice"):  # its lines are rejections, as of any other file
        assert "odd.jsonl" in done.stderr
    log = tmp_path / "log"
    shutil.copytree(made / "jsonl", log)
    LINES[kind](log / "odd.jsonl", SAMPLE.read_bytes())
    asked = text_of("query", "calls", log, "--format", "json")
    assert asked.returncode == 0
    assert kind == "folder" or "odd.jsonl" in asked.stderr
    sealed = text_of("verify", log)
    assert sealed.returncode == 1
    assert "odd.jsonl" in sealed.stdout


@pytest.mark.parametrize("name", ["odd.JSONL", "odd.Jsonl.GZ", "ODD.NDJSON"])
def test_a_name_in_another_case_is_read_by_all(name: str, made: Path, tmp_path: Path) -> None:
    data = SAMPLE.read_bytes()
    source = tmp_path / "in"
    source.mkdir()
    (source / name).write_bytes(gzip.compress(data) if name.endswith("GZ") else data)
    done = text_of("run", source, "--to", f"jsonl:{tmp_path / 'out'}")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "agent-hooks.jsonl").read_bytes() == (
        made / "jsonl" / "agent-hooks.jsonl"
    ).read_bytes()
    log = tmp_path / "log"
    shutil.copytree(made / "jsonl", log)
    shutil.copy(source / name, log / name)
    assert name in text_of("query", "calls", log).stderr
    assert name in text_of("verify", log).stdout
    assert name in text_of("validate", log).stdout


COMMANDS: dict[str, tuple[str, ...]] = {
    "run": ("run", "PIPE", "--to", "jsonl:-"),
    "run --config": ("run", "--config", "PIPE"),
    "run --allow": ("run", str(SAMPLE), "--to", "jsonl:-", "--allow", "PIPE"),
    "run --hash-key-file": ("run", str(SAMPLE), "--to", "jsonl:-", "--hash-key-file", "PIPE"),
    "run --report": ("run", str(SAMPLE), "--to", "jsonl:-", "--report", "PIPE"),
    "run --to": ("run", str(SAMPLE), "--to", "jsonl:PIPE"),
    "validate": ("validate", "PIPE"),
    "verify": ("verify", "PIPE"),
    "query": ("query", "calls", "PIPE"),
    "report": ("report", "PIPE"),
    "tables": ("tables", "PIPE"),
    "compact": ("compact", "PIPE"),
    "retain": ("retain", "PIPE", "--max-age", "1d"),
    "detect": ("detect", "PIPE"),
    "export": ("export", "PIPE", "x.duckdb"),
    "ui": ("ui", "PIPE", "--no-browser"),
    "config check": ("config", "check", "PIPE"),
    "backfill": ("backfill", "--home", "PIPE"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_waits_for_the_writer_of_a_pipe(name: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    done = ran(*(word.replace("PIPE", str(pipe)) for word in COMMANDS[name]))
    assert done.returncode == 2, done
    assert "Traceback" not in done.stderr
    assert str(pipe) in done.stderr
    assert name == "run --report" or in_one_line(done), done.stderr


def small_files() -> None:
    """No file of the process may grow beyond 30 KB, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))


@pytest.mark.parametrize("sink", ["parquet", "parquet sealed"])
def test_a_full_disk_is_a_line_and_nothing_that_was_written_is_broken(
    sink: str, tmp_path: Path
) -> None:
    big = tmp_path / "big.jsonl"
    lines = SAMPLE.read_text().splitlines()
    with big.open("w") as file:
        for number in range(40):
            for line in lines:
                record = json.loads(line)
                record["payload"]["session_id"] = f"s-{number}"
                file.write(json.dumps(record) + "\n")
    words = ("run", big, "--to", f"parquet:{tmp_path / 'out'}")
    words += ("--seal",) if sink.endswith("sealed") else ()
    done = ran(*words, limit=small_files)
    assert done.returncode == 3, done
    assert in_one_line(done), done.stderr
    again = ran(*words)
    assert again.returncode == 0, again.stderr
    rows = text_of("query", "select count(distinct session_id) as n from events", tmp_path / "out")
    assert "40" in rows.stdout


PAYLOAD = {
    "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/w", "transcript_path": "/t.jsonl",
    "tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "ls"},
}  # fmt: skip


@pytest.mark.parametrize("log", ["pipe", "folder", "full", "device"])
def test_a_hook_ends_well_wherever_its_log_is(log: str, tmp_path: Path) -> None:
    place = tmp_path / "log.jsonl"
    if log == "pipe":
        os.mkfifo(place)
    elif log == "folder":
        place.mkdir()
    elif log == "device":
        place.symlink_to("/dev/full")
    done = subprocess.run(
        [*HOOKSTREAM, "hook", "claude-code", "PreToolUse"],
        input=json.dumps(PAYLOAD).encode(),
        capture_output=True,
        timeout=30,
        preexec_fn=nothing_fits if log == "full" else None,
        env={**os.environ, "HOME": str(tmp_path), "AGENT_HOOKS_LOG": str(place)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def nothing_fits() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@pytest.mark.parametrize("words", [("status",), ("run", str(SAMPLE), "--to", "jsonl:-"), ("demo",)])
def test_a_home_that_cannot_be_written_is_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    home = str(tmp_path / "home")
    none = dict.fromkeys(("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), "")
    done = ran(*words, HOME=home, **none)
    assert done.returncode in (0, 2), done
    assert done.returncode == 0 or in_one_line(done), done.stderr
