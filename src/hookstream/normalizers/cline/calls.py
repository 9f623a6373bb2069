"""Cline: what a call aimed at and how it ended, in both of its payloads."""

from __future__ import annotations

from hookstream.core.jsons import loads_text
from hookstream.normalizers.actions import command_text
from hookstream.normalizers.cline import wording
from hookstream.normalizers.table import at, mcp_name, parts_of, reads
from hookstream.normalizers.wording import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record


# The call: typed under tool_call or tool_result (SDK), as a map of strings otherwise (EXT).


def name_of(p: Payload) -> str:
    for path in ("tool_call.name", "tool_result.name", "preToolUse.toolName"):
        if name := at(p, path):
            return str(name)
    return str(at(p, "postToolUse.toolName") or "")


@reads("tool_call.input tool_result.input preToolUse.parameters postToolUse.parameters")
def arguments(p: Payload) -> Any:
    """The arguments; the JSON text of an MCP call's own arguments is parsed."""
    for path in ("tool_call.input", "tool_result.input"):
        value = at(p, path)
        if value is not None:
            return value
    value = at(p, "preToolUse.parameters") or at(p, "postToolUse.parameters")
    if type(value) is dict and type(value.get("arguments")) is str:
        parsed = loads_text(value["arguments"])
        if type(parsed) is dict:
            return {**value, "arguments": parsed}
    return value


def argument(p: Payload, r: Record, name: str) -> Any:
    given = arguments(p)
    return given.get(name) if type(given) is dict else None


def command(p: Payload) -> str | None:
    """One call can run several commands: one per line."""
    if name_of(p) != "run_commands":
        return None
    given = arguments(p)
    if type(given) is dict:
        given = given.get("commands", given.get("command"))
    return command_text(given, "\n") or None


def file_path(p: Payload, r: Record) -> Any:
    """read_files takes a list; the first file, the others stay in the input."""
    if name_of(p) != "read_files":
        return None
    for name in ("files", "paths", "file_paths"):
        files = argument(p, r, name)
        if type(files) is list and files:
            return files[0].get("path") if type(files[0]) is dict else files[0]
    return None


def url(p: Payload, r: Record) -> Any:
    requests = argument(p, r, "requests") if name_of(p) == "fetch_web_content" else None
    if type(requests) is list and requests and type(requests[0]) is dict:
        return requests[0].get("url")
    return None


def category(p: Payload, r: Record) -> str | None:
    """The SDK's editor writes whole files and edits them."""
    if name_of(p) != "editor" or argument(p, r, "new_text") is None:
        return None
    edits = argument(p, r, "old_text") is not None or argument(p, r, "insert_line") is not None
    return "file_edit" if edits else "file_write"


def mcp_server(p: Payload, r: Record) -> Any:
    mcp_tool = name_of(p) in ("use_mcp_tool", "access_mcp_resource")
    return argument(p, r, "server_name") if mcp_tool else None


sdk_name = mcp_name("")


def mcp(name: str, payload: Payload) -> tuple[str, str] | None:
    """<server>__<tool> (SDK), or use_mcp_tool with both among its parameters (EXT)."""
    if name != "use_mcp_tool":
        return sdk_name(name, payload)
    for path in ("preToolUse.parameters", "postToolUse.parameters"):
        value = at(payload, path)
        if type(value) is dict and type(value.get("tool_name")) is str:
            return str(value.get("server_name") or ""), value["tool_name"]
    return None


# The result.


def is_ext(p: Payload) -> bool:
    return type(p.get("tool_result")) is not dict


def end(p: Payload) -> Ending:
    if not is_ext(p):
        return wording.ended(at(p, "tool_result.output"), at(p, "tool_result.error"))
    text = at(p, "postToolUse.result")
    who = wording.refuser(text)
    if who is not None:
        return Ending("denied", who, text)
    return Ending("ok" if at(p, "postToolUse.success") is True else "error")


RESULT = "tool_result.output tool_result.error postToolUse.success postToolUse.result"
of_end = parts_of(end, RESULT)


@reads(RESULT)
def success(p: Payload) -> bool | None:
    outcome = end(p).outcome
    return None if outcome is None else outcome == "ok"


@reads(RESULT)
def cut_short(p: Payload) -> str | None:
    return "cancelled" if end(p).outcome == "cancelled" else None


@reads(RESULT)
def is_refused(p: Payload) -> bool:
    return end(p).outcome == "denied"


@reads(RESULT)
def has_failed(p: Payload) -> bool:
    """An aborted call is not a failure of the tool."""
    return end(p).outcome == "error"


def evidence(p: Payload) -> str:
    return "postToolUse.result" if is_ext(p) else "tool_result.output.error"
