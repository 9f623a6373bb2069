"""The reference of all sinks, made from what each kind declares.

    python -m hookstream.sinks.reference docs/sinks.md

writes the tables of a document again, each between its marks.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from hookstream.sinks import HIDDEN, KINDS, kind_named
from hookstream.sinks.kinds import SinkKind, SinkOption

MARKED = re.compile(r"(<!-- (sinks|options of (\w+)) -->\n).*?(<!-- end -->)", re.S)
SINKS = """| sink | target | delivered means | possible duplicates after a crash |
| --- | --- | --- | --- |
"""
OPTIONS = """| option | values | default | meaning |
| --- | --- | --- | --- |
"""
VALUES = {bool: "true, false", int: "whole number", float: "number", str: "text", dict: "table"}


def kinds() -> list[SinkKind]:
    """The kinds that a user is shown."""
    return [kind_named(name) for name in KINDS if name not in HIDDEN]


def renewed(text: str) -> str:
    """A document with the table between each pair of marks written again."""
    return MARKED.sub(lambda match: match[1] + _table(match[3]) + match[4], text)


def _table(name: str | None) -> str:
    if name is None:
        return SINKS + "".join(
            f"| `{kind.name}:` | {kind.targets} | {kind.delivered} | {kind.duplicates} |\n"
            for kind in kinds()
        )
    return OPTIONS + "".join(map(_row, kind_named(name).options))


def _row(option: SinkOption) -> str:
    default = "-" if option.default is None else f"`{spelt(option.default)}`"
    return f"| `{option.name}` | {values_of(option)} | {default} | {option.help} |\n"


def values_of(option: SinkOption) -> str:
    """The values that an option takes, as Markdown."""
    values = ", ".join(f"`{spelt(choice)}`" for choice in option.choices) or VALUES[option.type]
    return f"{values}, a credential" if option.is_secret else values


def spelt(value: object) -> str:
    """A value as TOML spells it, texts without quotes."""
    return str(value).lower() if type(value) is bool else str(value)


if __name__ == "__main__":
    document = Path(sys.argv[1])
    document.write_text(renewed(document.read_text("utf-8")), "utf-8")
