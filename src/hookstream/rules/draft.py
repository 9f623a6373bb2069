"""A first rule with its cases, drafted from one call of a lake."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.rules.cases import CaseLake
from hookstream.rules.commands import facts
from hookstream.rules.compile import compile_rules
from hookstream.rules.evaluate import findings
from hookstream.rules.load import cases_of, load

if TYPE_CHECKING:
    from hookstream.core.jsons import JsonObject
    from hookstream.queries.stream import OpenStream

    Row = dict[str, str]

NAME = re.compile(r"[a-z][a-z0-9_]{2,63}")
# What a call is about, the first that it has.
ABOUT = ("command", "url", "file_path", "mcp_server", "action_name")
COLUMNS = (*ABOUT, "action_category", "tool")
# Words of a command that say what is meant: no option, path or quoted text.
PLAIN = re.compile(r"[\w-]*\w")
PLAIN_WORDS = 2
# Other calls that are looked at for one that must not be found.
OTHERS = 500
NEWEST = "command is not null or url is not null or file_path is not null"
NAMED = "starts_with(call_id, ?) or list_contains(evidence, ?)"


def draft(path: Path, name: str, call: str | None, folder: Path) -> tuple[Path, Row]:
    """Write NAME.yml and NAME.cases.yml in a folder for a call of the lake at a path: the one whose
    call_id begins with `call`, or that has the event `call`, else the newest. Return the rule's
    file and what the call is. Existing files are not replaced."""
    if not NAME.fullmatch(name):
        raise HookstreamError(
            f"--new {name}: a name is 3 to 64 of a-z, 0-9 and _, and begins with a letter"
        )
    file = folder / f"{name}.yml"
    for one in (file, cases_of(file)):
        if one.exists():
            raise HookstreamError(f"{one}: already exists; choose another name")
    rule, cases, given = first_texts(path, name, call)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(rule, "utf-8")
        cases_of(file).write_text(cases, "utf-8")
    except OSError as error:
        raise HookstreamError(f"{folder}: {error.strerror}") from None
    return file, given


def first_texts(path: Path, name: str, call: str | None) -> tuple[str, str, Row]:
    """The YAML of a rule and of its cases for a call of the lake at a path, and what the call
    is."""
    from hookstream.queries.runner import read

    given, others = read(path, lambda stream: calls_of(stream, call))
    rule = rule_text(name, given)
    with tempfile.TemporaryDirectory(prefix="hookstream-rule-") as folder:
        file = Path(folder, f"{name}.yml")
        file.write_text(rule, "utf-8")
        return rule, cases_text(given, unmeant(file, given, others)), given


def calls_of(stream: OpenStream, call: str | None) -> tuple[Row, list[Row]]:
    """The call that is meant, and others of its category."""
    stream.name_questions("calls")
    stream.filter()
    shown = ", ".join(COLUMNS)
    rows = stream.connection.execute(
        f"select {shown}, count(*) over () from calls where {NEWEST if call is None else NAMED} "
        "order by first_at desc nulls last, call_id limit 1",
        [] if call is None else [call, call],
    ).fetchall()
    if not rows and call is not None:
        raise NothingToRead(
            f"--call {call}: no such call; hookstream query calls LAKE has them as call_id"
        )
    if not rows:
        raise NothingToRead("no call with a command, address or file in this lake to begin with")
    if call is not None and rows[0][-1] > 1:
        raise HookstreamError(f"--call {call}: {rows[0][-1]} calls begin with it; name more of it")
    given = _row(rows[0])
    others = stream.connection.execute(
        f"select distinct {shown} from calls where action_category is not distinct from ? "
        f"order by all limit {OTHERS}",
        [given.get("action_category")],
    ).fetchall()
    return given, [_row(other) for other in others]


def _row(values: tuple[Any, ...]) -> Row:
    named = zip(COLUMNS, values, strict=False)
    return {name: str(value) for name, value in named if value is not None}


def condition(call: Row) -> JsonObject:
    """The detection that finds calls like this one: what a command does if that is known, else
    the program it runs with its first plain words."""
    about = next((name for name in ABOUT if call.get(name)), "tool")
    if about != "command":
        return {about: _exact(call[about])}
    known = facts(call["command"])
    if effects := known["command_effects"]:
        return {"command_effects|all" if len(effects) > 1 else "command_effects": effects}
    if not known["command_programs"]:
        return {"command": _exact(call["command"])}
    fields: JsonObject = {"command_programs": known["command_programs"][0]}
    words = str(known["command_words"]).split()
    plain = words[: next((n for n, word in enumerate(words) if not PLAIN.fullmatch(word)), None)]
    if len(plain) > 1:
        fields["command_words|contains"] = " ".join(plain[:PLAIN_WORDS])
    return fields


def unmeant(file: Path, given: Row, others: list[Row]) -> Row | None:
    """The call most like the given one that the rule in a file does not find."""
    with CaseLake() as lake:
        rules = compile_rules(load([file]), lake.table)
        event_ids = {
            finding.event_id for finding in findings(lake.fill({"calls": list(others)}), rules)
        }
    apart = [other for number, other in enumerate(others) if f"e{number}" not in event_ids]
    return min(apart, key=lambda one: _distance(_text(one), _text(given)), default=None)


def _text(row: Row) -> str:
    return next((row[name] for name in ABOUT if row.get(name)), "")


def _distance(one: str, other: str) -> tuple[bool, int, str]:
    """Sort the likest call first: one that begins with the same word, then by length."""
    return one.split()[:1] != other.split()[:1], abs(len(one) - len(other)), one


def _exact(value: str) -> str:
    """Escape the wildcards of a value."""
    return re.sub(r"([*?\\])", r"\\\1", value)


def rule_text(name: str, call: Row) -> str:
    """The rule as YAML."""
    return _yaml(
        {
            "title": name.replace("_", " ").title(),
            "id": str(uuid4()),
            "name": name,
            "status": "experimental",
            "description": "What it means when this is found, and what to do then.",
            "logsource": {"product": "hookstream", "service": "calls"},
            "detection": {"call": condition(call), "condition": "call"},
            "falsepositives": ["who does this in the course of their work"],
            "level": "medium",
        }
    )


def cases_text(given: Row, other: Row | None) -> str:
    """The cases as YAML: the call must be found, the other must not."""
    cases: JsonObject = {"hits": [{"calls": [given]}]}
    if other is not None:
        cases["misses"] = [{"calls": [other]}]
    return f"# Rows of calls by column; `at` is a row's minute.\n{_yaml(cases)}"


def _yaml(content: JsonObject) -> str:
    import yaml

    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)
    if text.replace("\n", "").isprintable():
        return text
    # What no screen shows is shown as its escape.
    return yaml.safe_dump(content, sort_keys=False, width=100)
