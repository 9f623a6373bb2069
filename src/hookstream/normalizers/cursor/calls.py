"""Facts of a call in Cursor's tool events: its arguments, its result, whether it was refused.

Source: recordings of the SDK runtime 1.0.32 and the source of its hook executor.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hookstream.core.jsons import loads_text
from hookstream.normalizers.table import at, derived, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

SETTINGS_HINT = "\n\nTo view or modify configured hooks, go to Cursor Settings"
AGENT_NOTE = "\n\nAgent note: "
FAIL_CLOSED = (
    "Tool blocked because this hook is configured to fail closed",
    "File read was blocked because a configured hook failed to execute",
)
INVALID_ANSWER = re.compile(
    r'Hook ".*" returned (?:invalid JSON|(?:an )?invalid response)', re.DOTALL
)
EXIT_CODE = re.compile(r"Command failed with exit code (\d{1,5})")


# Several facts of one payload ask for the same, possibly long, text.
parsed = lru_cache(maxsize=1)(loads_text)


def result(p: Payload) -> Payload | None:
    """The result of a tool: a string that holds JSON, in some builds the object itself."""
    raw = p.get("tool_output", p.get("result_json"))
    found = parsed(raw) if type(raw) is str else raw
    return found if type(found) is dict else None


def is_mcp(p: Payload) -> bool:
    name = p.get("tool_name")
    return "result_json" in p or (type(name) is str and name.startswith("MCP:"))


@reads("mcp_server_name tool_input")
def mcp_server(p: Payload) -> Any:
    if p.get("tool_name") in ("ListMcpResources", "FetchMcpResource"):
        return at(p, "tool_input.server")
    return p.get("mcp_server_name")


@reads("tool_name")
def mcp_native(p: Payload) -> str | None:
    """The specific events give the bare name; the generic ones put `MCP:` before it."""
    name = p.get("tool_name")
    if type(name) is not str or not name:
        return None
    return name if name.startswith("MCP:") else f"MCP:{name}"


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    if not name.startswith("MCP:"):
        return None
    server = p.get("mcp_server_name")
    return (server if type(server) is str else "", name[4:])


@reads("command cwd timeout")
def shell_input(p: Payload) -> Payload:
    return {key: p[key] for key in ("command", "cwd", "timeout") if key in p}


@reads("file_path")
def file_input(p: Payload) -> Payload:
    return {"file_path": p.get("file_path")}


@reads("file_path edits")
def edit_input(p: Payload) -> Payload:
    return {"file_path": p.get("file_path"), "edits": p.get("edits")}


@derived
@reads("edits")
def edit_category(p: Payload) -> str | None:
    """`Write` is the only writing tool; that a file was changed shows in the replaced text."""
    edits = p.get("edits")
    if type(edits) is not list:
        return None
    replaced = any(type(edit) is dict and edit.get("old_string") for edit in edits)
    return "file_edit" if replaced else None


@reads("tool_output result_json")
def output(p: Payload) -> Any:
    """A command's output as the specific event gives it; else the result as it came."""
    text = None if is_mcp(p) else (result(p) or {}).get("output")
    return text if type(text) is str else p.get("tool_output", p.get("result_json"))


@reads("tool_output")
def exit_code(p: Payload) -> Any:
    return None if is_mcp(p) else (result(p) or {}).get("exitCode")


@reads("tool_output result_json")
def success(p: Payload) -> bool | None:
    """An exit code, `isError` or a success flag decide; else postToolUse states a success.

    Unknown: an MCP result without any content (an unknown tool gives `{}`), a command that went
    to the background.
    """
    found = result(p)
    if is_mcp(p):
        return mcp_success(found or {})
    if found is None:
        return True
    if type(found.get("exitCode")) is int:
        return bool(found["exitCode"] == 0)
    for flag in ("success", "deleted"):
        if type(found.get(flag)) is bool:
            return bool(found[flag])
    return None if "shell_id" in found else True


def mcp_success(found: Payload) -> bool | None:
    if type(found.get("isError")) is bool:
        return not found["isError"]
    if "error" in found:
        return False
    return True if "content" in found else None


@reads("tool_output result_json")
def is_refused(p: Payload) -> bool:
    """A refused MCP call is reported as done; only the client writes these two flags."""
    found = result(p) or {}
    refused = found.get("rejected") is True or found.get("permissionDenied") is True
    return refused and is_mcp(p)


def is_run(p: Payload) -> bool:
    return not is_refused(p)


def is_failed(p: Payload) -> bool:
    return not is_refused(p) and success(p) is False


@derived
@reads("tool_output result_json")
def refused_by(p: Payload) -> str:
    return "user" if (result(p) or {}).get("rejected") is True else "rule"


@reads("tool_output result_json")
def refused_reason(p: Payload) -> Any:
    found = result(p) or {}
    return found.get("reason") or found.get("error")


def message_of(p: Payload) -> str:
    message = p.get("error_message")
    return message if type(message) is str else ""


@reads("failure_type error_message")
def is_blocked(p: Payload) -> bool:
    """permission_denied proves a deny. A hook that failed closed is a deny of type error, in the
    client's wording; a command's output, which may repeat them, took time."""
    if p.get("failure_type") == "permission_denied":
        return True
    if p.get("tool_name") == "Shell" and p.get("duration") != 0:
        return False
    return message_of(p).startswith(FAIL_CLOSED)


def is_failure(p: Payload) -> bool:
    return not is_blocked(p)


@reads("failure_type")
def evidence(p: Payload) -> str:
    return "failure_type" if p.get("failure_type") == "permission_denied" else "error_message"


@reads("error_message")
def deny_reason(p: Payload) -> str:
    """Without the advice to the user and to the model that the client puts below it."""
    return message_of(p).split(SETTINGS_HINT, 1)[0].split(AGENT_NOTE, 1)[0]


@derived
@reads("error_message")
def hook_failure(p: Payload) -> str | None:
    """The deny came from a hook that did not answer properly, not from a policy."""
    text = message_of(p)
    if INVALID_ANSWER.search(text):
        return "garbage"
    return "hook-failed" if text.startswith(FAIL_CLOSED) else None


@reads("failure_type")
def failed_outcome(p: Payload) -> str:
    """A cancelled command and one past its limit both say error: only a stated timeout is one."""
    return "timeout" if p.get("failure_type") == "timeout" else "error"


@reads("error_message")
def error_line(p: Payload) -> str | None:
    """The first line; of a failed command only a single one, for its message is its output."""
    lines = message_of(p).strip().split("\n")
    return lines[0] if p.get("tool_name") != "Shell" or len(lines) == 1 else None


@reads("error_message")
def failed_output(p: Payload) -> str | None:
    text = message_of(p)
    own_words = p.get("is_interrupt") is True or EXIT_CODE.fullmatch(text) is not None
    if p.get("tool_name") == "Shell" and not own_words:
        return text
    return text if "\n" in text.strip() else None


@reads("error_message")
def failed_exit_code(p: Payload) -> int | None:
    """Stated only where the command printed nothing."""
    match = EXIT_CODE.fullmatch(message_of(p)) if p.get("tool_name") == "Shell" else None
    return int(match[1]) if match else None
