"""Passwords that people think up, told by how they are spelt, and texts made to be slow."""

from __future__ import annotations

import time

import pytest

from hookstream.redaction.classify.human import (
    is_gibberish,
    is_numbered_words,
)
from hookstream.redaction.scanner import Scanner


@pytest.mark.parametrize("value", ["pvifwp" + "dsati", "kaucau" + "twgnq", "XQKJ" + "WVTPBZ"])
def test_letters_that_no_word_joins_are_unspelt(value: str) -> None:
    assert is_gibberish(value)


@pytest.mark.parametrize(
    "value", ["authentication", "postgresql", "schwierigkeit", "kubernetes", "rhythms", "PASSWORD"]
)
def test_words_and_names_are_spelt(value: str) -> None:
    assert not is_gibberish(value)


@pytest.mark.parametrize("value", ["martin_" + "2015", "orbit-staple" + "76", "falcon" + "712"])
def test_a_word_with_a_number_is_thought_up(value: str) -> None:
    assert is_numbered_words(value)


@pytest.mark.parametrize("value", ["sha256", "python3", "step-12", "version2", "argon2", "line_42"])
def test_a_step_or_an_algorithm_is_not(value: str) -> None:
    assert not is_numbered_words(value)


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    [
        "password ",
        "password: ",
        "token=a ",
        "cookie: a=b; ",
        "%3D",
        "password%3Da%26",
        "key,value\n",
    ],
)
def test_a_text_four_times_as_long_costs_about_four_times_as_much(piece: str) -> None:
    """Quadratic would be sixteen times; and none is too deep."""
    scanner = Scanner("python")

    def cost(size: int) -> float:
        text = piece * (size // len(piece))
        spent = []
        for _ in range(2):
            began = time.process_time()
            scanner.scan(text)
            spent.append(time.process_time() - began)
        return min(spent)

    cost(2_000)
    assert cost(40_000) < 9 * cost(10_000)


def test_a_place_behind_codes_is_the_place_in_the_text() -> None:
    secret = "hunt" + "er2-99"
    text = f"see q=caf%C3%A9%26password%3D{secret}%26x%3D1 there"
    assert [text[start:end] for start, end, _ in Scanner("python").scan(text)] == [secret]
