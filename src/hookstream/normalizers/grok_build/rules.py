"""Grok Build's permission rules: `[permission]` of its TOML files, as lists of texts or as tables,
and the commands that a person allowed for good in one project.

Source: the user guide that 1.0.41 writes; `allowed_bash_commands` as it was seen there.
"""

from __future__ import annotations

import tomllib

from hookstream.core.parse import UnreadableLine
from hookstream.normalizers.permission_rules import Listed, called, texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWERS = ("allow", "ask", "deny")
# A class of tools in rules -> the tools in payloads; any server's tool is `mcp`.
CLASSES = {
    "bash": ("run_terminal_command", "run_terminal_cmd"),
    "read": ("read_file",),
    "edit": ("search_replace", "write"),
    "grep": ("grep",),
    "webfetch": ("web_fetch",),
    "websearch": ("web_search",),
}


def rules(data: bytes, path: str) -> Iterator[Listed]:
    """The rules of a file. Raises UnreadableLine."""
    try:
        file = tomllib.loads(data.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        raise UnreadableLine("not_toml") from None
    for command in texts(file.get("allowed_bash_commands")):
        yield Listed("allow", f"bash({command})", tools_of("bash"), (command,))
    held = file.get("permission")
    table = held if type(held) is dict else {}
    for answer in ANSWERS:
        for rule in called(answer, table.get(answer)):
            yield rule._replace(tools=tools_of(rule.tools[0]))
    listed = table.get("rules")
    for row in listed if type(listed) is list else ():
        if type(row) is dict and row.get("action") in ANSWERS:
            tool, pattern = str(row.get("tool")), row.get("pattern")
            arguments = (pattern,) if type(pattern) is str else ()
            text = f"{tool}({pattern})" if arguments else tool
            yield Listed(row["action"], text, tools_of(tool), arguments)


def tools_of(name: str) -> tuple[str, ...]:
    return CLASSES.get(name.lower(), (name,))
