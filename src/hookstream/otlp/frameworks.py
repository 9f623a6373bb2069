"""Spans of agent frameworks to Records: spans of one call are joined here.

A span is judged by itself and gives its Records at once; facts of its trace, its session and the
spans around it are used if they are known. All memory is bounded.
"""

from __future__ import annotations

from hookstream.core.limits import make_room
from hookstream.normalizers.genai import dialects
from hookstream.otlp.questions import SpanQuestions
from hookstream.otlp.spans import OTHER, TRACES
from hookstream.otlp.values import UNREADABLE_ITEM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.genai.span import Told
    from hookstream.otlp.conversation import Conversation
    from hookstream.otlp.items import OtlpItem
    from hookstream.otlp.questions import Timed


class Frameworks:
    """Collects spans of all frameworks; `take` gives the Records of an export."""

    def __init__(self) -> None:
        self.asks = SpanQuestions()
        self.spans = self.asks.spans
        # traces that were compared with open questions
        self.joined: dict[str, None] = {}

    def take(self, items: list[OtlpItem], timed: list[Timed]) -> list[str]:
        """Add the Records of the items with their times; return why the others give none."""
        self.asks.timed = timed
        reasons: list[str] = []
        batch: list[tuple[OtlpItem, Told]] = []
        for item in sorted(items, key=lambda item: item.start or item.end):
            self.spans.link(item)
            try:
                reading = dialects.read(item) if item.signal == "span" else None
            except UNREADABLE_ITEM:
                reasons.append("telemetry: item that cannot be read")
                continue
            if reading is not None and item.span in self.spans.spans:
                reasons.append("telemetry: span that was told of before")
            elif reading is None:
                reasons.append(f"telemetry: {item.signal} of no agent")
                if item.signal == "span" and item.span not in self.spans.spans:
                    self.spans.remember(item, OTHER)
            else:
                batch.append((item, reading))
        for item, entry in batch:
            self.spans.remember(item, entry)
        for item, entry in sorted(batch, key=lambda pair: pair[0].end):
            self._propose(item, entry)
        for item, entry in batch:
            self._rejoin(item, batch)
            if not self._tell(item, entry):
                reasons.append("telemetry: span of a step, not of a call")
        return reasons

    def _propose(self, item: OtlpItem, told: Told) -> None:
        talk = self.asks.conversation(item)
        for proposal in told.proposals:
            talk.propose(proposal)

    def _rejoin(self, item: OtlpItem, batch: list[tuple[OtlpItem, Told]]) -> None:
        """Find the session of a run that continues in another trace after an approval: by the calls
        in its history, by the prompt it repeats, or by the call it was about. Once per trace."""
        if (
            self.spans.session(item) is not None
            or item.trace in self.joined
            or not self.asks.waiting
        ):
            return
        make_room(self.joined, TRACES)
        self.joined[item.trace] = None
        mine = [reading for other, reading in batch if other.trace == item.trace]
        for framework, session, asked in self.asks.waiting:
            if session == self.spans.root(item.trace):
                return
            conversation = self.asks.conversations.get(session)
            for reading in mine:
                if reading.framework == framework and (
                    asked.call_id in reading.history
                    or (
                        conversation is not None
                        and reading.prompt
                        and reading.prompt == conversation.prompt
                    )
                    or (reading.kind == "tool" and not reading.call_id and asked.is_about(reading))
                ):
                    self.spans.name_session(item, session)
                    return

    def _tell(self, item: OtlpItem, told: Told) -> bool:
        """The Records of one span; False where it has none."""
        before = len(self.asks.timed)
        talk = self.asks.conversation(item)
        for answer in told.answers:
            self.asks.answer(item, told, talk, answer)
        for call, reason in told.refused:
            if talk.once("refused", call):
                self.asks.decided(item, told, talk.find(call), "execution-denied", reason, call)
        for call in told.approved:
            if talk.once("approved", call):
                self.asks.approved(item, told, talk.find(call), None, False, call)
        if told.kind == "tool":
            self._tool(item, told, talk)
        elif told.kind == "model":
            self._model(item, told, talk)
        elif told.kind == "agent":
            self._agent(item, told)
        elif told.kind == "handoff":
            self.asks.add(item, told, "handoff", item.start, {"name": told.name})
        elif told.kind == "chain" and told.framework == "langchain":
            # OpenLLMetry has a separate span for an agent; the others show its graph.
            outer = self.spans.spans.get(item.parent)
            is_graph = not item.source.scope.startswith("opentelemetry.")
            if is_graph and outer is not None and outer[0].kind == "tool":
                told.name = told.agent or told.name
                self._agent(item, told)
        elif told.kind in ("plan", "workflow") or told.kind.startswith("memory."):
            self._step(item, told)
        elif told.kind == "guardrail":
            self.asks.add(item, told, "guardrail", item.end, {"name": told.name})
        if told.compacted:
            self.asks.add(item, told, "compaction", item.end, {})
        for asked in told.asks:
            self.asks.ask(item, told, talk, asked)
        return len(self.asks.timed) > before

    def _step(self, item: OtlpItem, told: Told) -> None:
        """A plan, a workflow or an operation on a memory."""
        facts: dict[str, Any] = {"name": told.name, "duration_ms": item.duration_ms}
        facts |= {"error": told.error, "error_type": told.error_type}
        if told.kind == "workflow":
            self.asks.add(item, told, "workflow.start", item.start, {"name": told.name})
            self.asks.add(item, told, "workflow.end", item.end, facts)
            return
        facts |= {"memory_store": told.memory_store, "memory": told.memory, "query": told.query}
        self.asks.add(item, told, told.kind, item.end, facts)

    def _tool(self, item: OtlpItem, told: Told, talk: Conversation) -> None:
        inner = self.spans.inner.get(item.span)
        if inner is not None and inner.name == told.name and inner is not told:
            return  # the span inside has the id and the error
        call, synthesized = self._call_id(item, told, talk)
        facts: dict[str, Any] = {
            "name": told.name,
            "arguments": told.arguments,
            "call_id": call,
        }
        self.asks.add(item, told, "tool.start", item.start, facts, synthesized)
        if told.skill is not None:
            skill = {"skill": told.skill, "skill_source": told.skill_source, "call_id": call}
            self.asks.add(item, told, "skill", item.start, skill, synthesized)
        if told.waits and not told.unclear:
            self.asks.asked(item, told, talk, facts, synthesized)
            return
        if told.waits:
            self.asks.asked(item, told, talk, facts, synthesized)
            talk.once("waited", call)
            return
        facts = {**facts, "result": told.result, "duration_ms": item.duration_ms}
        facts["exit_code"] = told.exit_code
        if told.framework == "google-adk" and told.result is None and not told.failed:
            # It may only have waited: its agent continues with the model, or it does not.
            talk.pending.append((item, told, facts, synthesized))
            talk.once("waited", call)
            return
        self._ended(item, told, talk, facts, synthesized)

    def _ended(
        self, item: OtlpItem, told: Told, talk: Conversation, facts: dict[str, Any], made: list[str]
    ) -> None:
        call = facts["call_id"]
        is_second = told.framework == "google-adk" and talk.has("waited", call)
        if told.failed and not (is_second and "call_id" not in made):
            facts.update(outcome="error", success=False, error=told.error)
            facts["error_type"] = told.error_type
        elif not told.failed and not told.unclear:
            facts.update(outcome="ok", success=True)
            if told.presumed:
                made = [*made, "outcome", "success"]
        self.asks.add(item, told, "tool.end", item.end, facts, made)
        name = str(told.name)
        if name.startswith("transfer_to_") and facts.get("success"):
            agent_name = told.arguments.get("agent_name") if type(told.arguments) is dict else None
            to = agent_name if name == "transfer_to_agent" else name.removeprefix("transfer_to_")
            self.asks.add(item, told, "handoff", item.end, {"name": to})

    def _call_id(self, item: OtlpItem, told: Told, talk: Conversation) -> tuple[str, list[str]]:
        """The span's own id; else that of the call a model asked for; else that of an open
        question about the same call; else one made of its span."""
        if told.call_id:
            proposal = talk.take(told.call_id, told)
            if told.arguments is None and proposal is not None:
                told.arguments = proposal.arguments
            return told.call_id, []
        proposal = talk.next(told)
        if proposal is not None:
            if type(told.arguments) is not dict:
                told.arguments = proposal.arguments
            if proposal.call_id:
                return proposal.call_id, ["call_id"]
        for framework, session, asked in self.asks.waiting:
            if framework == told.framework and asked.is_about(told):
                self.asks.waiting.remove((framework, session, asked))
                self.spans.name_session(item, session)
                return asked.call_id, ["call_id"]
        return f"{item.trace[:16]}-{item.span}", ["call_id"]

    def _model(self, item: OtlpItem, told: Told, talk: Conversation) -> None:
        if self.spans.is_repeated(item, told):
            return
        for place, (tool, one, facts, made) in enumerate(list(talk.pending)):
            if tool.trace == item.trace and item.start >= tool.end:
                self._ended(tool, one, talk, {**facts}, made)
                talk.pending[place] = (tool, one, {}, made)
        talk.pending = [one for one in talk.pending if one[2]]
        if told.prompt and self.spans.around(item) is None and not self.spans.is_summary(item):
            talk.prompt = told.prompt
            if talk.once("prompt", f"{told.messages} {told.prompt[:200]}"):
                self.asks.add(item, told, "prompt", item.start, {"prompt": told.prompt})
        facts = {"model": told.model, "duration_ms": item.duration_ms}
        self.asks.add(item, told, "model.start", item.start, {"model": told.model})
        if told.failed:
            talk.once("failed", item.trace)
            facts.update(error=told.error, error_type=told.error_type)
            self.asks.add(item, told, "model.failed", item.end, facts)
            return
        for name in ("input_tokens", "output_tokens", "cache_read", "cache_write", "response_id"):
            facts[name] = getattr(told, name)
        self.asks.add(item, told, "model.end", item.end, facts)

    def _agent(self, item: OtlpItem, told: Told) -> None:
        around = self.spans.around(item)
        if around is not None:
            self.asks.add(item, told, "agent.start", item.start, {"name": told.name})
            self.asks.add(item, told, "agent.end", item.end, {"name": told.name, "text": told.text})
            return
        if self.spans.enclosing(item, "agent") is not None:
            return
        talk = self.asks.conversation(item)
        if told.prompt and not item.parent and talk.once("prompt", f"root {told.prompt[:200]}"):
            self.asks.add(item, told, "prompt", item.start, {"prompt": told.prompt})
        if told.failed and not talk.has("failed", item.trace):
            facts = {"error": told.error, "error_type": told.error_type}
            self.asks.add(item, told, "agent.failed", item.end, facts)
        elif told.text and not told.failed:
            self.asks.add(item, told, "answer", item.end, {"text": told.text})
