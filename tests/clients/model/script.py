"""The turns of a run: which one a request gets, and what the client told the model until then."""

import json
import re
import threading
from dataclasses import dataclass, field
from typing import Any

TITLE = {"text": '{"title": "Scripted session"}', "calls": []}
DONE = {"text": "All done.", "calls": []}


@dataclass
class Script:
    """One queue of turns a lane: `main`, and `sub-N` for the conversation of a sub-agent."""

    prompt: str
    lanes: dict[str, list[dict[str, Any]]]
    requests: int = 0
    told: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lock = threading.Lock()

    def next_turn(self, body: dict[str, Any], raw: str) -> dict[str, Any]:
        """The turn of a request. One that offers no tools (a title, a summary) uses up none."""
        if not (body.get("tools") or body.get("tool_definitions")):
            return TITLE
        with self.lock:
            self.requests += 1
            lane = self._lane(raw)
            self.told[lane] = tool_results(body)
            queue = self.lanes[lane]
            if not queue:
                return DONE
            turn = queue[0]
            times = turn.get("times", 1)
            if times == 1:
                queue.pop(0)
            elif times > 1:
                turn["times"] = times - 1
            return turn

    def _lane(self, raw: str) -> str:
        if self.prompt in raw:
            return "main"
        return next((name for name in self.lanes if f"[{name}]" in raw), "main")

    def turns_left(self) -> int:
        """Turns that no request came for; one that repeats for ever never counts."""
        return sum(turn.get("times", 1) != 0 for queue in self.lanes.values() for turn in queue)


def tool_results(body: dict[str, Any]) -> list[str]:
    """What the tools answered, as the model reads it, in the order of the conversation."""
    found: list[str] = []
    for message in body.get("messages") or body.get("input") or body.get("contents") or []:
        if not isinstance(message, dict):
            continue
        if message.get("role") == "tool":
            found.append(text_of(message.get("content")))
        elif str(message.get("type", "")).endswith("_call_output"):
            found.append(text_of(message.get("output")))
        for part in message.get("content") or []:
            if isinstance(part, dict) and part.get("type") == "tool_result":
                found.append(text_of(part.get("content")))
        for part in message.get("parts") or []:
            if isinstance(part, dict) and "functionResponse" in part:
                found.append(text_of(part["functionResponse"].get("response")))
    exchanges = [*(body.get("chat_history") or []), {"request_nodes": body.get("nodes")}]
    for node in (one for each in exchanges for one in each.get("request_nodes") or []):
        if "tool_result_node" in node:
            found.append(text_of(node["tool_result_node"].get("content")))
    return found


def text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(part.get("text", part)) for part in content)
    return json.dumps(content, sort_keys=True)


def with_agent_id(calls: list[dict[str, Any]], raw: str) -> list[dict[str, Any]]:
    """`@AGENT` in a call becomes the agent id the client named last (Codex waits by id)."""
    ids = re.findall(r'agent_id[\\]*"\s*:\s*[\\]*"([0-9A-Za-z_-]+)', raw)
    if not ids:
        return calls
    replaced: list[dict[str, Any]] = json.loads(json.dumps(calls).replace("@AGENT", ids[-1]))
    return replaced
