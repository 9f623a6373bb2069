"""Claude Code's session files: `projects/<folder>/<session>.jsonl`, sub-agents beneath them.

Source: recordings of 2.1.199 to 2.1.332. `permissionDecision`, `toolDenialKind` and
`promptSource` are read wherever they are; without them a refusal is known by the client's own
wording.
"""

from __future__ import annotations

import re

from hookstream.core.decisions import NO_RUN_SHOWN
from hookstream.core.identity import is_unique
from hookstream.normalizers import steps as s
from hookstream.normalizers.attendance import is_attended
from hookstream.normalizers.claude_code import mod, wording
from hookstream.normalizers.claude_code.hook import HOOK
from hookstream.normalizers.claude_code.table import TOOLS, mcp
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


FILE = re.compile(r"[/\\]projects[/\\][^/\\]+[/\\].+\.jsonl(\.\w+)?$")
# A mark of Qoder's records, which have the form of these.
QODERS = "requestSetId"
# Records that repeat what others hold, three quarters of a file: known by their first bytes.
BULK = re.compile(
    rb'\{"type":"(api-request[a-z-]{0,10}|file-history-snapshot)"'
    rb'|\{"parentUuid":(?:null|"[^"]{0,64}"),"isSidechain":(?:true|false),'
    rb'(?:"agentId":"[^"]{0,64}",)?"(attachment)":\{(?!"type":"(?:queued_command|hook_success)")'
)
HOOK_ERROR = re.compile(r"^\w+:\S+ hook error: \[(?P<command>.{1,2000}?)\]: ", re.DOTALL)
NOT_TYPED = re.compile(
    r"^(?:<(?:local-command|command-|bash-|user-memory|task-notification|system-reminder)"
    r"|Caveat: The messages below|\[Request interrupted|This session is being continued)"
)
VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})\.(\d{1,9})")
# The first build known to write a permissionDecision for each call that was let run or refused: in
# its files the absence of one, too, says something.
RECORDS_DECISIONS = (2, 1, 329)
# permissionDecision.reasonType -> who decided
DECIDERS = {
    "hook": "hook",
    "rule": "rule",
    "mode": "mode",
    "classifier": "classifier",
}
# toolDenialKind of a call that was stopped while it may have been running
STOPPED = frozenset(("interrupted", "cancelled"))
# permissionDecision.reasonCode of an answer by the program that the client was given to ask
HOST = "permissionPromptTool"
NOT_RUN = "no sandboxed"
# Characters of an output that the client passes on as it is.
ALTERED_LIMIT = 8192
# Why a response stops of which further blocks may follow: its calls run as soon as they are there.
GOES_ON = (None, "tool_use")
# A unique id of at least this many characters names one response wherever it is read.
LASTING = 16
# The name of the model in a message that the client wrote itself.
NO_MODEL = "<synthetic>"
USAGE = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}
TOTALS = {
    "input_tokens": "inputTokens",
    "output_tokens": "outputTokens",
    "cache_read_tokens": "cacheReadInputTokens",
    "cache_write_tokens": "cacheCreationInputTokens",
    "cost_usd": "costUSD",
}


def claims(p: s.Value) -> bool:
    """Its records name their session in `sessionId` and their kind in `type`; those of a mod's log
    have a form of their own."""
    if mod.is_logged(p):
        return True
    if type(p.get("sessionId")) is not str or type(p.get("type")) is not str:
        return False
    if "projectHash" in p or "provenance" in p or QODERS in p or type(p.get("message")) is str:
        return False
    parts = at(p, "message.parts")
    return type(parts) is not list and (
        p["type"] in ALONE or ("uuid" in p and "parentUuid" in p and "isSidechain" in p)
    )


ALONE = frozenset(
    (
        "queue-operation last-prompt cost-state mode permission-mode summary api-request "
        "api-request-shape api-request-blob"
    ).split()
)


def skipped(line: bytes) -> str | None:
    """Return why a line need not be read, by its first bytes."""
    match = BULK.match(line)
    if match is None:
        return None
    return f"session file: {(match[1] or match[2]).decode()}"


def is_notice(value: s.Value, content: Any) -> bool:
    """Return whether a finished background task made the prompt."""
    if value.get("promptSource") == "system" or value.get("turnOrigin") == "task_notification":
        return True
    if at(value, "origin.kind") == "task-notification":
        return True
    return s.as_text(content).startswith(wording.TASK_NOTICE)


class PromptQueue:
    """Prompts typed while a tool runs. One that is removed from the queue reaches the model within
    the turn, as an attachment or, in other builds, with no further record; one that begins a turn
    has a separate record; `popAll` gives all back to the person."""

    def __init__(self) -> None:
        self.waiting: list[s.Value] = []
        # taken out, with no attachment yet; and texts of attachments
        self.removed: list[s.Value] = []
        self.delivered: list[str] = []

    def see(self, value: s.Value) -> None:
        """An operation of the queue."""
        operation = value.get("operation")
        if operation == "enqueue":
            self.waiting.append(value)
        elif operation == "popAll":
            self.waiting.clear()
        elif operation in ("dequeue", "remove") and (self.waiting or "content" in value):
            record = self._taken(s.as_text(value.get("content")))
            text = s.as_text((record or value).get("content"))
            if operation == "dequeue":
                return
            if text in self.delivered:
                self.delivered.remove(text)
            else:
                self.removed.append({**(record or {}), **value, "content": text})

    def _taken(self, text: str) -> s.Value | None:
        texts = [s.as_text(record.get("content")) for record in self.waiting]
        number = texts.index(text) if text in texts else 0
        return self.waiting.pop(number) if self.waiting else None

    def deliver(self, value: s.Value) -> list[s.Value]:
        """The prompt in an attachment."""
        about = s.as_object(value.get("attachment"))
        if about.get("type") != "queued_command" or is_notice(about, about.get("prompt")):
            return []
        text = s.as_text(about.get("prompt"))
        removed = [s.as_text(record.get("content")) for record in self.removed]
        if text in removed:
            del self.removed[removed.index(text)]
        else:
            self.delivered.append(text)
        if about.get("commandMode", "prompt") != "prompt" or about.get("isMeta") is True:
            return []
        return [{**value, "content": text}]

    def rest(self) -> list[s.Value]:
        """Prompts that were taken out and came with no attachment."""
        removed, self.removed = self.removed, []
        return removed


class ClaudeReader(s.FileReader):
    """One file: the calls that wait, the turn, the response whose usage the next record ends."""

    def start(self) -> None:
        self.witness = "transcript"
        self.mods = mod.ModReader()
        self.turn: str | None = None
        # the time of the last record that had one
        self.at: Any = None
        self.has_source = False
        self.has_decisions = False
        self.is_agent_file = "subagents" in re.split(r"[/\\]", self.path)
        self.meta = s.as_object(self.beside(".meta.json")) if self.is_agent_file else {}
        self.begun: set[str] = set()
        # by agent, the response whose blocks may not all be there, with the model's ids of it
        self.answers: dict[Any, tuple[tuple[str, str], s.Value]] = {}
        # ids of this turn's responses that are over
        self.over: set[tuple[str, ...]] = set()
        self.queue = PromptQueue()
        # call -> the command of the hook that let it run or asked
        self.hooks: dict[str, str] = {}
        # model -> tokens of the responses in this file
        self.spent: dict[str, dict[str, int]] = {}

    def read(self, value: s.Value) -> s.Steps:
        if mod.is_logged(value):
            self.witness = "mod"
            yield from self.mods.read(value)
            return
        kind = value.get("type")
        if kind == "assistant":
            yield from self._assistant(value)
        elif kind == "queue-operation":
            self.queue.see(value)
            yield s.skip(kind)
        elif kind == "attachment":
            self._hooked(s.as_object(value.get("attachment")))
            yield from self._queued(self.queue.deliver(value))
            yield s.skip(kind)
        elif kind == "user":
            yield from self._user(value)
        elif kind == "system":
            yield from self._system(value)
        elif kind == "cost-state":
            yield from self._all_over()
            yield from self._totals(value)
        else:
            yield s.skip(kind)

    def finish(self) -> s.Steps:
        yield from self.mods.finish()
        yield from self._queued(self.queue.rest())
        yield from self._all_over()

    def _all_over(self) -> s.Steps:
        for agent in list(self.answers):
            yield from self._over(agent)

    def _over(self, agent: Any) -> s.Steps:
        """The response of an agent that is over: each record of a block repeats its usage."""
        if agent not in self.answers:
            return
        ids, answer = self.answers.pop(agent)
        if ids[0]:
            self.over.add(ids)
        yield self._answered(answer)

    def _answered(self, answer: s.Value) -> s.Step:
        model = self.spent.setdefault(answer.get("model_id", ""), {})
        for fact in USAGE:
            count = answer.get(fact, 0)
            model[fact] = model.get(fact, 0) + (count if type(count) is int else 0)
        return "assistant", answer

    def _advised(self, usage: s.Value, ids: tuple[str, ...], place: s.Value) -> s.Steps:
        """The answers of an advisor, another model, which the counts of the response leave out."""
        for number, one in enumerate(s.objects(usage.get("iterations"))):
            identity = (*ids, str(number))
            if one.get("type") == "advisor_message" and identity not in self.over:
                self.over.add(identity)
                counts = {fact: one.get(name) for fact, name in USAGE.items()}
                answer = {**place, **counts, "model_id": one.get("model"), "identity": identity}
                yield self._answered(s.compact(answer))

    def _hooked(self, about: s.Value) -> None:
        """Keep the command of a hook whose answer decides a call."""
        call_id, command = about.get("toolUseID"), about.get("command")
        if type(call_id) is not str or type(command) is not str:
            return
        answer = s.as_object(about.get("stdout"))
        has_answer = at(answer, "hookSpecificOutput.permissionDecision") or answer.get("decision")
        is_first = about.get("hookEvent") == "PreToolUse" and len(self.hooks) < s.WaitingCalls.LIMIT
        if is_first and has_answer:
            self.hooks[call_id] = command[:2000]

    def _queued(self, prompts: list[s.Value]) -> s.Steps:
        """A prompt typed while a tool ran, where it reached the model within the turn."""
        for record in prompts:
            text = s.as_text(record.get("content"))
            place = self._place(record)
            if "agent_id" not in place and text and NOT_TYPED.match(text) is None:
                yield "user.queued", {**place, "prompt": text}

    def _place(self, value: s.Value) -> s.Value:
        version = value.get("version")
        if type(version) is str:
            self.version = version
        self.at = value.get("timestamp") or self.at
        agent = value.get("agentId")
        if agent is None and value.get("isSidechain") is True:
            agent = "sidechain"
        return s.compact(
            {
                "session_id": value.get("sessionId"),
                "timestamp": self.at,
                "cwd": value.get("cwd"),
                "turn_id": self.turn,
                "agent_id": agent,
                "agent_type": value.get("attributionAgent") or self.meta.get("agentType"),
                "message_id": value.get("uuid"),
            }
        )

    def _agent(self, value: s.Value, place: s.Value) -> s.Steps:
        """The first record of a sub-agent says that it has started."""
        agent = place.get("agent_id")
        if not self.is_agent_file or agent is None or agent in self.begun:
            return
        self.begun.add(agent)
        task = s.as_text(at(value, "message.content")) if value.get("type") == "user" else None
        kind = self.meta.get("agentType")
        parent = self.meta.get("toolUseId")
        started = {"plan_type": s.plan_type(kind), "task": task, "parent_call_id": parent}
        started["parent_agent_id"] = self.meta.get("parentAgentId")
        # Its file may have been cut in two: each part says so.
        started["identity"] = (str(place.get("session_id")), agent)
        yield "subagent", s.compact({**place, **started})

    def _assistant(self, value: s.Value) -> s.Steps:
        message = s.as_object(value.get("message"))
        yield from self._queued(self.queue.rest())
        place = self._place(value)
        agent = place.get("agent_id")
        ids = (str(message.get("id") or ""), str(value.get("requestId") or ""))
        open_ids, begun = self.answers.get(agent, (None, {}))
        if open_ids != ids:
            yield from self._over(agent)
            begun = {}
        yield from self._agent(value, place)
        if value.get("isApiErrorMessage") is True:
            status = value.get("apiErrorStatus")
            text = s.first_line(s.as_text(message.get("content")))
            code = str(status) if status is not None else value.get("error")
            yield (
                "assistant.error",
                s.compact({**place, "error_code": code, "error_message": text, "final": True}),
            )
            return
        usage = s.as_object(message.get("usage"))
        model = message.get("model")
        if model == NO_MODEL:
            yield s.left_out("assistant without a model")
            return
        yield from self._advised(usage, ids, place)
        if ids not in self.over:
            self.answers[agent] = ids, self._response(value, message, usage, begun, place)
        for part in s.objects(message.get("content")):
            if _kind(part) == "tool_use" and type(part.get("id")) is str:
                call = {"call_id": part["id"], "tool": part.get("name"), "model_id": model}
                facts = {**place, **call, "input": s.as_object(part.get("input"))}
                yield "assistant.tool_use", self.calls.begin(s.compact(facts))

    def _response(
        self, value: s.Value, message: s.Value, usage: s.Value, begun: s.Value, place: s.Value
    ) -> s.Value:
        """The response from the blocks read so far: of counts that are written again the
        largest, for they grow while it is written."""
        text = s.as_text([p for p in s.objects(message.get("content")) if _kind(p) == "text"])
        counts = {fact: usage.get(name) for fact, name in USAGE.items()}
        # A response that another model took over has that model's counts alone.
        before = begun if begun.get("model_id") == message.get("model") else {}
        for fact, count in counts.items():
            if type(before.get(fact)) is int and type(count) in (int, type(None)):
                counts[fact] = max(before[fact], count or 0)
        said = "\n".join(part for part in (begun.get("response"), text) if part) or None
        request = value.get("requestId") or value.get("requestRef")
        ids = [str(message.get("id") or ""), str(request or "")]
        if not any(len(one) >= LASTING and is_unique(one) for one in ids):
            # A gateway may count from the start again in each session.
            ids.append(str(place.get("timestamp")))
        answer = {
            **place,
            **counts,
            "model_id": message.get("model"),
            "stop_reason": message.get("stop_reason"),
            "response": said,
            "cache_write_1h_tokens": at(usage, "cache_creation.ephemeral_1h_input_tokens"),
            "speed": usage.get("speed"),
            "inference_geo": usage.get("inference_geo"),
            "cost_usd": s.cost(value.get("costUSD")),
            "identity": ids if ids[0] else None,
        }
        return s.compact({**answer, **_some(begun, "message_id"), **_some(begun, "identity")})

    def _user(self, value: s.Value) -> s.Steps:
        turn = value.get("promptId")
        if type(turn) is str:
            self.turn = turn
        place = self._place(value)
        yield from self._agent(value, place)
        content = at(value, "message.content")
        if type(content) is list:
            # The client adds what it says as further blocks.
            typed = [part for part in content if NOT_TYPED.match(s.as_text(part)) is None]
            content = typed or content
        results = [part for part in s.objects(content) if _kind(part) == "tool_result"]
        for part in results:
            yield "user.tool_result", self._result(value, part, place)
            yield from self._agent_ended(value, place)
        if results:
            return
        yield from self._over(place.get("agent_id"))
        if "agent_id" not in place and is_notice(value, content):
            yield "user.notification", s.compact({**place, "prompt": s.as_text(content)})
        elif self._is_prompt(value, content, place):
            mode = value.get("permissionMode")
            prompt = {"prompt": s.as_text(content), "permission_mode": mode}
            prompt["attended"] = is_attended(HOOK.attended, value)
            self.over.clear()
            yield "user", s.compact({**place, **prompt, "input_source": value.get("promptSource")})
        else:
            yield s.skip("user")

    def _is_prompt(self, value: s.Value, content: Any, place: s.Value) -> bool:
        if "promptSource" in value:
            self.has_source = True
        if "agent_id" in place or value.get("isMeta") is True:
            return False
        if value.get("isCompactSummary") is True:
            return False
        if self.has_source:
            return "promptSource" in value
        text = s.as_text(content)
        return bool(text) and NOT_TYPED.match(text) is None

    def _agent_ended(self, value: s.Value, place: s.Value) -> s.Steps:
        result = s.as_object(value.get("toolUseResult"))
        agent = result.get("agentId")
        if type(agent) is str and result.get("status") == "completed":
            kind = result.get("agentType")
            ended = {"agent_id": agent, "agent_type": kind, "plan_type": s.plan_type(kind)}
            answer = s.as_text(result.get("content"))
            yield "subagent.end", s.compact({**place, **ended, "response": answer or None})

    def _result(self, value: s.Value, part: s.Value, place: s.Value) -> s.Value:
        text = s.as_text(part.get("content"))
        failed = part.get("is_error") is True
        payload = {**place, "output": text, **decided(value)}
        hook = self.hooks.pop(str(part.get("tool_use_id")), None)
        if hook is not None and payload.get("decided_by") == "hook":
            payload["policy_engine"] = hook
        known = self.calls.open.get(str(part.get("tool_use_id")), {})
        if "permissionDecision" in value:
            self.has_decisions = True
        denial = self._denial(value, part, text, known)
        if denial is None and "permissionDecision" not in value and self._records_decisions():
            denial = undecided(failed, text)
        if denial is not None:
            return self.calls.of(part.get("tool_use_id"), {**payload, **denial})
        result = value.get("toolUseResult")
        interrupted = at(result, "interrupted") is True
        is_ok = not failed and not interrupted and at(result, "success") is not False
        if is_ok and did_not_run(value, known):
            return self.calls.of(part.get("tool_use_id"), {**payload, **ANSWERED})
        payload["success"] = is_ok
        payload["outcome"] = "cancelled" if interrupted else "ok" if is_ok else "error"
        if failed:
            payload["exit_code"] = wording.exit_code(text)
            payload["error_message"] = s.first_line(text)
        elif is_altered(text, result, known):
            payload["output"], payload["told_output"] = at(result, "stdout"), text
        return self.calls.of(part.get("tool_use_id"), payload)

    def _denial(self, value: s.Value, part: s.Value, text: str, known: s.Value) -> s.Value | None:
        """The facts of a call that did not run, by what its record says of itself, else by the
        client's own words; None where neither says so."""
        kind = value.get("toolDenialKind")
        kind = kind if type(kind) is str else None
        if kind is not None and value.get("toolDenialAfterRun") is True:
            return {**WITHHELD_RESULT, "output": None, "told_output": text}
        if kind in STOPPED or (kind == "user-rejected" and self._may_have_run(value, text)):
            return {"outcome": "cancelled"}
        refuser = refused_by(value, part, text, known)
        shown = "text of the result"
        if "permissionDecision" not in value and kind == "permission-rule" and refuser == "user":
            # A hook's reason that quotes the sentence of a person's no.
            refuser = None
        if refuser is None:
            if kind is None or "permissionDecision" in value:
                return None
            refuser = denied_by(kind, text, is_headless(value))
            shown = "toolDenialKind"
        denial: s.Value = {"decided_by": refuser, "outcome": "denied"}
        denial["decision_reason"] = wording.without_advice(text)
        hook = HOOK_ERROR.match(text)
        if hook is not None:
            denial["policy_engine"] = hook["command"]
        elif refuser == "mod":
            denial["guardian"] = wording.asked_mod(text)
        if "permissionDecision" not in value:
            denial["decision_evidence"] = shown
            denial["certainty"] = "observed"
        return denial

    def _may_have_run(self, value: s.Value, text: str) -> bool:
        """Return whether a person may have stopped the call while it ran: the words are those of
        a no to the client's question, and only newer records say which of both it was. Without a
        person at a terminal there was no question."""
        verdict = at(value, "permissionDecision.decision")
        if value.get("toolDenialBeforeRun") is True or verdict == "reject":
            return False
        is_persons = wording.PERSONS_NO.match(text) is not None
        says_before = verdict == "accept" or self._records_decisions()
        return is_persons and (says_before or is_headless(value))

    def _records_decisions(self) -> bool:
        match = VERSION.match(self.version or "")
        is_new = match is not None and tuple(map(int, match.groups())) >= RECORDS_DECISIONS
        return self.has_decisions or is_new

    def _system(self, value: s.Value) -> s.Steps:
        kind = value.get("subtype")
        place = self._place(value)
        for agent, (_, answer) in list(self.answers.items()):
            if answer.get("stop_reason") not in GOES_ON:
                yield from self._over(agent)
        if kind == "compact_boundary":
            about = s.as_object(value.get("compactMetadata"))
            tokens = {
                "context_trigger": about.get("trigger"),
                "tokens_before": about.get("preTokens"),
                "tokens_after": about.get("postTokens"),
            }
            yield "system.compact_boundary", s.compact({**place, **tokens})
        elif kind == "api_error":
            status = at(value, "error.status")
            failed = {
                "error_code": str(status) if status is not None else None,
                "retry_count": value.get("retryAttempt"),
                "error_message": s.first_line(s.as_text(at(value, "error.message"))) or None,
                "final": False,
            }
            yield "system.api_error", s.compact({**place, **failed})
        else:
            yield s.skip(kind)

    def _totals(self, value: s.Value) -> s.Steps:
        """Running totals of the session, without what this file's responses say: what is left are
        side calls (a compaction's) and sub-agents."""
        place = self._place(value)
        usage = s.as_object(value.get("modelUsage"))
        for model, one in usage.items():
            spent = self.spent.get(model, {})
            left: s.Value = {"model_id": model}
            for fact, name in TOTALS.items():
                number = s.real(s.as_object(one).get(name))
                if number is not None:
                    rest = max(0.0, number - spent.get(fact, 0))
                    left[fact] = rest if fact == "cost_usd" else round(rest)
            yield "cost-state", {**place, **left}
        if not usage:
            yield s.skip("cost-state")


def did_not_run(value: s.Value, known: s.Value) -> bool:
    """Return whether a shell's result is not the shell's: where one ran, a client that records its
    decisions writes whether that was in a sandbox."""
    is_recorded = "permissionDecision" in value and "sandboxed" not in value
    return is_recorded and known.get("tool") == "Bash"


def undecided(failed: bool, text: str) -> s.Value | None:
    """The facts of a result that reached no decision of the client's: a mod answered the call, or
    gave another result in the place of the tool's. None for a call that was invalid."""
    if wording.WITHHELD.match(text) is not None:
        return {**WITHHELD_RESULT, "output": None, "told_output": text}
    if failed and text.startswith(wording.INVALID):
        return None
    return {"decision_evidence": NO_RUN_SHOWN}


def is_headless(value: s.Value) -> bool:
    """Return whether a program drives the client, without a terminal, and may be its host."""
    return str(value.get("entrypoint")).startswith("sdk")


def denied_by(kind: str, text: str, is_headless: bool) -> str | None:
    """The one who refused a call whose text is a reason alone. A mod's reason has the tag of
    invalid calls; a hook's and a host's are worded alike, and no host is asked in a terminal. Any
    other refusal is the client's own, without a question."""
    if kind == "automode-blocked":
        return "classifier"
    if kind != "permission-rule":
        return "client"
    if text.startswith(wording.INVALID):
        return "mod"
    return None if is_headless else "hook"


ANSWERED: s.Value = {
    "outcome": "answered",
    "decision_evidence": NOT_RUN,
}
WITHHELD_RESULT: s.Value = {"decided_by": "mod", "decision_evidence": "result withheld"}


def is_altered(text: str, result: Any, known: s.Value) -> bool:
    """Return whether the model got another text than a shell gave: the record of the result has
    both. A long output, a picture or a background task is told in the client's own words."""
    stdout = at(result, "stdout")
    if known.get("tool") not in wording.SHELLS or type(stdout) is not str:
        return False
    plain = {"stdout", "stderr", "interrupted", "isImage", "noOutputExpected"}
    if not set(s.as_object(result)) <= plain or at(result, "isImage") is True:
        return False
    is_short = len(stdout) < ALTERED_LIMIT and not at(result, "stderr")
    return is_short and bool(stdout.strip()) and stdout.strip() not in text


def _some(known: s.Value, name: str) -> s.Value:
    return {name: known[name]} if name in known else {}


def _kind(part: s.Value) -> Any:
    return part.get("type")


def decided(value: s.Value) -> s.Value:
    """The client's own record of who decided."""
    about = s.as_object(value.get("permissionDecision"))
    verdict = about.get("decision")
    if verdict not in ("accept", "reject"):
        return {}
    source = about.get("source")
    kind = about.get("reasonType")
    who = DECIDERS.get(kind) if type(kind) is str else None
    # Each part of a command was judged by itself (`subcommandResults`): by a rule if one is named,
    # else by the mode or as harmless.
    if who is None and type(about.get("ruleSource")) is str:
        who = "rule"
    if who is None and type(source) is str and source.startswith("user"):
        who = "host" if about.get("reasonCode") == HOST else "user"
    payload = {
        "decision": "allow" if verdict == "accept" else "deny",
        "decided_by": who or "client",
        "decision_evidence": "permissionDecision",
        "certainty": "observed",
        "decision_reason": about.get("reasonCode") if verdict == "accept" else None,
        "policy_id": about.get("ruleSource"),
    }
    return s.compact(payload)


def refused_by(value: s.Value, part: s.Value, text: str, known: s.Value) -> str | None:
    """The one who refused the call, or None if it was not refused. `known`: the call itself."""
    about = s.as_object(value.get("permissionDecision"))
    if about.get("decision") == "accept" and text.startswith(wording.SPAWN_DENIED):
        return "mod"
    if about.get("decision") == "accept" or part.get("is_error") is not True:
        return None
    if about.get("decision") == "reject":
        code = about.get("reasonCode")
        code = code if type(code) is str else ""
        if about.get("reasonType") == "hook":
            return "mod" if code == "hook:tool.check" else "hook"
        if code.startswith(("rule:", "mode:")):
            return code[:4]
        if about.get("reasonType") == "classifier" or code.startswith("classifier"):
            return "classifier"
        if code == "unknown":
            return "client"
        if code == HOST:
            return "host"
        return "user" if str(about.get("source")).startswith("user") else "client"
    # An older build: the client's own sentence at the beginning of the text.
    entry = {
        "tool_response": text,
        "tool_name": known.get("tool"),
        "tool_input": known.get("input"),
    }
    return wording.named(entry) or wording.unnamed(entry)


EVENTS: s.Events = {
    "user": s.PROMPT,
    "user.queued": s.PROMPT,
    "user.notification": s.task_notice("claude-code"),
    "assistant": s.ANSWER,
    "assistant.tool_use": s.CALLED,
    "user.tool_result": s.ENDED,
    "assistant.error": s.MODEL_FAILED,
    "system.api_error": s.MODEL_FAILED,
    "system.compact_boundary": s.COMPACTED,
    "subagent": s.AGENT_STARTED,
    "subagent.end": s.AGENT_ENDED,
    "cost-state": s.totals("claude-code"),
}
VENDOR = s.transcript_vendor("claude-code", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(ClaudeReader, VENDOR, FILE, skipped=skipped, part=r"\.meta\.json$")
