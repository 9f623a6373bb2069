"""Where a text is joined: the places that are looked for quickly are those of the whole grammar."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hookstream.redaction.joined import _EDIT, _places

PIECES = (
    *(
        "\\",
        "`",
        "^",
        '"',
        "'",
        ":",
        "=",
        "&",
        "%25",
        "\n",
        "\r\n",
        "\r",
        " ",
        "     ",
        "\t",
        "x41",
    ),
    *("\\x41\\x42\\x43", "\\x22", "\\u003c", "&lt;", "&#x3c;", "2f", "40", "+", ".", "..", ","),
    *(
        "a",
        "Zz9_",
        "word",
        "\\141\\142\\143",
        "w" * 16,
        "\x1f",
        "join([",
        "].join(",
        ";",
        "[REDACTED",
        "é",
    ),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=16).map("".join)


@given(TEXTS)
def test_what_a_sign_begins_is_what_the_whole_text_holds(text: str) -> None:
    """Places are looked for at signs alone, which is several times as fast; those of a list only
    in texts that may join one."""
    text = f"join({text}"
    spans = [found.span() for found in _EDIT.finditer(text)]
    assert [found.span() for found in _places(text)] == spans
