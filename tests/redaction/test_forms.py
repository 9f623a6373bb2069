"""The lists of encoded words are made from the rules; here they are held to them."""

from __future__ import annotations

import base64

import pytest

from hookstream.redaction.rules import forms


def test_the_lists_are_those_of_the_rules() -> None:
    base64_list, hex_list = forms.make()
    assert base64_list == forms.BASE64, "run python -m hookstream.redaction.rules.forms"
    assert hex_list == forms.HEX, "run python -m hookstream.redaction.rules.forms"


@pytest.mark.parametrize("word", ["password", "ghp_", "AKIA", "-----BEGIN"])
@pytest.mark.parametrize("before", range(6))
def test_every_encoding_of_a_word_holds_one_of_its_forms(word: str, before: int) -> None:
    text = base64.b64encode(b"x" * before + word.encode() + b"tail").decode()
    assert any(form in text for form in forms.base64_forms(word))
