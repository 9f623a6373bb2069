"""Docs, docstrings, comments and SQL read as English of this field: each phrase below has a plainer
form, and their number may only fall."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

ROOT = Path(__file__).parent.parent
# What to write instead: is, next to, after, is not, does not exist, again, no user, continues,
# separate, per line.
PHRASES = re.compile(
    r"\b(?:stands?|beside|behind|is no|is (?-i:none)|anew|nobody|goes on|go on|of its own|"
    r"(?:one|two|a row|an? \w+) a (?:line|file|call|session|client|vendor|batch|day|machine)|"
    r"taken away)\b",
    re.IGNORECASE,
)
# A docstring's first line is an imperative or a noun phrase.
CLAUSE = re.compile(r"(?:What|Where|Who|Whose|How|Whether|Why)\b")
DOCS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/**/*.md")
# Two are the Unix user nobody. Lower this number with each phrase that goes.
ALLOWED = 8


def prose_of(path: Path) -> list[str]:
    """The docstrings and comments of a module."""
    text = path.read_text("utf-8")
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [ast.get_docstring(n) or "" for n in ast.walk(ast.parse(text)) if isinstance(n, nodes)]
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return found + [token.string for token in tokens if token.type == tokenize.COMMENT]


def phrases() -> list[str]:
    """`path: phrase` of each."""
    found = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        for text in prose_of(path):
            name = path.relative_to(ROOT)
            found += [f"{name}: {match[0]}" for match in PHRASES.finditer(text)]
            found += [f"{name}: {text.split(' ', 1)[0]} ..." for _ in [0] if CLAUSE.match(text)]
    for path in sorted((ROOT / "src").rglob("*.sql")):
        comments = re.findall(r"--.*", path.read_text("utf-8"))
        found += [
            f"{path.relative_to(ROOT)}: {m[0]}" for m in PHRASES.finditer("\n".join(comments))
        ]
    for pattern in DOCS:
        for path in sorted(ROOT.glob(pattern)):
            text = re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)
            found += [f"{path.relative_to(ROOT)}: {m[0]}" for m in PHRASES.finditer(text)]
    return found


def test_phrases_only_become_fewer() -> None:
    found = phrases()
    assert len(found) <= ALLOWED, "\n".join(found)


# "is not a folder" reads better than "is no folder"; "there is no page" is idiomatic.
SAID = re.compile(r"(?<![Tt]here )\b(?:is|are) no (?!longer|more)\w|\bis none of\b")


def test_messages_say_is_not_a() -> None:
    found = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        if "compiled" in path.parts:
            continue
        text = path.read_text("utf-8")
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.STRING and SAID.search(token.string):
                found.append(f"{path.relative_to(ROOT)}:{token.start[0]}: {token.string}")
    assert not found, "\n".join(found)


# Locals are nouns: these only point at something. Lower the number with each that goes.
VAGUE = frozenset("found one made known said given place told kept".split())
VAGUE_ALLOWED = 1230


def vague_names() -> list[str]:
    """`path:line: name` where an assignment, loop, comprehension or `with` binds a vague name."""
    return [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.id}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in VAGUE
    ]


def test_vague_names_only_become_fewer() -> None:
    names = vague_names()
    assert len(names) <= VAGUE_ALLOWED, f"{len(names)}\n" + "\n".join(names)
