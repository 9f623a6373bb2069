"""Draft of a change of a vendor's table: the events and fields of a lake that it does not map.

It names events and fields, never their values: a name that may be a value (a path, an id) is
replaced by `*`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hookstream.core.event import FACTS
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, open_stream

if TYPE_CHECKING:
    from pathlib import Path

    Fields = dict[str, int]

# A name that programs give: words of letters, no long run of digits.
NAME = re.compile(r"(?!.*\d{4})[A-Za-z_$][A-Za-z0-9_$-]{0,47}\Z")
EVENT = re.compile(r"(?!.*\d{4})[A-Za-z][A-Za-z0-9_.:/-]{0,63}\Z")
VERSION = re.compile(r"\d{1,6}(?:\.\d{1,6}){1,3}(?:[-+][A-Za-z0-9.]{1,16})?\Z")
HIDDEN = "*"


def draft(lake: Path, vendor: str, named: set[str]) -> str:
    """The text of an issue with proposed rows, as Markdown; empty if the table maps everything.

    `named` are the native events of the vendor's tables. Raises NothingToRead where the lake holds
    no stream.
    """
    with open_stream(lake) as stream:
        kept = objects(ask(stream, "unmapped", Filters(tool=vendor)))
    unknown: Fields = {}
    fields: dict[str, Fields] = {}
    for row in kept:
        event = event_name(row["native_event"])
        held = fields.setdefault(event, {})
        path = path_of(row["path"])
        held[path] = held.get(path, 0) + row["events"]
        if row["native_event"] not in named:
            unknown[event] = max(unknown.get(event, 0), held[path])
    if not fields:
        return ""
    return "\n".join(_text(vendor, unknown, fields, _versions(kept)))


def event_name(name: object) -> str:
    return name if type(name) is str and EVENT.match(name) else HIDDEN


def path_of(path: str) -> str:
    """A field's path up to the first part that no program names so."""
    parts = path.split(".")
    plain = next((n for n, part in enumerate(parts) if not NAME.match(part)), len(parts))
    return ".".join([*parts[:plain], HIDDEN] if plain < len(parts) else parts)


def row_of(vendor: str, event: str, fields: Fields) -> list[str]:
    """A row of a table for an event that has none: facts by their names, the rest kept."""
    facts = {fact: path for path in fields if (fact := fact_of(path)) is not None}
    kept = [path for path in fields if path not in facts.values() and HIDDEN not in path]
    words = re.split(r"[^A-Za-z0-9]+", event)
    kind = "".join(word[:1].upper() + word[1:] for word in words if word)
    lines = [f'"{event}": Row(', f'    "vendor.{vendor}.{kind}",']
    if facts:
        pairs = ", ".join(f'"{fact}": "{path}"' for fact, path in sorted(facts.items()))
        lines.append(f"    {{{pairs}}},")
    if kept:
        lines.append(f'    keep="{" ".join(sorted(kept))}",')
    return [*lines, "),"]


def fact_of(path: str) -> str | None:
    """The fact that a field is by its name, whatever its spelling: `durationMs` -> duration_ms."""
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", path.rpartition(".")[2]).lower().replace("-", "_")
    return name if name in FACTS and HIDDEN not in path else None


def _versions(rows: list[dict[str, Any]]) -> list[str]:
    found = {str(row["tool_version"]) for row in rows if row["tool_version"]}
    return sorted(version for version in found if VERSION.match(version))


def _text(
    vendor: str, unknown: Fields, fields: dict[str, Fields], versions: list[str]
) -> list[str]:
    seen = f" (client {', '.join(versions)})" if versions else ""
    lines = [f"# {vendor}: events and fields without a place in its table", ""]
    lines.append(f"Seen by `hookstream vendors {vendor} --draft-from`{seen}. No values are shown.")
    if unknown:
        lines += [
            "",
            "## Unknown events",
            "",
            "| native event | events | fields |",
            "|---|---|---|",
        ]
        for event, count in sorted(unknown.items()):
            names = ", ".join(f"`{path}`" for path in sorted(fields.get(event, ())))
            lines.append(f"| `{event}` | {count} | {names or '-'} |")
        lines += ["", "Proposed rows, each to be checked against a payload:", "", "```python"]
        for event in sorted(unknown):
            if event != HIDDEN:
                lines += row_of(vendor, event, fields.get(event, {}))
        lines.append("```")
    known = {event: held for event, held in fields.items() if event not in unknown}
    if known:
        lines += ["", "## Unmapped fields", "", "| native event | field | events | proposal |"]
        lines.append("|---|---|---|---|")
        for event, held in sorted(known.items()):
            for path, count in sorted(held.items()):
                fact = fact_of(path)
                where = f'`"{fact}": "{path}"`' if fact else "`keep`, or `ignore` with a reason"
                lines.append(f"| `{event}` | `{path}` | {count} | {where} |")
    return [*lines, ""]
