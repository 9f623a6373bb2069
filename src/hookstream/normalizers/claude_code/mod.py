"""Claude Code's mods: the log of one that observes, first of the chain or further in.

Source: recordings of 2.1.331. A record is an event of the client, what went in, what came out, and
the `trace` of the chain beneath: who was asked in which order, what each got and gave. An entry
without `received` got what the one before it did; one without `returned` gave what the next one
gave. What a mod further out did is not in it. Mods of another tier are one link of the client's
name: a result that the client itself gave has a `ref`.
"""

from __future__ import annotations

from hookstream.core.decisions import NO_RUN_SHOWN
from hookstream.normalizers import steps as s
from hookstream.normalizers.claude_code.table import TOOLS, mcp
from hookstream.normalizers.claude_code.wording import exit_code, named, unnamed, without_advice
from hookstream.normalizers.table import Const, Row, at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# What comes before the end of a call and is read with it.
ENTERED, RUN, CHECKED = "classic.PreToolUse", "tool.run", "tool.check"
RETURNED, FAILED = "classic.PostToolUse", "classic.PostToolUseFailure"
INNER = (ENTERED, RUN, CHECKED, RETURNED, FAILED)
CLASSIC = "classic."
ENDS = tuple(name.removeprefix(CLASSIC) for name in (RETURNED, FAILED))
# Where a prompt of a person comes from: the prompt box, `claude -p`, a program's SDK.
TYPED = ("composer", "sdk", "user", "cli", None)
# tier of a plugin, marketplace it came from -> who installed it
TIERS = {"prepend": "managed", "append": "managed", "builtin": "builtin", "core": "builtin"}
MARKETS = {"inline": "user", "builtin": "builtin"}
OPEN_LIMIT = 512
EARLY_LIMIT = 64


def is_logged(value: s.Value) -> bool:
    """Return whether a record is one of an observing mod's log."""
    return (
        type(value.get("event")) is str
        and type(value.get("trace")) in (list, dict)
        and type(value.get("origin")) is dict
        and "input" in value
    )


class ChainLink:
    """One link of the chain: who, what it got, what it gave."""

    __slots__ = ("plugin", "provenance", "received", "returned", "tier")

    def __init__(self, entry: s.Value, received: Any) -> None:
        self.plugin = entry.get("plugin")
        self.tier = entry.get("tier")
        self.provenance = entry.get("provenance")
        self.received = entry.get("received", received)
        self.returned: Any = entry.get("returned")

    @property
    def is_client(self) -> bool:
        return self.tier == "core"


class ModChain:
    """The way of one event: `asked` went in, `given` came out; the links are in order."""

    def __init__(self, record: s.Value) -> None:
        self.asked = record.get("input")
        self.links: list[ChainLink] = []
        entries = s.objects(record.get("trace"))
        received = self.asked
        for entry in entries:
            link = ChainLink(entry, received)
            received = link.received
            self.links.append(link)
        inner: Any = None
        for link, entry in zip(reversed(self.links), reversed(entries), strict=True):
            if "returned" not in entry:
                link.returned = inner
            inner = link.returned
        self.given = record.get("output", inner)

    @property
    def client(self) -> ChainLink | None:
        """The client itself, if the event reached it."""
        last = self.links[-1] if self.links else None
        return last if last is not None and last.is_client else None

    @property
    def reached(self) -> Any:
        """The client's input, None if the event did not reach it."""
        return self.client.received if self.client is not None else None

    def author(self) -> ChainLink | None:
        """The link that answered in the place of those beneath it."""
        return self.links[-1] if self.links and self.client is None else None

    def rewriter(self) -> ChainLink | None:
        """The link that handed on something else than it got; the innermost of several."""
        found = None
        for link, inner in zip(self.links, self.links[1:], strict=False):
            if is_another(inner.received, link.received):
                found = link
        return found

    def replacer(self) -> ChainLink | None:
        """The link that gave something else than the one beneath it; the outermost of several."""
        for link, inner in zip(self.links, self.links[1:], strict=False):
            if is_another(link.returned, inner.returned):
                return link
        return None


class CallFinding:
    """The facts of a call: from its `tool.call`, and the records inside it by their event."""

    __slots__ = (
        "decided_by",
        "guardian",
        "is_answered",
        "is_denied",
        "is_known",
        "is_rewritten",
        "output",
        "ran",
        "reason",
        "told",
    )

    def __init__(self, record: s.Value, inner: dict[str, s.Value]) -> None:
        call = ModChain(record)
        running = ModChain(inner[RUN]) if RUN in inner else None
        self.ran: s.Value | None = None
        self.is_rewritten = self.is_denied = self.is_answered = False
        # False: whether the tool ran cannot be told
        self.is_known = True
        self.reason: str | None = None
        self.decided_by: str | None = None
        self.guardian: ChainLink | None = None
        self.output: s.Value = s.as_object(call.client.returned if call.client else call.given)
        self.told: Any = None
        after = inner.get(RETURNED) or inner.get(FAILED)
        author = call.author() or (running.author() if running is not None else None)
        if author is not None:
            self._answered(author, s.as_object(author.returned))
        elif after is not None and "ref" not in self.output:
            self._replaced(s.as_object(after.get("input")), call)
        elif "deny" in self.output:
            self._answered(None, self.output)
        elif not self._is_refused(record, inner.get(CHECKED)):
            self._ran(call, running)
            self.is_known = "ref" in self.output
            if not self.is_known and not inner and not is_cut(self.output):
                self._answered(None, self.output)

    def _answered(self, author: ChainLink | None, answer: s.Value) -> None:
        """A mod answered: the tool did not run."""
        self.ran = None
        self.is_known = True
        self.decided_by, self.guardian = "mod", author
        if "deny" in answer:
            self.is_denied = True
            self.reason = text_of(answer["deny"])
        else:
            self.is_answered = True
            self.output = answer

    def _replaced(self, after: s.Value, call: ModChain) -> None:
        """The tool ran, and a mod of another tier gave something else in its result's place."""
        self.ran = s.as_object(after.get("tool_input"))
        self.is_rewritten = self.ran != arguments(call.asked)
        error = after.get("error")
        failed = {"text": error, "result": error, "isError": True}
        self.output = {"result": after.get("tool_response")} if error is None else failed
        self.told, self.decided_by = call.given, "mod"

    def _ran(self, call: ModChain, running: ModChain | None) -> None:
        self.ran = arguments(call.reached)
        if running is not None and running.client is not None:
            self.ran = arguments(running.client.received)
            self.output = s.as_object(running.client.returned)
        rewriter = call.rewriter() or (running.rewriter() if running is not None else None)
        self.is_rewritten = rewriter is not None
        replacer = call.replacer() or (running.replacer() if running is not None else None)
        if replacer is not None:
            self.told = call.given
        self.guardian = replacer or rewriter
        if self.guardian is not None:
            self.decided_by = "mod"

    def _is_refused(self, record: s.Value, check: s.Value | None) -> bool:
        """Return whether the client refused the call: for a rule, a hook, or a mod that was asked
        for its verdict (`tool.check`)."""
        verdict = ModChain(check) if check is not None else None
        answer = s.as_object(verdict.given) if verdict is not None else {}
        author = (verdict.author() or verdict.replacer()) if verdict is not None else None
        if author is not None and answer.get("decision") == "deny":
            self.decided_by, self.guardian = "mod", author
            self.reason = text_of(answer.get("reason"))
            self.is_denied = True
        elif self.output.get("isError") is True:
            entry = {
                "tool_response": text_of(self.output.get("text")),
                "tool_name": at(record, "input.tool"),
                "tool_input": arguments(record.get("input")),
            }
            self.decided_by = named(entry) or unnamed(entry)
            if self.decided_by is not None:
                self.reason = without_advice(entry["tool_response"])
                self.is_denied = True
        if self.is_denied:
            self.ran = None
        return self.is_denied


def is_cut(value: Any) -> bool:
    """Return whether a log holds the head of a value only."""
    return type(value) is dict and value.keys() == {"cut", "head"}


def is_another(value: Any, other: Any) -> bool:
    return value != other and not is_cut(value) and not is_cut(other)


def arguments(envelope: Any) -> s.Value | None:
    """The tool's arguments in an envelope of the client's."""
    if type(envelope) is not dict:
        return None
    return {k: v for k, v in envelope.items() if k not in ("tool", "tool_use_id", "agentId")}


def text_of(value: Any) -> str:
    return value if type(value) is str else ""


class ModReader:
    """The records of one log, or of one running mod. A call's `tool.run` and `tool.check` come
    before its `tool.call` and are held for it; what comes before the session's id waits for that.
    """

    def __init__(self) -> None:
        self.session: str | None = None
        self.turn: str | None = None
        self.early: list[s.Value] = []
        # (call id, event) -> the record inside a call that still runs
        self.inner: dict[tuple[str, str], s.Value] = {}
        # plugin -> name and marketplace, as it was registered
        self.provenance: dict[str, str] = {}

    def read(self, record: s.Value) -> s.Steps:
        self._place(record)
        if self.session is None and len(self.early) < EARLY_LIMIT:
            self.early.append(record)
            return
        yield from self.finish()
        yield from self._steps(record)

    def finish(self) -> s.Steps:
        """The records that came before the session had a name."""
        early, self.early = self.early, []
        for record in early:
            yield from self._steps(record)

    def _place(self, record: s.Value) -> None:
        fields = s.as_object(record.get("input"))
        session = record.get("session_id") or fields.get("session_id") or fields.get("sessionId")
        if type(session) is str and session:
            self.session = session
        turn = fields.get("prompt_id")
        if type(turn) is str and turn:
            self.turn = turn
        if record.get("event") == "plugin.register":
            name, source = fields.get("name"), fields.get("provenance")
            if type(name) is str and type(source) is str and len(self.provenance) < OPEN_LIMIT:
                self.provenance[name] = source

    def _steps(self, record: s.Value) -> s.Steps:
        event = str(record.get("event"))
        facts = {"session_id": self.session, "timestamp": record.get("at"), "turn_id": self.turn}
        fields = s.as_object(record.get("input"))
        if event == "tool.call":
            yield from self._call(record, fields, facts)
        elif event in INNER:
            self._hold(event, record, fields)
            yield from self._silenced(event.removeprefix(CLASSIC), record, fields, facts)
        elif event == "prompt.submit":
            yield from self._prompt(record, fields, facts)
        elif event == "plugin.register":
            yield from self._plugin(record, fields, facts)
        elif event.startswith(CLASSIC):
            yield from self._silenced(event.removeprefix(CLASSIC), record, fields, facts)
        elif event == "session.start":
            yield event, s.compact({**facts, "cwd": fields.get("cwd")})
        elif event == "session.end":
            yield event, s.compact({**facts, "end_reason": fields.get("reason")})
        else:
            yield s.skip(event)

    def _hold(self, event: str, record: s.Value, given: s.Value) -> None:
        if len(self.inner) >= OPEN_LIMIT:
            del self.inner[next(iter(self.inner))]
        self.inner[str(given.get("tool_use_id")), event] = record

    def _call(self, record: s.Value, given: s.Value, place: s.Value) -> s.Steps:
        call_id = str(given.get("tool_use_id"))
        held = {event: self.inner.pop((call_id, event), None) for event in INNER}
        finding = CallFinding(record, {name: one for name, one in held.items() if one is not None})
        call = {**place, "call_id": call_id, "tool": given.get("tool")}
        call["agent_id"] = given.get("agentId")
        if at(record, "origin.tier") not in (None, "core"):
            # A mod made the call by itself: no model asked for it.
            call["actor_type"] = "system"
        asked = arguments(given)
        begun = {**call, "timestamp": record.get("began") or place["timestamp"], "input": asked}
        yield "tool.call", s.compact(begun)
        yield "tool.call.end", s.compact({**call, **self._end(finding, asked or {})})

    def _end(self, found: CallFinding, asked: s.Value) -> s.Value:
        guardian = self._guardian(found.guardian)
        if found.is_denied:
            return {
                **guardian,
                "input": asked,
                "outcome": "denied",
                "decided_by": found.decided_by,
                "decision_reason": found.reason,
                "decision_evidence": "trace of the chain",
            }
        ended: s.Value = {**guardian, "input": found.ran if found.ran is not None else asked}
        if found.decided_by is not None:
            ended |= {"decided_by": found.decided_by, "decision_evidence": "trace of the chain"}
        if not found.is_known:
            return {**ended, "decision_evidence": NO_RUN_SHOWN, "output": result_of(found.output)}
        if found.is_answered:
            return {**ended, "outcome": "answered", "output": result_of(found.output)}
        text = text_of(found.output.get("text"))
        failed = found.output.get("isError") is True
        interrupted = at(found.output, "result.interrupted") is True
        ended["success"] = not failed and not interrupted
        ended["outcome"] = "cancelled" if interrupted else "error" if failed else "ok"
        ended["output"] = result_of(found.output)
        if failed:
            ended["exit_code"] = exit_code(text)
            ended["error_message"] = s.first_line(text)
        if found.told is not None:
            ended["told_output"] = result_of(s.as_object(found.told))
        command = asked.get("command")
        if found.is_rewritten and type(command) is str and command != ended["input"].get("command"):
            ended["requested_command"] = command
        return ended

    def _guardian(self, link: ChainLink | None) -> s.Value:
        if link is None or type(link.plugin) is not str:
            return {}
        source = link.provenance or self.provenance.get(link.plugin)
        scope = scope_of(link.tier, source)
        return {"guardian": link.plugin, "guardian_scope": scope}

    def _prompt(self, record: s.Value, given: s.Value, place: s.Value) -> s.Steps:
        """A prompt of a person, as it went on; one that a mod dropped went nowhere."""
        chain = ModChain(record)
        if at(given, "origin.kind") not in TYPED:
            yield s.left_out("prompt.submit of no person")
            return
        answer = s.as_object(chain.given)
        author = chain.author() or chain.replacer()
        if "drop" in answer:
            dropped = {"prompt": given.get("text"), "decided_by": "mod", **self._guardian(author)}
            yield "prompt.dropped", s.compact({**place, **dropped})
            return
        yield "prompt.submit", s.compact({**place, "prompt": answer.get("text", given.get("text"))})

    def _plugin(self, record: s.Value, given: s.Value, place: s.Value) -> s.Steps:
        uses = s.as_object(given.get("uses"))
        loaded = {
            "guardian": given.get("name"),
            "server_id": given.get("provenance") or given.get("name"),
            "guardian_scope": scope_of(given.get("tier"), given.get("provenance")),
            "version": given.get("version"),
            "tier": given.get("tier"),
            "is_allowed": at(record, "output.allow"),
            "hooked_events": uses.get("events"),
            "called_methods": uses.get("calls"),
        }
        yield "plugin.register", s.compact({**place, **loaded})

    def _silenced(self, name: str, record: s.Value, given: s.Value, place: s.Value) -> s.Steps:
        """A hook's event that a mod answered, so that no hook saw it."""
        author = ModChain(record).author()
        if author is None or not str(record.get("event")).startswith(CLASSIC):
            yield s.left_out("a hook's event")
            return
        call = {"call_id": given.get("tool_use_id"), "hook_event": name}
        # Both ends of a call have its id.
        step = "hooks.silenced.end" if name in ENDS else "hooks.silenced"
        yield step, s.compact({**place, **call, **self._guardian(author)})


def scope_of(tier: Any, provenance: Any) -> str:
    """The scope of a plugin's installation, by the tier it runs in and the marketplace it came
    from; a folder named on the command line is the user's own."""
    text = TIERS.get(tier) if type(tier) is str else None
    if text is not None:
        return text
    market = provenance.rpartition("@")[2] if type(provenance) is str else "inline"
    return MARKETS.get(market, "marketplace")


def result_of(answer: s.Value) -> Any:
    """A result as the tool or a mod gave it; a refusal in its place is its reason."""
    return answer.get("result", answer.get("deny", answer.get("text")))


ACTOR = {"actor_type": "actor_type"}
BEGUN = Row(s.CALLED.type, {**s.CALLED.facts, **ACTOR})
ENDED = tuple(
    Row(row.type, {**row.facts, **ACTOR}, when=row.when, ignore=row.ignore) for row in s.ENDED
)
SILENCED = Row(
    "vendor.claude-code.HooksSilenced",
    {name: name for name in ("call_id", "guardian", "guardian_scope", "hook_event")},
)
EVENTS: s.Events = {
    "tool.call": BEGUN,
    "tool.call.end": ENDED,
    "prompt.submit": s.PROMPT,
    "prompt.dropped": Row(
        "Policy.Blocked",
        {
            "prompt": "prompt",
            "decided_by": "decided_by",
            "guardian": "guardian",
            "guardian_scope": "guardian_scope",
            "subject": Const("prompt"),
            "decision_evidence": Const("trace of the chain"),
        },
    ),
    "plugin.register": Row(
        "vendor.claude-code.PluginLoaded",
        {name: name for name in ("server_id", "guardian", "guardian_scope")},
        hook_point="PrePluginLoad",
        keep="version tier is_allowed hooked_events called_methods",
    ),
    "hooks.silenced": SILENCED,
    "hooks.silenced.end": SILENCED,
    "session.start": s.STARTED,
    "session.end": s.STOPPED,
}
VENDOR = s.transcript_vendor("claude-code", claims=is_logged, events=EVENTS, tools=TOOLS, mcp=mcp)
