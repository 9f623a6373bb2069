"""Secrets planted at every string of every kind of sample: none is left in anything written."""

from __future__ import annotations

import copy
import json
from typing import Any
from zlib import crc32

import pytest
from canaries import CANARIES, planted, windows
from privacy_cases import MODES, events_of, records, shown, stage

from hookstream.core.records import Record


def one_of_each() -> dict[str, dict[str, Any]]:
    """A payload of each native event and tool."""
    found: dict[str, dict[str, Any]] = {}
    for record in records():
        payload = record.payload
        found.setdefault(f"{payload['hook_event_name']}/{payload.get('tool_name', '')}", payload)
    return found


PAYLOADS = one_of_each()


@pytest.mark.long
@pytest.mark.parametrize("kind", CANARIES)
def test_nothing_leaks_from_any_place(kind: str) -> None:
    canary, secret = CANARIES[kind]
    pieces = windows(secret)
    for name, payload in PAYLOADS.items():
        share = crc32(f"{kind} {name}".encode())
        if share % 3:  # each payload gets a third of the kinds, each kind a third of the payloads
            continue
        mode = MODES[share // 3 % 3]
        for changed in planted(payload, canary):
            record = Record(
                changed, "claude-code", payload["hook_event_name"], "2026-11-21T00:00:00Z"
            )
            for event in events_of(record):
                stage(mode).redact_event(event)
                text = json.dumps(shown(event), ensure_ascii=False)
                assert not any(piece in text for piece in pieces), (name, mode, text)


def test_prose_in_a_content_field_never_appears_in_hash_mode() -> None:
    from hookstream.core.event import CONTENT_FACTS

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
                stage("hash").redact_event(event)
                if held:
                    assert prose not in json.dumps(shown(event))
