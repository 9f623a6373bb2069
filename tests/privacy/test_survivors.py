"""What must come through unchanged, and what must not come through at all, for every vendor."""

from __future__ import annotations

import base64
import json
import random
import uuid
from collections.abc import Callable

import pytest
from canaries import planted, shapes
from privacy_cases import MODES, shown, stage

from hookstream.event import CONTENT_ARGUMENTS, CONTENT_FACTS
from hookstream.pipeline import Pipeline
from hookstream.privacy import Privacy
from hookstream.records import Record, read_record

NOW = "2026-11-21T00:00:00Z"
NIX = "0123456789abcdfghijklmnpqrsvwxyz"
PROSE = "my cat sleeps on the warm keyboard at noon"


def hexes(size: int) -> Callable[[random.Random], str]:
    return lambda rng: f"{rng.getrandbits(size * 4):0{size}x}"


def encoded(size: int) -> Callable[[random.Random], str]:
    return lambda rng: base64.b64encode(rng.randbytes(size)).decode()


SURVIVORS: dict[str, Callable[[random.Random], str]] = {
    "commit": hexes(40),
    "short commit": hexes(10),
    "image digest": lambda rng: "python@sha256:" + hexes(64)(rng),
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
    "npm integrity": lambda rng: "sha512-" + encoded(64)(rng),
    "go.sum": lambda rng: "h1:" + encoded(32)(rng),
    "pip hash": lambda rng: "--hash=sha256:" + hexes(64)(rng),
    "ulid": lambda rng: "".join(rng.choices("0123456789ABCDEFGHJKMNPQRSTVWXYZ", k=26)),
    "tool call": lambda rng: "toolu_01" + "".join(rng.choices("abcXYZ019", k=22)),
    "trace": lambda rng: f"00-{hexes(32)(rng)}-{hexes(16)(rng)}-01",
    "nix": lambda rng: f"/nix/store/{''.join(rng.choices(NIX, k=32))}-x",
}


def of_claude(**fields: object) -> Record:
    own = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "session_id": "s"}
    line = json.dumps({**own, **fields})
    record = read_record(line.encode(), "x", 0)
    assert isinstance(record, Record)
    return record


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", SURVIVORS)
def test_identifiers_and_hashes_survive(kind: str, mode: str) -> None:
    rng = random.Random(kind)
    pipeline = Pipeline(
        Privacy(mode, bytes(range(32)), scanner=stage(mode).scanner), lambda: NOW, "claude-code"
    )
    for _ in range(200):
        value = SURVIVORS[kind](rng)
        record = of_claude(tool_input={"command": f"check {value} now"}, tool_use_id=value)
        (event,) = pipeline.take(record)
        assert event.input == {"command": f"check {value} now"}
        assert event.facts["call_id"] == value
        assert event.redactions is None


@pytest.mark.parametrize("mode", MODES)
def test_ids_of_a_call_stay_joinable_beside_a_secret(mode: str) -> None:
    rng = random.Random(7)
    pipeline = Pipeline(
        Privacy(mode, bytes(range(32)), scanner=stage(mode).scanner), lambda: NOW, "claude-code"
    )
    secret = "ghp_" + "a1B2" * 9
    for make in SURVIVORS.values():
        call, session = make(rng), str(uuid.UUID(int=rng.getrandbits(128)))
        given = {"session_id": session, "tool_use_id": call, "tool_input": {"command": secret}}
        (before,) = pipeline.take(of_claude(**given))
        (after,) = pipeline.take(
            of_claude(
                **{**given, "hook_event_name": "PostToolUse"}, tool_response={"stdout": secret}
            )
        )
        assert before.facts["call_id"] == after.facts["call_id"] == call
        assert before.facts["session_id"] == after.facts["session_id"] == session
        assert secret not in json.dumps([shown(before), shown(after)])


def holds_prose(value: object, name: str = "") -> bool:
    """Whether a value under a name of content holds the sentence."""
    if isinstance(value, dict):
        return any(holds_prose(item, key) for key, item in value.items())
    squeezed = name.lower().replace("_", "").replace("-", "")
    return squeezed in CONTENT_ARGUMENTS and PROSE in str(value)


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
def test_prose_in_any_content_of_any_vendor_never_appears_in_hash_mode(every: int) -> None:
    pipeline = Pipeline(stage("hash"), lambda: NOW)
    tried = place = 0
    for given in shapes():
        for changed in planted(given, PROSE):
            place += 1
            if place % every:
                continue
            if f'"k {PROSE}"' in json.dumps(changed):  # the name of a field is no content
                continue
            record = read_record(json.dumps(changed).encode(), "x", 0)
            native = pipeline.normalize(record) if isinstance(record, Record) else []
            for event in native if isinstance(native, list) else []:
                content = {n: event.facts[n] for n in CONTENT_FACTS if n in event.facts}
                elsewhere = {n: v for n, v in event.facts.items() if n not in content}
                only_content = PROSE not in json.dumps([elsewhere, event.native, event.unmapped])
                if PROSE in json.dumps(content) or holds_prose(event.input):
                    tried += 1
                    stage("hash").apply(event)
                    left = json.dumps({n: event.facts.get(n) for n in CONTENT_FACTS})
                    assert PROSE not in left, left
                    assert not holds_prose(event.input), event.input
                    if only_content and PROSE not in json.dumps(event.input):
                        assert PROSE not in json.dumps(shown(event))
    assert tried > 250 // every, tried
