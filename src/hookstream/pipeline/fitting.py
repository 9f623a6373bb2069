"""Cut what would be too long for a line."""

from __future__ import annotations

from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.standards.rendered import Rendered


def fitting(item: Rendered, standard: str) -> Rendered:
    """The record in lines that may be written: one that would be too long is cut as in the hook,
    and says so. Where even that cannot be, it is what it was, and waits."""
    event = item.agent_hooks if standard in ("agent-hooks", "both") else None
    wrapper = item.aarts if standard in ("aarts", "both") else None
    if not (event and item.flaw(event)) and not (wrapper and item.flaw(wrapper)):
        return item
    from hookstream.pipeline.bounds import line_of

    with suppress(ValueError):
        line_of(item.event)
        return type(item)(item.event, item.position, item.sampled_rate)
    return item
