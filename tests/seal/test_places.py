"""Second locations with real counterparts: TLS receivers, a bare git repository, a file."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hookstream.seal.chain import BrokenSeal
from hookstream.seal.sealed import Sealing, key_path
from hookstream.seal.verify import verify
from hookstream.sinks import SinkError
from sinks.receivers import Receiver, SyslogReceiver, eventually, plain, serve, serve_syslog

from .stage import NAME, Stage


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server's context, whose certificate this process trusts."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl to make a certificate")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-keyout", str(key), "-out", str(cert), "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    monkeypatch.setenv("SSL_CERT_FILE", str(cert))
    return context


def sealed_to(tmp_path: Path, place: str) -> Stage:
    stage = Stage(tmp_path)
    stage.sealing = Sealing(tmp_path / "keys", (place,))
    return stage


def history(stage: Stage, received: Callable[[], bytes], tmp_path: Path) -> None:
    """What a place received finds a rollback and a fork."""
    stage.write()
    against = tmp_path / "received"
    against.write_bytes(received())
    (made,) = verify(stage.data, against=against, now=stage.clock.now)
    assert made.compared >= 2
    for name in ("out", "keys"):
        shutil.copytree(tmp_path / name, tmp_path / "backup" / name)
    stage.write()
    against.write_bytes(received())
    assert verify(stage.data, against=against)[0].compared > made.compared
    other = Stage(tmp_path / "backup")
    with pytest.raises(BrokenSeal, match="rolled back"):
        verify(other.data, against=against)
    other.clock.now, other.written = stage.clock.now, 500
    for name in (NAME, "rejected.jsonl"):
        key = key_path(other.sealing.keys, stage.folder, name)
        key.rename(key_path(other.sealing.keys, other.folder, name))
    other.write(batches=5)
    with pytest.raises(BrokenSeal, match=r"fork|rolled back"):
        verify(other.data, against=against)


def test_https(tmp_path: Path, tls: Any) -> None:
    with serve(Receiver(plain), tls) as far:
        stage = sealed_to(tmp_path, f"https://localhost:{far.port}/checkpoints")
        far.script = [(503, {}, b"")]  # what is refused is sent again
        history(stage, lambda: b"\n".join(one.body for one in far.requests), tmp_path)
    bodies = [one.body for one in far.requests]
    assert bodies[0] in bodies[1:]
    assert {one.path for one in far.requests} == {"/checkpoints"}


def test_an_unknown_certificate_is_no_second_place(
    tmp_path: Path, tls: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with serve(Receiver(plain), tls) as far:
        sealed_to(tmp_path, f"https://localhost:{far.port}/").write()
    assert far.requests == []
    assert "certificate" in capfd.readouterr().err.lower()
    assert verify(tmp_path / "out")  # sealing went on


def test_syslog_over_tls(tmp_path: Path, tls: Any) -> None:
    with serve_syslog(SyslogReceiver(), tls) as far:
        stage = sealed_to(tmp_path, f"syslog:tls://localhost:{far.port}")

        def received() -> bytes:
            count = len(far.frames)
            eventually(lambda: len(far.frames) > count, 0.3)
            return b"\n".join(frame.body for frame in far.frames)

        history(stage, received, tmp_path)
    assert {frame.kind for frame in far.frames} == {"seal.checkpoint"}
    assert far.broken == 0


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_with_a_bare_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))

    def git(*words: str) -> bytes:
        return subprocess.run(["git", *words], check=True, capture_output=True).stdout

    bare, work = str(tmp_path / "far.git"), str(tmp_path / "work")
    git("config", "--file", str(tmp_path / "gitconfig"), "user.name", "sealer")
    git("config", "--file", str(tmp_path / "gitconfig"), "user.email", "sealer@example.com")
    git("init", "-q", "--bare", "-b", "main", bare)
    git("-C", bare, "config", "receive.denyNonFastForwards", "true")
    git("init", "-q", "-b", "main", work)
    git("-C", work, "remote", "add", "origin", bare)
    stage = sealed_to(tmp_path, f"git:{work}")

    def received() -> bytes:
        names = git("-C", bare, "ls-tree", "--name-only", "main").decode().split()
        (name,) = [one for one in names if NAME in one]
        return git("-C", bare, "show", f"main:{name}")

    history(stage, received, tmp_path)
    # History in the far repository cannot be written again from here.
    git("-C", work, "reset", "-q", "--hard", "HEAD~2")
    git("-C", work, "commit", "-q", "--allow-empty", "-m", "forged")
    done = subprocess.run(
        ["git", "-C", work, "push", "-q", "--force", "origin", "HEAD"], capture_output=True
    )
    assert done.returncode != 0


def test_a_missing_hour_is_named(tmp_path: Path) -> None:
    """An hour's statement cut out of the journal, with its checkpoint."""
    stage = Stage(tmp_path)
    sink = stage.open()
    for _ in range(3):
        stage.clock.now += 3600
        sink.tick()
    sink.close()
    journal = stage.log / "journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    hours = [n for n, line in enumerate(lines) if b'"kind":"hour"' in line]
    journal.write_bytes(b"".join(lines[: hours[1]] + lines[hours[1] + 2 :]))
    with pytest.raises(BrokenSeal, match="journal"):
        verify(stage.data)


def test_a_place_that_has_more_stops_the_writer(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.write()
    for name in ("out", "keys"):
        shutil.copytree(tmp_path / name, tmp_path / "backup" / name)
    stage.write()
    for name in ("out", "keys"):
        shutil.rmtree(tmp_path / name)
        shutil.copytree(tmp_path / "backup" / name, tmp_path / name)
    with pytest.raises(SinkError, match="older state"):
        stage.open()
