"""The report a backfill ends in: on the terminal, one table a question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from hookstream.cli.answers import Look, table_text
from hookstream.core.logs import folded, say
from hookstream.queries.costs import total_line
from hookstream.queries.formats import visible
from hookstream.queries.runner import Result

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.core.jsons import JsonObject
    from hookstream.delivery.backfill import Backfilled
    from hookstream.queries.backfilled import Summary
    from hookstream.transcripts.places import ListedSession

ROWS = 20


def show(
    found: Summary,
    files: list[ListedSession],
    shut: list[Path],
    made: Backfilled,
    elapsed_s: float,
    unread: list[JsonObject],
) -> None:
    """Print the report; what could not be read goes to stderr."""
    size = sum(file.size for file in files)
    print(f"{len(files)} session files, {size / 1e6:.1f} MB, {elapsed_s:.1f} s\n")
    table(
        "Clients",
        found.clients,
        tuple("tool sessions prompts calls failed denied first_at last_at".split()),
    )
    denied = tuple("timestamp tool action_name target decided_by decision_reason".split())
    rows = [{**row, "target": target(row)} for row in found.denies]
    table("Denied", rows, denied)
    ran = [row for row in rows if row.get("executed_afterwards") is True]
    table("Denied and ran anyway", ran, denied)
    bypasses = tuple("timestamp tool target denied_native action_native command".split())
    table("Denied, then reached another way", found.bypasses, bypasses)
    table("Secrets that stand in the clear in session files", secrets(made), SECRETS)
    rules(found)
    loops = tuple("tool action_name command kind attempts failures first_at".split())
    table("Loops", found.loops, loops)
    table(f"Tokens and cost ({found.prices})", [money(row) for row in found.models], MODELS)
    table("Found and not read", unread, tuple("tool files bytes why first".split()))
    print(folded(total_line(found.costs, found.prices), sys.stdout))
    tally = made.tally
    unknown = {why: n for why, n in tally.ignored.items() if "newer than" in why}
    for why, n in sorted(unknown.items()):
        say(f"{why} ({n} files)")
    for reason, n in sorted(tally.by_rejection.items()):
        say(f"records that could not be read: {n}, {reason}")
    for file, why in list(tally.broken_off.items())[:ROWS]:
        say(f"{file}: {why}; what could be read of it is read")
    for path in shut:
        say(f"{path}: may not be read")


def rules(found: Summary) -> None:
    """Permission rules that no call met, and which settings were read for them."""
    settings = found.settings
    if settings is None:
        return
    for path in settings.unread:
        say(f"{path}: settings that cannot be read")
    many = f"{len(settings.rules)} in {len(settings.files)} settings files"
    title = f"Permission rules that no call met (computed; {many})"
    table(title, found.unmatched, ("tool", "answer", "rule", "file"))
    for path in settings.files:
        print(f"settings read: {visible(path)}")
    if settings.files:
        print()


SECRETS = tuple("rule file values where first_at last_at".split())
MODELS = tuple("tool model answers input output cache_read cache_write cost_usd trust".split())


def secrets(made: Backfilled) -> list[JsonObject]:
    """One row per rule and file, most values first."""
    rows = [
        {
            "rule": rule,
            "file": file,
            "values": len(place.values),
            "where": " ".join(sorted(place.facts)),
            "first_at": place.first_at[:19],
            "last_at": place.last_at[:19],
        }
        for (rule, file), place in made.secrets.items()
    ]
    return sorted(rows, key=lambda row: (-int(str(row["values"])), row["rule"], row["file"]))


def target(row: JsonObject) -> Any:
    return row.get("command") or row.get("file_path") or row.get("url") or row.get("action_native")


def money(row: JsonObject) -> JsonObject:
    cost = row["cost_usd"]
    return {**row, "cost_usd": "unknown" if cost is None else f"{cost:.4f}"}


def table(title: str, rows: list[JsonObject], columns: tuple[str, ...]) -> None:
    print(f"{title}: {len(rows) or 'none'}")
    if rows:
        cells = (tuple(row.get(name) for name in columns) for row in rows[:ROWS])
        result = Result.of(columns, cells, columns)
        result.truncated = len(rows) > ROWS
        sys.stdout.write(table_text(result, Look(vertical=False)))
    print()
