"""Tool calls of Kilo that a row of its table cannot express: their end, and who let them run.

Source: payloads recorded from 7.7.9.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.kilo import wording
from hookstream.normalizers.opencode import calls as opencode
from hookstream.normalizers.opencode.calls import STATE
from hookstream.normalizers.opencode.sessions import PART

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.wording import Ending

APPROVAL = f"{STATE}.metadata.approval"
OWN = (
    "background_process board_post board_read cron_create cron_list cron_delete cancel_wakeup "
    "suggest repo_clone"
).split()
TOOLS = {**opencode.TOOLS, **{name: t.Tool(name, "other") for name in OWN}}
mcp = opencode.mcp


@t.derived
@t.reads("input.tool tool", f"{PART}.tool")
def mcp_server(p: Payload) -> str | None:
    """The server in a name, unless the tool is the client's."""
    is_own = t.text_at(p, "input.tool", "tool", f"{PART}.tool") in OWN
    return None if is_own else opencode.mcp_server(p)


def approval(p: Payload) -> Payload:
    value = t.at(p, APPROVAL)
    return value if type(value) is dict else {}


def end(p: Payload) -> Ending:
    """The end of a call by its part's state. A rejection without words is the answer's to name."""
    status, error = t.text_at(p, f"{STATE}.status"), t.text_at(p, f"{STATE}.error")
    tool, output = t.text_at(p, f"{PART}.tool"), t.text_at(p, f"{STATE}.output")
    code = t.at(p, f"{STATE}.metadata.exit")
    return wording.ended(tool, status, error, output, code, approval(p))


of_end = t.parts_of(end, STATE)


@t.reads(STATE)
def is_refused(p: Payload) -> bool:
    return opencode.is_error_part(p) and end(p).outcome == "denied"


@t.reads(STATE)
def is_failed(p: Payload) -> bool:
    return opencode.is_error_part(p) and end(p).outcome != "denied"


@t.reads(STATE)
def certainty(p: Payload) -> str:
    return "inferred" if wording.is_concluded(end(p)) else "observed"


@t.reads(STATE)
def evidence(p: Payload) -> str:
    if wording.is_concluded(end(p)):
        return "part without an approval"
    return "metadata.approval" if end(p).rule else "part.state.error"


@t.reads(APPROVAL)
def allowed_by(p: Payload) -> str | None:
    """The one who let the call run. An answer to a question is a separate event."""
    return wording.allowed_by(approval(p))


@t.reads(APPROVAL)
def allowed_rule(p: Payload) -> str | None:
    return wording.rule_of(approval(p)) if allowed_by(p) else None


@t.reads(APPROVAL)
def allowed_file(p: Payload) -> str | None:
    return wording.file_of(approval(p)) if allowed_by(p) else None


@t.reads(STATE)
def refusing_file(p: Payload) -> str | None:
    return wording.file_of(approval(p)) if end(p).rule else None


def where_allowed(word: str) -> Any:
    """A word of a decision, where the part says who took it."""

    @t.reads(APPROVAL)
    def of(p: Payload) -> str | None:
        return word if allowed_by(p) else None

    return of


ALLOWED: t.Facts = {
    "decision": where_allowed("allow"),
    "decided_by": allowed_by,
    "matched_rule_id": allowed_rule,
    "policy_id": allowed_file,
    "decision_evidence": where_allowed("metadata.approval"),
    "certainty": where_allowed("observed"),
}
