"""Killed in the middle, faulty inside, refused by far ends, asked for on the command line: nothing
of a secret is in any file left behind, nor in what is printed."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from canaries import CANARIES, leaks
from canary_search import opened
from test_canary_run import asked, below, hookstream, plant

ALL = " ".join(canary for canary, _ in CANARIES.values())


def check(home: Path, *said: bytes) -> list[str]:
    """The files below `home` but the inputs, each searched as it is and decompressed."""
    seen = []
    for path in home.rglob("*"):
        if not path.is_file() or path.name.startswith("input") or path.suffix == ".hsdb":
            continue
        name = str(path.relative_to(home))
        assert not leaks(name), name
        try:
            parts = opened(path)
        except (OSError, ValueError):  # cut off by the kill
            parts = [path.read_bytes()]
        for data in parts:
            assert not leaks(data.decode("utf-8", "replace")), (name, leaks(data.decode("latin-1")))
        seen.append(name)
    for text in said:
        assert not leaks(text.decode("utf-8", "replace")), text[-2000:]
    return seen


def killed(home: Path, after_s: float, *arguments: str) -> tuple[bytes, bytes]:
    """A run and all its workers, killed so long after it began to write."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hookstream", *arguments],
        env=below(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    until = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < until and not written(home):
        time.sleep(0.005)
    time.sleep(after_s)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.communicate()


def written(home: Path) -> bool:
    outs = (p for name in ("lines", "lake", "state", "xdg_state_home") for p in home.glob(name))
    return any(
        path.stat().st_size > 64
        for out in outs
        for path in out.rglob("*")
        if path.is_file() and path.suffix != ".key"
    )


@pytest.mark.long
@pytest.mark.posix("SIGKILL and process groups are POSIX")
@pytest.mark.parametrize(
    "how",
    ["one", *(pytest.param(how, marks=pytest.mark.slow) for how in ("workers", "delivery"))],
)
def test_nothing_leaks_from_a_run_that_is_killed(tmp_path: Path, how: str) -> None:
    source = plant(tmp_path, part=5, parts=7)
    again = tmp_path / "input-b.jsonl"
    again.write_bytes(source.read_bytes().replace(b'"session_id": "', b'"session_id": "b'))
    out = ("--to", f"jsonl:{tmp_path / 'lines'}", "--to", f"parquet:{tmp_path / 'lake'}")
    more = {
        "one": (),
        "workers": ("--workers", "2"),
        "delivery": ("--follow", "--state", str(tmp_path / "state")),
    }[how]
    rng = random.Random(how)
    seen: set[str] = set()
    for _ in range(3):
        said = killed(tmp_path, rng.random(), "run", str(source), str(again), *out, *more)
        seen |= set(check(tmp_path, *said))
    assert len(seen) > 2, seen


@pytest.mark.slow
def test_nothing_leaks_from_any_command_given_a_hostile_file(tmp_path: Path) -> None:
    source = plant(tmp_path, part=2)
    lake = tmp_path / "lake"
    hookstream(tmp_path, "run", str(source), "--to", f"parquet:{lake}")
    letters = tmp_path / "input-letters.jsonl"
    letters.write_text(f'{{"schema": "{ALL[:80]}"}}\n' + source.read_text("utf-8", "replace"))
    settings = tmp_path / "input.toml"
    shown = ALL.replace("\n", " ")
    for text in (
        f'token = "{shown}',
        f'[[sink]]\nuri = "splunk:https://h"\ntoken = "{shown}"\n',
        f'[[sink]]\nuri = "webhook:https://u:{shown}@h"\n',
        f'[[sink]]\nuri = "webhook:https://h/?api_key={shown}"\n',
        f'[[sink]]\nuri = "elastic:https://h"\nheaders = {{Authorization = "{shown}"}}\n',
        f'[[sink]]\nuri = "kafka:h:9/t"\nconfig = {{"sasl.password" = "{shown}"}}\n',
    ):
        settings.write_text(text)
        settings.chmod(0o644)
        ran = hookstream(tmp_path, "run", str(source), "--config", str(settings))
        assert ran.returncode in (2, 3), ran.stderr
        check(tmp_path, ran.stdout, ran.stderr)
    for arguments in (
        ("validate", str(source)),
        ("report", str(source)),
        ("report", str(lake), "--format", "html"),
        ("query", "timeline", str(lake), "--session", "none"),
        ("query", "sessions", str(source)),
        ("query", "select * from events", str(lake), "--format", "json"),
        ("query", f"select * from '{source}'", str(lake)),
        ("digest", str(source), "--file", str(source)),
        ("digest", "--file", str(source)),
        ("replay", str(letters), "--to", f"jsonl:{tmp_path / 'again'}"),
        ("compact", str(lake)),
        ("run", str(source), "--to", "otlp:http://127.0.0.1:9"),
        ("run", str(lake), "--to", "jsonl:-"),
        ("run", str(source), "--to", "jsonl:-", "--privacy", "redact"),
        ("run", str(settings), "--to", f"jsonl:{tmp_path / 'none'}", "--strict"),
        ("status",),
    ):
        ran = hookstream(tmp_path, *arguments)
        assert ran.returncode < 70, (arguments, ran.stderr)
        check(tmp_path, ran.stdout, ran.stderr)


SECRET = CANARIES["github-pat"][0]


@pytest.mark.long
@pytest.mark.parametrize(
    "uri",
    [
        "splunk:https://user:{}@localhost:9",
        "webhook:https://user:{}@localhost:9/x",
        "webhook:http://{}@127.0.0.1:9/x",
        "webhook:http://127.0.0.1:9/x?token={}",
        "webhook:http://127.0.0.1:9/x?key={}",
        "webhook:http://127.0.0.1:9/x?dd-api-key={}",
        "webhook:http://127.0.0.1:9/x?access_key={}",
        "webhook:http://127.0.0.1:9/x?code={}",
        "webhook:http://127.0.0.1:9/x?auth={}",
        "webhook:http://127.0.0.1:9/x?pwd={}",
        "otlp:grpc://user:{}@127.0.0.1:9",
        "elastic:http://user:{}@127.0.0.1:9",
        "syslog:tcp://user:{}@127.0.0.1:9",
        "kafka:user:{}@127.0.0.1:9/t",
        "parquet:s3://user:{}@bucket/x",
        "parquet:s3://bucket/x?secret_key={}",
        "https://user:{}@localhost/x",
        "cloudevents:https://user:{}@localhost/x",
    ],
)
def test_a_credential_in_an_address_is_refused_and_not_repeated(tmp_path: Path, uri: str) -> None:
    source = tmp_path / "input.jsonl"
    source.write_text('{"vendor": "claude-code", "payload": {"hook_event_name": "Stop"}}\n')
    follow = ("--follow", "--state", str(tmp_path / "state"))
    for more in ((), follow) if "token=" in uri else (follow,):
        ran = asked(tmp_path, "run", str(source), "--to", uri.format(SECRET), *more)
        assert ran.returncode == 2, ran.stderr
        check(tmp_path, ran.stdout, ran.stderr)


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "https://user:{}@host/x", "--to", "jsonl:-"),
        ("run", "{}.jsonl", "--to", "jsonl:-"),
        ("run", "-", "--to", "jsonl:-", "--vendor", "{}"),
        ("run", "-", "--to", "jsonl:-", "--token={}"),
        ("run", "-", "--to", "{}"),
        ("run", "-", "--to", "jsonl:-", "--now", "{}"),
        ("query", "{}", "x"),
        ("query", "denies", "/nowhere/{}"),
        ("{}",),
    ],
)
def test_what_was_typed_is_not_repeated_with_its_secret(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    ran = asked(tmp_path, *(word.format(SECRET) for word in arguments))
    assert ran.returncode in (1, 2), ran.stderr
    check(tmp_path, ran.stdout, ran.stderr)
    assert ran.stderr.startswith(b"hookstream: ")
    assert ran.stderr.count(b"\n") == 1
