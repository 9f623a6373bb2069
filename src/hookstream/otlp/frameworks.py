"""Spans of agent frameworks to Records: what belongs together is found here.

A span is judged by itself and told of at once; what its trace, its session and the spans around it
add is used as far as they are known. All memory is bounded.
"""

from __future__ import annotations

from hookstream.limits import make_room
from hookstream.normalizers.genai import dialects
from hookstream.otlp.conversation import Conversation, Open
from hookstream.otlp.values import iso
from hookstream.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.genai.span import Proposal, Told
    from hookstream.otlp.items import Item

    Timed = tuple[int, int, Record]

SPANS = 32768
TRACES = 8192
ANCESTORS = 64


class Frameworks:
    """Collects spans of all frameworks; `take` gives the Records of an export."""

    def __init__(self) -> None:
        # span id -> (what it says, its parent)
        self.spans: dict[str, tuple[Told, str]] = {}
        # tool span -> the span of the same call inside it
        self.inner: dict[str, Told] = {}
        # trace -> the first of the traces it is linked with
        self.linked: dict[str, str] = {}
        # trace -> session
        self.sessions: dict[str, str] = {}
        self.conversations: dict[str, Conversation] = {}
        # questions that are open, whatever session they come from
        self.waiting: list[tuple[str, str, Open]] = []
        # traces that were compared with open questions
        self.joined: dict[str, None] = {}
        self.timed: list[Timed] = []

    def take(self, items: list[Item], timed: list[Timed]) -> list[str]:
        """Adds the Records of the items with their times; returns why the others are none."""
        self.timed = timed
        reasons: list[str] = []
        told: list[tuple[Item, Told]] = []
        for item in sorted(items, key=lambda one: one.start or one.end):
            self._link(item)
            found = dialects.read(item) if item.signal == "span" else None
            if found is not None and item.span in self.spans:
                reasons.append("telemetry: span that was told of before")
            elif found is None:
                reasons.append(f"telemetry: {item.signal} of no agent")
            else:
                told.append((item, found))
        for item, one in told:
            self._remember(item, one)
        for item, one in sorted(told, key=lambda pair: pair[0].end):
            self._propose(item, one)
        for item, one in told:
            self._rejoin(item, told)
            if not self._tell(item, one):
                reasons.append("telemetry: span of a step, not of a call")
        return reasons

    def _link(self, item: Item) -> None:
        make_room(self.linked, TRACES)
        root = self.linked.setdefault(item.trace, item.trace)
        for trace, _ in item.links:
            if trace and self.linked.get(trace, trace) != root:
                if item.trace == root:
                    self.linked[item.trace] = self.linked.get(trace, trace)
                else:
                    self.linked[trace] = root

    def _remember(self, item: Item, told: Told) -> None:
        make_room(self.spans, SPANS)
        self.spans[item.span] = (told, item.parent)
        if told.session:
            make_room(self.sessions, TRACES)
            self.sessions.setdefault(item.trace, told.session)
        around = self.spans.get(item.parent)
        if told.kind == "tool" and told.name:
            make_room(self.inner, SPANS)
            self.inner[item.parent] = told
            if around is not None and around[0].kind == "tool" and around[0].name == told.name:
                told.arguments = told.arguments or around[0].arguments
                told.result = told.result if told.result is not None else around[0].result

    def _propose(self, item: Item, told: Told) -> None:
        talk = self.conversation(item)
        for proposal in told.proposals:
            talk.propose(proposal)

    def _rejoin(self, item: Item, batch: list[tuple[Item, Told]]) -> None:
        """Finds the session of a run that goes on in another trace after an approval: by the calls
        in its history, by the prompt it repeats, or by the call it was about. Once a trace."""
        if item.trace in self.sessions or item.trace in self.joined or not self.waiting:
            return
        make_room(self.joined, TRACES)
        self.joined[item.trace] = None
        mine = [one for other, one in batch if other.trace == item.trace]
        for framework, session, asked in self.waiting:
            if session == self.root(item.trace):
                return
            known = self.conversations.get(session)
            for one in mine:
                if one.framework == framework and (
                    asked.call_id in one.history
                    or (known is not None and one.prompt and one.prompt == known.prompt)
                    or (one.kind == "tool" and not one.call_id and asked.is_about(one))
                ):
                    self.sessions[item.trace] = session
                    return

    def root(self, trace: str) -> str:
        for _ in range(ANCESTORS):
            above = self.linked.get(trace, trace)
            if above == trace:
                break
            trace = above
        return trace

    def conversation(self, item: Item) -> Conversation:
        key = self.sessions.get(item.trace) or self.root(item.trace)
        talk = self.conversations.get(key)
        if talk is None:
            make_room(self.conversations, TRACES)
            talk = self.conversations[key] = Conversation(key)
        return talk

    def _tell(self, item: Item, told: Told) -> bool:
        """The Records of one span; False where it has none."""
        before = len(self.timed)
        talk = self.conversation(item)
        for answer in told.answers:
            self._answer(item, told, talk, answer)
        for call, reason in told.refused:
            if talk.once("refused", call):
                self._decided(item, told, talk.find(call), "execution-denied", reason, call)
        for call in told.approved:
            if talk.once("approved", call):
                self._approved(item, told, talk.find(call), None, False, call)
        if told.kind == "tool":
            self._tool(item, told, talk)
        elif told.kind == "model":
            self._model(item, told, talk)
        elif told.kind == "agent":
            self._agent(item, told)
        elif told.kind == "handoff":
            self._add(item, told, "handoff", item.start, {"name": told.name})
        elif told.kind == "chain" and told.framework == "langchain":
            # OpenLLMetry has a span of its own for an agent; the others show its graph.
            outer = self.spans.get(item.parent)
            is_graph = not item.source.scope.startswith("opentelemetry.")
            if is_graph and outer is not None and outer[0].kind == "tool":
                told.name = told.agent or told.name
                self._agent(item, told)
        elif told.kind == "guardrail":
            self._add(item, told, "guardrail", item.end, {"name": told.name})
        if told.compacted:
            self._add(item, told, "compaction", item.end, {})
        for asked in told.asks:
            self._ask(item, told, talk, asked)
        return len(self.timed) > before

    def _tool(self, item: Item, told: Told, talk: Conversation) -> None:
        inner = self.inner.get(item.span)
        if inner is not None and inner.name == told.name and inner is not told:
            return  # the span inside has the id and the error
        call, made = self._call_id(item, told, talk)
        facts: dict[str, Any] = {
            "name": told.name,
            "arguments": told.arguments,
            "call_id": call,
        }
        self._add(item, told, "tool.start", item.start, facts, made)
        if told.waits and not told.unclear:
            self._asked(item, told, talk, facts, made)
            return
        if told.waits:
            self._asked(item, told, talk, facts, made)
            talk.once("waited", call)
            return
        facts = {**facts, "result": told.result, "duration_ms": item.duration_ms}
        if told.framework == "google-adk" and told.result is None and not told.failed:
            # It may only have waited: its agent goes on to the model, or it does not.
            talk.pending.append((item, told, facts, made))
            talk.once("waited", call)
            return
        self._ended(item, told, talk, facts, made)

    def _ended(
        self, item: Item, told: Told, talk: Conversation, facts: dict[str, Any], made: list[str]
    ) -> None:
        call = facts["call_id"]
        is_second = told.framework == "google-adk" and talk.has("waited", call)
        if told.failed and not (is_second and "call_id" not in made):
            facts.update(outcome="error", success=False, error=told.error)
            facts["error_type"] = told.error_type
        elif not told.failed and not told.unclear:
            facts.update(outcome="ok", success=True)
        self._add(item, told, "tool.end", item.end, facts, made)
        name = str(told.name)
        if name.startswith("transfer_to_") and facts.get("success"):
            given = told.arguments.get("agent_name") if type(told.arguments) is dict else None
            to = given if name == "transfer_to_agent" else name.removeprefix("transfer_to_")
            self._add(item, told, "handoff", item.end, {"name": to})

    def _is_summary(self, item: Item) -> bool:
        """Whether a model is asked to summarise: nobody typed that prompt."""
        at = item.parent
        for _ in range(ANCESTORS):
            known = self.spans.get(at)
            if known is None:
                return False
            if known[0].kind == "chain" and "Summarization" in str(known[0].name):
                return True
            at = known[1]
        return False

    def _call_id(self, item: Item, told: Told, talk: Conversation) -> tuple[str, list[str]]:
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
        for framework, session, asked in self.waiting:
            if framework == told.framework and asked.is_about(told):
                self.waiting.remove((framework, session, asked))
                self.sessions.setdefault(item.trace, session)
                return asked.call_id, ["call_id"]
        return f"{item.trace[:16]}-{item.span}", ["call_id"]

    def _model(self, item: Item, told: Told, talk: Conversation) -> None:
        for place, (tool, one, facts, made) in enumerate(list(talk.pending)):
            if tool.trace == item.trace and item.start >= tool.end:
                self._ended(tool, one, talk, {**facts}, made)
                talk.pending[place] = (tool, one, {}, made)
        talk.pending = [one for one in talk.pending if one[2]]
        if told.prompt and self._around(item) is None and not self._is_summary(item):
            talk.prompt = told.prompt
            if talk.once("prompt", f"{told.messages} {told.prompt[:200]}"):
                self._add(item, told, "prompt", item.start, {"prompt": told.prompt})
        facts = {"model": told.model, "duration_ms": item.duration_ms}
        self._add(item, told, "model.start", item.start, {"model": told.model})
        if told.failed:
            talk.once("failed", item.trace)
            facts.update(error=told.error, error_type=told.error_type)
            self._add(item, told, "model.failed", item.end, facts)
            return
        for name in ("input_tokens", "output_tokens", "cache_read", "response_id"):
            facts[name] = getattr(told, name)
        self._add(item, told, "model.end", item.end, facts)

    def _agent(self, item: Item, told: Told) -> None:
        around = self._around(item)
        if around is not None:
            self._add(item, told, "agent.start", item.start, {"name": told.name})
            self._add(item, told, "agent.end", item.end, {"name": told.name, "text": told.text})
            return
        if self._enclosing(item, "agent") is not None:
            return
        talk = self.conversation(item)
        if told.prompt and not item.parent and talk.once("prompt", f"root {told.prompt[:200]}"):
            self._add(item, told, "prompt", item.start, {"prompt": told.prompt})
        if told.failed and not talk.has("failed", item.trace):
            facts = {"error": told.error, "error_type": told.error_type}
            self._add(item, told, "agent.failed", item.end, facts)
        elif told.text and not told.failed:
            self._add(item, told, "answer", item.end, {"text": told.text})

    def _ask(self, item: Item, told: Told, talk: Conversation, asked: Proposal) -> None:
        """A question about a call that has no span of its own."""
        made: list[str] = []
        call = asked.call_id
        if call is None:
            known = talk.next_like(asked)
            call = known.call_id if known is not None else None
            made = ["call_id"]
        if call is None:
            call = f"{item.trace[:16]}-{item.span}-{len(talk.asked)}"
        facts = {"name": asked.tool, "arguments": asked.arguments, "call_id": call}
        self._asked(item, told, talk, facts, made)

    def _asked(
        self, item: Item, told: Told, talk: Conversation, facts: dict[str, Any], made: list[str]
    ) -> None:
        asked = Open(facts["call_id"], facts["name"], facts["arguments"], "call_id" in made)
        talk.asked = [*talk.asked[-255:], asked]
        self.waiting = [*self.waiting[-255:], (told.framework, talk.key, asked)]
        self._add(item, told, "tool.asked", item.end, facts, made)

    def _answer(
        self, item: Item, told: Told, talk: Conversation, answer: tuple[str, str | None]
    ) -> None:
        """A person's answer to the oldest open question of the session."""
        if not talk.asked:
            return
        asked = talk.asked.pop(0)
        word, reason = answer
        if word == "reject":
            self._decided(item, told, asked, "resume", reason, asked.call_id)
        else:
            self._approved(item, told, asked, reason, word == "edit", asked.call_id)

    def _decided(
        self,
        item: Item,
        told: Told,
        asked: Open | None,
        evidence: str,
        reason: str | None,
        call: str,
    ) -> None:
        facts = {"call_id": call, "decided_by": "user", "evidence": evidence, "reason": reason}
        made = self._of(asked, facts)
        self._add(item, told, "tool.refused", item.start, facts, made)

    def _approved(
        self,
        item: Item,
        told: Told,
        asked: Open | None,
        reason: str | None,
        modified: bool,
        call: str,
    ) -> None:
        facts = {"call_id": call, "evidence": "resume", "reason": reason}
        made = self._of(asked, facts)
        if modified:
            facts["modified"] = True  # type: ignore[assignment]
        self._add(item, told, "tool.approved", item.start, facts, made)

    def _of(self, asked: Open | None, facts: dict[str, Any]) -> list[str]:
        if asked is None:
            return []
        facts.update(name=asked.tool, arguments=asked.arguments)
        return ["call_id"] if asked.is_made else []

    def _around(self, item: Item) -> str | None:
        """The tool span that encloses a span through an agent: what is inside is a sub-agent's."""
        at = item.parent
        for _ in range(ANCESTORS):
            known = self.spans.get(at)
            if known is None:
                return None
            if known[0].kind == "tool":
                return at
            at = known[1]
        return None

    def _enclosing(self, item: Item, kind: str) -> str | None:
        at = item.parent
        for _ in range(ANCESTORS):
            known = self.spans.get(at)
            if known is None:
                return None
            if known[0].kind == kind:
                return at
            at = known[1]
        return None

    def _add(
        self,
        item: Item,
        told: Told,
        event: str,
        moment: int,
        facts: dict[str, Any],
        made: list[str] | None = None,
    ) -> None:
        session = self.sessions.get(item.trace)
        derived = list(made or ())
        payload: dict[str, Any] = {
            "event": event,
            "framework": told.framework,
            "session_id": session or self.root(item.trace),
            "timestamp": iso(moment),
            "trace": item.trace,
            "span": item.span,
            "scope": item.source.scope,
            "agent": told.agent,
            **facts,
        }
        if told.session is None:
            derived.append("session_id")
        around = self._around(item)
        if around is not None:
            outer = self.spans[around][0]
            payload["agent_id"] = payload["parent_call_id"] = outer.call_id or around
            derived.append("agent_id")
            if not outer.call_id:
                derived.append("parent_call_id")
        payload = {name: value for name, value in payload.items() if value is not None}
        payload["otlp"] = {"made": derived}
        record = Record(payload, vendor=dialects.UNKNOWN, native_event=event, witness="telemetry")
        self.timed.append((moment, len(self.timed), record))
