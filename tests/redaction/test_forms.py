"""What a word looks like inside base64 text."""

from __future__ import annotations

import base64

import pytest

from hookstream.redaction.compile import base64_forms


@pytest.mark.parametrize("word", ["password", "ghp_", "AKIA", "-----BEGIN"])
@pytest.mark.parametrize("before", range(6))
def test_every_encoding_of_a_word_holds_one_of_its_forms(word: str, before: int) -> None:
    text = base64.b64encode(b"x" * before + word.encode() + b"tail").decode()
    assert any(form in text for form in base64_forms(word))
