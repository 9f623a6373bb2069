"""An Event with its renderings, as sinks and lakes take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.core.jsons import line
from hookstream.standards.aarts import aarts
from hookstream.standards.agent_hooks import agent_hooks
from hookstream.standards.grammar import excess

if TYPE_CHECKING:
    from hookstream.core.event import Event


class Rendered:
    """An Event with both renderings as bytes (one ASCII JSON object, no newline), made lazily and
    once, however many sinks read them. `flaw` says why such a line may not be written, or None.

    `position` counts the record in the caller's durable spool, `sampled_rate` N says that it counts
    for N events; None if absent.
    """

    __slots__ = ("_aarts", "_agent_hooks", "event", "position", "sampled_rate")
    # A line made here keeps the grammar except the length limit; one from elsewhere may not.
    flaw = staticmethod(excess)

    def __init__(
        self, event: Event, position: int | None = None, sampled_rate: int | None = None
    ) -> None:
        self.event = event
        self.position = position
        self.sampled_rate = sampled_rate
        self._agent_hooks: bytes | None = None
        self._aarts: bytes | bool | None = False

    @property
    def agent_hooks(self) -> bytes:
        if self._agent_hooks is None:
            self._agent_hooks = line(agent_hooks(self.event))
        return self._agent_hooks

    @property
    def aarts(self) -> bytes | None:
        """The AARTS wrapper, None for an Event without hook point and decision."""
        if isinstance(self._aarts, bool):
            wrapper = aarts(self.event)
            self._aarts = None if wrapper is None else line(wrapper)
        return self._aarts
