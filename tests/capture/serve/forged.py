"""Lines that name another machine, in every form that a run reads, and lines that only seem to."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

NOW = "2026-11-24T10:00:00.000Z"
SESSION = "6af67298-2016-4a0c-81b9-0da3ab6a7a97"


def event(machine: str, number: int = 0) -> dict[str, Any]:
    """An Agent Hooks event under a machine's id."""
    return {
        "spec_version": "0.1.0",
        "event_id": f"00000000-0000-8000-8000-{number:012}",
        "event_type": "Action.Before",
        "timestamp": NOW,
        "session_id": SESSION,
        "source": {"tool": "claude-code"},
        "data": {"action": {"name": "shell", "input": {"command": "make"}}},
        "metadata": {"dev.hookstream": {"machine_id": machine, "call_id": f"c{number}"}},
    }


def wrapper(machine: str) -> dict[str, Any]:
    body = {
        "aarts_version": "0.1",
        "hook_point": "PreToolUse",
        "host_id": "claude-code",
        "session_id": SESSION,
        "timestamp": NOW,
        "tool_name": "shell",
        "tool_input": {"command": "make"},
    }
    return {"aarts": body, "hookstream": {"machine_id": machine, "event_type": "Action.Before"}}


def payload() -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse",
        "session_id": SESSION,
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_use_id": "toolu_1",
        "cwd": "/srv",
    }


def captured(machine: str, inner: Any) -> dict[str, Any]:
    return {"vendor": "claude-code", "machine": machine, "received_at": NOW, "payload": inner}


def export(machine: str) -> dict[str, Any]:
    attributes = [
        {"key": "host.name", "value": {"stringValue": machine}},
        {"key": "service.name", "value": {"stringValue": "claude-code"}},
        {"key": "session.id", "value": {"stringValue": SESSION}},
    ]
    record = {
        "timeUnixNano": "1795514400000000000",
        "body": {"stringValue": "claude_code.user_prompt"},
        "attributes": [*attributes, {"key": "event.name", "value": {"stringValue": "user_prompt"}}],
    }
    logs = [{"scope": {}, "logRecords": [record]}]
    return {"resourceLogs": [{"resource": {"attributes": attributes}, "scopeLogs": logs}]}


def text(value: Any) -> bytes:
    return json.dumps(value).encode()


FORMS: dict[str, Callable[[str], bytes]] = {
    "plain": lambda m: text(event(m)),
    "bom": lambda m: b"\xef\xbb\xbf" + text(event(m)),
    "two boms": lambda m: b"\xef\xbb\xbf \xef\xbb\xbf" + text(event(m)),
    "surrogate": lambda m: text(event(m))[:-1] + b', "x": "\\ud800"}',
    "captured": lambda m: text(captured(m, payload())),
    "captured event": lambda m: text(captured(m, event(m))),
    "wrapped": lambda m: text({"vendor": "claude-code", "payload": event(m)}),
    "wrapped text": lambda m: text({"vendor": "claude-code", "payload": json.dumps(event(m))}),
    "wrapped twice": lambda m: text(
        {"vendor": "x", "payload": {"vendor": "claude-code", "payload": event(m)}}
    ),
    "aarts": lambda m: text(wrapper(m)),
    "bare aarts": lambda m: text(captured(m, wrapper(m)["aarts"])),
    "cloudevent": lambda m: text({"specversion": "1.0", "type": "x", "data": event(m)}),
    "otlp": lambda m: text(export(m)),
    "captured otlp": lambda m: text(captured(m, export(m))),
    "key twice": lambda m: text(event("mine")).replace(
        b'"machine_id": "mine"', b'"machine_id": "mine", "machine_id": ' + text(m)
    ),
    "huge number": lambda m: text(event(m))[:-1] + b', "n": ' + b"9" * 300 + b"}",
    "escaped key": lambda m: text(event(m)).replace(b'"machine_id"', b'"machine\\u005fid"'),
    "escaped value": lambda m: text(event(m)).replace(
        text(m), b'"' + b"".join(b"\\u%04x" % ord(char) for char in m) + b'"'
    ),
    "array": lambda m: text([event(m)]),
    "two in one": lambda m: text(event("mine")) + b"\r" + text(event(m)),
    "nul": lambda m: b"\0" + text(event(m)),
    "nul in text": lambda m: text(event(m)).replace(b"make", b"ma\\u0000ke"),
    "blank before": lambda m: b" \t\x0b\x0c" + text(event(m)),
    "utf-16": lambda m: json.dumps(event(m)).encode("utf-16"),
    "utf-16 without a mark": lambda m: json.dumps(event(m)).encode("utf-16-le"),
    "utf-32": lambda m: json.dumps(event(m)).encode("utf-32"),
    "overlong key": lambda m: text(event(m)).replace(b"machine_id", b"machine\xc1\x9fid"),
    "overlong quotes": lambda m: text(event(m)).replace(
        b'"machine_id"', b"\xc0\xa2machine_id\xc0\xa2"
    ),
    "halves of a pair": lambda m: text(event(m))[:-1] + b', "x": "\xed\xa0\xbd\xed\xb8\x80"}',
    "not a number": lambda m: text(event(m))[:-1] + b', "n": NaN, "i": -Infinity}',
    "key in capitals": lambda m: text(event("mine")).replace(
        b'"machine_id"', b'"MACHINE_ID": ' + text(m) + b', "machine_id"'
    ),
    "owner twice": lambda m: text(captured("mine", payload())).replace(
        b'"machine": "mine"', b'"machine": "mine", "machine": ' + text(m)
    ),
    "comma at the end": lambda m: text(event(m))[:-1] + b",}",
    "comment": lambda m: b"/* */" + text(event(m)),
    "sequence mark": lambda m: b"\x1e" + text(event(m)),
    "line separator": lambda m: text(event("mine")) + "\u2028".encode() + text(event(m)),
    "gzip of a line": lambda m: gzip.compress(text(event(m))).replace(b"\n", b""),
    "prisma": lambda m: b"INFO " + text({"event": "prisma_airs_scan", "machine_id": m}),
    "number": lambda m: text(event(m)).replace(text(m), b"17"),
    "claim of a claim": lambda m: text(event(m)).replace(
        b'"machine_id"', b'"claimed_machine_id": "mine", "machine_id"'
    ),
}

MANGLED = st.sampled_from(
    [b"", b"\xef\xbb\xbf", b" ", b"\t", b"\xef\xbb\xbf\xef\xbb\xbf", b"\0", b"["]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


def lines(machine: str) -> st.SearchStrategy[bytes]:
    """Forged lines, wrapped in any depth and mangled."""
    forged = st.builds(lambda name: FORMS[name](machine), st.sampled_from(sorted(FORMS)))
    objects = st.builds(
        lambda more, depth, kind: text(_wrapped({**more, **_kind(kind, machine)}, machine, depth)),
        st.dictionaries(st.text(max_size=6), VALUES, max_size=3),
        st.integers(0, 3),
        st.integers(0, 4),
    )
    whole = st.builds(
        lambda head, body, tail: head + body + tail, MANGLED, forged | objects, MANGLED
    )
    return whole | st.binary(max_size=40)


def _kind(kind: int, machine: str) -> dict[str, Any]:
    makers = (event, wrapper, lambda _: payload(), export, lambda m: captured(m, payload()))
    return makers[kind](machine)


def _wrapped(value: dict[str, Any], machine: str, depth: int) -> dict[str, Any]:
    for n in range(depth):
        value = {"vendor": "claude-code", "payload": json.dumps(value) if n % 2 else value}
        if n:
            value["machine"] = machine
    return value
