"""Steps of the session files of all clients: one per fact, and the rows that make Events of them.

A client's `transcript.py` reads its records into steps (native name, payload) whose payload uses
the names of facts; `transcript_vendor` makes the table. A step without a payload is a record that
is not an event, its name the reason.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from hookstream.core.identity import is_unique
from hookstream.core.jsons import loads_text
from hookstream.core.jsons import objects as objects
from hookstream.core.parse import UnreadableLine, bare, parse
from hookstream.normalizers import table as t
from hookstream.normalizers.wording import first_line as first_line
from hookstream.normalizers.wording import plan_type as plan_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import Any

    from hookstream.core.records import Record
    from hookstream.normalizers.wording import Ending

    Value = dict[str, Any]
    Step = tuple[str, Value | None]
    Steps = Iterator[Step]
    Rows = Callable[[sqlite3.Connection, int], Iterator["Value | BadRow"]]
    Spread = Callable[[Path, Value], Iterator["Value | BadRow"]]
    Events = dict[str, t.Row | t.Ignore | tuple[t.Row | t.Ignore, ...]]


class FileReader(ABC):
    """The reader of one session file. Its path may say whose it is; the other argument reads the
    JSON document of another ending next to it. `version` is the client's, if known."""

    version: str | None = None

    def __init__(self, path: str, beside: Callable[[str], Any] = lambda name: None) -> None:
        self.path = path
        self.beside = beside
        self.calls = WaitingCalls()
        self.start()

    def start(self) -> None:  # noqa: B027 (few have none)
        """Set the state before the first record."""

    @abstractmethod
    def read(self, value: Value) -> Steps:
        """The steps of one record."""

    def finish(self) -> Steps:
        """The steps held until the end of the file."""
        return iter(())


class SessionFiles:
    """The session files of a client, `FILES` in its `transcript.py`.

    vendor    the table of the steps of its `reader`
    file      is found in the path of each, `part` in that of a file which is read with one
    elements  the name of a document's list whose elements are read one by one; empty where the
              document is one record
    tables    of a database by which it is known, and `rows` to read it: (database, since in ms)
    spread    reads a session whose records are in files of their own: (path, its document)
    skipped   why a line that begins like this is not read, None where it is
    is_untimed  its records have no times
    """

    def __init__(
        self,
        reader: type[FileReader],
        vendor: t.Vendor,
        file: re.Pattern[str],
        *,
        part: str = "",
        elements: str = "messages",
        tables: frozenset[str] = frozenset(),
        rows: Rows = lambda database, since_ms: iter(()),
        spread: Spread | None = None,
        skipped: Callable[[bytes], str | None] = lambda line: None,
        is_untimed: bool = False,
    ) -> None:
        self.reader = reader
        self.vendor = vendor
        self.claims = vendor.claims
        self.file = file
        self.part = part and re.compile(part)
        self.elements = elements
        self.tables = tables
        self.rows = rows
        self.spread = spread
        self.skipped = skipped
        self.is_untimed = is_untimed


class BadRow:
    """A row of a client's database that cannot be read: which table's and why, and its bytes."""

    def __init__(self, reason: str, data: bytes) -> None:
        self.reason = reason
        self.data = data


def object_of(text: object, table: str) -> Value | BadRow:
    """The JSON object in a column, mended like a line."""
    data = text if type(text) is bytes else str(text or "").encode("utf-8", "surrogatepass")
    try:
        value, _ = parse(bare(data))
        if type(value) is not dict:
            raise UnreadableLine("not_an_object")
    except UnreadableLine as refusal:
        return BadRow(f"{table}: {refusal}", data)
    return value


# Facts that any step may carry under their own names.
PLACE = (
    "session_id session_alias parent_session_id timestamp cwd repo turn_id agent_id agent_type "
    "parent_agent_id parent_call_id message_id permission_mode tool_version attended".split()
)
DECISION = (
    "decision decided_by decision_reason decision_evidence certainty matched_rule_id policy_id "
    "policy_engine guardian guardian_scope".split()
)
TOKENS = (
    "input_tokens output_tokens cache_read_tokens cache_write_tokens cache_write_1h_tokens "
    "speed inference_geo cost_usd".split()
)


@t.reads("certainty")
def certainty(p: Value) -> str:
    """Observed, but where the step says that it is concluded."""
    return "inferred" if p.get("certainty") == "inferred" else "observed"


def _facts(*names: str) -> dict[str, t.Source]:
    return {name: name for name in names}


COMMON: dict[str, t.Source] = _facts(*PLACE)
CALL: dict[str, t.Source] = {
    **_facts("call_id", "input", "mcp_server", "file_path", "query", "url"),
    "action_native": "tool",
}
CALLED = t.Row("Action.Before", {**CALL, **_facts("model_id")})
RESULT = t.Row(
    "Action.After",
    {
        **CALL,
        **_facts("outcome", "success", "exit_code", "error_message", "output", "duration_ms"),
        **_facts("told_output", "requested_command"),
        **_facts(*DECISION),
    },
    when=t.is_not_word("outcome", "denied"),
)
REFUSED = t.Row(
    "Policy.Blocked",
    {**CALL, **_facts(*DECISION), "decision": t.Const("deny"), "certainty": certainty},
    when=t.is_word("outcome", "denied"),
    ignore=(
        *("outcome", "success", "exit_code", "error_message", "output", "duration_ms"),
        *("told_output", "requested_command"),
    ),
)
ENDED = (RESULT, REFUSED)
APPROVED = t.Row(
    "Policy.Override",
    {**CALL, **_facts(*DECISION), "decision": t.Const("allow"), "certainty": t.Const("observed")},
)
ASKED = t.Row("Agent.Notification", {**CALL, "notification_type": t.Const("ToolPermission")})
PROMPT = t.Row("Prompt.Submitted", _facts("prompt", "input_source"))


def task_notice(vendor: str) -> t.Row:
    """A prompt that the client made of a finished background task: no person typed it."""
    return t.Row(f"vendor.{vendor}.TaskNotification", _facts("prompt"), ignore=("input_source",))


ANSWER = t.Row(
    "Model.Responded",
    _facts("model_id", "response", "stop_reason", "latency_ms", *TOKENS),
)
MODEL_FAILED = t.Row(
    "Model.Failed",
    _facts("model_id", "error_code", "error_message", "retry_count", "final"),
)
COMPACTED = t.Row(
    "Context.Compaction",
    {
        **_facts("context_trigger", "tokens_before", "tokens_after", "summary", "strategy"),
        "context_phase": t.Const("after"),
    },
)
STARTED = t.Row("Session.Start", _facts("start_reason", "model_id"))
STOPPED = t.Row("Session.End", _facts("end_reason", "total_tokens", "total_actions"))
AGENT_STARTED = t.Row("Agent.Plan.Start", _facts("plan_type", "task", "child_session_id"))
AGENT_ENDED = t.Row("Agent.Plan.End", _facts("plan_type", "response", "child_session_id"))
SKIPPED = "skipped"


def totals(vendor: str) -> t.Row:
    """A client's own running totals: never added to what its responses say."""
    return t.Row(f"vendor.{vendor}.UsageTotals", _facts("model_id", "total_tokens", *TOKENS))


def transcript_vendor(
    key: str,
    *,
    claims: Callable[[Value], bool],
    events: Mapping[str, t.Row | t.Ignore | tuple[t.Row | t.Ignore, ...]],
    tools: Mapping[str, t.Tool],
    mcp: Callable[[str, Value], tuple[str, str] | None] | None = None,
) -> t.Vendor:
    """The table of a client's session files. `claims` judges by a file's first records whether they
    are this client's."""
    return t.Vendor(
        key, claims=claims, event=None, common=COMMON, events=events, tools=tools, mcp=mcp
    )


def left_out(reason: str) -> Step:
    """A record that is not an event, and why, in words of ours."""
    return f"session file: {reason}", None


def skip(kind: object) -> Step:
    """A record that is not an event: its kind, if that is a plain word, is the reason."""
    plain = type(kind) is str and kind.replace("_", "").replace("-", "").replace(".", "").isalnum()
    return left_out(str(kind) if plain and len(str(kind)) <= 48 else "other")


def as_object(value: Any) -> Value:
    """An object as it is; arguments that are a JSON text parsed; else an empty one."""
    if type(value) is str:
        value = loads_text(value)
    return value if type(value) is dict else {}


def as_text(value: Any) -> str:
    """The text of a message: a string, or the texts of its parts, one per line."""
    if type(value) is str:
        return value
    if type(value) is dict:
        value = [value]
    if type(value) is not list:
        return ""
    parts = (part if type(part) is str else as_object(part).get("text") for part in value)
    return "\n".join(part for part in parts if type(part) is str)


def real(value: Any) -> float | None:
    """A number as a float, None for anything else."""
    return float(value) if type(value) in (int, float) else None


def cost(value: Any) -> float | None:
    """A cost; nothing is said where it is zero: a client that knows no price says that, too."""
    return real(value) or None


def denied(
    who: str | None,
    reason: str,
    evidence: str = "text of the result",
    certainty: str | None = None,
) -> Value:
    """The facts of the end of a call that was refused."""
    return {
        "outcome": "denied",
        "decided_by": who,
        "decision_reason": reason.strip()[:2000] or None,
        "decision_evidence": evidence,
        "certainty": certainty,
    }


def ending(end: Ending, evidence: str = "text of the result") -> Value:
    """The facts of the end of a call."""
    if end.outcome == "denied":
        said = denied(end.decided_by, end.reason or "", evidence)
        return compact({**said, "matched_rule_id": end.rule, "policy_engine": end.engine})
    return compact(
        {
            "outcome": end.outcome,
            "success": None if end.outcome is None else end.outcome == "ok",
            "exit_code": end.exit_code,
            "error_message": end.message,
        }
    )


def compact(payload: Value) -> Value:
    """The payload without what is not known."""
    return {name: value for name, value in payload.items() if value is not None}


KEPT = "call_id tool input mcp_server file_path query url agent_id turn_id".split()


def lasting(value: Any, *part: str) -> list[str] | None:
    """The identity that an id is, if nothing else has it. Several records may tell one call, and a
    copy of a part has some of them: those that are all read differ by their part."""
    return [value, *part] if type(value) is str and is_unique(value) else None


class WaitingCalls:
    """The calls of a file that wait for their result, within bounds."""

    LIMIT = 4096

    def __init__(self) -> None:
        self.open: dict[str, Value] = {}

    def begin(self, payload: Value) -> Value:
        if len(self.open) >= self.LIMIT:
            del self.open[next(iter(self.open))]
        self.open[payload["call_id"]] = {name: payload[name] for name in KEPT if name in payload}
        return payload

    def of(self, call_id: Any, payload: Value) -> Value:
        """The facts of the call, with those of its result."""
        value = self.open.get(call_id) if type(call_id) is str else None
        return {**(value or {"call_id": call_id}), **compact(payload)}


def record_of(
    step: Step,
    key: str,
    version: str | None,
    place: tuple[str, int],
    witness: str = "transcript",
    written_at: str | None = None,
    is_rewritten: bool = False,
) -> Record | str:
    """A step as a Record of its client, or why it is not an event. `synthesized` in a payload
    lists the facts that its reader found by a rule, `user` its owner, `identity` what no other
    record has and each copy of this one; `written_at` is the time at
    which a file without times was written."""
    from hookstream.core.records import Record

    name, payload = step
    if payload is None:
        return name
    source, offset = place
    made, user = payload.pop("synthesized", ()), payload.pop("user", None)
    identity = payload.pop("identity", None)
    record = Record(
        payload,
        vendor=key,
        native_event=name,
        client_version=version,
        source=source,
        offset=offset,
        witness=witness,
        received_at=written_at,
    )
    record.made = tuple(made)
    record.identity = identity
    record.is_rewritten = is_rewritten
    if type(user) is str:
        record.user = user
    return record
