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

from hookstream.core.event import CONTENT_ARGUMENTS, CONTENT_FACTS
from hookstream.core.records import Record, read_record
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.redaction.checkdigits import luhn

NOW = "2026-11-21T00:00:00Z"
NIX = "0123456789abcdfghijklmnpqrsvwxyz"
PROSE = "my cat sleeps on the warm keyboard at noon"


def hexes(size: int) -> Callable[[random.Random], str]:
    return lambda rng: f"{rng.getrandbits(size * 4):0{size}x}"


def encoded(size: int) -> Callable[[random.Random], str]:
    return lambda rng: base64.b64encode(rng.randbytes(size)).decode()


def base64url(size: int) -> Callable[[random.Random], str]:
    return lambda rng: base64.urlsafe_b64encode(rng.randbytes(size)).decode()[:size]


def card(rng: random.Random) -> str:
    """Sixteen digits with a card's beginning and check digit."""
    body = "4" + "".join(rng.choices("0123456789", k=14))
    return next(body + last for last in "0123456789" if luhn(body + last))


def spaced(digits: str) -> str:
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))


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
    "uuid like a card": lambda rng: f"{card(rng)[:8]}-{card(rng)[8:12]}-1111-8a37-{hexes(12)(rng)}",
    "id like a card": lambda rng: f"evt-{card(rng)}-{hexes(8)(rng)}",
    "path like a card": lambda rng: f"/srv/photos/{card(rng)}/original.jpg",
    "fraction": lambda rng: f"0.{card(rng)}",
    "dump": lambda rng: f"0001c6e0: 4889 {spaced(card(rng))} 4424 0800",
    "fingerprint": lambda rng: " ".join(f"{rng.getrandbits(16):04X}" for _ in range(10)),
    "digest in capitals": lambda rng: hexes(64)(rng).upper(),
    "version with a date": lambda rng: f"2.52+20{rng.randrange(100000, 291231)}.git{hexes(7)(rng)}",
    "record": lambda rng: f"a.py,sha256=YC{base64url(40)(rng)}x,12",
    "image": lambda rng: f"data:image/png;base64,{encoded(300)(rng)}",
    "checkout": lambda rng: "cs_test_" + "".join(rng.choices("abcXYZ019", k=58)),
    "cache key": lambda rng: f"Cache saved with key: Linux-npm-{hexes(64)(rng)}",
    "request token": lambda rng: f'"ClientRequestToken": "{uuid.UUID(int=rng.getrandbits(128))}"',
    "object": lambda rng: "pi_3" + "".join(rng.choices("abcXYZ019", k=23)),
    "instance": lambda rng: (
        f"arn:aws:ec2:eu-west-1:{rng.randrange(10**11, 10**12)}:i-0{hexes(16)(rng)}"
    ),
}


def of_claude(**fields: object) -> Record:
    own = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "session_id": "s"}
    line = json.dumps({**own, **fields})
    record = read_record(line.encode(), "x", 0)
    assert isinstance(record, Record)
    return record


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", SURVIVORS)
def test_identifiers_and_hashes_survive(kind: str, mode: str) -> None:
    rng = random.Random(kind)
    pipeline = Pipeline(
        Redactor(mode, bytes(range(32)), scanner=stage(mode).scanner), lambda: NOW, "claude-code"
    )
    for _ in range(200):
        value = SURVIVORS[kind](rng)
        record = of_claude(tool_input={"command": f"check {value} now"}, tool_use_id=value)
        (event,) = pipeline.take(record)
        assert event.input == {"command": f"check {value} now"}
        assert event.facts["call_id"] == value
        assert event.redactions is None


NO_SECRETS = (
    "+@pytest.mark.parametrize('n', [1])",
    "scores = q@k.transpose(-2, -1)",
    "patches/node-gyp@12.3.0.patch",
    "Author: Bob <1234567+bob@users.noreply.github.com>",
    "scp a.pdf deploy@build1.example.com:/srv/a",
    "[deploy@web1.example.com ~]$ uptime",
    "Message-ID: <b9624545-2c80-49a1-ac3c-39264a591f7b@mail.example.com>",
    "+192.168.100.200 and +2026-11-21 10:00",
    "h=(h+2654435769)>>>0; x = +2147483647",
    "3465-872-860-1285-1272-1652",
    'readonly WEAK_PASSWORD: "auth/weak-password";',
    "function verify(jwt: string | Uint8Array): void",
    "using llvm::Pass::doInitialization;",
    "token_pattern_token = r'[^\\W\\d]\\w*'",
    'throw Error("unexpected token: " + a.value + "(" + b.type + ")")',
    "openssl req -newkey rsa:2048 -keyout key.pem -out cert.pem",
    "#define BIO_CTRL_NEXT_AUTH_KEY 52",
    "def test_shouldStillRunWithSkipIfFalse(self):",
    '"sessionKey": "agent:main:gw1"',
    "#define GL_LINE_RESET_TOKEN\t\t\t0x0707",
    "jwt.ValidationToken = ValidationToken_1.default;",
    "ENV_AUTH_TOKEN = 'AWS_CONTAINER_AUTHORIZATION_TOKEN',",
    "re.compile(r'AccountKey=[a-zA-Z0-9+\\/=]{88}'),",
    "cls._read_csv(join(pwd, './data/set-1.csv'))",
    "              value: Basic Og==",
)
FOUND = (
    ("email", "E<lt>bob@example.comE<gt>"),
    ("email", "+bob.smith@example.com wrote"),
    ("phone", "tel:+49 30 1234 5678"),
    ("phone", "x=+14155552671;"),
    ("phone-us", "call 1-415-555-2671 or (415) 555-2671"),
    ("payment-card", "card-{card} 12/28"),
    ("payment-card", "pan={card}&cvv=1"),
    ("payment-card", "{spaced} 123"),
    ("iban", "to DE89 3704 0044 0532 0130 00 BIC COBADEFF"),
)


@pytest.mark.parametrize("text", NO_SECRETS)
def test_what_only_looks_like_somebody_stays(text: str) -> None:
    assert stage("redact").scanner.scan(text) == []


@pytest.mark.parametrize(("rule", "text"), FOUND)
def test_real_ones_are_still_found(rule: str, text: str) -> None:
    digits = card(random.Random(text))
    text = text.replace("{card}", digits).replace("{spaced}", spaced(digits))
    assert rule in {found for _, _, found in stage("redact").scanner.scan(text)}


@pytest.mark.parametrize("mode", MODES)
def test_ids_of_a_call_stay_joinable_beside_a_secret(mode: str) -> None:
    rng = random.Random(7)
    pipeline = Pipeline(
        Redactor(mode, bytes(range(32)), scanner=stage(mode).scanner), lambda: NOW, "claude-code"
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
                    stage("hash").redact_event(event)
                    left = json.dumps({n: event.facts.get(n) for n in CONTENT_FACTS})
                    assert PROSE not in left, left
                    assert not holds_prose(event.input), event.input
                    if only_content and PROSE not in json.dumps(event.input):
                        assert PROSE not in json.dumps(shown(event))
    assert tried >= 250 // every, tried
