"""Which permission rules no call of a stream would have met: computed, as clients do not say which
rules they tried. In doubt a rule counts as met."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    import duckdb

    from hookstream.queries.stream import OpenStream

    class Rules(Protocol):
        rules: list[Any]

    Reader = Callable[[list[tuple[str, str]]], Rules]

    class UnmatchedRule(Protocol):
        client: str
        file: str
        answer: str
        text: str
        tools: tuple[str, ...]
        arguments: tuple[str, ...]


COLUMNS = ("tool", "rule", "answer", "file")
# Rules for these names also hold for the tools mapped to them.
ALSO = {
    "Edit": ("Edit", "MultiEdit", "Write", "NotebookEdit", "edit", "write_file"),
    "Read": ("Read", "Grep", "Glob", "LS", "read_file", "read_many_files"),
    "Bash": ("Bash", "run_shell_command"),
    "Shell": ("Bash", "run_shell_command"),
    "ShellTool": ("Bash", "run_shell_command"),
    "WebFetch": ("WebFetch", "web_fetch"),
}
PROJECTS = """
select distinct tool, cwd from {calls} where cwd is not null order by all limit 1000
"""
HERE = "(machine_id is null or machine_id = {machine})"
SHELLS = frozenset(
    ("Bash", "Shell", "ShellTool", "run_shell_command", "bash", "powershell", "exec_command")
)
PATHS = frozenset(
    "Read Edit Write MultiEdit NotebookEdit Glob Grep LS read edit write patch multiedit "
    "apply_patch list".split()
)


class RulesHere(NamedTuple):
    """Return how the rules of this machine are read for its (client, project folder) pairs, and its
    id in the stream, if it has one there."""

    read: Reader
    machine_id: str | None


def create(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table `unmatched_rules`, empty."""
    columns = ", ".join(f"{name} VARCHAR" for name in COLUMNS)
    connection.execute(f"create table unmatched_rules ({columns})")


def fill(stream: OpenStream, sql: str, rules: RulesHere | None) -> None:
    """Fill it again if SQL names the question that reads it, from the calls of this machine as the
    stream is filtered now (they have been prepared). Without any such call it stays empty: it is
    not known whose rules these are; without `rules` there is nothing to compare."""
    if re.search(r"\bpermissions\b", sql, re.IGNORECASE) is None:
        return
    run = stream.connection.execute
    run("delete from unmatched_rules")
    if rules is None:
        return
    here = HERE.format(machine=text(rules.machine_id or ""))
    calls = f"(from derived.calls where {here} and within(first_at))"
    found = run(f"select count(*) from {calls}").fetchone()  # noqa: S608
    if not found or not found[0]:
        return
    folders = run(PROJECTS.format(calls=calls)).fetchall()
    read = rules.read([(tool, cwd) for tool, cwd in folders]).rules
    rows = [[row[name] for name in COLUMNS] for row in _unmet(run, calls, read)]
    if rows:
        marks = ", ".join("?" * len(COLUMNS))
        stream.connection.executemany(f"insert into unmatched_rules values ({marks})", rows)  # noqa: S608


def projects(stream: OpenStream) -> list[tuple[str, str]]:
    """(client, folder) that sessions ran in."""
    stream.prepare("derived.calls")
    rows = stream.connection.execute(PROJECTS.format(calls="derived.calls")).fetchall()
    return [(tool, cwd) for tool, cwd in rows]


def unmatched(stream: OpenStream, rules: list[UnmatchedRule]) -> list[dict[str, Any]]:
    """A row for each rule that no call met, in the rules' order."""
    stream.prepare("derived.calls")
    return _unmet(stream.connection.execute, "derived.calls", rules)


def _unmet(
    run: Callable[[str], Any], calls: str, rules: list[UnmatchedRule]
) -> list[dict[str, Any]]:
    """Rules whose tool was used and that no call met: of a client without any call in that time
    nothing can be said."""
    used = {row[0] for row in run(f"select distinct tool from {calls}").fetchall()}  # noqa: S608
    asked = [rule for rule in rules if rule.client in used]
    if not asked:
        return []
    parts = [f"coalesce(bool_or({condition(rule)}), false)" for rule in asked]
    met = run(f"select {', '.join(parts)} from {calls}").fetchone()  # noqa: S608
    return [
        {"tool": rule.client, "rule": rule.text, "answer": rule.answer, "file": rule.file}
        for rule, is_met in zip(asked, met, strict=True)
        if not is_met
    ]


def condition(rule: UnmatchedRule) -> str:
    """SQL over `calls` that holds for a call that the rule speaks of."""
    made = f"tool = {text(rule.client)}"
    if rule.tools:
        made += f" and ({' or '.join(map(_named, rule.tools))})"
    said = [argument for argument in rule.arguments if argument.strip() not in ("", "*", "**")]
    if not said or len(said) < len(rule.arguments):
        return made
    return f"{made} and ({' or '.join(_argued(rule, one.strip()) for one in said)})"


def _argued(rule: UnmatchedRule, argument: str) -> str:
    """The condition for a call with such an argument; of another kind, any call of the tool."""
    if SHELLS.issuperset(rule.tools) and rule.tools:
        return f"regexp_matches(command, {text(_command(argument))})"
    if argument.startswith("domain:"):
        host = re.escape(argument.removeprefix("domain:")).replace(r"\*", ".*")
        return f"regexp_matches(url, {text(f'^[a-z]+://([^/]*[.@])?{host}([:/]|$)')})"
    if PATHS.issuperset(rule.tools) and rule.tools:
        return f"(file_path is null or regexp_matches(file_path, {text(_path(argument))}))"
    return "true"


def _named(tool: str) -> str:
    if tool.startswith("mcp__"):
        server = tool.split("__")[1]
        whole = f"mcp_server = {text(server)} and action_native is not null"
        name = tool.split("__", 2)[2] if tool.count("__") > 1 else ""
        if not name or name == "*":
            return f"({whole})"
        own = f"action_native = {text(name)} or action_name = {text(f'mcp:{name}')}"
        return f"(action_native = {text(tool)} or ({whole} and ({own})))"
    if "*" in tool:
        pattern = re.escape(tool).replace(r"\*", ".*")
        return f"regexp_full_match(action_native, {text(pattern)})"
    names = ", ".join(map(text, ALSO.get(tool, (tool,))))
    return f"action_native in ({names})"


def _command(argument: str) -> str:
    """The condition that a command, or one after an operator in it, begins as the rule says."""
    if argument.endswith(":*"):
        rest = re.escape(argument[:-2]) + r"(\s|$)"
    else:
        rest = re.escape(argument).replace(r"\*", "(.|\\n)*") + r"\s*($|[;&|\n])"
    return rf"(^|[;&|(\n`])\s*{rest}"


def _path(argument: str) -> str:
    """A path pattern of the rule; if it is relative, below any folder."""
    plain = argument.removeprefix("~").lstrip("/") if argument[:1] in "~/" else argument
    made = re.escape(plain.removeprefix("./"))
    made = made.replace(r"\*\*/", "(.*/)?").replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
    return f"(^|/){made}(/|$)"


def text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
