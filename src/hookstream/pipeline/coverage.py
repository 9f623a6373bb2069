"""Coverage of each vendor's events and facts, computed from the normalizer tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.core.event import EVENT_TYPES
from hookstream.normalizers import VENDORS, compiled, has_table
from hookstream.normalizers.table import Const, Ignore, Row
from hookstream.standards.agent_hooks import PLACES
from hookstream.standards.hook_points import FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.normalizers.table import Vendor


def wanted(row: Row) -> set[str]:
    """The facts an event of this row could carry: the standards' places for its type and point."""
    facts = {
        fact.removesuffix("_hash").removesuffix("_length") for fact in PLACES.get(row.type, ())
    }
    facts |= {fact for _, fact, _ in FIELDS.get(row.hook_point or "", ())}
    if row.type.startswith("Action."):
        facts |= {"call_id", "input"}
    return facts | {"session_id", "turn_id", "timestamp"}


WITNESSES = ("hook", "transcript", "telemetry")
# Facts that a stage after the tables gives, and those that only a decision has.
LATER = {"decision", "decision_reason", "agent_mode", "action_name", "action_category"}


def events_of(name: str) -> list[dict[str, str]]:
    """One row a native event and Event it gives: types, facts native, derived, absent."""
    vendor: Vendor = compiled(name).vendor
    out: list[dict[str, str]] = []
    for native, rows in vendor.events.items():
        for row in rows if isinstance(rows, tuple) else (rows,):
            out.append(_row_of(vendor, native, row))
    for native, reason in vendor.absent.items():
        out.append(_cells(native, "(none)", "(none)", (), (), (), reason))
    return out


def events_named(name: str) -> set[str]:
    """The native events of all tables of a vendor: hooks, session files, telemetry."""
    tables = (compiled(name, witness) for witness in WITNESSES if has_table(name, witness))
    return {event for table in tables for event in table.vendor.events}


def _row_of(vendor: Vendor, native: str, row: Row | Ignore) -> dict[str, str]:
    if isinstance(row, Ignore):
        return _cells(native, "(ignored)", "(none)", (), (), (), row.reason)
    sources: dict[str, Any] = {**vendor.common, **row.facts}
    native_facts: set[str] = set()
    derived_facts: set[str] = set()
    for fact, source in sources.items():
        if source is None:
            continue
        is_rule = isinstance(source, Const) or getattr(source, "derived", False)
        (derived_facts if is_rule else native_facts).add(fact)
    if "action_native" in sources:
        derived_facts |= {"action_name", "action_category"}
    if row.type == "Action.After" and "exit_code" in sources and "success" not in sources:
        derived_facts.add("success")
    absent = wanted(row) - native_facts - derived_facts - LATER
    return _cells(
        native, row.type, row.hook_point or "(none)", native_facts, derived_facts, absent, row.note
    )


def _cells(
    native: str,
    kind: str,
    point: str,
    native_facts: Any,
    derived_facts: Any,
    absent: Any,
    note: str,
) -> dict[str, str]:
    return {
        "native event": native,
        "Agent Hooks": kind,
        "AARTS": point,
        "native facts": ", ".join(sorted(native_facts)),
        "derived facts": ", ".join(sorted(derived_facts)),
        "absent facts": ", ".join(sorted(absent)),
        "note": note,
    }


def overview() -> list[dict[str, str]]:
    """One row a vendor: how many native events, of which standard types, at which hook points."""
    out = []
    for name in VENDORS:
        rows = events_of(name)
        natives = {row["native event"] for row in rows}
        types = {row["Agent Hooks"] for row in rows} & set(EVENT_TYPES)
        points = {row["AARTS"] for row in rows} - {"(none)"}
        left = {row["native event"] for row in rows if row["Agent Hooks"] == "(none)"}
        abilities = {name for name, yes in ABILITIES.items() if any(yes(row) for row in rows)}
        out.append(
            {
                "vendor": name,
                "native events": str(len(natives - left)),
                "Agent Hooks types": str(len(types)),
                "AARTS hook points": str(len(points)),
                **{ability: "yes" if ability in abilities else "-" for ability in ABILITIES},
            }
        )
    return out


ABILITIES: dict[str, Callable[[dict[str, str]], bool]] = {
    "prompts": lambda row: row["Agent Hooks"] == "Prompt.Submitted",
    "outcomes": lambda row: row["Agent Hooks"] == "Action.After" and _says(row, "success"),
    "denies observed": lambda row: (
        row["Agent Hooks"] == "Policy.Blocked" or "refused" in row["note"]
    ),
    "asks": lambda row: (
        _says(row, "notification_type") or "PermissionRequest" in row["native event"]
    ),
    "sub-agents": lambda row: row["Agent Hooks"] == "Agent.Plan.Start",
    "compactions": lambda row: row["Agent Hooks"] == "Context.Compaction",
    "tokens": lambda row: "input_tokens" in row["native facts"] or _says(row, "tokens_used"),
}


def _says(row: dict[str, str], fact: str) -> bool:
    return fact in (row["native facts"] + ", " + row["derived facts"]).split(", ")
