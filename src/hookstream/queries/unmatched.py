"""Which permission rules no call of a stream would have met: computed, as clients do not say which
rules they tried. In doubt a rule counts as met."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol

from hookstream.queries.runner import ask_sql

if TYPE_CHECKING:
    from hookstream.queries.stream import Stream

    class Rule(Protocol):
        client: str
        file: str
        answer: str
        text: str
        tool: str
        argument: str | None


# Rules for these names also hold for the tools behind them.
ALSO = {
    "Edit": ("Edit", "MultiEdit", "Write", "NotebookEdit", "edit", "write_file"),
    "Read": ("Read", "Grep", "Glob", "LS", "read_file", "read_many_files"),
    "Bash": ("Bash", "run_shell_command"),
    "Shell": ("Bash", "run_shell_command"),
    "ShellTool": ("Bash", "run_shell_command"),
    "WebFetch": ("WebFetch", "web_fetch"),
}
PROJECTS = """
select distinct tool, cwd from stream where cwd is not null and tool in ('claude-code', 'qwen-code')
order by all limit 1000
"""
SHELLS = ("Bash", "Shell", "ShellTool", "run_shell_command")


def projects(stream: Stream) -> list[tuple[str, str]]:
    """(client, folder) that sessions ran in."""
    return [(row[0], row[1]) for row in ask_sql(stream, PROJECTS).rows]


def unmatched(stream: Stream, rules: list[Rule]) -> list[dict[str, Any]]:
    """A row for each rule that no call met, in the rules' order."""
    if not rules:
        return []
    parts = [f"coalesce(bool_or({condition(rule)}), false)" for rule in rules]
    sql = f"select {', '.join(parts)} from calls"  # noqa: S608
    (met,) = ask_sql(stream, sql).rows
    return [
        {"tool": rule.client, "rule": rule.text, "answer": rule.answer, "file": rule.file}
        for rule, is_met in zip(rules, met, strict=True)
        if not is_met
    ]


def condition(rule: Rule) -> str:
    """SQL over `calls` that holds for a call that the rule speaks of."""
    of_tool = f"tool = {text(rule.client)} and {_named(rule.tool)}"
    argument = (rule.argument or "").strip()
    if not argument or argument in ("*", "**"):
        return of_tool
    if rule.tool in SHELLS:
        return f"{of_tool} and regexp_matches(command, {text(_command(argument))})"
    if argument.startswith("domain:"):
        host = re.escape(argument.removeprefix("domain:")).replace(r"\*", ".*")
        return f"{of_tool} and regexp_matches(url, {text(f'^[a-z]+://([^/]*[.@])?{host}([:/]|$)')})"
    if rule.tool in ("Read", "Edit", "Write", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS"):
        path = text(_path(argument))
        return f"{of_tool} and (file_path is null or regexp_matches(file_path, {path}))"
    return of_tool  # an argument of another kind: any call of the tool


def _named(tool: str) -> str:
    if tool.startswith("mcp__"):
        server = tool.split("__")[1]
        whole = f"mcp_server = {text(server)} and action_native is not null"
        name = tool.split("__", 2)[2] if tool.count("__") > 1 else ""
        if not name or name == "*":
            return f"({whole})"
        return f"(action_native = {text(tool)} or ({whole} and action_native = {text(name)}))"
    names = ", ".join(map(text, ALSO.get(tool, (tool,))))
    return f"action_native in ({names})"


def _command(argument: str) -> str:
    """Where a command, or one behind an operator in it, begins as the rule says."""
    if argument.endswith(":*"):
        rest = re.escape(argument[:-2]) + r"(\s|$)"
    else:
        rest = re.escape(argument).replace(r"\*", "(.|\\n)*") + r"\s*($|[;&|\n])"
    return rf"(^|[;&|(\n`])\s*{rest}"


def _path(argument: str) -> str:
    """A path pattern of the rule; where it is relative, below any folder."""
    plain = argument.removeprefix("~").lstrip("/") if argument[:1] in "~/" else argument
    made = re.escape(plain.removeprefix("./"))
    made = made.replace(r"\*\*/", "(.*/)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return f"(^|/){made}(/|$)"


def text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
