"""The tool names of the AARTS taxonomy, with the usual spellings of each category.

The last resort for hosts that are not a known client: agents under a guardian, frameworks, lines of
other emitters. A client's own table is asked first, so none of these names overrides it.
"""

from __future__ import annotations

from hookstream.normalizers.tools import Tool

PATHS = ("file_path", "path", "filename", "file", "filepath", "target_file")
URL = "url"
COMMANDS = ("command", "cmd", "command_line", "commandLine", "script")
QUERIES = ("query", "sql", "statement")

_SHELL = Tool("shell", "shell", command=COMMANDS)
_WRITE = Tool("write_file", "file_write", file_path=PATHS)
_EDIT = Tool("write_file", "file_edit", file_path=PATHS)
_READ = Tool("read_file", "file_read", file_path=PATHS)
_DELETE = Tool("delete_file", "file_delete", file_path=PATHS)
_FETCH = Tool("web_search", "web_request", url=URL)
_DELEGATE = Tool("delegate", "delegate")


def _own(category: str, names: str, **targets: str | tuple[str, ...]) -> dict[str, Tool]:
    """Tools that the actions of Agent Hooks have no word for: each is called by its own name."""
    return {name: Tool(name, category, **targets) for name in names.split()}  # type: ignore[arg-type]


TAXONOMY: dict[str, Tool] = {
    **dict.fromkeys(
        "Bash bash shell Shell exec terminal run_command execute_command".split(), _SHELL
    ),
    **dict.fromkeys("Write write write_file create_file file_write".split(), _WRITE),
    **dict.fromkeys(
        "Edit edit edit_file MultiEdit str_replace str_replace_editor apply_patch "
        "file_edit".split(),
        _EDIT,
    ),
    **dict.fromkeys("Read read read_file cat view file_read".split(), _READ),
    **dict.fromkeys("Delete delete delete_file rm file_delete".split(), _DELETE),
    **dict.fromkeys(
        "WebFetch web_fetch fetch fetch_url curl http_request web_request".split(), _FETCH
    ),
    **{
        name: Tool(f"mcp:{name}", "mcp_call")
        for name in "MCP mcp mcp_tool mcp_call call_mcp_tool use_mcp_tool".split()
    },
    **_own(
        "code_exec",
        "python_exec python jupyter eval code_exec execute_code code_interpreter",
        content=("code", "source", "expression", "script"),
    ),
    **_own(
        "browser", "browser browser_navigate browser_action navigate click type screenshot", url=URL
    ),
    **_own("database", "sql_query sql db_exec db_query database query_database", query=QUERIES),
    **dict.fromkeys("Task task Agent delegate spawn_agent dispatch_agent".split(), _DELEGATE),
}  # fmt: skip
