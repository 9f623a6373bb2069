"""Secrets of thirty kinds, planted at every string of every sample, and where they came out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SAMPLES = Path(__file__).parents[2] / "samples"
B = "a1B2c3D4"
H = "a1b2c3d4"
KEY = "PRIV" + "ATE KEY-----"
AGE = "QPZRY9X8GF2TVDW0S3JN54KHCE6MU"
# kind -> (as it is planted, the part that is secret)
CANARIES: dict[str, tuple[str, str]] = {
    kind: (text, text)
    for kind, text in {
        "aws-access-key-id": "AKIA" + "QZ7WM2K9" * 2,
        "github-pat": "ghp_" + B * 5,
        "github-fine-grained": "github_pat_" + B * 2 + "e5F6g7_" + B * 7 + "h8J",
        "gitlab": "glpat-" + "kL4mN5pQ" * 3,
        "slack": "xoxb-" + "123456789012-" * 2 + "rS6tU7vW" * 3,
        "stripe": "sk_" + "live_" + "xY8zA9bC" * 3,
        "openai": "sk-proj-" + "dE1fG2hJ" * 8,
        "anthropic": "sk-ant-api03-" + "kM3nP4qR" * 10,
        "google": "AIza" + "SyA1b2C" * 5,
        "npm": "npm_" + "sT5u" * 9,
        "pypi": "pypi-" + "AgEIcHlw" * 9,
        "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "vW6xY7zA" * 5,
        "sendgrid": "SG." + "bC8dE9fG1hJ" * 2 + "." + "kM2nP3qR" * 5 + "xyz",
        "twilio": "SK" + H * 4,
        "digitalocean": "dop_v1_" + "e5f6a7b8" * 8,
        "huggingface": "hf_" + "sT4uV" * 7,
        "vault": "hvs." + "wX5yZ6aB" * 5,
        "telegram": "1234567890:AA" + "cD7eF8gH9jK" * 3,
        "discord": "M" + "TA5NjQyM" * 3 + ".X1y2Z3." + "mN1pQ2rS3" * 3,
        "databricks": "dapi" + "c9d0e1f2" * 4,
        "shopify": "shpat_" + "a3b4c5d6" * 4,
        "grafana": "glsa_" + "tU4vW5xY" * 4 + "_a1b2c3d4",
        "doppler": "dp.pt." + "zA6bC7dE" * 5 + "abc",
        "azure": "abc8Q~" + "Xy1.Zt-" * 4 + "Kd_",
        "mailgun": "key-" + "e7f8a9b0" * 4,
        "linear": "lin_api_" + "fG8hJ9kM" * 5,
        "docker": "dckr_pat_" + "nP1qR2sT3" * 3,
        "openrouter": "sk-or-v1-" + "b1c2d3e4" * 8,
    }.items()
}
CANARIES |= {
    # What comes first is no secret, and nearly the name of a rule.
    "age": ("AGE-SECRET-KEY-1" + AGE * 2, AGE * 2),
    "private-key": (
        f"-----BEGIN RSA {KEY}\n" + "uV3wX4yZ" * 8 + f"\n-----END RSA {KEY}",
        "uV3wX4yZ" * 8,
    ),
    "url-password": ("postgres://app:" + "aB5cD6eF" + "@db.internal/shop", "aB5cD6eF"),
    "assignment": ("DB_PASSWORD=" + "gH7jK8mN" + "x9", "gH7jK8mNx9"),
    "basic-auth": (
        "Authorization: Basic " + "YWxhZGRpbjpvcGVu" + "c2VzYW1l",
        "YWxhZGRpbjpvcGVuc2VzYW1l",
    ),
    "email": ("canary.person@example.com", "canary.person"),
}  # fmt: skip
WINDOW = 12


def windows(secret: str) -> set[str]:
    size = min(WINDOW, len(secret))
    return {secret[at : at + size] for at in range(len(secret) - size + 1)}


ALL_WINDOWS = {
    part: kind for kind, (_, secret) in CANARIES.items() for part in sorted(windows(secret))
}


def leaks(text: str) -> list[str]:
    """Kinds of which 12 characters in a row (all, if shorter) stand in a text."""
    return sorted({kind for part, kind in ALL_WINDOWS.items() if part in text})


def planted(value: Any, canary: str) -> Iterator[Any]:
    """The value once for each of its strings and dicts, with the canary beside that one."""
    if isinstance(value, str):
        yield f"{value} {canary}"
    elif isinstance(value, dict):
        for key in value:
            for changed in planted(value[key], canary):
                yield {**value, key: changed}
        yield {**value, f"k {canary}": {"a": "b"}}
    elif isinstance(value, list):
        for number, item in enumerate(value):
            for changed in planted(item, canary):
                yield [*value[:number], changed, *value[number + 1 :]]


LONG = 120  # characters of a neighbour; a place itself keeps all that stands there
NEIGHBOURS = 4  # of an item of a list


def lean(value: Any) -> Any:
    """A neighbour cut short: what stands beside a place is not what hides or shows it."""
    if isinstance(value, str):
        return value[:LONG]
    if isinstance(value, dict):
        kept: dict[str, Any] = {}
        for key, item in value.items():
            kept[key] = lean(item)
            if len(str(kept)) > LONG:
                break
        return kept
    if isinstance(value, list):
        items: list[Any] = []
        for item in value:
            items.append(lean(item))
            if len(str(items)) > LONG:
                break
        return items
    return value


FORMS = {
    "beside": "{value} {canary}",
    "whole": "{canary}",
    "line": "{value}\n{canary}\n",
    "quoted": '{value} {{"k": "{canary}"}}',
}


def places(value: Any, form: str, canary: str) -> Iterator[Any]:
    """The value once for each of its strings and dicts, with the canary there in that form."""
    if isinstance(value, str):
        yield FORMS[form].format(value=value, canary=canary)
    elif isinstance(value, dict):
        short = {key: lean(item) for key, item in value.items()}
        for key, item in value.items():
            for changed in places(item, form, canary):
                yield {**short, key: changed}
        numbers = bool(value) and all(type(item) is int for item in value.values())
        yield {**short, FORMS[form].format(value="k", canary=canary): 1 if numbers else {"a": "b"}}
    elif isinstance(value, list):
        beside = [lean(item) for item in value[:NEIGHBOURS]]
        for number, item in enumerate(value):
            for changed in places(item, form, canary):
                yield [*beside[:number], changed, *beside[number + 1 :]]


def shapes() -> list[dict[str, Any]]:
    """One recorded line of each vendor, native event and tool; the shortest stands for all."""
    found: dict[tuple[str, ...], tuple[int, dict[str, Any]]] = {}
    for path in sorted(SAMPLES.glob("*/*.jsonl")):
        if path.name.endswith(".expected.jsonl"):
            continue
        for line in path.read_text("utf-8").splitlines():
            given = json.loads(line)
            payload = given.get("payload") if isinstance(given.get("payload"), dict) else given
            shape = (
                path.parent.name,
                str(given.get("native_event") or payload.get("hook_event_name")),
                str(payload.get("tool_name") or payload.get("toolName") or payload.get("tool")),
            )
            if shape not in found or len(line) < found[shape][0]:
                found[shape] = (len(line), given)
    return [given for _, given in found.values()]


def standard_shapes() -> list[dict[str, Any]]:
    """Lines of the standards as inputs: an Agent Hooks event of each type, an AARTS wrapper of each
    hook point, the one with most in it, and one with all that a reader takes back."""
    found: dict[tuple[str, str], tuple[int, dict[str, Any]]] = {}
    for path in sorted(SAMPLES.glob("*/*.expected.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            given = json.loads(line)
            for name in ("agent_hooks", "aarts"):
                one = given.get(name)
                if not isinstance(one, dict):
                    continue
                point = (one.get("hookstream") or {}).get("hook_point")
                shape = (name, str(one.get("event_type") or point))
                size = len(json.dumps(one))
                if size < 6000 and (shape not in found or size > found[shape][0]):
                    found[shape] = (size, one)
    shapes = [one for _, one in found.values()]
    return [*shapes, *(full(one) for one in shapes if "event_type" in one)]


def full(given: dict[str, Any]) -> dict[str, Any]:
    """An Agent Hooks event with everything that is read back, and what is not the standard's."""
    own = given.get("metadata", {}).get("dev.hookstream", {})
    more = {
        "vendor": "some-vendor",
        "synthesized": ["timestamp"],
        "redacted": ["input.command"],
        "redactions": {"github-token": 1},
        "content_arguments": ["command"],
        "artifacts": [{"type": "url", "value": "https://example.com", "source_field": "url"}],
        "secrets": [{"rule": "github-token", "path": "input.x", "fingerprint": "ab12"}],
        "hook_point": own.get("hook_point") or "PreToolUse",
        "native": {"source": "startup", "deep": [{"name": "x", "value": "y"}]},
        "unmapped": {"some": "thing"},
        "policy_id": "policy",
        "matched_rule_id": "rule",
        "mcp_server": "server",
    }
    return {
        **given,
        "agent_mode": "interactive",
        "parent_session_id": "parent",
        "user": {"id": "user-0123456789abcdef"},
        "risk": {"score": 10, "level": "low", "factors": ["SECRET_PATTERN"]},
        "metadata": {"dev.hookstream": {**own, **more}, "com.example": {"a": ["b"]}},
        "extra": {"a": "b"},
    }


def lines(part: int = 0, parts: int = 1, turn: int = 0) -> Iterator[str]:
    """Lines with a canary each, another kind at each place, beginning with kind number `turn`; of
    the places one part of so many. Whole samples are long: each kind at each place makes 7 GB."""
    kinds = list(CANARIES)
    place = 0
    for given in shapes():
        for one in planted(given, "@CANARY@"):
            place += 1
            if place % parts == part:
                turn += 1
                text = json.dumps(one, ensure_ascii=turn % 2 == 0)
                shown = json.dumps(CANARIES[kinds[turn % len(kinds)]][0])[1:-1]
                yield text.replace("@CANARY@", shown)


def broken() -> Iterator[bytes]:
    """Lines that are refused or hardly read, each with a canary."""
    for canary, _ in CANARIES.values():
        text = json.dumps({"hook_event_name": "Stop", "session_id": canary, "x": canary})
        yield text[:-2].encode()  # cut
        yield text.encode().replace(b'"x"', b'"\xff\xfe"')  # no UTF-8
        yield json.dumps([canary, {canary: canary}]).encode()  # no object
        yield json.dumps(canary).encode()
        yield canary.replace("\n", " ").encode()  # no JSON at all
        yield b'{"a":' * 200 + json.dumps(canary).encode() + b"}" * 200  # deep
        yield f'{{"vendor": {json.dumps(canary)}, "payload": {{"a": 1}}}}'.encode()
        yield f'{{"vendor": "claude-code", "payload": {json.dumps(canary)}}}'.encode()
        yield f'{{"hook_event_name": {json.dumps(canary)}, "cwd": NaN}}'.encode()
        yield json.dumps({"aarts_version": canary, "hook_point": canary}).encode()
        yield json.dumps({"event_id": canary, "event_type": canary, "spec": canary}).encode()
