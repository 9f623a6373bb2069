"""Every column says what it means, and the document is what the code says."""

from __future__ import annotations

from pathlib import Path

from hookstream.lake.columns import COLUMNS
from hookstream.lake.dictionary import MEANINGS, page

DOCUMENT = Path(__file__).parent.parent / "docs" / "data-dictionary.md"


def test_every_column_has_a_meaning() -> None:
    assert [name for name in COLUMNS if not MEANINGS.get(name)] == []
    assert all(len(text) < 160 and text[-1] in ".m" for text in MEANINGS.values())


def test_the_document_is_up_to_date() -> None:
    made = page()
    assert DOCUMENT.read_text("utf-8") == made, "python -m hookstream.lake.dictionary makes it"
