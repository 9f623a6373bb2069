"""Files that a call names, each as one absolute path however it is spelled: relative to the working
folder, from `~` or `$HOME`, quoted, by a redirection, as the target of a copy or a move."""

from __future__ import annotations

import re
from posixpath import basename, normpath
from typing import NamedTuple

from hookstream.shell.files import NOWHERE, reads, runs, writes
from hookstream.shell.reading import filled_in, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hookstream.shell.command import Command

HOME = re.compile(r"(?:/home|/Users|[A-Za-z]:/Users)/[^/]+|/root")
FROM_HOME = re.compile(r"(?:~|\$HOME|\$\{HOME\})(?=/|\Z)")
WORKING = re.compile(r"(?:\$PWD|\$\{PWD\})(?=/|\Z)")
DRIVE = re.compile(r"[A-Za-z]:/")
NAMES_FILE = re.compile(r"/|\.[A-Za-z]\w*\Z")
SETS = re.compile(r"\w+=")  # as in `dd of=FILE`
COPIES = frozenset("cp mv install ln rsync copy move copy-item move-item".split())
MOST = 64
LONGEST = 1024


class Paths(NamedTuple):
    """`about` are the files that the call is about, `named` all that a word of it may name."""

    about: tuple[str, ...]
    named: tuple[str, ...]


def paths_of(command: str | None, file_path: str | None, cwd: str | None) -> Paths:
    """The files of a call; never raises. Without a working folder a relative one stays relative."""
    about: list[str] = []
    named: list[str] = []
    if file_path:
        about += _resolved([file_path], cwd)
    if command:
        reading = read(command)
        folder = cwd
        for c in reading.commands:
            c = filled_in(c, reading.variables)
            about += _resolved(_files(c), folder)
            named += _resolved(_words(c), folder)
            if c.program in ("cd", "pushd", "set-location") and c.operands():
                folder = next(iter(_resolved(c.operands()[:1], folder)), folder)
    # The working folder itself is about everything.
    whole = normpath(cwd or ".")
    about = [p for p in dict.fromkeys(about) if p != whole and not p.startswith("/dev/")][:MOST]
    return Paths(tuple(about), tuple(dict.fromkeys([*about, *named]))[:MOST])


def spellings(path: str, cwd: str | None) -> list[str]:
    """The path as a text may write it: absolute, relative to the working folder, from `~`."""
    found = [path]
    if cwd and path.startswith(normpath(cwd) + "/"):
        found.append(path[len(normpath(cwd)) + 1 :])
    home = HOME.match(path)
    if home and path[home.end() : home.end() + 1] == "/":
        found.append("~" + path[home.end() :])
    return found


def _files(c: Command) -> list[str]:
    """Files that the command writes, reads or runs, and other words that look like one."""
    return [*writes(c), *reads(c), *runs(c), *(w for w in _words(c) if NAMES_FILE.search(w))]


def _words(c: Command) -> Iterator[str]:
    """All words that may name a file: operands, values of options, redirections."""
    if "/" in c.path:
        yield c.path
    for _, to in c.redirects:
        if to not in NOWHERE:
            yield to
    for word in c.args:
        if word.startswith("-"):
            word = word.partition("=")[2]
        yield (word.partition("=")[2] if SETS.match(word) else word).removeprefix("@")
    if c.program in COPIES:
        operands = c.operands()
        for source in operands[:-1]:  # the target may be a folder
            yield f"{operands[-1]}/{basename(source.rstrip('/'))}"


def _resolved(words: Iterable[str], folder: str | None) -> Iterator[str]:
    for word in words:
        path = _absolute(word, folder)
        if path:
            yield path


def _absolute(word: str, folder: str | None) -> str:
    if not word or len(word) > LONGEST or "://" in word or "\n" in word:
        return ""
    path = word.replace("\\", "/")
    base = (folder or "").replace("\\", "/")
    path = WORKING.sub(lambda _: base or ".", path)
    if FROM_HOME.match(path):
        home = HOME.match(base)
        path = FROM_HOME.sub(lambda _: home[0] if home else "~", path, count=1)
    elif not path.startswith("/") and not DRIVE.match(path) and base:
        path = f"{base}/{path}"
    made = normpath(path)
    return made[1:] if made.startswith("//") else made
