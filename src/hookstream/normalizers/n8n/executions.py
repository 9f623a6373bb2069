"""A stored execution to steps: the runs of its nodes in the order in which they began."""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


ENDS = {"success": "completed", "error": "error", "crashed": "error"}
OUTCOMES = {"success": "ok", "error": "error", "crashed": "error", "canceled": "cancelled"}
# The answer of a tool of a failed request if its node is set to continue.
FAILED = re.compile(r'There was an error: "')
# How a request's text names who speaks.
SPEAKER = re.compile(r"^(System|Human|AI|Tool|Function): ?", re.MULTILINE)
TOOL, MODEL = "ai_tool", "ai_languageModel"


class NodeRun:
    """One run of a node."""

    __slots__ = ("agent", "agent_run", "kind", "node", "number", "value")

    def __init__(self, node: str, number: int, value: s.Value) -> None:
        self.node, self.number, self.value = node, number, value
        kinds = {*s.as_object(value.get("inputOverride")), *s.as_object(value.get("data"))}
        self.kind = next((kind for kind in (TOOL, MODEL) if kind in kinds), "main")
        if any(kind.startswith("ai_") for kind in kinds) and self.kind == "main":
            self.kind = "other"
        source = value.get("source")
        source = s.as_object(source[0]) if type(source) is list and source else {}
        self.agent = source.get("previousNode")
        self.agent_run = source.get("previousNodeRun", 0)

    def item(self, name: str) -> s.Value:
        """The JSON of the first item that went in (`inputOverride`) or came out (`data`)."""
        value = s.as_object(self.value.get(name)).get(self.kind)
        for _ in range(2):
            value = value[0] if type(value) is list and value else None
        return s.as_object(s.as_object(value).get("json"))

    @property
    def began(self) -> Any:
        return self.value.get("startTime")

    @property
    def ended(self) -> Any:
        took = self.value.get("executionTime")
        return self.began + took if type(self.began) is type(took) is int else self.began

    @property
    def place(self) -> int:
        """Its place in the execution; older versions say only when it began."""
        value = self.value.get("executionIndex")
        found = self.began if value is None else value
        return found if type(found) is int else 0

    @property
    def call_id(self) -> str:
        return call_id(self.node, self.number)

    @property
    def error(self) -> str | None:
        return s.first_line(s.as_text(at(self.value, "error.message"))) or None


def call_id(node: str, number: int) -> str:
    return f"{node}#{number}"


def read(value: s.Value) -> s.Steps:
    """The steps of one execution."""
    number = value.get("id")
    session = str(number) if type(number) in (int, str) else None
    place = s.compact({"session_id": session})
    runs = runs_of(value)
    agents = {run.agent for run in runs if run.kind in (TOOL, MODEL)}
    yield (
        "execution",
        s.compact({**place, "timestamp": utc(value.get("startedAt")), "start_reason": "new"}),
    )
    yield from _Execution(place, agents, runs).steps()
    if value.get("stoppedAt") is not None:
        reason = ENDS.get(str(value.get("status")), "exit")
        ended = {"timestamp": utc(value["stoppedAt"]), "end_reason": reason}
        yield "execution.end", s.compact({**place, **ended})


def utc(value: Any) -> Any:
    """The database has times without a zone, in UTC."""
    return f"{value}Z" if type(value) is str and value[-1:].isdigit() else value


def runs_of(value: s.Value) -> list[NodeRun]:
    by_node = s.as_object(at(value, "data.resultData.runData"))
    runs = [
        NodeRun(node, number, one)
        for node, listed in by_node.items()
        if type(listed) is list
        for number, one in enumerate(listed)
        if type(one) is dict
    ]

    # An agent's answer comes after its actions, although its run began before.
    last: dict[tuple[Any, Any], int] = {}
    for run in runs:
        if run.kind != "main":
            key = (run.agent, run.agent_run)
            last[key] = max(last.get(key, 0), run.place)

    def order(run: NodeRun) -> tuple[int, int]:
        is_agent = run.kind == "main" and (run.node, run.number) in last
        return (last[run.node, run.number], 1) if is_agent else (run.place, 0)

    return sorted(runs, key=order)


class _Execution:
    def __init__(self, place: s.Value, agents: set[Any], runs: list[NodeRun]) -> None:
        self.place = place
        self.agents = agents
        self.runs = runs
        self.inner = {run.node for run in runs if run.kind == TOOL} & agents
        self.asked: set[tuple[Any, Any]] = set()
        failed = [run for run in runs if status(run) == "error"]
        self.failed_models = {(run.agent, run.agent_run) for run in failed if run.kind == MODEL}
        self.failed_agents = {(run.node, run.number) for run in failed if run.kind == "main"}

    def steps(self) -> s.Steps:
        for run in self.runs:
            if run.kind == TOOL:
                yield from self._tool(run)
            elif run.kind == MODEL:
                yield from self._model(run)
            elif run.kind == "main" and run.node in self.agents:
                yield from self._agent(run)
            else:
                yield s.skip("node")

    def _of(self, run: NodeRun, when: Any) -> s.Value:
        nested = run.agent if run.agent in self.inner else None
        facts = {**self.place, "timestamp": when, "agent_type": run.agent, "agent_id": nested}
        if nested is not None:
            facts["parent_call_id"] = call_id(nested, run.agent_run)
        return s.compact(facts)

    def _tool(self, run: NodeRun) -> s.Steps:
        given = run.item("inputOverride")
        call: s.Value = {"call_id": run.call_id, "tool": run.node, "input": given}
        call["synthesized"] = ["call_id"]
        if type(given.get("url")) is str:
            call["url"] = given["url"]
        yield "run.tool", {**self._of(run, run.began), **call}
        agent = {"agent_id": run.node, "agent_type": run.node, "plan_type": s.plan_type("")}
        if run.node in self.inner:
            asked = {"task": s.as_text(given.get("query") or given.get("input")) or None}
            yield "run.agent", s.compact({**self._of(run, run.began), **agent, **asked})
        outcome = OUTCOMES.get(status(run) or "")
        if outcome is None:
            return
        response = run.item("data").get("response")
        text = response if type(response) is str else s.as_text(response)
        is_failed = outcome == "ok" and FAILED.match(text) is not None
        took = run.value.get("executionTime")
        ended = {
            "outcome": "error" if is_failed else outcome,
            "success": False if is_failed else {"ok": True, "error": False}.get(outcome),
            "error_message": s.first_line(text) if is_failed else run.error,
            "output": response if outcome == "ok" else None,
            "duration_ms": float(took) if type(took) is int else None,
        }
        yield "run.tool.end", s.compact({**self._of(run, run.ended), **call, **ended})
        if run.node in self.inner:
            yield (
                "run.agent.end",
                s.compact({**self._of(run, run.ended), **agent, "response": text}),
            )

    def _model(self, run: NodeRun) -> s.Steps:
        asked = run.item("inputOverride")
        turn = (run.agent, run.agent_run)
        if turn not in self.asked and run.agent not in self.inner:
            self.asked.add(turn)
            text = prompt_of(asked.get("messages"))
            if text:
                facts = {"prompt": text, "synthesized": ["prompt"]}
                yield "run.prompt", {**self._of(run, run.began), **facts}
        place = {**self._of(run, run.ended), "model_id": model_of(asked)}
        if status(run) == "success":
            yield "run.model", s.compact({**place, **answer_of(run.item("data"))})
        elif status(run) == "error":
            code = at(run.value, "error.httpCode")
            said: s.Value = {"error_message": run.error, "error_code": str(code) if code else None}
            said["final"] = True if turn in self.failed_agents else None
            yield "run.model.failed", s.compact({**place, **said})
        else:
            yield s.skip("model")

    def _agent(self, run: NodeRun) -> s.Steps:
        facts = {**self.place, "timestamp": run.ended, "agent_type": run.node}
        text = s.as_text(run.item("data").get("output"))
        if status(run) == "success" and text:
            yield "run.answer", {**facts, "response": text}
        elif status(run) == "error" and (run.node, run.number) not in self.failed_models:
            yield "run.failed", s.compact({**facts, "error_message": run.error})
        else:
            yield s.skip("agent")


def status(run: NodeRun) -> str | None:
    word = run.value.get("executionStatus")
    return word if type(word) is str else None


def prompt_of(messages: Any) -> str:
    """The person's last message in the texts of a request."""
    text = (
        "\n".join(message for message in messages if type(message) is str)
        if type(messages) is list
        else ""
    )
    speakers = list(SPEAKER.finditer(text))
    for place in range(len(speakers) - 1, -1, -1):
        if speakers[place][1] == "Human":
            end = speakers[place + 1].start() if place + 1 < len(speakers) else len(text)
            return text[speakers[place].end() : end].strip()
    return ""


def model_of(asked: s.Value) -> Any:
    options = s.as_object(asked.get("options"))
    names = (options.get(name) for name in ("model", "model_name", "modelName"))
    return next((name for name in names if type(name) is str), None)


def answer_of(said: s.Value) -> s.Value:
    """Tokens and text of a model's answer; an estimate of tokens is not a count."""
    usage = s.as_object(said.get("tokenUsage"))
    texts = at(said, "response.generations")
    text = at(texts[0][0], "text") if type(texts) is list and texts and texts[0] else None
    return {
        "input_tokens": usage.get("promptTokens"),
        "output_tokens": usage.get("completionTokens"),
        "response": text or None,
    }
