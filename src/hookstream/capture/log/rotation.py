"""Rotation: a full log gets a number, `agent-hooks.000001.jsonl`, and a new one begins.

Numbers grow and sort before the current file's name, so that a folder reads in the order it was
written. A reader follows a renamed file by its inode to the end, then opens the path again.
"""

from __future__ import annotations

import os

DIGITS = 6


def rotate(path: str, keep: int = 0) -> str:
    """Rename the log, under its lock; return the new name. `keep` > 0 removes all but the newest
    `keep` numbered files. Raises OSError."""
    folder, name = os.path.split(path)
    stem, ending = os.path.splitext(name)
    numbers = numbered(folder, stem, ending)
    number = numbers[-1] + 1 if numbers else 1
    new = os.path.join(folder, f"{stem}.{number:0{DIGITS}d}{ending}")
    os.rename(path, new)
    if keep:
        for old in numbers[: max(0, len(numbers) + 1 - keep)]:
            try:
                os.unlink(os.path.join(folder, f"{stem}.{old:0{DIGITS}d}{ending}"))
            except OSError:
                break
    return new


def numbered(folder: str, stem: str, ending: str) -> list[int]:
    """The numbers given so far, ascending."""
    numbers = []
    for name in os.listdir(folder or "."):
        if name.startswith(stem + ".") and name.endswith(ending):
            middle = name[len(stem) + 1 : len(name) - len(ending)]
            if len(middle) >= DIGITS and middle.isascii() and middle.isdigit():
                numbers.append(int(middle))
    return sorted(numbers)
