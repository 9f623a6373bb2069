"""Parts of `hookstream run` that commands like it share: choices, reports, headlines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError, Undelivered, invalid_choice
from hookstream.core.files import write_private
from hookstream.core.logs import say

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from hookstream.delivery.run import Outcome

# Reasons that are named on a terminal.
MOST_REASONS = 3


def mention_unread(sources: list[str]) -> None:
    """Report which rotated files next to the sources were not asked for."""
    from hookstream.core.sources import find, unread_beside

    beside = unread_beside(find([source for source in sources if source != "-"]))
    if beside:
        shown = ", ".join(map(str, beside[:3])) + (" ..." if len(beside) > 3 else "")
        say(f"hookstream: not read: {shown}; name the folder to read them too")


def mention_folders(sinks: Iterable[str]) -> None:
    """Say which folders will be made under the name of a file."""
    from hookstream.sinks import folder_to_come

    for line in filter(None, map(folder_to_come, sinks)):
        say(f"hookstream: {line}")


def demand_delivery(outcome: Outcome) -> None:
    """Says where records wait that a sink could not take, or that they could not even wait."""
    if outcome.unkept:
        why = ", ".join(outcome.unkept)
        raise Undelivered(
            f"not everything was delivered, nor could it be kept ({why}); "
            "the input holds it: make room and run again"
        )
    if outcome.waiting:
        where = ", ".join(outcome.waiting)
        raise Undelivered(f"not everything was delivered; hookstream replay sends {where}")


def can_report(path: Path) -> None:
    """Says that the report cannot be written while nothing has been done yet."""
    import os

    folder = path.parent
    if path.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise HookstreamError(
            f"--report: {path} cannot be written; name a file in a folder of yours"
        )


def write_report(path: Path, summary: dict[str, object]) -> None:
    import json

    try:
        write_private(path, json.dumps(summary, indent=1, ensure_ascii=True) + "\n")
    except OSError as error:
        raise HookstreamError(
            f"--report: {path}: {error.strerror or error}; the stream itself is written"
        ) from None


def why_ignored(summary: dict[str, object]) -> str:
    """The commonest reasons for records without an event, in a line; empty without such."""
    ignored = summary["ignored"]
    if not isinstance(ignored, dict) or not ignored:
        return ""
    found = sorted(ignored.items(), key=lambda item: (-item[1], item[0]))
    text = "; ".join(f"{reason} {count}" for reason, count in found[:MOST_REASONS])
    more = "; more with --report FILE" if len(found) > MOST_REASONS else ""
    return f"ignored: {text}{more}"


def headline(summary: dict[str, object]) -> str:
    ignored = summary["ignored"]
    total = sum(ignored.values()) if isinstance(ignored, dict) else 0
    return (
        f"read {summary['read']}, events {summary['events']}, ignored {total}, "
        f"rejected {summary['rejected']}"
    )


def rejected(summary: dict[str, Any], sinks: list[str]) -> str:
    """Report how many lines were rejected and why, which files name each, and what to do."""
    from hookstream.sinks import files_of
    from hookstream.sinks.jsonl import REJECTED

    reasons = summary["by_rejection"]
    why = ", ".join(f"{name} {number}" for name, number in reasons.items())
    written = [files_of(uri, "both", {}) for uri in sinks]
    files = [str(one[0] / REJECTED) for one in written if one is not None and REJECTED in one[1]]
    where = f"see {' and '.join(files)}" if files else "--to jsonl:DIR keeps a list of them"
    advice = "; --vendor NAME says whose lines they are" if "unknown_vendor" in reasons else ""
    return (
        f"{summary['rejected']} of {summary['read']} lines were rejected ({why}): {where} "
        f"(reason, offset, digest){advice}; --strict makes this an error"
    )


def one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise invalid_choice(option, value, allowed)
