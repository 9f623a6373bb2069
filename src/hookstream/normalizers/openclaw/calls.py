"""Tool calls of OpenClaw's hooks that a row of its table cannot express.

Source: payloads recorded from OpenClaw 2026.9.6 and the typings of its plugin SDK.
"""

from __future__ import annotations

from hookstream.normalizers.openclaw import wording
from hookstream.normalizers.openclaw.runs import joined_text
from hookstream.normalizers.table import at, derived, first_line, mcp_name, parts_of, reads, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

DETAILS = "event.result.details"


def refusal(p: Payload) -> wording.Refusal | None:
    return wording.refusal(at(p, DETAILS), text_at(p, "event.error", f"{DETAILS}.error"))


of_refusal = parts_of(refusal, f"{DETAILS} event.error")


@reads(f"{DETAILS} event.error")
def is_refused(p: Payload) -> bool:
    return refusal(p) is not None


@reads(DETAILS)
def is_asked(p: Payload) -> bool:
    return wording.is_asked(at(p, DETAILS))


@reads(f"{DETAILS} event.error")
def has_run(p: Payload) -> bool:
    return refusal(p) is None and not is_asked(p)


@derived
@reads(f"{DETAILS} event.error event.result")
def success(p: Payload) -> bool | None:
    error = text_at(p, "event.error")
    has_ended = wording.success(at(p, DETAILS), error, at(p, "event.result.isError"))
    return has_ended if has_ended is not True or type(at(p, "event.result")) is dict else None


@reads(f"{DETAILS} event.error")
def outcome(p: Payload) -> str | None:
    return wording.cut_short(at(p, DETAILS), text_at(p, "event.error"))


# A fetched page or a command's output may follow.
error_line = first_line("event.error", f"{DETAILS}.error")


@reads("event.result.content")
def output(p: Payload) -> Any:
    return joined_text(at(p, "event.result.content"))


@reads("event.derivedPaths")
def derived_path(p: Payload) -> str | None:
    """The first path that the client reads out of a patch."""
    paths = at(p, "event.derivedPaths")
    return paths[0] if type(paths) is list and paths and type(paths[0]) is str else None


plain_name = mcp_name("")


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    """<server>__<tool>; only the after event names both apart."""
    server, tool = text_at(p, f"{DETAILS}.mcpServer"), text_at(p, f"{DETAILS}.mcpTool")
    return (server, tool) if server and tool else plain_name(name, p)
