"""Questions to people and their answers, as Records; and how any Record of a span is made."""

from __future__ import annotations

from hookstream.core.limits import make_room
from hookstream.core.records import Record
from hookstream.normalizers.genai import dialects
from hookstream.otlp.conversation import Conversation, Open
from hookstream.otlp.spans import TRACES, Spans
from hookstream.otlp.values import iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.jsons import JsonObject
    from hookstream.normalizers.genai.span import Proposal, Told
    from hookstream.otlp.items import OtlpItem

    Timed = tuple[int, int, Record]


class SpanQuestions:
    """Makes Records of what spans say; keeps conversations and the questions open in them."""

    def __init__(self) -> None:
        self.spans = Spans()
        self.conversations: dict[str, Conversation] = {}
        # questions that are open, whatever session they come from
        self.waiting: list[tuple[str, str, Open]] = []
        self.timed: list[Timed] = []

    def conversation(self, item: OtlpItem) -> Conversation:
        key = self.spans.session(item) or self.spans.root(item.trace)
        talk = self.conversations.get(key)
        if talk is None:
            make_room(self.conversations, TRACES)
            talk = self.conversations[key] = Conversation(key)
        return talk

    def ask(self, item: OtlpItem, told: Told, talk: Conversation, asked: Proposal) -> None:
        """A question about a call that has no span."""
        synthesized: list[str] = []
        call = asked.call_id
        if call is None:
            proposal = talk.next_like(asked)
            call = proposal.call_id if proposal is not None else None
            synthesized = ["call_id"]
        if call is None:
            call = f"{item.trace[:16]}-{item.span}-{len(talk.asked)}"
        facts = {"name": asked.tool, "arguments": asked.arguments, "call_id": call}
        self.asked(item, told, talk, facts, synthesized)

    def asked(
        self, item: OtlpItem, told: Told, talk: Conversation, facts: JsonObject, made: list[str]
    ) -> None:
        asked = Open(facts["call_id"], facts["name"], facts["arguments"], "call_id" in made)
        talk.asked = [*talk.asked[-255:], asked]
        self.waiting = [*self.waiting[-255:], (told.framework, talk.key, asked)]
        self.add(item, told, "tool.asked", item.end, facts, made)

    def answer(
        self, item: OtlpItem, told: Told, talk: Conversation, answer: tuple[str, str | None]
    ) -> None:
        """A person's answer to the oldest open question of the session."""
        if not talk.asked:
            return
        asked = talk.asked.pop(0)
        word, reason = answer
        if word == "reject":
            self.decided(item, told, asked, "resume", reason, asked.call_id)
        else:
            self.approved(item, told, asked, reason, word == "edit", asked.call_id)

    def decided(
        self,
        item: OtlpItem,
        told: Told,
        asked: Open | None,
        evidence: str,
        reason: str | None,
        call: str,
    ) -> None:
        facts = {"call_id": call, "decided_by": "user", "evidence": evidence, "reason": reason}
        synthesized = self._of(asked, facts)
        self.add(item, told, "tool.refused", item.start, facts, synthesized)

    def approved(
        self,
        item: OtlpItem,
        told: Told,
        asked: Open | None,
        reason: str | None,
        modified: bool,
        call: str,
    ) -> None:
        facts = {"call_id": call, "evidence": "resume", "reason": reason}
        synthesized = self._of(asked, facts)
        if modified:
            facts["modified"] = True  # type: ignore[assignment]
        self.add(item, told, "tool.approved", item.start, facts, synthesized)

    def _of(self, asked: Open | None, facts: JsonObject) -> list[str]:
        if asked is None:
            return []
        facts.update(name=asked.tool, arguments=asked.arguments)
        return ["call_id"] if asked.is_made else []

    def add(
        self,
        item: OtlpItem,
        told: Told,
        event: str,
        moment: int,
        facts: JsonObject,
        made: list[str] | None = None,
    ) -> None:
        session = self.spans.session(item)
        derived = list(made or ())
        payload: JsonObject = {
            "event": event,
            "framework": told.framework,
            "session_id": session or self.spans.root(item.trace),
            "timestamp": iso(moment),
            "trace": item.trace,
            "span": item.span,
            "scope": item.source.scope,
            "agent": told.agent,
            **facts,
        }
        if told.session is None:
            derived.append("session_id")
        around = self.spans.around(item)
        if around is not None:
            outer = self.spans.spans[around][0]
            payload["agent_id"] = payload["parent_call_id"] = outer.call_id or around
            derived.append("agent_id")
            if not outer.call_id:
                derived.append("parent_call_id")
        payload = {name: value for name, value in payload.items() if value is not None}
        record = Record(payload, vendor=dialects.UNKNOWN, native_event=event, witness="telemetry")
        record.made = tuple(derived)
        self.timed.append((moment, len(self.timed), record))
