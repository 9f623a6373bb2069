"""GitHub Copilot's calls: tools in three spellings, MCP names, what a result and an error say."""

from __future__ import annotations

import re
from hashlib import sha256

from hookstream.core.jsons import canonical, loads_text
from hookstream.core.times import to_iso
from hookstream.normalizers import table as t
from hookstream.normalizers.copilot import dialects
from hookstream.normalizers.copilot.wording import ended
from hookstream.normalizers.wording import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload, Record

# The CLI's built-in server has hyphens in its name.
BUILT_IN_SERVERS = ("github-mcp-server",)
CLI_FILE = ("path", "file_path")
# Names of the CLI in both its dialects, then those of VS Code.
TOOLS = {
    **dict.fromkeys(("bash", "powershell", "Bash", "PowerShell"), t.shell()),
    **dict.fromkeys(
        ("write_bash", "write_powershell"), t.Tool("shell", "shell", content=("input",))
    ),
    **dict.fromkeys(("view", "Read"), t.read(CLI_FILE)),
    **dict.fromkeys(("create", "Write"), t.write(CLI_FILE)),
    **dict.fromkeys(("edit", "str_replace_editor", "Edit"), t.edit(CLI_FILE)),
    "apply_patch": t.Tool("write_file", "file_edit", content=("input", "patch")),
    **dict.fromkeys(("grep", "rg", "glob", "Grep", "Glob"), t.find()),
    **dict.fromkeys(("web_fetch", "WebFetch"), t.fetch()),
    **dict.fromkeys(("web_search", "WebSearch"), t.search()),
    **dict.fromkeys(("task", "write_agent", "read_agent", "Agent"), t.delegate()),
    "sql": t.Tool("sql", "database", query="query"),
    "skill": t.Tool("skill", "other"),
    **dict.fromkeys(("run_in_terminal", "runTerminalCommand"), t.shell()),
    **dict.fromkeys(("runTests", "run_task", "create_and_run_task"), t.Tool("shell", "shell")),
    "read_file": t.read("filePath"),
    "create_file": t.write("filePath"),
    "create_directory": t.write("dirPath"),
    **dict.fromkeys(
        (
            "replace_string_in_file",
            "multi_replace_string_in_file",
            "insert_edit_into_file",
            "edit_files",
        ),
        t.edit("filePath"),
    ),
    "edit_notebook_file": t.edit("filePath", action="code_edit"),
    "run_notebook_cell": t.Tool("run_notebook_cell", "code_exec", file_path="filePath"),
    **dict.fromkeys(("grep_search", "file_search", "semantic_search"), t.find("query")),
    "list_dir": t.listing(),
    "fetch_webpage": t.fetch("urls"),
    "github_repo": t.Tool("web_search", "web_request", query="query"),
    "open_simple_browser": t.Tool("browser", "browser", url="url"),
    "install_extension": t.Tool("install_extension", "package_install", query="id"),
    **dict.fromkeys(("runSubagent", "search_subagent", "execution_subagent"), t.delegate()),
}


def tool_name(p: Payload) -> str:
    name = dialects.first(p, "toolName", "tool_name")
    return name if type(name) is str else ""


def arguments(p: Payload) -> Any:
    """The call's arguments; a JSON string is the same call as the object it holds."""
    given = dialects.first(p, "toolArgs", "tool_input", "toolInput", "tool_args", "arguments")
    if type(given) is str:
        parsed = loads_text(given)
        return given if parsed is None else parsed
    return given


def same_as(part: str = "") -> Any:
    """A text that is equal where two registered spellings report one event.

    Both spellings have the same timestamp; calls and prompts of one instant differ in the rest.
    """

    def text(p: Payload, r: Record) -> str | None:
        event = dialects.CAMEL.get(r.event or "")
        if event is None or dialects.dialect(p, r) == "vscode":
            return None
        instant = to_iso(p.get("timestamp"))
        if instant is None:
            return None
        tool = tool_name(p)
        rest = [
            dialects.agent_id(p),
            dialects.CLAUDE_NAMES.get(tool, tool),
            arguments(p),
            p.get("message"),
        ]
        return f"{event}{part}@{instant}#{sha256(canonical(rest)).hexdigest()[:16]}"

    return text


PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)


@t.reads()
def edited_file(p: Payload) -> str | None:
    """The first file of a patch or of a list of replacements: no argument names it."""
    given = arguments(p)
    if type(given) is not dict:
        return None
    if tool_name(p) == "apply_patch":
        patch = dialects.first(given, "input", "patch")
        match = PATCHED.search(patch) if type(patch) is str else None
        return match[1] if match else None
    parts = given.get("replacements")
    part = parts[0] if type(parts) is list and parts else None
    path = part.get("filePath") if type(part) is dict else None
    return path if type(path) is str else None


def split_mcp(name: str) -> tuple[str, str] | None:
    """demo/echo (permission requests), mcp_demo_echo (VS Code), demo-echo (all else).

    No tool of the CLI itself has a hyphen. If the name has several, the one before a
    snake_case word is taken for the border, else the first.
    """
    if "/" in name:
        server, _, tool = name.partition("/")
    elif name.startswith("mcp_"):
        server, _, tool = name[4:].partition("_")
    elif "-" in name:
        known = next((s for s in BUILT_IN_SERVERS if name.startswith(f"{s}-")), None)
        if known is not None:
            return known, name[len(known) + 1 :]
        server, _, tool = name.rpartition("-")
        if "_" not in tool:
            server, _, tool = name.partition("-")
    else:
        return None
    return (server, tool) if server and tool else None


def mcp(name: str, payload: Payload) -> tuple[str, str] | None:
    server, tool = payload.get("serverName"), payload.get("toolName")
    if type(server) is str and type(tool) is str:
        return server, tool
    return split_mcp(name)


@t.derived
@t.reads("toolName", "tool_name")
def guessed_server(p: Payload) -> str | None:
    """The server where the tool's name does not say for sure where the server's name ends."""
    name = tool_name(p)
    sure = "/" in name or (name.count("-") == 1 and not name.startswith("mcp_"))
    pair = None if sure or name in TOOLS else split_mcp(name)
    return pair[0] if pair else None


@t.derived
@t.reads("serverName", "toolName")
def joined_name(p: Payload) -> str | None:
    """preMcpToolCall names server and tool apart; preToolUse of the same call joins them."""
    server, tool = p.get("serverName"), p.get("toolName")
    return f"{server}-{tool}" if type(server) is str and type(tool) is str else None


# Results

RESULT_TYPE = dialects.both("toolResult.resultType")
RESULT_TEXT = dialects.both("toolResult.textResultForLlm")


def ended_by(p: Payload) -> Ending:
    """The end of a call by its result type, which VS Code does not send."""
    status = t.at(p, RESULT_TYPE[0]) or t.at(p, RESULT_TYPE[1])
    text = t.text_at(p, *RESULT_TEXT)
    error = text if status in ("denied", "rejected") else ""
    return ended(tool_name(p), status, error, text)


part = t.parts_of(ended_by, " ".join((*RESULT_TYPE, *RESULT_TEXT, *dialects.both("toolName"))))
ENDED = t.end_of(part)


@t.reads(*RESULT_TYPE)
def is_refused(p: Payload, r: Record) -> bool:
    return bool(ENDED["outcome"](p, r) == "denied")


is_done = t.negate(is_refused)


@t.reads(*ENDED["outcome"].reads)
def is_failed(p: Payload, r: Record) -> bool:
    return bool(ENDED["outcome"](p, r) == "error")


error_line = t.first_line("error")


@t.reads("error")
def error_output(p: Payload) -> str | None:
    error = p.get("error")
    return error if type(error) is str and "\n" in error else None


def error_part(name: str) -> Any:
    """One key of a model error, which is JSON text inside `error.message`."""

    @t.reads("error.message")
    def part(p: Payload) -> Any:
        error = p.get("error")
        message = error.get("message") if type(error) is dict else error
        if type(message) is not str:
            return None
        document = loads_text(message)
        if type(document) is not dict:
            return message if name == "message" else None
        inner = document.get("error")
        return (inner if type(inner) is dict else document).get(name)

    return part


@t.reads(*dialects.both("errorContext"))
def is_model_error(p: Payload) -> bool:
    context: Any = dialects.first(p, "errorContext", "error_context")
    return bool(context == "model_call")


is_other_error = t.negate(is_model_error)


@t.reads(*dialects.both("errorContext"))
def error_type(p: Payload) -> str | None:
    context = dialects.first(p, "errorContext", "error_context")
    return {"tool_execution": "ToolFailed", "system": "UnhandledException"}.get(str(context))
