"""What a page of the documentation shows: its fenced blocks, and the commands in them."""

from __future__ import annotations

import re
import shlex
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
# These serve until they are stopped; the suites of their folders run them.
SERVING = ("ui", "serve", "ship", "mcp")


def blocks(page: Path, kind: str) -> list[str]:
    """The fenced blocks of a kind, those of a list without their indentation."""
    found = re.findall(
        rf"^( *)```{kind}\n(.*?)^\1```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    return [textwrap.dedent(text) for _, text in found]


def commands(page: Path) -> list[list[str]]:
    """The words of each command in the page's shell blocks, comments left out."""
    lines = [line for text in blocks(page, "sh") for line in joined(text)]
    return [words for line in lines if (words := shlex.split(line, comments=True))]


def joined(text: str) -> list[str]:
    """The lines of a block, those that end with a backslash joined."""
    return text.replace("\\\n", " ").splitlines()


def serves(words: list[str]) -> bool:
    """Whether a command of hookstream runs until it is stopped."""
    return words[0] in SERVING or "--follow" in words
