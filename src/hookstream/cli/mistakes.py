"""Every mistake of a settings file, with its line.

A command refuses a file at its first mistake. Here that line is emptied, in a copy, and the copy is
opened again, until nothing is wrong or the place of a mistake cannot be found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hookstream.configuration.files import parse_toml
from hookstream.core.errors import HookstreamError

MOST = 50
# What a message says of a place: sink[0].only.risk, or a word in quotes, an address, a path.
PATH = re.compile(r"(?:^|\s)([a-z_]+(?:\[\d+\])?(?:\.[\w-]+)*):")
WORD = re.compile(r"'([^']+)'|(\S*[:/]\S+?):?(?:\s|$)")
# What follows from a line, or from a sink, that was emptied.
FOLLOWS = ("needs the option", "oauth needs", "missing")
FOLLOWS_SINK = ("sink: none given", "no sink has the name")


@dataclass(eq=False)
class FileMistake:
    """The words for a mistake, and the number of its line in the file, from 1; None where the
    message names no place."""

    text: str
    line: int | None


def mistakes(
    file: Path, first: HookstreamError, refused: Callable[[Path], HookstreamError | None]
) -> list[FileMistake]:
    """The mistakes of a file, `first` among them; `refused` opens a copy."""
    try:
        lines = file.read_text("utf-8").split("\n")
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
            spans = spans_of(lines)
            line = line_of(lines, text, spans)
            is_new = not any(line == mistake.line for mistake in found)
            if is_new and not any(word in text for word in follows):
                found.append(FileMistake(text, line))
            if line is None:
                break
            path, span = next(item for item in spans.items() if line - 1 in item[1])
            before = lines[span.start]
            path = path.removesuffix(".uri")
            for inner, of_it in spans.items():
                if inner == path or inner.startswith(f"{path}."):
                    lines[of_it.start : of_it.stop] = [""] * len(of_it)
            follows += FOLLOWS_SINK if re.fullmatch(r"sink\[\d+\]", path) else FOLLOWS
            # Without a source, or a credential that a sink needs, nothing else is looked at.
            name, _, kind = path.rpartition(".")[2].rpartition("_")
            if path == "sources":
                lines[span.start] = f"sources = ['{source}']"
            elif kind in ("env", "file") and '"PATH"' not in before:
                lines[span.start] = f'{name}_env = "PATH"'
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


def line_of(lines: list[str], text: str, spans: dict[str, range]) -> int | None:
    """The number of the line that a message is about: by the key it names, else by a value."""
    for path in (*PATH.findall(text), *text.split()):
        while path:
            if span := spans.get(path) or spans.get(f"{path}[0]"):
                return span.start + 1
            path = path.rpartition(".")[0]
    for quoted, address in WORD.findall(text):
        for number in chain(*spans.values()):
            if (quoted or address) in lines[number]:
                return number + 1
    return None


def spans_of(lines: list[str]) -> dict[str, range]:
    """Path of each key and table -> the lines that first name it, as the parser has them."""
    spans: dict[str, range] = {}
    headers: list[str] = []
    start = 0
    for end in range(1, len(lines) + 1):
        statement = lines[start:end]
        try:
            values = parse_toml("\n".join([*headers, *statement]).encode())
        except ValueError:
            continue
        for path in _paths(values):
            spans.setdefault(path, range(start, end))
        if statement[0].lstrip().startswith("["):
            headers += statement
        start = end
    return spans


def _paths(values: dict[str, Any], table: str = "") -> Iterator[str]:
    for name, value in values.items():
        is_list = type(value) is list and value and type(value[0]) is dict
        for number, inner in enumerate(value if is_list else [value]):
            path = f"{table}{name}[{number}]" if is_list else f"{table}{name}"
            yield path
            if type(inner) is dict:
                yield from _paths(inner, f"{path}.")
