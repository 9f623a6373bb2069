"""Every mistake of a settings file, with its line.

A command refuses a file at its first mistake. Here that line is emptied, in a copy, and the copy is
opened again, until nothing is wrong or the place of a mistake cannot be found.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hookstream.configuration.files import parse_toml

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.core.errors import HookstreamError

MOST = 50
HEADER = re.compile(r"\s*\[\[?\s*([^\]\s]+)\s*\]")
KEY = re.compile(r"\s*([\w.-]+)\s*=")
# What a message says of a place: sink[0].only.risk, or a word in quotes, an address, a path.
PATH = re.compile(r"(?:^|\s)([a-z_]+(?:\[\d+\])?(?:\.[\w-]+)*):")
WORD = re.compile(r"'([^']+)'|(\S*[:/]\S+?):?(?:\s|$)")
# What follows from a line, or from a sink, that was emptied.
FOLLOWS = ("needs the option", "missing")
FOLLOWS_SINK = ("sink: none given", "no sink has the name")
CREDENTIAL = re.compile(r"\s*(\w+)_(?:env|file)\s*=")


class FileMistake:
    """The words for a mistake, and the number of its line in the file, from 1; None where the
    message names no place."""

    def __init__(self, text: str, line: int | None) -> None:
        self.text = text
        self.line = line


def mistakes(
    file: Path, first: HookstreamError, refused: Callable[[Path], HookstreamError | None]
) -> list[FileMistake]:
    """The mistakes of a file, `first` among them; `refused` opens a copy."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return [FileMistake(_text(first, file), None)]
    found: list[FileMistake] = []
    follows: tuple[str, ...] = ()
    error: HookstreamError | None = first
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.toml"
        source = Path(folder) / "source.jsonl"
        source.touch()
        for _ in range(MOST):
            if error is None:
                break
            text = _text(error, file, copy)
            line = line_of(lines, text)
            is_new = not any(line == mistake.line for mistake in found)
            if is_new and not any(word in text for word in follows):
                found.append(FileMistake(text, line))
            if line is None:
                break
            before = lines[line - 1].lstrip()
            if not empty(lines, line - 1):
                break
            follows += FOLLOWS_SINK if before.startswith(("uri", "[[sink")) else FOLLOWS
            # Without a source, or a credential that a sink needs, nothing else is looked at.
            if before.startswith("sources"):
                lines[line - 1] = f"sources = ['{source}']"
            elif (match := CREDENTIAL.match(before)) and '"PATH"' not in before:
                lines[line - 1] = f'{match[1]}_env = "PATH"'
            copy.write_text("\n".join(lines) + "\n", "utf-8")
            copy.chmod(file.stat().st_mode & 0o777)
            error = refused(copy)
    return sorted(found, key=lambda mistake: mistake.line or len(lines) + 1)


def _text(error: HookstreamError, *files: Path) -> str:
    from hookstream.core.shown import shown

    text = shown(str(error))
    for file in files:
        text = text.replace(f"{file}: ", "")
    return text


def line_of(lines: list[str], text: str) -> int | None:
    """The number of the line that a message is about: by the key it names, else by a value."""
    places = _places(lines)
    for path in PATH.findall(text):
        while path:
            if path in places:
                return places[path] + 1
            path = path.rpartition(".")[0]
    for word in text.split():
        if word in places:
            return places[word] + 1
    for quoted, address in WORD.findall(text):
        for number, line in enumerate(lines):
            if (quoted or address) in line:
                return number + 1
    return None


def _places(lines: list[str]) -> dict[str, int]:
    """Path of each key and table -> the number of its line."""
    places: dict[str, int] = {}
    counts: dict[str, int] = {}
    table = ""
    for number, line in enumerate(lines):
        if match := HEADER.match(line):
            table = match[1]
            if line.lstrip().startswith("[["):
                count = counts[table] = counts.get(table, -1) + 1
                table = f"{table}[{count}]"
            places.setdefault(table, number)
            table += "."
        elif match := KEY.match(line):
            places.setdefault(table + match[1], number)
    return places


def empty(lines: list[str], number: int) -> bool:
    """Empty a line, with the further lines of its value; of a header or a sink's address the whole
    table. Return whether anything is left to check."""
    first, last = number, number + 1
    key = KEY.match(lines[number])
    if key is None or key[1] == "uri":
        while first and not HEADER.match(lines[first]):
            first -= 1
        while last < len(lines) and not HEADER.match(lines[last]):
            last += 1
    if not any(line.strip() for line in lines[first:last]):
        return False
    lines[first:last] = [""] * (last - first)
    while last < len(lines) and last - first < MOST:
        try:
            parse_toml("\n".join(lines).encode())
            break
        except ValueError:
            lines[last] = ""
            last += 1
    return True
