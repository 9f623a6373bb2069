"""Rules about processes that no command line can show: refused, so that none is silent.

A renamed program keeps the name in its file's header (OriginalFileName), which no command says; and
what starts another program by a command line is a shell or a wrapper, not a word processor.
"""

from __future__ import annotations

import re
from typing import Any

from sigma.conditions import (
    ConditionAND,
    ConditionFieldEqualsValueExpression,
    ConditionNOT,
    ConditionOR,
)
from sigma.types import SigmaString, SpecialChars

from hookstream.shell.processes import images_of, names_of
from hookstream.shell.wrappers import POWERSHELLS, SHELLS, WRAPPERS

STARTERS = (*SHELLS, *POWERSHELLS, *WRAPPERS, *"cmd su ssh runuser script find fd".split())
RENAMED = "OriginalFileName: the name in the file of a renamed program is not known here"
MOST = 200


def impossible(condition: Any) -> str | None:
    """The reason why no process of a command line can meet a condition; None if one can."""
    leaves = list(_leaves(condition))
    programs = {
        name
        for leaf in leaves
        if leaf.field in ("process.names", "process.images") and isinstance(leaf.value, SigmaString)
        for name in _names(leaf.value)
    }
    tried = [*sorted(programs)[:MOST], "another"]
    if any(_holds(condition, name, True) is not False for name in tried):
        return None
    if any(_holds(condition, name, False) is not False for name in tried):
        parent = next(leaf for leaf in leaves if leaf.field == "process.parents")
        return f"ParentImage: no command line shows that {str(parent.value)!r} starts a program"
    return RENAMED if any(leaf.field == "process.names" for leaf in leaves) else None


def _leaves(node: Any) -> Any:
    if isinstance(node, ConditionFieldEqualsValueExpression):
        yield node
    for child in getattr(node, "args", ()):
        yield from _leaves(child)


def _holds(node: Any, program: str, by_parent: bool) -> bool | None:
    """Return whether a condition holds of a program; None if that depends on more."""
    if isinstance(node, ConditionAND | ConditionOR):
        decides = isinstance(node, ConditionOR)
        parts = [_holds(child, program, by_parent) for child in node.args]
        if decides in parts:
            return decides
        return None if None in parts else not decides
    if isinstance(node, ConditionNOT):
        inner = _holds(node.args[0], program, by_parent)
        return None if inner is None else not inner
    if not isinstance(node, ConditionFieldEqualsValueExpression):
        return None
    if not isinstance(node.value, SigmaString):
        return None
    if node.field == "process.names":
        return any(map(_pattern(node.value).fullmatch, names_of(program)))
    if node.field == "process.images" and _names(node.value):
        return any(map(_pattern(node.value).fullmatch, images_of(program, ""))) or None
    if node.field == "process.parents" and by_parent:
        return None if _is_starter(node.value) else False
    return None


def _is_starter(value: SigmaString) -> bool:
    """Return whether a value names a program that starts others, or a folder and no program."""
    parts = value.s
    if any(name in STARTERS for name in _names(value)) or not parts:
        return True
    words = [part for part in parts if isinstance(part, str)]
    is_open = not isinstance(parts[-1], str)
    is_rooted = isinstance(parts[0], str) and not re.search(r"\.\w+\Z", words[-1])
    return bool(is_open and words and (words[-1].endswith(("/", "\\")) or is_rooted))


def _names(value: SigmaString) -> list[str]:
    """The program that a value names at its end, without `.exe`; none if it names a folder."""
    text = "".join(part if isinstance(part, str) else "*" for part in value.s).lower()
    name = re.split(r"[\\\\/]", text.rstrip("*"))[-1]
    if "*" in name or not name or (text.endswith("*") and not name.endswith(".exe")):
        return []
    return [name.removesuffix(".exe")]


def _pattern(value: SigmaString) -> re.Pattern[str]:
    signs: dict[Any, str] = {SpecialChars.WILDCARD_MULTI: ".*", SpecialChars.WILDCARD_SINGLE: "."}
    text = "".join(re.escape(p) if isinstance(p, str) else signs.get(p, ".*") for p in value.s)
    return re.compile(text, re.IGNORECASE | re.DOTALL)
