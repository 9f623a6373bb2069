"""Gemini CLI's hooks: what a call aimed at, how it ended, what a permission question asks."""

from __future__ import annotations

import re

from hookstream.normalizers.gemini_cli.wording import SHELL, ended, text_of
from hookstream.normalizers.table import at, derived, parts_of, reads, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record
    from hookstream.normalizers.wording import Ending

URL = re.compile(r"https?://[^\s\"'<>`\\^{}|]{1,2000}")


def ended_by(p: Payload) -> Ending | None:
    response = p.get("tool_response")
    if type(response) is not dict:
        return None
    status = "error" if response.get("error") else ""
    error = text_at(response, "error.message")
    return ended(p.get("tool_name"), status, error, text_of(response.get("llmContent")))


part = parts_of(ended_by, "tool_name tool_response.error tool_response.llmContent")


@reads("tool_name tool_response.error tool_response.llmContent")
def failed(p: Payload, r: Record) -> bool:
    """An interrupted command is not a failure of the tool."""
    return part("outcome")(p, r) in ("error", "timeout")


@reads("tool_response.llmContent tool_response.returnDisplay")
def output(p: Payload) -> Any:
    """The result as the model got it; of a shell command the bare output.

    The shell's llmContent holds a process id, so equal outputs would have different digests.
    """
    shown = at(p, "tool_response.returnDisplay")
    if p.get("tool_name") == SHELL and type(shown) is str:
        return shown
    return at(p, "tool_response.llmContent")


@derived
@reads("tool_input.prompt")
def url_in_prompt(p: Payload) -> str | None:
    """web_fetch is given a prompt; the address, the first if there are several, is inside."""
    prompt = at(p, "tool_input.prompt")
    if p.get("tool_name") != "web_fetch" or type(prompt) is not str or at(p, "tool_input.url"):
        return None
    match = URL.search(prompt)
    return match[0].rstrip(".,;:!?)]") if match else None


@reads("mcp_context.server_name mcp_context.tool_name")
def mcp_server(p: Payload) -> Any:
    return at(p, "mcp_context.server_name")


@reads("mcp_context.command mcp_context.args")
def server_command(p: Payload) -> str | None:
    """The command line that started the MCP server."""
    args = at(p, "mcp_context.args")
    words = [at(p, "mcp_context.command"), *(args if type(args) is list else ())]
    return " ".join(word for word in words if type(word) is str) or None


@derived
@reads("details.type details.title details.serverName details.toolName")
def asked_tool(p: Payload) -> str | None:
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
def asked_url(p: Payload) -> Any:
    urls = at(p, "details.urls")
    return urls[0] if type(urls) is list and urls else None
