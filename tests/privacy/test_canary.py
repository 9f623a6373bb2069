# ruff: noqa: E501
"""Secrets planted at every string of every kind of sample: none is left in anything written."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from privacy_cases import MODES, events_of, records, shown, stage

from hookstream.records import Record

B = "a1B2c3D4"
H = "a1b2c3d4"
CANARIES = {
    "aws-access-key-id": "AKIA" + "Q" * 16,
    "github-pat": "ghp_" + B * 5,
    "github-fine-grained": "github_pat_" + B * 2 + "e5F6g7_" + B * 7 + "h8J",
    "gitlab": "glpat-" + B * 3,
    "slack": "xoxb-" + "123456789012-" * 2 + B * 3,
    "stripe": "sk_" + "live_" + B * 3,
    "openai": "sk-proj-" + B * 8,
    "anthropic": "sk-ant-api03-" + B * 10,
    "google": "AIza" + "SyA1b2C" * 5,
    "npm": "npm_" + "a1B2" * 9,
    "pypi": "pypi-" + "AgEIcHlw" * 9,
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + B * 5,
    "private-key": "-----BEGIN RSA PRIV" + "ATE KEY-----\n" + B * 8 + "\n-----END RSA PRIV" + "ATE KEY-----",
    "sendgrid": "SG." + "a1B2c3D4e5F" * 2 + "." + B * 5 + "xyz",
    "twilio": "SK" + H * 4,
    "digitalocean": "dop_v1_" + H * 8,
    "huggingface": "hf_" + "a1B2c" * 7,
    "vault": "hvs." + B * 5,
    "age": "AGE-SECRET-KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MU" * 2,
    "telegram": "1234567890:AA" + "a1B2c3D4e5F" * 3,
    "discord": "M" + "TA5NjQyM" * 3 + ".X1y2Z3." + "a1B2c3D4e" * 3,
    "databricks": "dapi" + H * 4,
    "shopify": "shpat_" + H * 4,
    "grafana": "glsa_" + B * 4 + "_a1b2c3d4",
    "doppler": "dp.pt." + B * 5 + "abc",
    "azure": "abc8Q~" + "Xy1.Zt-" * 4 + "Kd_",
    "mailgun": "key-" + H * 4,
    "linear": "lin_api_" + B * 5,
    "url-password": "postgres://app:" + B + "@db.internal/shop",
    "assignment": "DB_PASSWORD=" + B + "x9",
    "basic-auth": "Authorization: Basic " + "YWxhZGRpbjpvcGVu" + "c2VzYW1l",
    "email": "alice.smith@example.com",
}  # fmt: skip


def planted(value: Any, canary: str) -> Iterator[Any]:
    """The value once for each of its strings and keys, with the canary beside that one."""
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


def one_of_each() -> dict[str, dict[str, Any]]:
    """A payload of each native event and tool."""
    found: dict[str, dict[str, Any]] = {}
    for record in records():
        payload = record.payload
        found.setdefault(f"{payload['hook_event_name']}/{payload.get('tool_name', '')}", payload)
    return found


PAYLOADS = one_of_each()


def leaked(canary: str, text: str) -> bool:
    """Any 12 characters in a row of the part of a canary that is secret."""
    secret = canary.rsplit(" ", 1)[-1] if canary.startswith("Auth") else canary
    secret = secret.removeprefix("DB_PASSWORD=").removeprefix("postgres://app:")
    secret = secret.removesuffix("@db.internal/shop").replace("-----", "").replace("\n", " ")
    secret = secret.removeprefix("BEGIN RSA PRIVATE KEY ").removesuffix(" END RSA PRIVATE KEY")
    size = min(12, len(secret))
    return any(secret[at : at + size] in text for at in range(len(secret) - size + 1))


@pytest.mark.parametrize("kind", CANARIES)
def test_nothing_leaks_from_any_place(kind: str) -> None:
    canary = CANARIES[kind]
    for number, (name, payload) in enumerate(PAYLOADS.items()):
        mode = MODES[(number + len(kind)) % 3]
        for changed in planted(payload, canary):
            record = Record(
                changed, "claude-code", payload["hook_event_name"], "2026-11-21T00:00:00Z"
            )
            for event in events_of(record):
                stage(mode).apply(event)
                text = json.dumps(shown(event), ensure_ascii=False)
                assert not leaked(canary, text), (name, mode, text)


def test_prose_in_a_content_field_never_appears_in_hash_mode() -> None:
    from hookstream.event import CONTENT_FACTS

    prose = "my cat sleeps on the warm keyboard at noon"
    for payload in PAYLOADS.values():
        for key in (
            "prompt",
            "last_assistant_message",
            "compact_summary",
            "delta",
            "tool_response",
        ):
            if key not in payload:
                continue
            record = Record(copy.deepcopy({**payload, key: prose}), "claude-code", None, None)
            for event in events_of(record):
                held = [name for name in CONTENT_FACTS if event.facts.get(name) == prose]
                stage("hash").apply(event)
                if held:
                    assert prose not in json.dumps(shown(event))
