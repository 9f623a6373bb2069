"""Cursor's transcripts: `agent-transcripts/<conversation>/<conversation>.jsonl`.

Source: the SDK 1.0.32; no live run. They have no results, ids, times or tokens: a call is
identified by its place in the file, and what it did only hooks know.
"""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.cursor.table import TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass


FILE = re.compile(r"[/\\]agent-transcripts[/\\][^/\\]+[/\\].+\.jsonl(\.\w+)?$")
QUERY = re.compile(r"<user_query>\s*(.*?)\s*</user_query>", re.DOTALL)


def claims(p: s.Value) -> bool:
    """A role next to a message of parts, and no session, client or time."""
    message = p.get("message")
    return (
        p.get("role") in ("user", "assistant")
        and type(message) is dict
        and type(message.get("content")) is list
        and not p.keys() - {"role", "message"}
    )


class CursorReader(s.FileReader):
    """One conversation, named by its file."""

    def start(self) -> None:
        parts = re.split(r"[/\\]", self.path)
        name = parts[-1].partition(".jsonl")[0]
        is_child = len(parts) > 2 and parts[-2] == "subagents"
        self.session = parts[-3] if is_child else name
        self.agent = name if is_child else None
        self.begun = False

    def read(self, value: s.Value) -> s.Steps:
        message = s.as_object(value.get("message"))
        parts = s.objects(message.get("content"))
        place = s.compact({"session_id": self.session, "agent_id": self.agent})
        text = s.as_text(parts)
        if self.agent is not None and not self.begun:
            self.begun = True
            yield "subagent", {**place, "plan_type": "default", "task": text}
            return
        told = False
        if value.get("role") == "user" and text and self.agent is None:
            match = QUERY.search(text)
            told = True
            yield "user", {**place, "prompt": match[1] if match else text}
        for part in parts:
            if part.get("type") == "tool_use" and type(part.get("name")) is str:
                told = True
                call = {"tool": part["name"], "input": s.as_object(part.get("input"))}
                yield "assistant.tool_use", {**place, **call}
        if not told:
            yield s.skip(value.get("role") or value.get("type"))


EVENTS: s.Events = {"user": s.PROMPT, "assistant.tool_use": s.CALLED, "subagent": s.AGENT_STARTED}
VENDOR = s.transcript_vendor("cursor", claims=claims, events=EVENTS, tools=TOOLS)
FILES = s.SessionFiles(CursorReader, VENDOR, FILE, is_untimed=True)
