"""Every rule is data that claims something: its own examples hold it to that, on every engine.

One loop a claim; what fails is listed by the rule's id.
"""

from __future__ import annotations

import re
import time

import pytest
from privacy_cases import entry, scanner_of

from hookstream.redaction.compile import (
    COMPILED,
    LISTS,
    RULES,
    Entry,
    compiled,
    compiled_words,
)
from hookstream.redaction.decode import DECODERS
from hookstream.redaction.extract import EXTRACTORS
from hookstream.redaction.rules import FAMILIES, PERSONAL, Rule, of_family, rules
from hookstream.redaction.scanner import Scanner, finder_of, home, places_of
from hookstream.redaction.validators import CHECKS

ALL = rules()
SIZE = 100_000
LIMIT_S = 4.0

HOME_ID = home("").id


def test_there_are_more_than_120_kinds_of_token_and_the_personal_ones() -> None:
    ids = [rule.id for rule in ALL]
    assert len(ids) == len(set(ids))
    assert len(set(ids) - PERSONAL) >= 120
    assert {rule.id for name in ("personal", "national") for rule in of_family(name)} == PERSONAL


def test_what_is_compiled_is_what_the_files_say() -> None:
    again = [name for name in FAMILIES if not is_compiled(name)]
    again += [name for name in LISTS if not is_list_compiled(name)]
    assert again == [], "run python -m hookstream.redaction.compile"


def is_compiled(family: str) -> bool:
    return (COMPILED / f"{family}.py").read_text("utf-8") == compiled(family)


def is_list_compiled(name: str) -> bool:
    return (COMPILED / "words" / f"{name}.py").read_text("utf-8") == compiled_words(name)


def test_every_file_of_data_is_a_family() -> None:
    names = {path.stem for path in RULES.glob("*.toml")}
    assert names == {*FAMILIES, "names"}


def test_an_entry_with_an_unknown_field_or_confidence_is_refused() -> None:
    good = {"id": "x", "pattern": "x", "source": "y"}
    assert Entry("cloud", good).row() == ("x", "x", ())
    for wrong in ({"weight": 2}, {"confidence": "sure"}):
        with pytest.raises(ValueError, match=r"cloud\.toml: x: "):
            Entry("cloud", {**good, **wrong})


def test_no_file_of_data_looks_like_a_leak() -> None:
    scanner = scanner_of("hyperscan")
    formats = {n for n, rule in enumerate(scanner.rules[:-1]) if entry(rule).prefixes}
    leaks = []
    for path in sorted(RULES.glob("*.toml")):
        for line in path.read_text("utf-8").splitlines():
            numbers = [] if "pattern = " in line else scanner.candidates(line)
            likely = sorted(formats.intersection(numbers))
            leaks += [(rule, line[a:b]) for a, b, rule in scanner.locate(line, likely)]
    assert leaks == []


def test_a_rule_says_where_it_comes_from_and_has_examples() -> None:
    names = {name for listed in EXTRACTORS.values() for name in listed.split()}
    names |= {*DECODERS, ""}
    wrong = [
        rule.id
        for rule in ALL
        if not re.fullmatch(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*", rule.id)
        or not (entry(rule).source and entry(rule).examples and entry(rule).counter_examples)
        or not rule.keywords
        or any(not word or word != word.lower() for word in rule.keywords)
        or rule.extract not in names
        or rule.check not in {"", *CHECKS}
    ]
    assert wrong == []


def test_a_pattern_keeps_to_what_all_engines_read_alike() -> None:
    wrong = [
        rule.id
        for rule in ALL
        if re.search(r"\(\?[=!<]|\\[1-9]|\(\?P|[*+}]\+", rule.pattern)
        # Beyond ASCII only literals: a byte of a letter is no letter to a class or a count.
        or re.search(r"[^\x00-\x7f](?:[?*+{]|[^\[|)(]*\])", rule.pattern)
    ]
    assert wrong == []


def test_starts_miss_no_match() -> None:
    texts = [text for rule in ALL for text in entry(rule).examples + entry(rule).counter_examples]
    together = "\n\x1f\n".join(texts)
    missed = []
    for rule in ALL:
        if rule.starts:
            find = re.compile(rule.pattern, re.ASCII).finditer
            if [m.span() for m in places_of(rule)(together)] != [m.span() for m in find(together)]:
                missed.append(rule.id)
    assert missed == []


@pytest.mark.long
def test_examples_are_found_and_counter_examples_are_not(scanner: Scanner) -> None:
    wrong = []
    for number, rule in enumerate(scanner.rules[:-1]):
        find = finder_of(rule, scanner.decoded)
        wrong += [
            (rule.id, text)
            for text in entry(rule).examples
            if number not in scanner.candidates(text) or not find(text) or not scanner.scan(text)
        ]
        wrong += [(rule.id, text) for text in entry(rule).counter_examples if find(text)]
    assert wrong == []


def test_a_redacted_example_holds_no_secret_any_more() -> None:
    scanner = scanner_of("hyperscan")
    left = []
    for rule in ALL:
        for text in entry(rule).examples:
            out = text
            for start, end, name in reversed(scanner.scan(text)):
                out = f"{out[:start]}[REDACTED:{name}]{out[end:]}"
            if scanner.scan(out):
                left.append((rule.id, out))
    assert left == []


def hostile(rule: Rule) -> list[str]:
    """What begins what the rule looks for, to be said again and again."""
    example = entry(rule).examples[0]
    return [rule.keywords[0] + "=", rule.keywords[-1] + " ", example, example[: len(example) // 2]]


@pytest.mark.long
@pytest.mark.parametrize(
    "rules", [ALL[::5], pytest.param(ALL, marks=pytest.mark.slow)], ids=["every fifth", "all"]
)
def test_a_hostile_text_costs_no_more_than_its_length(rules: list[Rule]) -> None:
    """A bit said again and again over 2,500 characters, over more where it would come to LIMIT_S at
    100,000 if its cost grew with the square of its length."""
    slow = []
    for rule in rules:
        find = finder_of(rule, scanner_of("hyperscan").decoded)
        for bit in dict.fromkeys(filter(None, hostile(rule))):
            sizes = (SIZE // 40, SIZE // 8, SIZE)
            if all(cost(find, bit, size) * (SIZE / size) ** 2 >= LIMIT_S for size in sizes):
                slow.append((rule.id, bit[:60]))
    assert slow == []


def cost(find, bit, size):  # type: ignore[no-untyped-def]
    text = (bit * (size // len(bit) + 1))[:size]
    began = time.process_time()
    find(text)
    return time.process_time() - began


@pytest.mark.long
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


def test_no_two_modules_have_an_extractor_of_one_name() -> None:
    names = [name for listed in EXTRACTORS.values() for name in listed.split()]
    assert len(set(names)) == len(names)
