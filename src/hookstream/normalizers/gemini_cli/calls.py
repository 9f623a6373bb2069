"""Gemini CLI: what a call aimed at, how it ended, what a permission question asks.

A shell result is a text with labelled lines at its end; Qwen Code, a fork, writes the same.
"""

from __future__ import annotations

import re

from hookstream.normalizers.table import at, derived, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record

    Payload = dict[str, Any]

SHELL = "run_shell_command"
NUMBER = re.compile(r"-?\d{1,10}")
URL = re.compile(r"https?://[^\s\"'<>`\\^{}|]{1,2000}")
# The labelled lines that the shell tool writes below a command's output.
LABELS = frozenset(("Error", "Exit Code", "Signal", "Background PIDs", "Process Group PGID"))


def text_of(content: Any) -> str:
    """The text of a tool result: a string, one part or a list of parts."""
    if type(content) is str:
        return content
    if type(content) is dict:
        text = content.get("text")
        return text if type(text) is str else ""
    if type(content) is list:
        return "\n".join(part for part in map(text_of, content) if part)
    return ""


def trailer(text: str) -> dict[str, str]:
    """The labelled lines at the end of a shell result, read upwards until the output begins.

    Only the end counts: the command's output may hold an `Exit Code:` line too.
    """
    found: dict[str, str] = {}
    for line in reversed(text[-4000:].rstrip().rsplit("\n", 8)[-8:]):
        if line == "</untrusted_context>":
            continue
        label, mark, value = line.partition(": ")
        if not mark or label not in LABELS:
            break
        found.setdefault(label, value)
    return found


def exit_line(text: str) -> int | None:
    """N of the `Exit Code: N` line below a command's output."""
    value = trailer(text).get("Exit Code", "")
    return int(value) if NUMBER.fullmatch(value) else None


def shell_end(text: str) -> tuple[bool | None, str | None]:
    """(success, outcome) of a shell result; (None, None) where the text does not say.

    With exit code 0 the `Exit Code:` line is missing, and the text begins with `Output:`. A
    command that was moved to the background has neither.
    """
    body = text.removeprefix("<untrusted_context>\n")
    if body.startswith("Command was cancelled by user"):
        return False, "cancelled"
    if body.startswith("Command was automatically cancelled"):
        return False, "timeout"
    end = trailer(text)
    code = end.get("Exit Code", "")
    if NUMBER.fullmatch(code):
        return int(code) == 0, None
    if end.get("Signal", "(none)") != "(none)":
        return False, None
    return (True, None) if body.startswith("Output:") else (None, None)


def result_text(p: Payload) -> str:
    return text_of(at(p, "tool_response.llmContent"))


@reads("tool_name", "tool_response.llmContent")
def exit_code(p: Payload, r: Record) -> int | None:
    return exit_line(result_text(p)) if p.get("tool_name") == SHELL else None


@reads("tool_name", "tool_response.error", "tool_response.llmContent")
def success(p: Payload, r: Record) -> bool | None:
    """An error field is a failure; a failing shell command has none, its text shows it."""
    response = p.get("tool_response")
    if type(response) is not dict:
        return None
    if response.get("error"):
        return False
    return shell_end(result_text(p))[0] if p.get("tool_name") == SHELL else True


@reads("tool_response.llmContent")
def outcome(p: Payload, r: Record) -> str | None:
    return shell_end(result_text(p))[1] if p.get("tool_name") == SHELL else None


def failed(p: Payload, r: Record) -> bool:
    """An interrupted command is not a failure of the tool."""
    return success(p, r) is False and outcome(p, r) != "cancelled"


@reads("tool_response.error.message", "tool_response.llmContent")
def error_message(p: Payload, r: Record) -> Any:
    message = at(p, "tool_response.error.message")
    if message or p.get("tool_name") != SHELL:
        return message
    end = trailer(result_text(p))
    label = next((one for one in ("Exit Code", "Signal") if one in end), None)
    return f"{label}: {end[label]}" if label and end[label] not in ("0", "(none)") else None


@reads("tool_response.llmContent", "tool_response.returnDisplay")
def output(p: Payload, r: Record) -> Any:
    """The result as the model got it; of a shell command the bare output.

    The shell's llmContent holds a process id, so equal outputs would have different digests.
    """
    shown = at(p, "tool_response.returnDisplay")
    if p.get("tool_name") == SHELL and type(shown) is str:
        return shown
    return at(p, "tool_response.llmContent")


@derived
@reads("tool_input.prompt")
def url_in_prompt(p: Payload, r: Record) -> str | None:
    """web_fetch is given a prompt; the address, the first if there are several, is inside."""
    prompt = at(p, "tool_input.prompt")
    if p.get("tool_name") != "web_fetch" or type(prompt) is not str or at(p, "tool_input.url"):
        return None
    found = URL.search(prompt)
    return found[0].rstrip(".,;:!?)]") if found else None


@reads("mcp_context.server_name", "mcp_context.tool_name")
def mcp_server(p: Payload, r: Record) -> Any:
    return at(p, "mcp_context.server_name")


@reads("mcp_context.command", "mcp_context.args")
def server_command(p: Payload, r: Record) -> str | None:
    """The command line that started the MCP server."""
    args = at(p, "mcp_context.args")
    words = [at(p, "mcp_context.command"), *(args if type(args) is list else ())]
    return " ".join(word for word in words if type(word) is str) or None


def mcp(name: str, payload: Payload) -> tuple[str, str] | None:
    """mcp_<server>_<tool>; where the name divides only the payload knows."""
    for path, server, tool in (
        ("mcp_context", "server_name", "tool_name"),
        ("details", "serverName", "toolName"),
    ):
        context = payload.get(path)
        if type(context) is dict and type(context.get(tool)) is str:
            return str(context.get(server) or ""), context[tool]
    return ("", name[4:]) if name.startswith("mcp_") and len(name) > 4 else None


@derived
@reads("details.type", "details.title", "details.serverName", "details.toolName")
def asked_tool(p: Payload, r: Record) -> str | None:
    """The question names no tool, only its kind and its title."""
    kind = at(p, "details.type")
    title = at(p, "details.title")
    title = title if type(title) is str else ""
    if kind == "exec":
        return SHELL
    if kind == "mcp":
        names = (at(p, "details.serverName"), at(p, "details.toolName"))
        return "_".join(("mcp", *map(str, names))) if all(names) else None
    if kind == "edit":
        for words, tool in (("Confirm Write: ", "write_file"), ("Confirm Edit: ", "replace")):
            if title.startswith(words):
                return tool
    return "web_fetch" if kind == "info" and title == "Confirm Web Fetch" else None


@reads("details.urls")
def asked_url(p: Payload, r: Record) -> Any:
    urls = at(p, "details.urls")
    return urls[0] if type(urls) is list and urls else None
