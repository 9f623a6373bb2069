"""Allow-lists: what is listed stays and is counted, everything else goes, in every mode."""

from __future__ import annotations

from pathlib import Path

import pytest
from privacy_cases import KEY, MODES, an_event

from hookstream.core.errors import HookstreamError
from hookstream.redaction import Redactor
from hookstream.redaction.allow import AllowList, read_allow_list
from hookstream.redaction.digest import digest
from hookstream.redaction.rules import ids

SECRET = "hunt" + "er2xyz"
TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize("mode", MODES)
def test_an_allowed_value_stays_and_is_counted(mode: str) -> None:
    privacy = Redactor(mode, KEY, allow=[digest(SECRET)])
    event = an_event(input={"command": f"export DB_PASSWORD={SECRET}; echo {TOKEN}"})
    privacy.redact_event(event)
    assert event.input["command"] == f"export DB_PASSWORD={SECRET}; echo [REDACTED:github-pat]"
    assert event.redactions == {"github-pat": 1}
    assert privacy.allowed == {"assigned-secret": 1}


def test_an_allowed_field_stays() -> None:
    privacy = Redactor("hash", KEY, allow=[f"secret-field/{digest(SECRET)}"])
    event = an_event(input={"password": SECRET})
    privacy.redact_event(event)
    assert event.input == {"password": SECRET}
    assert privacy.allowed == {"secret-field": 1}


def test_a_rule_is_allowed_as_a_whole_and_still_counted() -> None:
    privacy = Redactor("hash", KEY, allow=["email"])
    event = an_event(input={"command": "mail bob" + "@example.com and amy" + "@example.com"})
    privacy.redact_event(event)
    assert event.redactions is None and privacy.allowed == {"email": 2}


def test_a_keyed_digest_needs_its_key() -> None:
    mark = digest(SECRET, b"k" * 16)
    assert AllowList([mark], b"k" * 16).holds("any", SECRET)
    assert not AllowList([mark], b"other" * 4).holds("any", SECRET)
    assert not AllowList([mark]).holds("any", SECRET)


def test_a_digest_under_a_rule_is_for_that_rule() -> None:
    listed = AllowList([f"github-pat/{digest(TOKEN)}"])
    assert listed.holds("github-pat", TOKEN) and not listed.holds("npm-token", TOKEN)


def test_a_file_of_entries(tmp_path: Path) -> None:
    path = tmp_path / "allow"
    path.write_text(f"# ours\nemail  # published\n\n{digest(TOKEN)}\nphone/{digest(SECRET)}\n")
    assert read_allow_list(path, ids()) == ("email", digest(TOKEN), f"phone/{digest(SECRET)}")


@pytest.mark.parametrize("line", [SECRET, "no-such-rule", "sha256:abc", f"nope/{digest('x')}"])
def test_a_wrong_line_is_named_and_not_shown(tmp_path: Path, line: str) -> None:
    path = tmp_path / "allow"
    path.write_text(f"email\n{line}\n")
    with pytest.raises(HookstreamError) as wrong:
        read_allow_list(path, ids())
    assert str(wrong.value) == f"allow-list {path}:2: neither a rule nor a digest"
