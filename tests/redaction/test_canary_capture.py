"""What runs beside an agent: hook, wrapped policy hook, collector. Secrets come in as payload, as
answer, as an error's text and as what is no payload; nothing of them is in any file or answer."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from canaries import CANARIES, broken, leaks
from canary_search import Search
from privacy_cases import MODES
from test_canary_matrix import NOW, filled

sys.path += [str(Path(__file__).parents[1] / "capture" / part) for part in ("", "wrap", "serve")]

from collector_runner import Collector
from hook_runner import CLAUDE, Home
from wrap_runner import lines, policy, wrapped

from hookstream.capture.hook.lines import lines_of
from hookstream.core.records import Record, read_record
from hookstream.normalizers import vendor_of
from hookstream.redaction import Redactor
from hookstream.redaction.scanner import Scanner

pytestmark = pytest.mark.long

WORDS = [canary for canary, _ in CANARIES.values()]
ALL = " ".join(WORDS)


@pytest.fixture
def home() -> Iterator[Home]:
    """One with a short path: the address of a Unix socket holds 107 bytes."""
    folder = Path(tempfile.mkdtemp(prefix="hs"))
    yield Home(folder)
    shutil.rmtree(folder, ignore_errors=True)


def check(home: Home, *said: bytes) -> None:
    for path in home.path.rglob("*"):
        if path.is_file() and path.suffix not in (".hsdb", ".py"):
            assert not leaks(path.read_bytes().decode("utf-8", "replace")), path
        assert not leaks(path.name), path
    for text in said:
        assert not leaks(text.decode("utf-8", "replace")), text


def payload(secret: str, **more: object) -> dict[str, object]:
    return {**CLAUDE, "tool_input": {"command": f"echo {secret}", secret: [secret]}, **more}


def test_a_hook_leaks_nothing(home: Home) -> None:
    for secret in WORDS:
        given = payload(secret, session_id=secret, tool_name=f"mcp__{secret}__x", cwd=f"/{secret}")
        ran = home.hook("claude-code", "PreToolUse", payload=given)
        assert ran.returncode == 0
        check(home, ran.stdout, ran.stderr)
    assert len(home.log.read_bytes().splitlines()) == len(WORDS)


def test_a_hook_that_cannot_read_or_write_leaks_nothing(home: Home) -> None:
    said = [home.hook("claude-code", "Stop", data=line) for line in islice(broken(), 33)]
    said.append(home.hook("codex", "notify", json.dumps({"type": ALL, "x": ALL})[:-1]))
    said.append(home.hook("claude-code", "Stop", data=b'{"x": "%s"}' % ALL.encode()))
    home.log.unlink(missing_ok=True)
    home.log.mkdir(parents=True)
    said.append(home.hook("claude-code", "PreToolUse", payload=payload(ALL)))
    assert home.failures()
    check(home, *(one.stdout for one in said), *(one.stderr for one in said))


@pytest.mark.parametrize(
    "does",
    [
        "print(json.dumps({'decision': 'block', 'reason': SAID, 'systemMessage': SAID, SAID: 1}))",
        "sys.stderr.write(SAID); sys.exit(2)",
        "sys.stderr.write('x\\n' + SAID); sys.exit(1)",
        "print('{' + SAID)",
        "raise ValueError(SAID)",
        "print(SAID); sys.stdout.flush(); os.kill(os.getpid(), 9)",
    ],
)
def test_what_a_policy_hook_says_leaks_nothing(home: Home, does: str) -> None:
    for secret in (ALL, *WORDS[::11]):
        hook = [*policy(home.path, f"SAID = {secret!r}\n{does}"), "--for", secret]
        wrapped(home, "claude-code", "PreToolUse", hook, payload(secret))
        assert lines(home.log, 2)
        check(home)
        home.log.unlink()


def test_a_collector_leaks_nothing(home: Home) -> None:
    with Collector(home) as far:
        said = []
        for secret in WORDS:
            said.append(far.post("/hook/claude-code", payload(secret, session_id=secret))[1])
        for line in islice(broken(), 44):
            said.append(far.post("/hook/claude-code", line)[1])
        for path in ("/aos", "/hook/x", f"/{WORDS[0]}", "/v1/logs"):
            said.append(
                far.post(path, {"jsonrpc": ALL, "method": ALL, "id": 1, "params": [ALL]})[1]
            )
        refused = far.post("/hook/claude-code", payload(ALL), Authorization=f"Bearer {WORDS[1]}")
        said += [refused[1]]
        far.process.terminate()
        said.append(far.process.stderr.read().encode())
    assert home.log.stat().st_size
    # A JSON-RPC answer repeats the id it was asked with, and that goes back to who sent it.
    check(home, *said)


@pytest.mark.slow
@pytest.mark.parametrize("degraded", [False, True])
@pytest.mark.parametrize("kind", CANARIES)
def test_nothing_leaks_from_any_place_of_a_hook(
    kind: str, degraded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hook's own engine, and its haste: then long texts are not scanned but become digests."""
    monkeypatch.setattr("hookstream.capture.hook.lines.DEGRADED", (60, 30))
    mode = MODES[(list(CANARIES).index(kind) + degraded) % 3]
    privacy = Redactor(mode, bytes(range(32)), scanner=Scanner(engine="python"))
    search = Search(*CANARIES[kind])
    form = "whole" if degraded else "beside"
    for line in filled(kind, form):
        record = read_record(line, "stdin")
        key = vendor_of(record) if isinstance(record, Record) else None
        if key is None or not isinstance(record, Record) or record.kind != "payload":
            continue
        record.vendor = key
        made = lines_of(record, key, NOW, privacy, degraded=degraded)
        left = None if isinstance(made, str) else search.leak(b"".join(made))
        if left is not None and (kind, mode) == ("email", "full"):
            continue  # who somebody is stays in full mode
        assert left is None, (left, line[:300])
