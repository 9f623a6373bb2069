"""What a page of the documentation shows: its fenced blocks, and the commands in them."""

from __future__ import annotations

import re
import shlex
import textwrap
from pathlib import Path

from tests.same_process import hookstream

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


def console_is_real(page: Path, folder: Path, *, regenerate: bool) -> None:
    """Claim that the page's first console shows what its commands print in a folder, which gets a
    link to the samples. `regenerate` writes it."""
    shown = blocks(page, "console")[0]
    (folder / "samples").symlink_to(ROOT / "samples")
    real = ""
    for line in shown.splitlines():
        if line.startswith("$ "):
            done = hookstream(*shlex.split(line)[2:], cwd=folder)
            assert done.returncode == 0, done.stderr
            real += f"{line}\n{done.stdout.decode()}{done.stderr.decode()}"
    real = re.sub(r" +$", "", real, flags=re.MULTILINE)
    if regenerate:
        page.write_text(page.read_text("utf-8").replace(shown, real), "utf-8")
        shown = real
    assert real == shown
