"""Personal data: which kinds are redacted by default, and the one setting that says which."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hookstream
from hookstream.configuration.layers import MACHINE, OPTION, USER, Layer, settle
from hookstream.core.errors import HookstreamError
from hookstream.core.personal import DEFAULT, KINDS, PERSONAL, rules_of, unknown
from hookstream.redaction import Redactor, national
from hookstream.redaction.rules import of_family
from hookstream.redaction.scanner import Scanner
from hookstream.redaction.validators import NATIONAL

SSN = "536-22-" + "8726"
ADDRESS = "192.168." + "178.22"


def test_a_kind_is_made_of_rules_that_exist() -> None:
    families = {rule.id for name in ("personal", "national") for rule in of_family(name)}
    assert families == PERSONAL
    assert KINDS["national-id"] == {rule.id for rule in of_family("national")}
    assert {*DEFAULT, "private-ip"} == set(KINDS)


def test_the_checks_of_national_numbers_are_named_once() -> None:
    assert sorted(NATIONAL) == sorted(national.CHECKS)


@pytest.mark.parametrize(
    "text",
    [
        f"echo SSN {SSN}",
        f'{{"ssn": "{SSN}"}}',
        f"Ana Example,{SSN},Berlin",
        f"customer_ssn={SSN.replace('-', '')}",
        f"my social is {SSN} thanks",
        f"{SSN} is her social security number",
        "CPF 529.982." + "247-25",
        "codice fiscale RSSMRA85" + "T10A562S",
        "Steuer-ID: 36574" + "261809",
        "DNI 12345" + "678Z",
    ],
)
def test_a_national_number_goes_by_default(text: str) -> None:
    assert "[REDACTED:" in hookstream.redact(text)
    assert hookstream.redact(text, personal=["email"]) == text


@pytest.mark.parametrize(
    "text",
    [
        f"part no. {SSN}",
        f"order {SSN}-00",
        f"{SSN} units",
        "000-22-" + "8726 ssn",
        "build 12345678Z",
        "date 20261124-1234",
        "44051401359",
        "using 123456789 bytes of span 987654321",
    ],
)
def test_a_number_of_something_else_stays(text: str) -> None:
    assert hookstream.redact(text) == text


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(sorted(national.CHECKS)))
def test_a_check_never_raises_for_what_its_rule_matches(seed: int, name: str) -> None:
    """Any number that the rule's own examples are a form of, its digits drawn anew."""
    from privacy_cases import entry

    rng = random.Random(seed)
    for rule in of_family("national"):
        if rule.check != name:
            continue
        for example in entry(rule).examples:
            drawn = "".join(rng.choice("0123456789") if c.isdigit() else c for c in example)
            Scanner("python", personal=("all",)).scan(drawn)


def test_private_addresses_are_a_kind_that_is_off() -> None:
    text = f"ping {ADDRESS}"
    assert hookstream.redact(text) == text
    assert hookstream.redact(text, personal=["private-ip"]) == "ping [REDACTED:private-ip]"
    assert hookstream.redact(f"v1.{ADDRESS}", personal="all") == f"v1.{ADDRESS}"


def test_words_of_the_setting() -> None:
    assert rules_of("none") == frozenset()
    assert rules_of("all") == PERSONAL
    assert rules_of(["card", "us-ssn"]) == {*KINDS["card"], "us-ssn"}
    assert unknown("email, cards") == ["cards"]
    assert unknown(5) == [""]
    with pytest.raises(HookstreamError, match="cards"):
        hookstream.redact("x", personal=["cards"])


def test_a_locked_setting_takes_more_and_not_less() -> None:
    policy = Layer(MACHINE, "p", {"personal": ["national-id", "card"], "locked": ["personal"]})
    less = settle([policy, Layer(USER, "u", {"personal": ["card"]})])
    assert [one.name for one in less.refused] == ["personal"]
    assert less.values["personal"] == ["national-id", "card"]
    more = settle([policy, Layer(OPTION, "", {"personal": ["all"]})])
    assert more.refused == []
    assert more.values["personal"] == ["all"]


def test_an_option_may_not_loosen_the_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hookstream.configuration import machine
    from hookstream.delivery.settings import job_of

    (tmp_path / "config.toml").write_text('personal = "email"\nlocked = ["personal"]\n')
    monkeypatch.setattr(machine, "FOLDER", str(tmp_path))
    monkeypatch.setattr(machine, "distrust", lambda info: None)
    assert job_of({}).personal == ("email",)
    with pytest.raises(HookstreamError, match="--personal"):
        job_of({"personal": "none"})


def test_hook_settings_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hookstream.capture.settings import CaptureSettings

    found = settle([Layer(USER, "u", {"personal": "none"})])
    assert CaptureSettings(found).personal == "none"
    assert CaptureSettings().personal == list(DEFAULT)


@pytest.mark.parametrize("mode", ["hash", "redact", "full"])
def test_every_mode_keeps_to_it(mode: str) -> None:
    payload = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "tool_name": "Bash",
        "tool_input": {"command": f"echo SSN {SSN}"},
    }
    for personal, is_left in ((DEFAULT, False), (("email",), True)):
        events = hookstream.normalize(payload, "claude-code", privacy=mode, personal=personal)
        text = json.dumps([hookstream.to_agent_hooks(event) for event in events])
        assert (SSN in text) == is_left


@pytest.mark.parametrize(
    "tree",
    [
        {"ssn": SSN.replace("-", "")},
        {"ssn": int(SSN.replace("-", ""))},
        {"rows": [{"patient": {"social_security_number": int(SSN.replace("-", ""))}}]},
        {"pin": "48" + "29"},
        {"otp": 482000 + 913},
    ],
)
@pytest.mark.parametrize("mode", ["hash", "redact"])
def test_a_number_that_only_its_fields_name_makes_out_goes(
    tree: dict[str, object], mode: str
) -> None:
    """As in a text: `ssn: 123`, whether the value is a string or an integer of JSON."""
    payload = {
        "hook_event_name": "PreToolUse",
        "session_id": "6f1c",
        "cwd": "/srv",
        "tool_name": "mcp__hr__get",
        "tool_input": tree,
    }
    (event,) = hookstream.normalize(payload, "claude-code", privacy=mode)
    number = re.search(r"[0-9]{4,}", json.dumps(tree))
    assert number is not None
    assert number[0] not in json.dumps(event.input)
    assert "[REDACTED:" in json.dumps(event.input)


@pytest.mark.parametrize("tree", [{"count": 536220000 + 8726}, {"pin": 13}, {"pinned": 5362}])
def test_a_number_of_another_name_stays(tree: dict[str, object]) -> None:
    assert json.loads(json.dumps(Redactor("redact", bytes(16)).redact_json(tree))) == tree
