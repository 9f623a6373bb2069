"""Lines of n8n's event log to steps. Executions run at the same time: counts are kept
per execution, within bounds."""

from __future__ import annotations

import re

from hookstream.core.limits import make_room
from hookstream.normalizers.n8n.executions import answer_of, call_id, model_of, prompt_of
from hookstream.normalizers.steps import as_object, as_text, compact, first_line, skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.normalizers.steps import Step, Steps, Value

EXECUTIONS = 4096
# `n8n-nodes-base.httpRequestTool`, `@n8n/n8n-nodes-langchain.toolWorkflow`
TOOL_TYPE = re.compile(r"(?:^|\.)(?:tool[A-Z]\w*|\w+Tool)$")
ENDS = {"n8n.workflow.success": "completed", "n8n.workflow.failed": "error"}


class N8nLog:
    def __init__(self) -> None:
        # execution -> how often each tool's node began and ended, and whether it was asked
        self.known: dict[str, dict[str, int]] = {}

    def read(self, value: Value) -> Steps:
        name = str(value.get("eventName"))
        payload = as_object(value.get("payload"))
        execution = payload.get("executionId")
        if type(execution) is not str:
            yield skip(name if value.get("eventName") else "confirmation")
            return
        facts = {"session_id": execution, "timestamp": value.get("ts")}
        if name == "n8n.workflow.started":
            yield name, {**facts, "start_reason": "new"}
        elif name in ENDS:
            self.known.pop(execution, None)
            yield name, {**facts, "end_reason": ENDS[name]}
        elif name in ("n8n.node.started", "n8n.node.finished"):
            yield self._node(name, payload, facts)
        elif name in ("n8n.ai.llm.generated", "n8n.ai.llm.error"):
            yield from self._model(name, payload, facts)
        else:
            yield skip(name)

    def _counts(self, execution: str) -> dict[str, int]:
        found = self.known.get(execution)
        if found is None:
            make_room(self.known, EXECUTIONS)
            found = self.known[execution] = {}
        return found

    def _node(self, name: str, payload: Value, place: Value) -> Step:
        node = payload.get("nodeName")
        if type(node) is not str or TOOL_TYPE.search(str(payload.get("nodeType"))) is None:
            return skip("node")
        counts = self._counts(place["session_id"])
        number = counts.get(f"{name} {node}", 0)
        counts[f"{name} {node}"] = number + 1
        call = {"call_id": call_id(node, number), "tool": node, "synthesized": ["call_id"]}
        return name, {**place, **call}

    def _model(self, name: str, payload: Value, place: Value) -> Steps:
        fields = as_object(payload.get("msg"))
        if name == "n8n.ai.llm.error":
            message = first_line(as_text(as_object(fields.get("error")).get("message"))) or None
            yield name, compact({**place, "error_message": message})
            return
        counts = self._counts(place["session_id"])
        text = prompt_of(fields.get("messages"))
        if text and not counts.get("asked"):
            counts["asked"] = 1
            facts = {"prompt": text, "synthesized": ["prompt"]}
            yield "n8n.ai.llm.prompt", {**place, **facts}
        answer = answer_of(as_object(fields.get("response")))
        yield name, compact({**place, "model_id": model_of(fields), **answer})
