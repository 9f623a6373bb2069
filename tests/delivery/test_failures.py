"""Whatever a user gets wrong is one line saying what to do, with the contract's exit code."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from same_process import hookstream

from .stage import many

pytestmark = pytest.mark.long

UNUSED = "http://127.0.0.1:1/x"


CODE = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"


def surroundings(tmp: Path, **env: str) -> dict[str, str]:
    given = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("AWS_", "AGENT_HOOKS", "HEC"))
    }
    return given | {"XDG_STATE_HOME": str(tmp / "state"), "HOME": str(tmp), **env}


def run(tmp: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = hookstream(*words, env=surroundings(tmp), cwd=tmp)
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def process(tmp: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, which may find other packages and takes signals."""
    return subprocess.run(
        [sys.executable, "-c", CODE, *words],
        cwd=tmp,
        env=surroundings(tmp, **env),
        capture_output=True,
        text=True,
        timeout=60,
    )


def said(done: subprocess.CompletedProcess[str], code: int) -> str:
    """The one line of what went wrong."""
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("hookstream: ")]
    assert len(lines) == 1, done.stderr
    return lines[0]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(many(3)))
    return path


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("nope:x", "a sink is one of jsonl:"),
        ("jsonl", "a sink is one of jsonl:"),
        ("parquet:", "Write parquet: and a folder"),
        ("parquet:log.jsonl", "not a folder"),
        ("jsonl:log.jsonl/out", "log.jsonl"),
        ("cloudevents:log.jsonl", "not a folder"),
        ("parquet:ftp://host/x", "is not one of s3://"),
        ("parquet:s3://", "a bucket behind it"),
        ("parquet:s3://key:word@bucket/x", "neither credentials nor options"),
        ("otlp:collector:4318", "http:// or https://"),
        ("otlp:http://user:word@127.0.0.1:4318", "credentials do not belong in an address"),
        ("otlp:http://127.0.0.1:4318/?api_key=word", "credentials do not belong in an address"),
        ("splunk:https://hec.example:8088", "needs the option token"),
        ("elastic:es.example:9200", "http:// or https://"),
        ("kafka:broker:9092", "kafka:host:9092/topic"),
        ("syslog:siem.example", "syslog:tcp://host:port"),
        ("webhook:file:///etc/passwd", "http:// or https://"),
    ],
)
def test_a_wrong_address(tmp_path: Path, log: Path, uri: str, words: str) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "log.jsonl").write_bytes(log.read_bytes())
    line = said(run(tmp_path / "here", "run", str(log), "--to", uri), 2)
    assert words in line
    assert "word@" not in line
    assert "api_key=word" not in line


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_nobody_may_write(tmp_path: Path, log: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0o500)
    assert "Permission denied" in said(run(tmp_path, "run", str(log), "--to", "jsonl:shut/out"), 2)


@pytest.mark.parametrize(
    ("uri", "package", "extra"),
    [
        ("kafka:127.0.0.1:9092/t", "confluent_kafka", ".[kafka]"),
        ("otlp:grpc://127.0.0.1:4317", "grpc", ".[grpc]"),
    ],
)
def test_a_package_that_is_not_installed(
    tmp_path: Path, log: Path, uri: str, package: str, extra: str
) -> None:
    shim = tmp_path / "shim"
    shim.mkdir()
    (shim / f"{package}.py").write_text("raise ImportError('not installed')\n")
    path = os.pathsep.join([str(shim), os.environ.get("PYTHONPATH", "")])
    line = said(process(tmp_path, "run", str(log), "--to", uri, PYTHONPATH=path), 2)
    assert f"pip install '{extra}'" in line


SINK = 'sources = ["log.jsonl"]\n[[sink]]\nuri = '


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SINK + '"jsonl:x"\nformat = "nope"', "one of native, cloudevents, ecs, ocsf, cef"),
        (SINK + '"jsonl:x"\nformt = "ocsf"', "no option 'formt'; did you mean format?"),
        (SINK + '"splunk:https://x"\ntoken_env = "HEC_TOKEN"', "the environment has no HEC_TOKEN"),
        (SINK + '"splunk:https://x"\ntoken_file = "gone"', "gone: No such file"),
        (SINK + '"splunk:https://x"\ntoken = "abc"', "chmod 600"),
        (SINK + '"splunk:http://far.example"\ntoken_env = "PATH"', "https only"),
        (SINK + '"otlp:grpc://far.example"\ntoken_env = "PATH"', "https only"),
        (SINK + '"jsonl:x"\nonly = {risk = "huge"}', "not one of low, medium, high, critical"),
        ("sources = [", "c.toml: "),
        ("", "at least one [[sink]]"),
    ],
)
def test_a_wrong_file(tmp_path: Path, log: Path, text: str, words: str) -> None:
    (tmp_path / "c.toml").write_text(text)
    (tmp_path / "c.toml").chmod(0o644)
    line = said(run(tmp_path, "run", "--config", "c.toml"), 2)
    assert words in line
    assert "abc" not in line


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        (["run", "gone.jsonl", "--to", "jsonl:x"], 2, "gone.jsonl"),
        (["run", "--config", "gone.toml"], 2, "gone.toml: No such file"),
        (["run", "-", "--follow", "--to", "jsonl:x"], 2, "write it to a file"),
        (["run", "log.jsonl", "--follow"], 2, "--to"),
        (["run", ".", "--follow", "--to", "jsonl:out"], 2, "holds the state folder"),
        (["replay", "gone"], 2, "no such file or folder"),
        (["compact", "gone"], 2, "no such folder"),
        (["compact", "."], 2, "holds no lake"),
        (["compact", "s3://bucket/x"], 2, "only a folder"),
    ],
)
def test_wrong_words(tmp_path: Path, log: Path, given: list[str], code: int, words: str) -> None:
    assert words in said(run(tmp_path, *given), code)


def test_a_far_end_that_is_away_says_where_records_wait(tmp_path: Path, log: Path) -> None:
    line = said(run(tmp_path, "run", str(log), "--to", f"webhook:{UNUSED}"), 3)
    (waiting,) = (tmp_path / "state").rglob("waiting/*.db")
    assert str(waiting) in line
    line = said(run(tmp_path, "replay"), 3)
    assert "3 records were not taken" in line
    with socket.create_server(("127.0.0.1", 0)):
        done = run(tmp_path, "replay", "--to", "jsonl:out")
    assert (done.returncode, done.stderr.strip()) == (0, "sent 3, kept 0")


def test_a_follower_says_which_source_is_not_there_yet(tmp_path: Path) -> None:
    follower = subprocess.Popen(
        [sys.executable, "-c", CODE, "run", "later.jsonl", "--follow", "--to", "jsonl:out"],
        cwd=tmp_path,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert follower.stderr is not None
    first = follower.stderr.readline()
    follower.terminate()
    assert follower.wait(60) == 0
    follower.stderr.close()
    assert "later.jsonl (not there yet)" in first


def test_two_followers_do_not_share_a_state(tmp_path: Path, log: Path) -> None:
    follower = subprocess.Popen(
        [sys.executable, "-c", CODE, "run", str(log), "--follow", "--to", "jsonl:out"],
        cwd=tmp_path,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert follower.stderr is not None
    follower.stderr.readline()
    both = ("--to", "jsonl:out", "--to", "jsonl:other")
    line = said(process(tmp_path, "run", str(log), "--follow", *both), 2)
    assert "another run is writing there" in line
    assert "--state" in line
    follower.terminate()
    assert follower.wait(60) == 0
    follower.stderr.close()
