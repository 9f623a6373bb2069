"""Every rule is data that claims something: its own examples hold it to that, on every engine."""

from __future__ import annotations

import re
import time

import pytest
from privacy_cases import scanner_of

from hookstream.redaction.extract import READERS
from hookstream.redaction.rules import Rule, rules
from hookstream.redaction.rules.pii import NATIONAL
from hookstream.redaction.scanner import Scanner, finder_of, home, places_of

ALL = rules(national_ids=True)
PERSONAL = {
    "email",
    "phone",
    "phone-us",
    "phone-said",
    "payment-card",
    "payment-card-amex",
    "iban",
    *(rule.id for rule in NATIONAL),
}
SIZE = 100_000
LIMIT_S = 4.0

HOME_ID = home("").id


def by_id(rule: Rule) -> str:
    return rule.id


def test_there_are_more_than_120_kinds_of_token_and_the_personal_ones() -> None:
    ids = [rule.id for rule in ALL]
    assert len(ids) == len(set(ids))
    assert len(set(ids) - PERSONAL) >= 120
    assert set(ids) >= PERSONAL


@pytest.mark.parametrize("rule", ALL, ids=by_id)
def test_a_rule_says_where_it_comes_from_and_has_examples(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", rule.id)
    assert rule.source and rule.keywords and rule.positives and rule.negatives
    assert all(word == word.lower() and word for word in rule.keywords)


@pytest.mark.parametrize("rule", ALL, ids=by_id)
def test_a_pattern_keeps_to_what_all_engines_read_alike(rule: Rule) -> None:
    assert not re.search(r"\(\?[=!<]|\\[1-9]|\(\?P|[*+}]\+", rule.pattern)
    # Beyond ASCII only literals: a byte of a letter is no letter to a class or a count.
    assert not re.search(r"[^\x00-\x7f](?:[?*+{]|[^\[|)(]*\])", rule.pattern)
    re.compile(rule.pattern, re.ASCII)


@pytest.mark.parametrize("rule", [rule for rule in ALL if rule.starts], ids=by_id)
def test_starts_miss_no_match(rule: Rule) -> None:
    find = re.compile(rule.pattern, re.ASCII).finditer
    for other in ALL:
        for text in other.positives + other.negatives:
            assert [m.span() for m in places_of(rule)(text)] == [m.span() for m in find(text)]


@pytest.mark.parametrize("rule", ALL, ids=by_id)
def test_positives_are_found_and_negatives_are_not(rule: Rule, scanner: Scanner) -> None:
    find = finder_of(rule, scanner.decoded)
    number = next(n for n, known in enumerate(scanner.rules) if known.id == rule.id)
    for text in rule.positives:
        assert number in scanner.candidates(text), text
        assert find(text), text
        assert scanner.scan(text), text
    for text in rule.negatives:
        assert not find(text), text


@pytest.mark.parametrize("rule", ALL, ids=by_id)
def test_a_redacted_positive_holds_no_secret_any_more(rule: Rule) -> None:
    scanner = scanner_of("python")
    for text in rule.positives:
        out = text
        for start, end, name in reversed(scanner.scan(text)):
            out = f"{out[:start]}[REDACTED:{name}]{out[end:]}"
        assert scanner.scan(out) == [], out


def hostile(rule: Rule) -> list[str]:
    """What begins what the rule looks for, to be said again and again."""
    bits = [rule.keywords[0], rule.keywords[0] + "=", rule.keywords[-1] + " "]
    for text in rule.positives[:1]:
        bits += [text, text[: len(text) // 2], text[:8]]
    return [bit for bit in bits if bit]


@pytest.mark.parametrize("rule", ALL, ids=by_id)
def test_a_hostile_text_costs_no_more_than_its_length(rule: Rule) -> None:
    """Every bit is said over 5,000 characters; over 100,000 the dearest, and whichever would come
    to LIMIT_S there if its cost grew with the square of its length."""
    find = finder_of(rule, scanner_of("python").decoded)

    def cost(bit: str, size: int) -> float:
        text = (bit * (size // len(bit) + 1))[:size]
        began = time.process_time()
        find(text)
        return time.process_time() - began

    short = {bit: cost(bit, SIZE // 20) for bit in hostile(rule)}
    for bit, spent in short.items():
        if spent == max(short.values()) or spent * 20**2 >= LIMIT_S:
            assert cost(bit, SIZE) < LIMIT_S, bit[:60]


@pytest.mark.parametrize("character", ["a", " ", "\\", '"', "=", "A1b2", "%3D", "''a", "a@b.", "0"])
def test_a_monotonous_text_costs_no_more_than_its_length(character: str) -> None:
    scanner = scanner_of("python")
    text = (character * SIZE)[:SIZE]
    began = time.process_time()
    scanner.scan(text)
    assert time.process_time() - began < 8


def test_the_home_folder_sign_rides_along_and_locates_nothing(scanner: Scanner) -> None:
    assert scanner.rules[-1].id == HOME_ID
    for text in ("/home/alice/x", "C:\\Users\\alice\\x", "/Users/alice", "/p/-home-alice-x"):
        assert scanner.home in scanner.candidates(text)
        assert all(name != HOME_ID for _, _, name in scanner.scan(text))


def test_generic_homes_cost_nothing() -> None:
    found = scanner_of("hyperscan").candidates
    assert found("/home/dev/project /home/runner/work -home-dev-project /home/node") == []
    assert found("/home/developer1/x") == [scanner_of("hyperscan").home]


def test_no_two_modules_have_a_reader_of_one_name() -> None:
    names = [name for listed in READERS.values() for name in listed.split()]
    assert len(set(names)) == len(names)
