"""One folder a client; `VENDORS` lists them, `compiled` makes a table ready, `detect` finds whose a
bare payload is."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from hookstream.core.clients import FORKS, RUN_BY, VARIABLES, VENDORS, WITHOUT_HOOKS
from hookstream.normalizers import index
from hookstream.normalizers.base import ODD, normalize
from hookstream.normalizers.ready import CompiledVendor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record

__all__ = [
    "VENDORS",
    "WITHOUT_HOOKS",
    "CompiledVendor",
    "claimants",
    "compiled",
    "detect",
    "has_table",
    "is_bare",
    "normalize",
    "vendor_of",
]


# Those that guard agents, and are none.
GUARDIANS = frozenset(("aos", "prisma-airs"))

# Spans of frameworks: one table for all witnesses.
SPANS = "otel-genai"
# witness -> module in the vendor's folder, where that is not `table`
MODULES = {"transcript": "transcript", "telemetry": "telemetry", "mod": "mod"}

_compiled: dict[tuple[str, str], CompiledVendor] = {}


@cache
def compiled(key: str, witness: str = "hook") -> CompiledVendor:
    """The vendor's compiled table for a witness; KeyError for an unknown vendor or one of which
    that witness is not read."""
    name = "telemetry" if key == SPANS else MODULES.get(witness, "table")
    ready = _compiled.get((key, name))
    if ready is None:
        folder = VENDORS.get(key) or WITHOUT_HOOKS.get(key)
        if folder is None:
            raise KeyError(key)
        path = f"hookstream.normalizers.{folder}.{name}"
        try:
            module = import_module(path)
        except ModuleNotFoundError as error:
            if error.name != path:
                raise
            raise KeyError(f"{key}: {witness}") from None
        ready = _compiled[key, name] = CompiledVendor(module.VENDOR)
    return ready


def has_table(key: str | None, witness: str) -> bool:
    """Return whether a witness of a vendor's sessions can be read."""
    try:
        compiled(key or "", witness)
    except KeyError:
        return False
    return True


# Fields of the standards themselves: a payload with one comes from none of the clients.
STANDARDS = ("spec_version", "aarts_version")


def claimants(payload: dict[str, Any]) -> list[str]:
    """Every vendor whose table claims the payload; a correct set of tables gives at most one.

    A payload with the marks of two vendors belongs to neither. Next to a session file in a client's
    folder it is that client's or of no known one. What a fork claims is not its parent's.
    """
    marked = index.marked(payload)
    if len(marked) > 1 or any(name in payload for name in STANDARDS):
        return []
    kept = index.keeper(payload)
    keys = marked or ([kept] if kept is not None else VENDORS)
    claiming = [key for key in keys if claims(key, payload)]
    return [key for key in claiming if not set(FORKS.get(key, ())) & set(claiming)]


def claims(key: str, payload: dict[str, Any]) -> bool:
    """Return whether a payload is a client's by its table, whatever the types of its values."""
    try:
        return compiled(key).vendor.claims(payload)
    except ODD:
        return False


def hosts(key: str, payload: dict[str, Any]) -> bool:
    """Return whether a payload without another client's mark can be a client's."""
    return index.marked(payload) in ([], [key]) and is_like(key, payload)


def is_like(key: str, payload: dict[str, Any]) -> bool:
    """Return whether a payload can be a client's where its record or environment names that."""
    try:
        return compiled(key).vendor.host(payload)
    except ODD:
        return False


# Events that several clients call alike and say little in.
SHARED = frozenset(("SessionStart", "SessionEnd", "Notification"))


def is_bare(payload: dict[str, Any]) -> bool:
    """Return whether a payload of a session's edge does not say where its session file is, by which
    its client is told from others."""
    name = payload.get("hook_event_name")
    return type(name) is str and name in SHARED and payload.get("transcript_path") is None


def vendor_of(record: Record) -> str | None:
    """The vendor of a record's payload: by its own marks, else the one that the record names unless
    that cannot have sent it: a client may run the hooks that were registered for another. Where
    the payload has nothing that is one client's alone, the one that is named was concluded."""
    named, payload = record.vendor, record.payload
    if named is not None and record.witness == "mod":
        return named  # an account of the client, no payload of a hook
    if named not in VENDORS:
        return detect(payload, record.native_event, record.env)
    marked = index.marked(payload) or list(filter(None, [index.keeper(payload)]))
    if (
        (marked or [named]) == [named]
        and is_like(named, payload)
        and (named not in FORKS or not any(claims(key, payload) for key in FORKS[named]))
    ):
        if not marked and not claims(named, payload):
            record.made = (*record.made, "tool")
        return named
    client = detect(payload, record.native_event, record.env)
    if client is None:
        others = [key for key in RUN_BY.get(named, ()) if hosts(key, payload)]
        client = others[0] if len(others) == 1 else None
    # A fork's payload has what its parent's has.
    if client is None or (client in FORKS and client not in marked):
        record.made = (*record.made, "tool")
    return client or named


def detect(
    payload: dict[str, Any], native_event: str | None = None, env: dict[str, Any] | None = None
) -> str | None:
    """The one vendor that claims the payload, or None if none or several do.

    Where no table claims it, the hook's environment decides, then the registered event's name if
    only one vendor has it.
    """
    found = claimants(payload)
    if not found and type(env) is dict:
        running = (key for variable, key in VARIABLES.items() if variable in env)
        found = [key for key in running if hosts(key, payload)]
    if not found and native_event is not None:
        found = [key for key in VENDORS if native_event in compiled(key).vendor.events]
        forks = {fork for key in found for fork in FORKS.get(key, ())}
        found = [key for key in found if key not in forks]
    return found[0] if len(found) == 1 else None
