"""Auggie's hooks: the end of a call.

Source: runs of 0.36.0 and the package's source.
"""

from __future__ import annotations

from hookstream.normalizers import table as t
from hookstream.normalizers.auggie import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.wording import Ending


def error_text(p: Payload) -> str:
    error = t.text_at(p, "tool_error")
    return "" if error == wording.UNDEFINED else error


def end(p: Payload) -> Ending:
    """The end of a call. An error is null or a text."""
    error = error_text(p)
    is_error = bool(error) if "tool_error" in p else None
    return wording.ended(p.get("tool_name"), is_error, error, t.text_at(p, "tool_output"))


of_end = t.parts_of(end, "tool_error tool_output")


@t.reads("tool_error")
def is_refused(p: Payload) -> bool:
    return end(p).outcome == "denied"


@t.reads("tool_error")
def has_failed(p: Payload) -> bool:
    return end(p).outcome == "error"


@t.reads("tool_error")
def matched_rule(p: Payload) -> str | None:
    return wording.rule_of(error_text(p))


@t.derived
@t.reads("is_mcp_tool")
def certainty(p: Payload) -> str:
    """An MCP server chooses the words of its results: they prove nothing."""
    return "inferred" if p.get("is_mcp_tool") is True else "observed"


@t.reads("tool_output")
def output(p: Payload) -> Any:
    shown = p.get("tool_output")
    return None if shown == wording.UNDEFINED else shown
