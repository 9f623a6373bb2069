"""The memory of one session of a framework: calls that models asked for, open questions."""

from __future__ import annotations

from dataclasses import dataclass

from hookstream.normalizers.genai.span import same_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.genai.span import Proposal, Told
    from hookstream.otlp.items import OtlpItem

PROPOSALS = 512
SEEN = 4096


@dataclass(slots=True, eq=False)
class Open:
    """A call that a person was asked about; `is_made`: its id was found by a rule."""

    call_id: str
    tool: str
    arguments: Any
    is_made: bool

    def is_about(self, told: Told) -> bool:
        """Return whether a tool's span may be of the same call."""
        return self.tool == told.name and same_arguments(self.arguments, told.arguments)


class Conversation:
    """Calls and questions of a session, oldest first."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.proposals: list[Proposal] = []
        self.known: dict[str, Proposal] = {}
        self.asked: list[Open] = []
        self.prompt: str | None = None
        # tool spans without a result, of which their agent's next step will say whether they ran
        self.pending: list[tuple[OtlpItem, Told, dict[str, Any], list[str]]] = []
        self.seen: dict[tuple[str, str], None] = {}

    def once(self, what: str, name: str) -> bool:
        """True the first time: histories repeat what was."""
        key = (what, name)
        if key in self.seen:
            return False
        if len(self.seen) >= SEEN:
            del self.seen[next(iter(self.seen))]
        self.seen[key] = None
        return True

    def has(self, what: str, name: str) -> bool:
        return (what, name) in self.seen

    def propose(self, proposal: Proposal) -> None:
        if proposal.call_id is not None:
            if proposal.call_id in self.known:
                return
            self.known[proposal.call_id] = proposal
        self.proposals.append(proposal)
        if len(self.proposals) > PROPOSALS:
            gone = self.proposals.pop(0)
            self.known.pop(gone.call_id or "", None)

    def find(self, call_id: str) -> Open | None:
        """The known facts of a call by its id."""
        proposal = self.known.get(call_id)
        if proposal is None:
            return None
        return Open(call_id, proposal.tool, proposal.arguments, False)

    def take(self, call_id: str, told: Told) -> Proposal | None:
        """The proposal of a call id, from now on used. Some hosts give a call another id than the
        model did: then the next one of the tool is meant."""
        proposal = self.known.get(call_id)
        if proposal is None:
            proposal = self.next(told)
        if proposal is not None:
            proposal.used = True
        return proposal

    def next(self, told: Told) -> Proposal | None:
        """The oldest proposal of the tool with the same arguments that no span has taken."""
        for proposal in self.proposals:
            fits = not proposal.used and proposal.tool == told.name
            if fits and same_arguments(proposal.arguments, told.arguments):
                proposal.used = True
                return proposal
        return None

    def next_like(self, asked: Proposal) -> Proposal | None:
        """The latest proposal of the tool with the same arguments that no span has taken."""
        for proposal in reversed(self.proposals):
            fits = not proposal.used and proposal.tool == asked.tool
            if fits and same_arguments(proposal.arguments, asked.arguments):
                return proposal
        return None
