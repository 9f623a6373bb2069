"""Files that a call names, each as one absolute path however it is spelled: relative to the working
folder, from `~` or `$HOME`, quoted, in braces, by a redirection, as the target of a copy or a move, in
the code that an interpreter runs. A pattern names what it matches."""

from __future__ import annotations

import re
from posixpath import basename, dirname
from typing import NamedTuple

from hookstream.shell.files import NOWHERE, reads, runs, writes
from hookstream.shell.reading import READ, read
from hookstream.shell.spelling import DRIVE, on_drive, one_spelling, unbraced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hookstream.shell.command import Command

HOME = re.compile(r"(?:/home|/Users|[A-Za-z]:/Users)/[^/]+|/root")
FROM_HOME = re.compile(r"(?:~(?P<user>[\w.-]*)|\$HOME|\$\{HOME\})(?=/|\Z)")
WORKING = re.compile(r"(?:\$PWD|\$\{PWD\}|/proc/self/cwd)(?=/|\Z)")
ASKS_WORKING = re.compile(r"\$\(\s*pwd(?:\s+-[LP])?\s*\)|`\s*pwd\s*`|\$\{process\.cwd\(\)\}")
SEPARATOR = re.compile(r"(?<=[\w.])\\(?=[\w.])")
NAMES_FILE = re.compile(r"/|\.[A-Za-z]\w*\Z")
SETS = re.compile(r"\w+=")  # as in `dd of=FILE`
COPIES = frozenset("cp mv install ln rsync scp copy move copy-item move-item".split())
GLOB = re.compile(r"[*?\[]")
# A pattern of fewer letters matches anything.
GLOB_LETTERS = 3
# A string of code, and the joint of two.
LITERAL = re.compile(r"""(['"`])([^'"`\n]{1,256})\1""")
JOINT = re.compile(r"""(['"])\s*\+?\s*\1""")
MOST = 64
LONGEST = 1024


class Paths(NamedTuple):
    """`about` are the files that the call is about, `named` all that a word of it may name,
    `patterns` those of them that match several."""

    about: tuple[str, ...]
    named: tuple[str, ...]
    patterns: tuple[str, ...] = ()


def paths_of(command: str | None, file_path: str | None, cwd: str | None) -> Paths:
    """The files of a call; never raises. Without a working folder a relative one stays relative."""
    about: list[str] = []
    named: list[str] = []
    if file_path:
        about += _resolved([file_path], cwd)
    if command:
        command = ASKS_WORKING.sub("$PWD", command)
        if DRIVE.match(one_spelling(cwd or "")):
            command = SEPARATOR.sub("/", command)
        reading = read(command)
        for c in reading.as_run():
            folder = _absolute(c.folder, cwd) if c.folder else cwd
            about += _resolved(_files(c), folder)
            named += _resolved(_words(c), folder)
        named += _resolved(_literals(command), cwd)
    # The working folder itself is about everything.
    whole = one_spelling(cwd or ".")
    about = [p for p in dict.fromkeys(about) if p != whole and not p.startswith("/dev/")][:MOST]
    named = list(dict.fromkeys([*about, *named]))[:MOST]
    return Paths(tuple(about), tuple(named), tuple(p for p in named if _is_pattern(p)))


def spellings(path: str, cwd: str | None) -> list[str]:
    """The path as a text may write it: absolute, relative to the working folder, from `~`."""
    paths = [path]
    folder = one_spelling(cwd) if cwd else ""
    if folder and path.startswith(folder + "/"):
        paths.append(path[len(folder) + 1 :])
    paths += on_drive(path)
    home = HOME.match(path)
    if home and path[home.end() : home.end() + 1] == "/":
        paths.append("~" + path[home.end() :])
    return paths


def _is_pattern(path: str) -> bool:
    name = basename(path)
    return GLOB.search(name) is not None and sum(map(str.isalnum, name)) >= GLOB_LETTERS


def _literals(text: str) -> Iterator[str]:
    """Strings of code that look like a file, those put together of two, too."""
    literals = LITERAL.findall(JOINT.sub("", text[:READ]))
    return (word for _, word in literals if NAMES_FILE.search(word))


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
        word = (word.partition("=")[2] if SETS.match(word) else word).removeprefix("@")
        yield from unbraced(word)
    if c.program in COPIES:
        yield from _copies(c)


def _copies(c: Command) -> Iterator[str]:
    """The copies, if the target is a folder."""
    operands = c.operands()
    folder = next((w.partition("=")[2] for w in c.args if w.startswith("--target-directory=")), "")
    for flag, value in zip(c.args, c.args[1:], strict=False):
        if flag == "-t":
            folder = value
    if not folder and operands:
        folder = operands.pop()
    for source in operands:
        yield f"{folder}/{basename(source.rstrip('/'))}"


def _resolved(words: Iterable[str], folder: str | None) -> Iterator[str]:
    for word in words:
        path = _absolute(word, folder)
        if path:
            yield path
        # Windows reads names in any case.
        if DRIVE.match(path):
            yield path.lower()


def _home(user: str, folder: str) -> str:
    """The home of a user, next to that of whose folder it is; `~` where it is not known."""
    own = HOME.match(folder)
    if own is not None and user in ("", basename(own[0])):
        return own[0]
    if not user:
        return "~"
    homes = dirname(own[0]) if own is not None else "/"
    return f"{homes if homes != '/' else '/home'}/{user}"


def _absolute(word: str, folder: str | None) -> str:
    if not word or len(word) > LONGEST or "://" in word or "\n" in word:
        return ""
    path = word.replace("\\", "/")
    base = one_spelling(folder) if folder else ""
    path = WORKING.sub(lambda _: base or ".", path)
    if (start := FROM_HOME.match(path)) is not None:
        path = _home(start["user"] or "", base) + path[start.end() :]
    elif not path.startswith("/") and path[1:2] != ":" and base:
        path = f"{base}/{path}"
    return one_spelling(path)
