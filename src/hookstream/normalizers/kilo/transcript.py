"""Kilo's database, `kilo.db`: OpenCode's tables, and who approved or refused each call.

Source: recordings of 7.7.9. A headless session denies questions by its own list of permissions, so
that no person answered; a fork repeats its parent's messages, with their times, and has no list. A
prompt of the command line is stored with quotation marks around it.
"""

from __future__ import annotations

import re

from hookstream.core.jsons import loads_text
from hookstream.normalizers import steps as s
from hookstream.normalizers.kilo import wording
from hookstream.normalizers.kilo.calls import TOOLS, mcp
from hookstream.normalizers.opencode.transcript import EVENTS, OpenCodeReader, rows
from hookstream.normalizers.opencode.transcript import TABLES as OPENCODE_TABLES
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.normalizers.steps import Steps, Value

FILE = re.compile(r"[/\\]kilo(?:-\w+)?\.db$")
TABLES = OPENCODE_TABLES | {"kilo_board"}
FORK = re.compile(r" \(fork #\d+\)$")
QUESTION = "question", "deny"


def claims(p: Value) -> bool:
    """Its files are databases: no line is its."""
    return False


class KiloReader(OpenCodeReader):
    """The session that is being read, and who answers the questions of each."""

    def start(self) -> None:
        super().start()
        # session -> who answers; a sub-agent's questions are its parent's
        self.answerers: dict[str, str | None] = {}
        self.answered_by: str | None = None

    def read(self, value: Value) -> Steps:
        if "session" in value:
            parent = value.get("parent")
            own = answerer_of(value)
            self.answered_by = own if parent is None else self.answerers.get(str(parent))
            self.answerers[str(value["session"])] = self.answered_by
        yield from super().read(value)

    def typed(self, text: str) -> str:
        """A prompt without the quotation marks of the command line, which a server's has not."""
        is_quoted = len(text) > 1 and text[0] == text[-1] == '"' and self.answered_by != "user"
        return text[1:-1] if is_quoted else text

    def ended_by(self, tool: str, state: Value) -> Value:
        approval = s.as_object(at(state, "metadata.approval"))
        error, output = s.as_text(state.get("error")), s.as_text(state.get("output"))
        status, code = str(state.get("status")), at(state, "metadata.exit")
        end = wording.ended(tool, status, error, output, code, approval, self.answered_by)
        if wording.is_concluded(end):
            concluded = {"certainty": "inferred", "synthesized": ("decided_by", "outcome")}
            return {**s.ending(end, "part without an approval"), **concluded}
        if end.outcome == "denied":
            said = s.ending(end, "metadata.approval" if end.rule else "text of the result")
            return s.compact({**said, "policy_id": wording.file_of(approval) if end.rule else None})
        facts = {**s.ending(end), **self._allowed(approval)}
        return facts if status == "error" else {**facts, "output": output}

    def _allowed(self, approval: Value) -> Value:
        who = wording.allowed_by(approval, self.answered_by)
        if who is None:
            return {}
        allowed = {
            "decision": "allow",
            "decided_by": who,
            "decision_evidence": "metadata.approval",
            "certainty": "observed",
            "matched_rule_id": wording.rule_of(approval),
            "policy_id": wording.file_of(approval),
        }
        return s.compact(allowed)


def answerer_of(session: Value) -> str | None:
    """The one who answers a session's questions: the client itself if it is headless. Of a fork,
    which has no list of permissions in any case, it is not known."""
    text = session.get("permission")
    held = loads_text(text) if type(text) is str else None
    for rule in s.objects(held):
        if (rule.get("permission"), rule.get("action")) == QUESTION:
            return "client"
    return None if FORK.search(str(session.get("title"))) else "user"


VENDOR = s.transcript_vendor("kilo", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(KiloReader, VENDOR, FILE, tables=TABLES, rows=rows)
