"""Strings that try to break out of a page, and a lake with one in every text column."""

from __future__ import annotations

import itertools
from pathlib import Path

from hookstream.core.event import FACTS, Event
from hookstream.sinks import open_sink
from hookstream.standards.rendered import Rendered

PAYLOADS = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    '"><svg onload=window.pwned=1>',
    "' onmouseover='window.pwned=1",
    "javascript:window.pwned=1",
    "</title><script>window.pwned=1</script>",
    "</textarea><script>window.pwned=1</script>",
    "</script><script>window.pwned=1</script>",
    "<!--<script>window.pwned=1//-->",
    "{{ 7 * 7 }}{% for x in y %}",
    "${window.pwned=1}",
    "<a href='https://attacker.example/?x='>x</a>",
    "<link rel=stylesheet href=//attacker.example/x.css>",
    "<meta http-equiv=refresh content='0;url=https://attacker.example'>",
    "<base href=https://attacker.example/>",
    "<form action=https://attacker.example><button id=pwned>",
    "\u202egpj.exe\u202c \u2066x\u2069 \u200b\u200e\ufeff",
    "\x00\x01\x1b[31m\x7f\x9b\u2028\u2029",
    "../../../../etc/passwd?a=1&b=2#c",
    "'; drop table events; --",
    "%3Cscript%3Ewindow.pwned=1%3C/script%3E",
    "\\\"\\';\n\r\t",
    "a" * 3000,
    "=cmd|' /C calc'!A0",
    "\U0001f600\u0301\u0645\u0631\u062d\u0628\u0627",
)
WRAPS = ("{}", "x{}", "{}/y", "a b {} c", "&lt;{}", "{}{}", '"{}"', "'{}'", "`{}`", "<b>{}")
SURROUNDS = ("", " 1", "#", "?q=")


def strings(count: int = 1000) -> list[str]:
    """That many different hostile strings."""
    made = dict.fromkeys(
        wrap.replace("{}", payload) + end
        for wrap, end, payload in itertools.product(WRAPS, SURROUNDS, PAYLOADS)
    )
    return list(made)[:count]


def write_lake(folder: Path, count: int = 1000) -> None:
    """A lake of calls, denies, prompts and ends whose every text fact is hostile."""
    kinds = ("Action.Before", "Action.After", "Policy.Blocked", "Prompt.Submitted")
    items = []
    for number, text in enumerate(strings(count)):
        kind = kinds[number % len(kinds)]
        facts = {name: text for name, (_, want) in FACTS.items() if want is str}
        facts |= {
            "event_id": f"{number:08x}-0000-4000-8000-{text}",
            "timestamp": f"2026-11-21T{number // 3600 % 24:02}:{number // 60 % 60:02}:"
            f"{number % 60:02}.000Z",
            "received_at": "2026-11-21T12:00:00.000Z",
            "tool": ("claude-code", "cursor")[number % 2],
            "outcome": "ok",
            "decision": "deny",
            "certainty": "observed",
            "sequence": number,
            "input_tokens": number,
        }
        facts.pop("duplicate_of", None)
        event = Event(kind, None, facts, "claude-code")
        event.secrets = [(text, text, text)]
        event.artifacts = [("command", text, text, text)]
        items.append(Rendered(event))
    sink = open_sink(f"parquet:{folder}")
    receipts = sink.write(items)
    sink.close()
    assert all(receipt.status == "delivered" for receipt in receipts)
