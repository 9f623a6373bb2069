"""CEF: header and extension come back through a reader written from the standard, and through an
independent one where it is installed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookstream.sinks.formats.cef import ARGUMENTS, KEYS, LABELS, cef

from .events import rich, shell

NASTY = [
    "a|b\\c=d",
    "x\ny\rz",
    "end\\",
    "k=v k2=v2",
    "|=\\\n",
    "tab\tbell\x07",
    "\u2028\u00e9\U0001f600",
]

BACK = {"\\\\": "\\", "\\|": "|", "\\=": "=", "\\n": "\n", "\\r": "\r"}


def read(line: str) -> tuple[list[str], dict[str, str]]:
    """Header fields and extension pairs, as the implementation standard says to split them."""
    assert "\n" not in line
    assert "\r" not in line
    fields = []
    for _ in range(7):
        found = re.match(r"((?:[^|\\]|\\[|\\])*)\|", line)
        assert found, line
        fields.append(re.sub(r"\\([|\\])", r"\1", found[1]))
        line = line[found.end() :]
    marks = list(re.finditer(r"(?:^| )([A-Za-z0-9_]+)=", line))
    pairs = {}
    for this, after in zip(marks, [*marks[1:], None], strict=True):
        text = line[this.end() : after.start() if after else len(line)]
        assert not re.search(r"(?<!\\)(?:\\\\)*[=|]", text), f"unescaped = or | in {text!r}"
        pairs[this[1]] = re.sub(r"\\[\\|=nr]", lambda one: BACK[one[0]], text)
    return fields, pairs


def test_the_header_has_seven_fields_and_a_severity_of_0_to_10() -> None:
    for event in rich():
        fields, pairs = read(cef(event, arguments=True))
        assert fields[0] == "CEF:0"
        assert fields[1:3] == ["hookstream", "hookstream"]
        assert fields[4] == event.type
        assert 0 <= int(fields[6]) <= 10
        assert pairs["externalId"] == event.facts["event_id"]
        assert set(pairs) <= {"rt", "cat", "outcome", "cn1", *KEYS, *ARGUMENTS} | {
            f"{key}Label" for key in LABELS
        }


@pytest.mark.parametrize("text", NASTY)
def test_values_come_back_whatever_they_hold(text: str) -> None:
    event = shell(1)
    event.facts["decision_reason"] = text
    event.facts["command"] = text
    _, pairs = read(cef(event, arguments=True))
    clean = "".join(" " if c in "\t\x07\u2028" else c for c in text)
    assert pairs["reason"] == clean
    assert pairs["sproc"] == clean


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(st.text(), st.text(), st.text())
def test_no_text_breaks_out_of_its_place(kind: str, reason: str, session: str) -> None:
    event = shell(1)
    event.type = kind
    event.facts["decision_reason"] = reason
    event.facts["session_id"] = session
    fields, pairs = read(cef(event))
    assert len(fields) == 7
    assert set(pairs) <= {"rt", "cat", "outcome", "cn1", *KEYS} | {f"{k}Label" for k in LABELS}
    assert len(pairs.get("reason", "")) <= 1023


def test_numbers_carry_labels_and_risk_raises_the_severity() -> None:
    event = shell(1)
    event.risk = (90, "critical", ("x",))
    event.facts["exit_code"] = 2
    fields, pairs = read(cef(event))
    assert fields[6] == "10"
    assert (pairs["cn1"], pairs["cn1Label"]) == ("90", "riskScore")
    assert (pairs["cn2"], pairs["cn2Label"]) == ("2", "exitCode")


def test_arguments_leave_only_when_asked_for() -> None:
    event = shell(1, command="cat /srv/ledger")
    assert "/srv/ledger" not in cef(event)
    assert "/srv/ledger" in cef(event, arguments=True)


def test_an_independent_library_accepts_every_key_and_value() -> None:
    library: Any = pytest.importorskip("cefevent", reason="needs the package cefevent")
    for event in rich():
        fields, pairs = read(cef(event, arguments=True))
        made = library.CEFEvent(strict=True)
        for name, value in zip(
            ("deviceVendor", "deviceProduct", "deviceVersion", "signatureId", "name", "severity"),
            fields[1:],
            strict=True,
        ):
            made.set_prefix(name, int(value) if name == "severity" else value)
        for key, value in pairs.items():
            if key not in ("sproc", "outcome"):  # newer than its dictionary
                made.set_field(key, value)
