"""Documentation from a vendor's table: the standard types and hook points that its hooks give, and
the hooks of guardians (AOS, Prisma AIRS) by the records that show them."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

from hookstream.core.event import EVENT_TYPES
from hookstream.normalizers import GUARDIANS, VENDORS, compiled, has_table
from hookstream.normalizers.table import Row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookstream.normalizers.table import Vendor

    # vendor, generation, hook, native event or None for any, event type or None for any
    Shown = tuple[str, str, str, str | None, str | None]

WITNESSES = ("hook", "transcript", "telemetry", "mod")
AOS_STEPS = {
    "steps/agentTrigger": ("steps/agentTrigger",),
    "steps/toolCallRequest": ("steps/toolCallRequest",),
    "steps/toolCallResult": ("steps/toolCallResult",),
    "steps/memoryContextRetrieval": ("steps/memoryContextRetrieval",),
    "steps/memoryStore": ("steps/memoryStore",),
    "steps/knowledgeRetrieval": ("steps/knowledgeRetrieval",),
}
AOS_MESSAGES = {
    "steps/message (user)": "Prompt.Submitted",
    "steps/message (agent)": "Agent.Response",
}


def documented(vendor: Vendor) -> list[tuple[str, str]]:
    """("event_type" | "hook_point", name) of everything that the vendor's hooks can give."""
    found: dict[tuple[str, str], None] = {}
    for rows in vendor.events.values():
        for row in rows if isinstance(rows, tuple) else (rows,):
            if not isinstance(row, Row):
                continue
            if row.type in EVENT_TYPES:
                found["event_type", row.type] = None
            if row.hook_point is not None:
                found["hook_point", row.hook_point] = None
    return list(found)


@cache
def clients_with(
    event_type: str = "", hook_point: str = "", fact: str = "", capability: str = ""
) -> tuple[str, ...]:
    """The clients of which a table has a row of that event type (a pattern) and hook point with
    that fact; or whose hooks have the capability. Without a word: all but guardians."""
    keys = [key for key in VENDORS if key not in GUARDIANS or hook_point]
    if capability:
        return tuple(k for k in keys if getattr(compiled(k).vendor.capabilities, capability))
    if not (event_type or hook_point or fact):
        return tuple(keys)
    return tuple(
        key
        for key in keys
        if any(
            fnmatchcase(row.type, event_type or "*")
            and hook_point in ("", row.hook_point)
            and (not fact or fact in facts)
            for row, facts in rows_of(key)
        )
    )


def rows_of(key: str) -> Iterator[tuple[Row, set[str]]]:
    """The rows of all tables of a client, each with the facts that it can have."""
    for witness in WITNESSES:
        if has_table(key, witness):
            vendor = compiled(key, witness).vendor
            for rows in vendor.events.values():
                for row in rows if isinstance(rows, tuple) else (rows,):
                    if isinstance(row, Row):
                        yield row, {*row.facts, *vendor.common}


def guardian_hooks() -> list[Shown]:
    """The 15 hooks of AOS as Joch lists them, and those of the Prisma AIRS plugin."""
    return [*_aos(), *_prisma()]


def _aos() -> Iterator[Shown]:
    from hookstream.normalizers.aos.a2a import METHODS, WRAPPER
    from hookstream.normalizers.aos.table import MCP

    for hook, natives in AOS_STEPS.items():
        for native in natives:
            yield "aos", "0.1.0", hook, native, None
    for hook, kind in AOS_MESSAGES.items():
        for native in ("steps/message", "steps/userMessage", "steps/agentResponse"):
            yield "aos", "0.1.0", hook, native, kind
    for kind in {row.type for row in MCP if isinstance(row, Row)}:
        is_inbound = kind.endswith("Result") or kind in ("Action.After", "Model.Responded")
        hook = f"protocols/MCP ({'inbound' if is_inbound else 'outbound'})"
        yield "aos", "0.1.0", hook, "protocols/MCP", kind
    for method, (name, spellings) in METHODS.items():
        if method not in A2A_HOOKS:
            continue
        hook = A2A_HOOKS[method]
        if method.startswith("message/"):
            for native in (method, *spellings.split()):
                yield "aos", "0.1.0", hook, native, "Action.Before"
        else:
            yield "aos", "0.1.0", hook, None, f"vendor.aos.{name}"
    # The wrapper names its method inside: a delegation under it counts as one that is sent.
    yield "aos", "0.1.0", "A2A send", WRAPPER, "Action.Before"


NOTIFICATIONS = "A2A notification config"
A2A_HOOKS = {
    "message/send": "A2A send",
    "message/stream": "A2A stream",
    "tasks/cancel": "A2A cancel",
    "tasks/get": "A2A get task",
    "tasks/resubscribe": NOTIFICATIONS,
    "tasks/pushNotificationConfig/set": NOTIFICATIONS,
    "tasks/pushNotificationConfig/get": NOTIFICATIONS,
    "tasks/pushNotificationConfig/list": NOTIFICATIONS,
    "tasks/pushNotificationConfig/delete": NOTIFICATIONS,
}


def _prisma() -> Iterator[Shown]:
    from hookstream.normalizers.prisma_airs.table import HOOKS, PREFIX

    for hook, _, lines in HOOKS:
        generation = "12 hooks" if hook.startswith("prisma-airs-") else "4 hooks"
        natives = [name for _, names in lines for name in names.split()]
        for native in natives or [f"{hook} logs nothing"]:
            yield "prisma-airs", generation, hook, f"{PREFIX}{native}", None
