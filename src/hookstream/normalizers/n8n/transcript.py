"""n8n's stored executions (database.sqlite, or as its API gives them) and its event log.

Source: recordings of 2.8.4; the database's form from the published sources. The session is the
execution; a tool call is a run of a tool's node and has no id, so it is named by its
node and how often that ran before. The event log says that a call was made, not how it ended: it
is read as telemetry. The prompt is the human's last message in an agent's first request.
"""

from __future__ import annotations

import re

from hookstream.core.jsons import loads_text
from hookstream.normalizers import steps as s
from hookstream.normalizers.genai.telemetry import TOOLS, Tools
from hookstream.normalizers.n8n import executions
from hookstream.normalizers.n8n.events import N8nLog
from hookstream.normalizers.table import Const, Row, at

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from typing import Any


# The database holds an execution as the package `flatted` writes it: a list of values that name
# each other by their place in it. Values that one may become, and how deep: places may be named
# again and again.
VALUES = 200_000
DEPTH = 128


def unflatten(text: str) -> Any:
    """The value; None for any other text or one that becomes too large. A value inside itself is
    left out."""
    parts = loads_text(text)
    if type(parts) is not list or not parts:
        return None
    try:
        return _FlattedReader(parts).value(0, ())
    except ValueError:
        return None


class _FlattedReader:
    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts
        self.left = VALUES

    def value(self, place: int, above: tuple[int, ...]) -> Any:
        self.left -= 1
        if self.left < 0 or len(above) > DEPTH or not 0 <= place < len(self.parts):
            raise ValueError("too large")
        found = self.parts[place]
        inside = (*above, place)
        if type(found) is dict:
            return {name: self._of(one, inside) for name, one in found.items()}
        if type(found) is list:
            return [self._of(one, inside) for one in found]
        return found

    def _of(self, one: Any, above: tuple[int, ...]) -> Any:
        if type(one) is not str:
            return one
        if not one.isascii() or not one.isdigit() or len(one) > 9:
            raise ValueError("no place")
        return None if int(one) in above else self.value(int(one), above)


FILE = re.compile(r"[/\\](?:\.n8n[/\\]database\.sqlite|n8nEventLog(?:-\d+)?\.log)$")
TABLES = frozenset(("execution_entity", "execution_data"))
EXECUTIONS = """
select e.id, e.status, e.startedAt, e.stoppedAt, d.data, d.workflowData
from execution_entity as e join execution_data as d on d.executionId = e.id
where coalesce(unixepoch(e.stoppedAt), unixepoch(e.startedAt), 0) * 1000 >= ?
order by e.startedAt, e.id
"""


def claims(p: s.Value) -> bool:
    """A line of the event log, or an execution."""
    if str(p.get("__type")).startswith("$$EventMessage"):
        return True
    if type(p.get("data")) is list:
        return any(type(one) is dict and claims(one) for one in p["data"][:1])
    return "startedAt" in p and type(at(p, "data.resultData.runData")) is dict


def rows(database: sqlite3.Connection, since_ms: int = 0) -> Iterator[s.Value | s.BadRow]:
    """Each execution with its data in clear."""
    for number, status, started, stopped, data, workflow in database.execute(
        EXECUTIONS, (since_ms,)
    ):
        content = unflatten(data) if type(data) is str else None
        if data is not None and content is None:
            yield s.BadRow("execution_data: unreadable", str(data).encode("utf-8", "replace"))
        yield {
            "id": number,
            "status": status,
            "startedAt": started,
            "stoppedAt": stopped,
            "data": content,
            "workflowData": loads_text(workflow) if type(workflow) is str else None,
        }


class N8nReader(s.FileReader):
    """Executions, each for itself, or the lines of an event log."""

    def start(self) -> None:
        self.witness = "transcript"
        self.log = N8nLog()

    def read(self, value: s.Value) -> s.Steps:
        if "__type" in value:
            self.witness = "telemetry"
            yield from self.log.read(value)
            return
        listed = value.get("data")
        for one in listed if type(listed) is list else [value]:
            if type(one) is dict:
                yield from executions.read(one)


AGENT_FAILED = Row(
    "Agent.Error",
    {"error_type": Const("AgentFailed"), "error_message": "error_message"},
)
SAID = Row("Agent.Response", {"response": "response", "final": Const(True)})
EVENTS: s.Events = {
    "execution": s.STARTED,
    "execution.end": s.STOPPED,
    "run.prompt": s.PROMPT,
    "run.tool": s.CALLED,
    "run.tool.end": s.ENDED,
    "run.model": s.ANSWER,
    "run.model.failed": s.MODEL_FAILED,
    "run.agent": s.AGENT_STARTED,
    "run.agent.end": s.AGENT_ENDED,
    "run.answer": SAID,
    "run.failed": AGENT_FAILED,
    "n8n.workflow.started": s.STARTED,
    "n8n.workflow.success": s.STOPPED,
    "n8n.workflow.failed": s.STOPPED,
    "n8n.node.started": s.CALLED,
    "n8n.node.finished": s.ENDED,
    "n8n.ai.llm.generated": s.ANSWER,
    "n8n.ai.llm.error": s.MODEL_FAILED,
    "n8n.ai.llm.prompt": s.PROMPT,
}
VENDOR = s.transcript_vendor("n8n", claims=claims, events=EVENTS, tools=Tools(TOOLS))
FILES = s.SessionFiles(N8nReader, VENDOR, FILE, elements="", tables=TABLES, rows=rows)
