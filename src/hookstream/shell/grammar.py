"""The kinds of nodes in tree-sitter's grammar of bash that matter here, and the bounds."""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Parser

READ = 8192
# Commands of one line that are kept; a generated script has no end.
MOST = 400
# Counts at which a parser of ambiguous grammars becomes slow; no person writes that many.
COSTLY = (("|", 300), ("(", 200), ("<<", 60), ("=(", 40))
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
ESCAPED = re.compile(r"\\(\n|.)", re.DOTALL)
IN_DOUBLE = re.compile(r'\\([$`"\\\n])')
# A path that only Windows has: no person escapes these letters, so its backslashes are separators.
OF_WINDOWS = re.compile(
    r"(?:^|[=:,@(])(?:[A-Za-z]:\\|\\\\[\w.-]+\\[\w$]|\.{1,2}\\\w|%\w+%\\|\$env:\w+\\)"
    r"|^[\w.-]+(?:\\[\w.-]+)+\.(?:exe|com|bat|cmd|ps1|dll|vbs|js)$",
    re.IGNORECASE,
)
NESTED = frozenset(("command_substitution", "process_substitution"))
WORDS = frozenset(
    "word number string raw_string ansi_c_string translated_string concatenation simple_expansion "
    "expansion command_substitution process_substitution brace_expression arithmetic_expansion "
    "string_content special_variable_name regex extglob_pattern".split()
)
DECLARES = frozenset(("declaration_command", "unset_command", "test_command"))


@lru_cache(maxsize=1)
def parser() -> Parser:
    """The parser; imported and made when first asked for."""
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def nested(node: Node) -> Iterator[Node]:
    """The substitutions below a node, outermost only, in order."""
    if node.type in NESTED:
        yield node
        return
    for child in node.children:
        yield from nested(child)
