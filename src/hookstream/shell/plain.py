"""Commands read word by word, for texts that the grammar is too slow for or does not know."""

from __future__ import annotations

import re

from hookstream.shell.command import Command
from hookstream.shell.wrappers import unwrap

# A quoted text or a run of other signs; both bounded by what they exclude, so that neither
# backtracks.
PIECE = re.compile(
    r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|([^\s'\"|;&()<>`]+)|([|;&()<>`\n])|\s+|.", re.DOTALL
)
QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
MOST = 400


def plain_commands(text: str) -> list[Command]:
    """The texts between `|`, `;`, `&`, brackets and newlines, each as a command."""
    made: list[Command] = []
    words: list[str] = []
    open_word = False
    fed: list[Command] = []

    def close(sign: str) -> None:
        nonlocal words, fed
        if words:
            below, raised = unwrap(words)
            one = Command(below)
            one.privileged = raised
            one.fed_by = fed
            made.append(one)
            fed = [one] if sign == "|" else []
        words = []

    for piece in PIECE.finditer(text):
        single, double, bare, sign = piece.groups()
        word = next((one for one in (single, double, bare) if one is not None), None)
        if word is not None:
            if open_word and words:
                words[-1] += word
            else:
                words.append(word)
            open_word = True
            continue
        open_word = False
        if sign is not None:
            close(sign)
            if len(made) >= MOST:
                break
    close("")
    return made


def blanked_plainly(text: str) -> str:
    return QUOTED.sub(lambda found: found[0][0] * 2, text)
