"""Glean's customer event log, as the cloud's logging exports it: one record per line.

Source: the vendor's data dictionary; no recording. It reports that an agent or workflow ran, for
whom, and whether it failed, that a user wrote to the assistant and that a model was called; no
tool call, no refusal and no tokens are documented. Exports write names of fields in lower case.
"""

from __future__ import annotations

import re

from hookstream.normalizers.steps import (
    FileReader,
    SessionFiles,
    as_object,
    compact,
    skip,
    transcript_vendor,
)
from hookstream.normalizers.table import Const, Row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.steps import Events, Steps, Value

# Exported where the customer wants it: recognised by its records alone.
FILE = re.compile(r"(?!)")
# type -> the object of the record that has its fields
KINDS = {"WORKFLOW_RUN": "workflowrun", "CHAT": "chat", "LLM_CALL": "llmcall"}
OTHERS = frozenset(
    "SEARCH AUTOCOMPLETE CHAT_CITATIONS AI_SUMMARY AI_ANSWER SHORTCUT SEARCH_CLICK "
    "CHAT_CITATION_CLICK CHAT_FEEDBACK CLIENT_EVENT SEARCH_FEEDBACK AI_ANSWER_VOTE AI_SUMMARY_VOTE "
    "WORKFLOW GLEAN_BOT_ACTIVITY PRODUCT_SNAPSHOT WORKFLOW_CONVERSATION".split()
)
FAILED = ("ERROR", "FAILURE", "FAILED")


def lower(value: Any) -> Value:
    return {name.lower(): one for name, one in as_object(value).items()}


def claims(p: Value) -> bool:
    payload = lower(p.get("jsonPayload"))
    return "insertId" in p and (payload.get("type") in KINDS or payload.get("type") in OTHERS)


class GleanReader(FileReader):
    """Records, each for itself."""

    def read(self, value: Value) -> Steps:
        payload = lower(value.get("jsonPayload"))
        kind = payload.get("type")
        if kind not in KINDS:
            yield skip(kind)
            return
        said = lower(payload.get(KINDS[kind]))
        session = said.get("sessiontrackingtoken") or said.get("runid") or said.get("chatsessionid")
        place = compact(
            {
                "session_id": session,
                "timestamp": value.get("timestamp"),
                "message_id": value.get("insertId"),
                "user": lower(payload.get("user")).get("userid"),
            }
        )
        names = ("runid", "rootworkflowid", "feature")
        yield kind, {**place, **compact({name: said.get(name) for name in names})}
        runs = said.get("workflowexecutions")
        for run in map(lower, runs if type(runs) is list else ()):
            error = run.get("errortype")
            if error or str(run.get("status")).upper() in FAILED:
                yield "WORKFLOW_RUN.failed", compact({**place, "error_code": error})


RAN = "runid rootworkflowid feature"
EVENTS: Events = {
    "WORKFLOW_RUN": Row("vendor.glean.WorkflowRun", keep=RAN),
    "WORKFLOW_RUN.failed": Row(
        "Agent.Error", {"error_type": Const("AgentFailed"), "error_code": "error_code"}
    ),
    "CHAT": Row("vendor.glean.Chat", keep=RAN),
    "LLM_CALL": Row("vendor.glean.LlmCall", keep=RAN),
}
VENDOR = transcript_vendor("glean", claims=claims, events=EVENTS, tools={})
FILES = SessionFiles(GleanReader, VENDOR, FILE)
