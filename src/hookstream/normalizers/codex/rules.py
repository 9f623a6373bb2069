"""Permission rules of Codex: `prefix_rule(...)` in the .rules files next to its settings.

They are Starlark, of which calls with literals are also Python and are read as such; what is
computed is left out. https://developers.openai.com/codex/rules
"""

from __future__ import annotations

import ast
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from hookstream.core.parse import UnreadableLine
from hookstream.normalizers.permission_rules import Listed

if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWERS = {"allow": "allow", "prompt": "ask", "forbidden": "deny"}
# Commands that one rule may name by its alternatives; of more, any command counts.
COMMANDS = 200


def rules(data: bytes, path: str) -> Iterator[Listed]:
    """The rules of one file. Raises Refused."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UnreadableLine("not_starlark") from None
    for one in tree.body:
        call = one.value if isinstance(one, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        if call.func.id == "prefix_rule":
            yield from _rule(_literals(call))


def _literals(call: ast.Call) -> dict[str, Any]:
    """The arguments of a call, by name or in the order pattern, decision."""
    given = [*zip(("pattern", "decision"), call.args, strict=False)]
    given += [(keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg]
    literals: dict[str, Any] = {}
    for name, value in given:
        try:
            literals[name] = ast.literal_eval(value)
        except (ValueError, TypeError, RecursionError, MemoryError):
            continue
    return literals


def _rule(given: dict[str, Any]) -> Iterator[Listed]:
    pattern = given.get("pattern")
    answer = ANSWERS.get(given.get("decision", "allow"))
    if not isinstance(pattern, list) or not pattern or answer is None:
        return
    places = [one if isinstance(one, list) else [one] for one in pattern]
    if not all(isinstance(word, str) for words in places for word in words):
        return
    text = " ".join(words[0] if len(words) == 1 else f"[{'|'.join(words)}]" for words in places)
    commands = [f"{' '.join(words)}:*" for words in islice(product(*places), COMMANDS + 1)]
    yield Listed(answer, text, ("Bash",), tuple(commands) if len(commands) <= COMMANDS else ())
