"""Every kind of secret at every string position of every sample, through every sink in every mode.

A place at a time: the secret stands once in a payload, beside what was there, instead of it, on a
line of its own, and in quotes; keys too. What comes out is searched as it is, respelt, decompressed
and for the secret's base64 and hexadecimal digits. `-k github-pat` runs one kind.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from canaries import CANARIES, FORMS, broken, places, shapes, standard_shapes
from canary_outlets import FAR, FILES, NOW, SINGLY, Outlets
from canary_search import WINDOW, Search, everything
from privacy_cases import MODES, stage

from hookstream.core.event import Event
from hookstream.core.jsons import ascii_line, canonical
from hookstream.pipeline.stages import Pipeline
from hookstream.standards.rendered import Rendered

pytestmark = pytest.mark.long

MARK = "@CANARY@"
BATCH = 2048


@cache
def templates(form: str) -> list[str]:
    return [
        json.dumps(one)
        for given in (*shapes(), *standard_shapes())
        for one in places(given, form, MARK)
    ]


def filled(kind: str, form: str) -> Iterator[bytes]:
    """The lines of a kind, in every second one nothing but ASCII (which here is all the same)."""
    shown = json.dumps(CANARIES[kind][0])[1:-1]
    for text in templates(form):
        yield text.replace(MARK, shown).encode("utf-8", "surrogatepass")


def named(event: Event) -> None:
    """Full mode keeps who somebody is, and an address may be what a user is called."""
    for name in ("user_id", "machine_id"):
        if name in event.facts:
            event.facts[name] = "somebody"


def leaks(
    kind: str, mode: str, lines: Iterator[bytes], outlets: Outlets | None = None
) -> dict[str, str]:
    """Where something of the secret came out, and what; nothing but for a leak."""
    search = Search(*CANARIES[kind])
    pipeline = Pipeline(stage(mode), lambda: NOW)
    found: dict[str, str] = {}

    def look(where: str, data: bytes, encoded: bool = True) -> None:
        left = search.leak(data, encoded)
        if left is not None:
            found.setdefault(where, left)

    while batch := list(islice(lines, BATCH)):
        unread = [(line, "input.jsonl", at) for at, line in enumerate(batch)]
        events, refused = pipeline.take_all(unread)
        if (kind, mode) == ("email", "full"):
            for event in events:
                named(event)
        whole = "\n".join(everything(event) for event in events).encode("utf-8", "backslashreplace")
        look("event", whole)
        rejections = [ascii_line(canonical(one.record())) for one in refused]
        items = [Rendered(event) for event in events]
        look("rejections", b"\n".join(rejections))
        look("lines", b"\n".join(i.agent_hooks + (i.aarts or b"") for i in items), encoded=False)
        if outlets is not None:
            for name, data in outlets.write(items, rejections).items():
                look(name, data, encoded=False)
    look("report", json.dumps(pipeline.tally.report(0.0, {})).encode())
    return found


ALL = (*FILES, *FAR, *SINGLY)


def test_a_sink_has_nothing_but_the_event() -> None:
    """So what is searched in every mode, the Event with all its state, is all a sink could send."""
    own = {"event", "position", "sampled_rate"}
    assert {name for name in Rendered.__slots__ if not name.startswith("_")} == own
    event = Event("Action.Before", None, {"event_id": MARK}, MARK)
    for name in ("input", "native", "unmapped"):
        setattr(event, name, {name: MARK})
    shown = everything(event)
    for name in Event.__slots__:
        assert repr(getattr(event, name)) in shown, name


def careless(kind: str) -> Event:
    """An event that no privacy stage has seen, with a secret in what every sink sends."""
    canary = CANARIES[kind][0]
    facts = {"event_id": "0b7e8a5e-35f1-8b1c-9d42-000000000001", "timestamp": NOW}
    facts |= {"tool": "claude-code", "session_id": canary, "native_event": "PreToolUse"}
    facts |= {"action_name": "shell", "action_native": "Bash", "command": canary}
    event = Event("Action.Before", "PreToolUse", facts, "claude-code")
    event.input = {"command": canary}
    return event


@pytest.mark.parametrize("kind", ["github-pat", "private-key", "url-password", "sendgrid"])
def test_what_a_sink_would_leak_is_found(kind: str, tmp_path: Path) -> None:
    search = Search(*CANARIES[kind])
    with ExitStack() as stack:
        outlets = Outlets(tmp_path, stack, ALL)
        came = outlets.write([Rendered(careless(kind))], [])
    assert set(came) == set(ALL)
    for name, data in came.items():
        assert search.leak(data, encoded=False), name


@pytest.mark.parametrize("kind", CANARIES)
def test_what_is_left_of_a_secret_is_found(kind: str) -> None:
    planted, secret = CANARIES[kind]
    search = Search(planted, secret)
    respelt = "".join(char if char.isalnum() else "-" for char in secret.lower())
    middle = max(0, len(secret) // 2 - WINDOW)
    cut = (secret[:WINDOW], secret[-WINDOW:], secret[middle:][:WINDOW])
    for left in (secret, secret.upper(), respelt, *cut):
        assert search.leak(f"some {left} thing".encode()), left
    for ahead in ("", "a", "ab"):
        whole = base64.b64encode(f"{ahead}{planted}".encode())
        assert search.leak(b'{"x":"%s"}' % whole)
        assert search.leak(whole.translate(bytes.maketrans(b"+/", b"-_")))
    assert search.leak(planted.encode().hex().encode())
    assert search.leak(b"[REDACTED:age-secret-key]: 1, some other text") is None


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", CANARIES)
def test_nothing_leaks_from_any_place(kind: str, mode: str, form: str) -> None:
    assert leaks(kind, mode, filled(kind, form)) == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CANARIES)
def test_nothing_leaks_through_any_sink(kind: str, tmp_path: Path) -> None:
    """A place in three, others for the next kind, in one mode: what a sink sends is made of the
    Event, and that is searched whole for each place in every mode (see above)."""
    turn = list(CANARIES).index(kind)
    lines = islice(filled(kind, "beside"), turn % 3, None, 3)
    with ExitStack() as stack:
        outlets = Outlets(tmp_path, stack, ALL)
        found = leaks(kind, MODES[turn // 3 % 3], iter([*lines, *broken()]), outlets)
    assert found == {}


IDS = {
    "session_id": "5d0c7a44-2b1e-4f0a-9c33-8f2d11aa90be",
    "tool_use_id": "toolu_01Hk3mNpQ7rStUvWx2Yz4AbC",
    "prompt_id": "0b7e8a5e-35f1-4b1c-9d42-6c1f00d2e3a4",
    "agent_id": "a1f9c0de77b2",
}
HASHES = (
    "3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "sha512-" + base64.b64encode(bytes(range(100, 164))).decode(),
)


@pytest.mark.parametrize("mode", MODES)
def test_ids_and_hashes_join_what_every_sink_was_sent(mode: str, tmp_path: Path) -> None:
    secret = CANARIES["github-pat"][0]
    given = {**IDS, "tool_name": "Bash", "cwd": "/srv/x", "permission_mode": "default"}
    given["tool_input"] = {"command": f"TOKEN={secret} git show {' '.join(HASHES)}"}
    lines = [
        json.dumps({"vendor": "claude-code", "payload": {**given, **more}}).encode()
        for more in (
            {"hook_event_name": "PreToolUse"},
            {"hook_event_name": "PostToolUse", "tool_response": {"stdout": secret}},
        )
    ]
    pipeline = Pipeline(stage(mode), lambda: NOW)
    events, _ = pipeline.take_all((line, "x", at) for at, line in enumerate(lines))
    assert [event.type for event in events] == ["Action.Before", "Action.After"]
    for name in ("session_id", "call_id", "action_fingerprint"):
        assert len({event.facts[name] for event in events}) == 1, name
    with ExitStack() as stack:
        came = Outlets(tmp_path, stack, ALL).write([Rendered(event) for event in events], [])
    for name, data in came.items():
        for kept in (IDS["session_id"], IDS["tool_use_id"]):
            assert data.count(kept.encode()) >= 2, (name, kept)
        assert not Search(secret, secret).leak(data), name
        if name in ("jsonl", "parquet", "cloudevents", "splunk", "kafka", "syslog"):
            assert all(one.encode() in data for one in HASHES), name
