"""What tells cheaply that a pattern matches nowhere misses no match of it."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from privacy_cases import entry

from hookstream.redaction.engines import DIGITS, NAME, PythonEngine
from hookstream.redaction.escapes import located, may_have_escapes
from hookstream.redaction.homes import _PLACES
from hookstream.redaction.rules import rules

ALL = rules()
ENGINE = PythonEngine(ALL)
OF_DIGITS = [rule for rule in ALL if any("#" in word for word in rule.keywords)]
LAW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@LAW
@given(st.data())
def test_every_match_of_a_rule_holds_one_of_its_shapes_of_digits(data: st.DataObject) -> None:
    rule = data.draw(st.sampled_from(OF_DIGITS))
    outline = data.draw(st.from_regex(re.compile(rule.pattern, re.ASCII))).lower().translate(DIGITS)
    assert any(word in outline for word in rule.keywords), rule.id


@LAW
@given(st.data())
def test_every_match_of_a_place_of_names_holds_a_word_that_it_needs(data: st.DataObject) -> None:
    needs, pattern = data.draw(st.sampled_from(_PLACES))
    text = data.draw(st.from_regex(pattern)).lower()
    assert any(word in text for word in needs), pattern.pattern


def test_a_text_without_escapes_needs_no_edge_after_one() -> None:
    wrong = [
        (rule.id, text)
        for rule in ALL
        for text in entry(rule).examples + entry(rule).counter_examples
        if not may_have_escapes(text)
        and [match.span() for match in re.finditer(located(rule), text, re.ASCII)]
        != [match.span() for match in re.finditer(located(rule, False), text, re.ASCII)]
    ]
    assert wrong == []


WORDS = st.sampled_from(sorted({word for rule in ALL for word in rule.keywords}))


@LAW
@given(st.lists(WORDS | st.text(max_size=4), max_size=4).map("".join))
def test_a_name_has_the_candidates_that_it_has_in_a_longer_text(name: str) -> None:
    ENGINE.read = 0
    numbers = ENGINE.candidates(name[:NAME])
    assert numbers == ENGINE.candidates(name[:NAME] + "\x1f" * (NAME + 1))
