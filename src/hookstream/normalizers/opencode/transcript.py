"""OpenCode's database, `opencode.db`: sessions, messages and their parts.

Before 1.2 each of them was a file below `storage`, where they remain after an upgrade.
Source: recordings of 1.18.33; of the files, AgentWorkforce/relayhistory issue 168. Parts are
rewritten in place, so a row is what is known by now. A plugin that throws leaves its own text as a
call's error: that does not prove a refusal. A fork repeats its parent's messages, with their times.
"""

from __future__ import annotations

import re

from hookstream.core.jsons import canonical, loads_text
from hookstream.normalizers import steps as s
from hookstream.normalizers.opencode import wording
from hookstream.normalizers.opencode.calls import TOOLS, is_copied, mcp, written
from hookstream.normalizers.opencode.sessions import attended_by
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from hookstream.normalizers.steps import Events, Steps, Value

FILE = re.compile(
    r"[/\\]opencode(?:-\w+)?\.db$|[/\\]storage[/\\]session[/\\][^/\\]+[/\\]ses_[^/\\]+\.json$"
)
TABLES = frozenset(("session", "message", "part"))
COUNTS = {
    "input_tokens": "input",
    "cache_read_tokens": "cache.read",
    "cache_write_tokens": "cache.write",
}
# A rule in the list of them that a refusal ends with, in the two orders of its fields.
DENY = (
    re.compile(r'"permission":"([^"]{1,80})","pattern":"([^"]{1,300})","action":"deny"'),
    re.compile(r'"permission":"([^"]{1,80})","action":"deny","pattern":"([^"]{1,300})"'),
)


SESSIONS = (
    "select id, parent_id, directory, title, version, time_created, {agent}, {permission} "
    "from session where time_updated >= ? order by time_created, id"
)
# Columns that an older database has not.
NEWER = ("agent", "permission")


def claims(p: Value) -> bool:
    """A session's own file; no line is its."""
    return "projectID" in p and "directory" in p and str(p.get("id")).startswith("ses_")


def rows(database: sqlite3.Connection, since_ms: int = 0) -> Iterator[Value | s.BadRow]:
    """Each session, then each of its messages with its parts, in their order."""
    columns = {row[1] for row in database.execute("pragma table_info(session)")}
    newer = {name: name if name in columns else "null" for name in NEWER}
    sessions = database.execute(SESSIONS.format(**newer), (since_ms,))
    for session, parent, folder, title, version, created, kind, permission in sessions:
        yield {
            "session": session,
            "parent": parent,
            "directory": folder,
            "title": title,
            "version": version,
            "created": created,
            "agent": kind,
            "permission": permission,
        }
        messages = database.execute(
            "select id, data from message where session_id = ? order by time_created, id",
            (session,),
        )
        for message, data in messages:
            parts = database.execute(
                "select id, data from part where message_id = ? order by time_created, id",
                (message,),
            )
            bodies = [(part, s.object_of(body, "part")) for part, body in parts]
            content = s.object_of(data, "message")
            yield from (bad for _, bad in bodies if isinstance(bad, s.BadRow))
            if isinstance(content, s.BadRow):
                yield content
                continue
            yield {
                "message": message,
                "data": content,
                "parts": [
                    {"id": part, **body} for part, body in bodies if not isinstance(body, s.BadRow)
                ],
            }


def spread(path: Path, value: Value) -> Iterator[Value | s.BadRow]:
    """A session's own file, then the files of each of its messages with those of its parts."""
    times = s.as_object(value.get("time"))
    storage, session = path.parents[2], path.stem
    yield {
        "session": session,
        "parent": value.get("parentID"),
        "directory": value.get("directory"),
        "title": value.get("title"),
        "version": value.get("version"),
        "created": times.get("created"),
        "agent": None,
    }
    for message, data in files_of(storage / "message" / session):
        if isinstance(data, s.BadRow):
            yield data
            continue
        bodies = list(files_of(storage / "part" / message))
        yield from (bad for _, bad in bodies if isinstance(bad, s.BadRow))
        parts = [{"id": part, **body} for part, body in bodies if not isinstance(body, s.BadRow)]
        yield {"message": message, "data": data, "parts": parts}


def files_of(folder: Path) -> Iterator[tuple[str, Value | s.BadRow]]:
    """The name and the object of each file of a folder; names ascend with time."""
    for path in sorted(folder.glob("*.json")):
        yield path.stem, s.object_of(path.read_bytes(), f"{folder.parent.name}/{path.name}")


def counted(steps: list[Value]) -> Value:
    """The tokens of a message's steps."""
    counts = {fact: [at(one, path) for one in steps] for fact, path in COUNTS.items()}
    counts["output_tokens"] = [written(one) for one in steps]
    return {fact: sum(n for n in each if type(n) is int) for fact, each in counts.items()}


class OpenCodeReader(s.FileReader):
    """The session that is being read."""

    def start(self) -> None:
        self.session: Value = {}
        # the user's message that asks for a compaction -> how
        self.compactions: dict[str, str] = {}

    def read(self, value: Value) -> Steps:
        if "session" in value:
            self.session = value
            self.compactions.clear()
            version = value.get("version")
            self.version = version if type(version) is str else self.version
            yield from self._started(value)
            return
        data = s.as_object(value.get("data"))
        if is_copied(value.get("message"), at(data, "time.created")):
            yield s.left_out("history of the parent")
            return
        parts = s.objects(value.get("parts"))
        if data.get("role") == "user":
            yield from self._user(value, data, parts)
        elif data.get("role") == "assistant":
            yield from self._assistant(value, data, parts)
        else:
            yield s.skip("message")

    def _place(self, when: Any, message: Any = None) -> Value:
        parent = self.session.get("parent")
        return s.compact(
            {
                "session_id": self.session.get("session"),
                "parent_session_id": parent,
                "timestamp": when,
                "cwd": self.session.get("directory"),
                "message_id": message,
            }
        )

    def _started(self, value: Value) -> Steps:
        place = self._place(value.get("created"))
        if value.get("parent") is None:
            rules = value.get("permission")
            is_attended = attended_by(loads_text(rules) if type(rules) is str else rules)
            yield "session", s.compact({**place, "start_reason": "new", "attended": is_attended})
        else:
            kind = value.get("agent")
            if type(kind) is not str:
                found = re.search(r"\(@(\S+) subagent\)", str(value.get("title")))
                kind = found[1] if found else None
            agent = {"agent_id": value["session"], "agent_type": kind}
            yield "session.child", s.compact({**place, **agent, "plan_type": s.plan_type(kind)})

    def _user(self, value: Value, data: Value, parts: list[Value]) -> Steps:
        place = self._place(at(data, "time.created"), value.get("message"))
        for part in parts:
            if part.get("type") == "compaction":
                self.compactions[value["message"]] = "auto" if part.get("auto") else "manual"
        typed = [
            part
            for part in parts
            if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
        ]
        text = "\n".join(s.as_text(part) for part in typed)
        if text and self.session.get("parent") is None:
            yield "message.user", {**place, "prompt": self.typed(text)}
        else:
            yield s.skip("message.user")

    def _assistant(self, value: Value, data: Value, parts: list[Value]) -> Steps:
        place = self._place(at(data, "time.created"), value.get("message"))
        model = data.get("modelID")
        error = s.as_object(data.get("error"))
        # A message has the tokens of its last step alone, or none where it was cut.
        steps = [tokens for part in parts if (tokens := s.as_object(part.get("tokens")))]
        counts = counted(steps or [s.as_object(data.get("tokens"))])
        told = False
        for part in parts:
            if part.get("type") == "tool" and type(part.get("callID")) is str:
                told = True
                yield from self._call(part, place, model)
        if any(counts.values()):
            told = True
            text = "\n".join(s.as_text(p) for p in parts if p.get("type") == "text")
            said = {
                "model_id": model,
                **counts,
                "cost_usd": s.cost(data.get("cost"))
                or s.cost(sum(s.real(part.get("cost")) or 0 for part in parts)),
                "stop_reason": data.get("finish"),
                "response": text or None,
            }
            # A fork repeats these under another id.
            done = at(data, "time.completed")
            same = [str(at(data, "time.created")), str(done), canonical(counts).decode()]
            said["identity"] = same if done is not None else None
            yield "message.assistant", s.compact({**place, **said})
        if error:
            told = True
            status = at(error, "data.statusCode")
            said = {
                "model_id": model,
                "error_code": str(status) if status is not None else error.get("name"),
                "error_message": s.first_line(s.as_text(at(error, "data.message"))) or None,
                "final": True,
            }
            yield "message.error", s.compact({**place, **said})
        elif data.get("summary") is True and at(data, "time.completed") is not None:
            told = True
            trigger = self.compactions.get(str(data.get("parentID")))
            yield "message.summary", s.compact({**place, "context_trigger": trigger})
        if not told:
            yield s.skip("message.assistant")

    def _call(self, part: Value, place: Value, model: Any) -> Steps:
        state = s.as_object(part.get("state"))
        call = {"call_id": part["callID"], "tool": part.get("tool")}
        payload = {**place, **call, "input": s.as_object(state.get("input"))}
        begun, done = at(state, "time.start"), at(state, "time.end")
        payload["identity"] = s.lasting(part["callID"])
        if begun is not None:
            payload["timestamp"] = begun
        yield "part.tool", s.compact({**payload, "model_id": model})
        status = state.get("status")
        if status not in ("completed", "error"):
            return
        payload |= self.ended_by(str(part.get("tool")), state)
        if type(begun) is int and type(done) is int:
            payload |= {"timestamp": done, "duration_ms": float(done - begun)}
        yield "part.tool.end", s.compact(payload)
        child = at(state, "metadata.sessionId")
        if part.get("tool") == "task" and type(child) is str:
            kind = at(state, "input.subagent_type")
            ended = {"session_id": child, "agent_id": child, "plan_type": s.plan_type(kind)}
            ended["parent_session_id"] = place["session_id"]
            said = {"response": s.as_text(state.get("output")), "timestamp": payload["timestamp"]}
            yield "part.task", {**place, **ended, **said, "parent_call_id": part["callID"]}

    def typed(self, text: str) -> str:
        """A prompt as it was typed."""
        return text

    def ended_by(self, tool: str, state: Value) -> Value:
        """The end of a call; the client's text names who refused it, and the rule."""
        error, output = s.as_text(state.get("error")), s.as_text(state.get("output"))
        status = str(state.get("status"))
        end = wording.ended(tool, status, error, output, at(state, "metadata.exit"))
        if end.outcome == "denied":
            rules = [match for form in DENY for match in form.findall(error)]
            return {**s.ending(end), "matched_rule_id": " ".join(rules[-1]) if rules else None}
        if status != "error":
            return {**s.ending(end), "output": output}
        # A plugin that threw looks like a tool that failed.
        made = ("outcome", "success") if end.outcome == "error" else ()
        return {**s.ending(end), "synthesized": made}


EVENTS: Events = {
    "session": s.STARTED,
    "session.child": s.AGENT_STARTED,
    "part.task": s.AGENT_ENDED,
    "message.user": s.PROMPT,
    "message.assistant": s.ANSWER,
    "message.error": s.MODEL_FAILED,
    "message.summary": s.COMPACTED,
    "part.tool": s.CALLED,
    "part.tool.end": s.ENDED,
}
VENDOR = s.transcript_vendor("opencode", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(
    OpenCodeReader,
    VENDOR,
    FILE,
    tables=TABLES,
    rows=rows,
    spread=spread,
    part=r"[/\\]storage[/\\](?:message|part)[/\\]",
)
