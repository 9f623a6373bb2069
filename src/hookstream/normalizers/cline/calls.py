"""Cline: what a call aimed at and how it ended, in both of its payloads."""

from __future__ import annotations

import re

from hookstream.core.jsons import loads_text
from hookstream.normalizers.table import at, derived, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record

    Payload = dict[str, Any]

EXITED = re.compile(r"exited with code (-?\d{1,10})\b")
NEEDS_APPROVAL = re.compile(r'Tool "[^"\n]{1,200}" requires approval')
USER_REFUSED = re.compile(
    r'Tool "[^"\n]{1,200}" was denied by user|User rejected the tool call'
    r"|The user denied this operation"
)


# The call: typed under tool_call or tool_result (SDK), as a map of strings otherwise (EXT).


def name_of(p: Payload) -> str:
    for path in ("tool_call.name", "tool_result.name", "preToolUse.toolName"):
        if name := at(p, path):
            return str(name)
    return str(at(p, "postToolUse.toolName") or "")


@reads("tool_call.input tool_result.input preToolUse.parameters postToolUse.parameters")
def arguments(p: Payload, r: Record) -> Any:
    """The arguments; the JSON text of an MCP call's own arguments is parsed."""
    for path in ("tool_call.input", "tool_result.input"):
        given = at(p, path)
        if given is not None:
            return given
    given = at(p, "preToolUse.parameters") or at(p, "postToolUse.parameters")
    if type(given) is dict and type(given.get("arguments")) is str:
        parsed = loads_text(given["arguments"])
        if type(parsed) is dict:
            return {**given, "arguments": parsed}
    return given


def argument(p: Payload, r: Record, name: str) -> Any:
    given = arguments(p, r)
    return given.get(name) if type(given) is dict else None


def command(p: Payload, r: Record) -> str | None:
    """One call can run several commands: one per line."""
    if name_of(p) != "run_commands":
        return None
    given = arguments(p, r)
    if type(given) is dict:
        given = given.get("commands", given.get("command"))
    lines = [command_line(one) for one in (given if type(given) is list else [given])]
    return "\n".join(line for line in lines if line) or None


def command_line(one: Any) -> str:
    if type(one) is dict:
        args = one.get("args")
        one = [one.get("command"), *(args if type(args) is list else ())]
    if type(one) is list:
        return " ".join(word for word in one if type(word) is str)
    return one if type(one) is str else ""


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


def mcp(name: str, payload: Payload) -> tuple[str, str] | None:
    """<server>__<tool> (SDK), or use_mcp_tool with both among its parameters (EXT)."""
    if name == "use_mcp_tool":
        for path in ("preToolUse.parameters", "postToolUse.parameters"):
            given = at(payload, path)
            if type(given) is dict and type(given.get("tool_name")) is str:
                return str(given.get("server_name") or ""), given["tool_name"]
        return None
    server, mark, tool = name.partition("__")
    return (server, tool) if mark and server and tool else None


# The result. Only the elements of the SDK's output show how a call ended: its postToolUse.success
# is true for failed commands, missing files and aborted calls.


def elements(p: Payload) -> list[dict[str, Any]]:
    output = at(p, "tool_result.output")
    given = output if type(output) is list else [output]
    return [one for one in given if type(one) is dict]


def element_errors(p: Payload) -> list[str]:
    errors = [one.get("error") for one in elements(p)]
    return [error for error in errors if type(error) is str and error]


def is_ext(p: Payload) -> bool:
    return type(p.get("tool_result")) is not dict


@reads("tool_result.output tool_result.error postToolUse.success")
def success(p: Payload, r: Record) -> bool | None:
    if is_ext(p):
        return at(p, "postToolUse.success") is True
    if at(p, "tool_result.error") or element_errors(p):
        return False
    given = elements(p)
    flags = [one["success"] for one in given if type(one.get("success")) is bool]
    if flags:
        return all(flags)
    if len(given) == 1:  # one object: an MCP result, or a sub-agent's
        if type(given[0].get("content")) is list:
            return given[0].get("isError") is not True
        ended = given[0].get("finishReason")
        return {"completed": True, "error": False}.get(ended) if type(ended) is str else None
    return None


@reads("tool_result.output")
def outcome(p: Payload, r: Record) -> str | None:
    return "cancelled" if any("was aborted" in error for error in element_errors(p)) else None


@reads("tool_result.output")
def exit_code(p: Payload, r: Record) -> int | None:
    for error in element_errors(p):
        if found := EXITED.search(error):
            return int(found[1])
    return None


@reads("tool_result.output tool_result.error")
def error_message(p: Payload, r: Record) -> Any:
    """Of the output: the result's own error is a useless "[object Object]"."""
    errors = element_errors(p)
    if errors:
        return errors[0]
    error = at(p, "tool_result.error")
    return None if error == "[object Object]" else error


@reads("tool_result.output postToolUse.result")
def refusal(p: Payload, r: Record) -> str | None:
    """The client's words for a call that was not approved; a tool's own error is a list."""
    if is_ext(p):
        text = at(p, "postToolUse.result")
    else:
        text = at(p, "tool_result.output.error")
    if type(text) is not str:
        return None
    return text if NEEDS_APPROVAL.match(text) or USER_REFUSED.match(text) else None


def refused(p: Payload, r: Record) -> bool:
    return refusal(p, r) is not None


def ended(p: Payload, r: Record) -> bool:
    return refusal(p, r) is None


def failed(p: Payload, r: Record) -> bool:
    """An aborted call is not a failure of the tool."""
    return ended(p, r) and success(p, r) is False and outcome(p, r) is None


@derived
def decided_by(p: Payload, r: Record) -> str:
    """An unattended run cannot ask: the client refuses."""
    return "client" if NEEDS_APPROVAL.match(refusal(p, r) or "") else "user"


def evidence(p: Payload, r: Record) -> str:
    return "postToolUse.result" if is_ext(p) else "tool_result.output.error"
