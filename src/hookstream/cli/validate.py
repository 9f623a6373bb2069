"""validate: whether lines keep the standards, ours or those of any other emitter."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from hookstream.cli.places import local
from hookstream.cli.progress import bar
from hookstream.core.errors import NothingToRead
from hookstream.core.logs import say
from hookstream.core.progress import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookstream.standards.kit import Remark
    from hookstream.standards.validate import Validator

# Remarks of one text that are printed; the rest are counted.
MOST_ALIKE = 20


class Standard(StrEnum):
    agent_hooks = "agent-hooks"
    aarts = "aarts"


def validate(
    path: Annotated[Path, typer.Argument(help="File or folder of lines, of any emitter, or -.")],
    standard: Annotated[
        Standard | None,
        typer.Option(help="Run the conformance kit: types, fields and level of one standard."),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="With --standard: fail on names and fields that it does not have."
        ),
    ] = False,
) -> None:
    """Validate every line against the strict schemas.

    Exit 1 if any fails, with file:line: reason for each. --standard also names every unknown type
    and field, reads and writes each line again, and prints what arrived and the level shown.
    """
    from hookstream.standards.validate import Validator

    if strict and standard is None:
        raise typer.BadParameter("needs --standard", param_hint="--strict")
    path = local(path)
    files = _files(path)
    validator = Validator()
    if standard is not None:
        _run_kit(path, files, standard.value, validator, strict)
        return
    checked, failed = _each_line(
        path, files, lambda line: [(problem, True) for problem in validator.problems(line)]
    )
    say(f"{checked} lines checked, {failed} failed")
    if failed:
        raise typer.Exit(1)


def _run_kit(
    path: Path, files: Sequence[Path | None], standard: str, validator: Validator, strict: bool
) -> None:
    from hookstream.standards.kit import Kit

    kit = Kit(standard, validator)
    checked, failed = _each_line(path, files, kit.remarks, strict)
    if kit.others == kit.objects:
        raise NothingToRead(f"{path}: no line is of {standard}")
    print("\n".join(wrapped for line in kit.summary() for wrapped in _wrapped(line)))
    say(f"{checked} lines checked, {failed} failed")
    if failed:
        raise typer.Exit(1)


def _each_line(
    path: Path,
    files: Sequence[Path | None],
    remarks: Callable[[bytes], list[Remark] | list[tuple[str, bool]]],
    strict: bool = True,
) -> tuple[int, int]:
    """Print the remarks on every line; the numbers of lines that were checked and that failed."""
    from hookstream.queries.strict import numbered

    checked = failed = 0
    strange: Counter[str] = Counter()
    with bar("lines"):
        for file in files:
            for number, line in counted(numbered(file), "lines"):
                if isinstance(line, bytes) and not line.strip():
                    continue
                checked += 1
                told = remarks(line) if isinstance(line, bytes) else [(line, True)]
                failed += any(is_breach or strict for _, is_breach in told)
                for text, is_breach in told:
                    strange[text] += not is_breach
                    if strange[text] <= MOST_ALIKE:
                        print(f"{file or path}:{number}: {text}")
    if not checked:
        raise NothingToRead(f"{path}: holds no line to check")
    for text, count in strange.items():
        if count > MOST_ALIKE:
            print(f"in {count} lines: {text}")
    return checked, failed


def _wrapped(line: str) -> list[str]:
    """A line of the summary as lines of a terminal, the later ones indented."""
    return wrap(
        line, 100, initial_indent=line[: len(line) - len(line.lstrip())], subsequent_indent="  "
    )


def _files(path: Path) -> Sequence[Path | None]:
    from hookstream.core.sources import closed, find, is_lines

    if str(path) == "-":
        return find(["-"])
    if path.is_dir():
        found = [p for p in path.rglob("*") if is_lines(p.name) and not p.is_dir()]
        return sorted([*found, *closed(path)])
    if path.is_file():
        return [path]
    if path.exists():
        raise NothingToRead(f"{path}: not a plain file")
    raise NothingToRead(f"{path}: no such file or folder")
