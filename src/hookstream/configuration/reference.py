"""The reference of all settings, made from the catalogue.

    python -m hookstream.configuration.reference docs/configuration.md

writes the table of a document again, between its marks.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hookstream.configuration.catalog import ADD, FIXED, MORE, STRICTER, TABLE, Setting

LOCKS = {
    FIXED: "no other value",
    STRICTER: "only stricter",
    MORE: "only more",
    ADD: "only added to",
}
KINDS = {
    "path": "path, absolute or `~/`",
    "place": "path, `*` or `off`",
    "count": "whole number",
    "milliseconds": "50 to 60000",
    "text": "text",
    "flag": "true, false",
    "texts": "text or list of texts",
    "table": "table",
    "tables": "list of tables",
    "personal": "text or list of kinds",
    "words": "words, separated by commas",
}
BEGIN, END = "<!-- made by ", "<!-- end -->"
HEAD = """| setting | values | default | read by | locked | option, variable | meaning |
|---|---|---|---|---|---|---|
"""


def table() -> str:
    """All settings as a Markdown table."""
    return HEAD + "".join(f"| {' | '.join(_cells(one))} |\n" for one in TABLE)


def renewed(text: str) -> str:
    """A document with its table written again, between the two marks."""
    before, mark, rest = text.partition(BEGIN)
    line, _, rest = rest.partition("\n")
    return f"{before}{mark}{line}\n{table()}{END}{rest.partition(END)[2]}"


def _cells(one: Setting) -> list[str]:
    default = one.default
    shown = "-" if default in (None, [], {}) else f"`{str(default).lower()}`"
    return [
        f"`{one.name}`",
        values_of(one),
        shown,
        ", ".join(one.readers) or "option alone",
        LOCKS[one.when_locked] if one.readers else "-",
        ", ".join(f"`{word}`" for word in (one.option, one.variable) if word) or "-",
        one.about.replace("|", "\\|"),
    ]


def values_of(one: Setting) -> str:
    """The values that a setting takes, as Markdown."""
    values = ", ".join(f"`{word}`" for word in one.choices) or KINDS[one.kind]
    return values if one.readers else values.partition(", absolute")[0]


if __name__ == "__main__":
    document = Path(sys.argv[1])
    document.write_text(renewed(document.read_text("utf-8")), "utf-8")
