"""A token that an underscore joins to a name is found: `KEY_`, `k_`, `mcp__x__`, `backup_`."""

from __future__ import annotations

import re

import pytest
from privacy_cases import entry, scanner_of

from hookstream.redaction.escapes import is_joinable
from hookstream.redaction.rules import rules
from hookstream.redaction.scanner import Scanner

FORMATS = [rule for rule in rules() if is_joinable(rule)]
BEFORE = ("KEY_", "k_", "mcp__x__", "backup_")


def without_secrets(scanner: Scanner, text: str) -> str:
    for start, end, _ in reversed(scanner.scan(text)):
        text = f"{text[:start]}[]{text[end:]}"
    return text


def tokens() -> list[tuple[str, str, str]]:
    """(rule id, a token as its rule knows it, what of it is secret), one a rule."""
    found = []
    for rule in FORMATS:
        match = re.search(rule.pattern, entry(rule).examples[0], re.ASCII)
        assert match is not None
        found.append((rule.id, match[0], match[rule.group]))
    return found


@pytest.mark.long
def test_a_token_behind_a_name_and_an_underscore_is_found(scanner: Scanner) -> None:
    assert len(FORMATS) > 400
    hidden = [
        (rule, name)
        for rule, token, secret in tokens()
        for name in BEFORE
        if secret in without_secrets(scanner, f"run {name}{token} now")
    ]
    assert hidden == []


def test_a_token_before_an_underscore_and_a_name_is_found(scanner: Scanner) -> None:
    # What ends at a blank or a quote by its form has no underscore behind it.
    hidden = [
        rule
        for rule, token, secret in tokens()
        if token[-1].isalnum() and secret in without_secrets(scanner, f"run {token}_old now")
    ]
    assert hidden == []


def test_the_name_stays() -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    scanner = scanner_of("python")
    assert without_secrets(scanner, f"mcp__x__{token}_old") == "mcp__x__[]_old"


def test_no_joinable_pattern_has_alternatives_outside_brackets() -> None:
    """Only the edge of the first would be seen."""
    for rule in FORMATS:
        depth = 0
        for piece in re.findall(r"\\.|\[(?:\\.|[^\]])*\]|.", rule.pattern):
            depth += (piece == "(") - (piece == ")")
            assert piece != "|" or depth, rule.id
