"""Kilo 7.7: OpenCode's callbacks and bus, with `metadata.approval` on the part of a call.

Source: payloads recorded from 7.7.9. Their shapes are OpenCode's; the client's own are a version 7,
its agent `code`, an approval, and a session that is drained.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t
from hookstream.normalizers.kilo import calls
from hookstream.normalizers.opencode.sessions import INFO
from hookstream.normalizers.opencode.table import SCREEN
from hookstream.normalizers.opencode.table import VENDOR as OPENCODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

VERSION = re.compile(r"[7-9]\.\d")


def claims(p: Payload) -> bool:
    """One of its marks, on a payload of OpenCode's shape."""
    version = t.text_at(p, f"{INFO}.version")
    agent = t.text_at(p, f"{INFO}.agent", "output.message.agent")
    is_marked = (
        VERSION.match(version) is not None
        or (agent == "code" and not version)
        or type(t.at(p, calls.APPROVAL)) is dict
        or t.text_at(p, "event.type") == "session.drained"
    )
    return is_marked and OPENCODE.claims(p)


def is_like(p: Payload) -> bool:
    """Return whether a payload that its plug-in is said to have sent can be its own."""
    is_callback = "sessionID" in p.get("input", "")
    return is_callback or set(p) <= {"cwd"} or OPENCODE.claims(p)


def rows_of(name: str) -> tuple[t.Row | t.Ignore, ...]:
    """Copies of OpenCode's rows."""
    rows = OPENCODE.events[name]
    rows = rows if isinstance(rows, tuple) else (rows,)
    return tuple(row.given() if isinstance(row, t.Row) else row for row in rows)


def own(name: str) -> Any:
    """OpenCode's row of a call, which no own tool makes a server's."""
    head, *rest = (row for row in rows_of(name) if isinstance(row, t.Row))
    return (head.given(mcp_server=calls.mcp_server), *rest)


def part_rows() -> tuple[t.Row | t.Ignore, ...]:
    """OpenCode's rows of a part: the end of a call says who refused it or let it run."""
    repeated, refused, failed, completed, *rest = rows_of("message.part.updated")
    ends = [row for row in (refused, failed, completed) if isinstance(row, t.Row)]
    refused, failed, completed = (row.given(mcp_server=calls.mcp_server) for row in ends)
    refused = refused.given(
        decided_by=calls.of_end("decided_by"),
        decision_reason=calls.of_end("reason"),
        decision_evidence=calls.evidence,
        certainty=calls.certainty,
        matched_rule_id=calls.of_end("rule"),
        policy_id=calls.refusing_file,
    )
    refused.when = calls.is_refused
    failed = failed.given(**calls.ALLOWED)
    failed.when = calls.is_failed
    completed = completed.given(**calls.ALLOWED)
    return repeated, refused, failed, completed, *rest


OWN = dict.fromkeys(
    "session.turn.open session.turn.close session.queue.changed sandbox.status.changed "
    "background_process.created background_process.updated background_process.removed "
    "memory.updated suggestion.shown suggestion.accepted suggestion.dismissed".split(),
    SCREEN,
)
EVENTS: t.Events = {
    **OWN,
    "session.drained": t.Ignore("a headless run has ended its turn; session.idle is before it"),
    "tool.execute.before": own("tool.execute.before"),
    "tool.execute.after": own("tool.execute.after"),
    "message.part.updated": part_rows(),
}

VENDOR = t.Vendor(
    "kilo",
    claims=claims,
    host=is_like,
    extends=OPENCODE,
    same=tuple(name for name in OPENCODE.events if name not in EVENTS),
    event=OPENCODE.event,
    common={},
    events=EVENTS,
    tools=calls.TOOLS,
    ignore=OPENCODE.ignore,
    absent=dict.fromkeys(
        ("session.network.asked", "session.network.replied", "session.network.rejected"),
        "in the program's list of events, not recorded",
    ),
)
