"""Documentation from a vendor's table: the standard types and hook points that its hooks give, and
the hooks of guardians (AOS, Prisma AIRS) by the records that show them."""

from __future__ import annotations

from hookstream.core.event import EVENT_TYPES
from hookstream.normalizers.table import Row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookstream.normalizers.table import Vendor

    # vendor, generation, hook, native event or None for any, event type or None for any
    Shown = tuple[str, str, str, str | None, str | None]

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
