"""Processes that a command line starts, as an operating system would report them.

Each simple command is one, each wrapper around it (sudo, env, xargs ...) is another. A program is
spelled in every way that rules about processes do: as typed, absolute where known, with slashes and
backslashes, with and without `.exe`; a bare name also in the folders where systems keep programs.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hookstream.shell.command import base_name, distinct
from hookstream.shell.reading import read
from hookstream.shell.spelling import below, every_spelling
from hookstream.shell.wrappers import BUILTINS, POWERSHELLS, SHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookstream.shell.command import Command
    from hookstream.shell.reading import ParsedCommand

# Where a name without a folder is looked for.
FOLDERS = ("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin")
SYSTEM = r"C:\Windows\System32"
# Programs that are elsewhere in Windows.
ELSEWHERE = {
    "powershell": r"C:\Windows\System32\WindowsPowerShell\v1.0",
    "pwsh": r"C:\Program Files\PowerShell\7",
    "explorer": r"C:\Windows",
    "regedit": r"C:\Windows",
    "wmic": r"C:\Windows\System32\wbem",
}
EXECUTABLES = tuple("exe com bat cmd scr pif ps1 vbs vbe js wsf msi msc cpl dll jar py sh".split())
ENDING = re.compile(r"\.(?:" + "|".join(EXECUTABLES) + r")\Z", re.IGNORECASE)
# What Windows takes of an unquoted path with blanks: up to the first program.
UNQUOTED = re.compile(
    r"\s*([A-Za-z]:\\[^\"'|<>;&\n]{0,400}?\.(?:" + "|".join(EXECUTABLES) + r"))(?=[\s\"]|\Z)",
    re.IGNORECASE,
)
DRIVE = re.compile(r"(?<![\w/.:])(?:/mnt|/cygdrive)?/([A-Za-z])/(?=[\w.$%~ -])")
DRIVEN = re.compile(r"[A-Za-z]:[\\/][^\s\"'|<>;&]*")
VARIABLE = re.compile(r"%(\w+(?:\(x86\))?)%|\$env:(\w+)|\$\{env:(\w+)\}", re.IGNORECASE)
# Folders of Windows that variables name; without a start where it depends on the user.
NAMED = {
    "temp": r"\AppData\Local\Temp",
    "tmp": r"\AppData\Local\Temp",
    "appdata": r"\AppData\Roaming",
    "localappdata": r"\AppData\Local",
    "systemroot": r"C:\Windows",
    "windir": r"C:\Windows",
    "systemdrive": "C:",
    "programdata": r"C:\ProgramData",
    "allusersprofile": r"C:\ProgramData",
    "public": r"C:\Users\Public",
    "programfiles": r"C:\Program Files",
    "programfiles(x86)": r"C:\Program Files (x86)",
    "comspec": r"C:\Windows\System32\cmd.exe",
}
SEPARATES = re.compile(r";(?=\s|\Z)|&&|\|\||\n")
TAKE_LINES = frozenset((*SHELLS, *POWERSHELLS, "cmd"))
MOST = 100


class Process(NamedTuple):
    """A process: spellings of its program, of the program's own name, of its command line and of
    the program that started it (none for what the agent's shell starts). `others`: programs next to
    it in a line that is taken as a whole."""

    images: tuple[str, ...]
    names: tuple[str, ...]
    lines: tuple[str, ...]
    parents: tuple[str, ...]
    others: tuple[str, ...] = ()


def processes_of(text: str) -> tuple[Process, ...]:
    """The processes of a command line in order; the last is the line as a whole, by the shells in
    it: what is around pipes is in their command line. Never raises."""
    reading = read(text)
    processes: dict[Process, None] = {}
    for c in reading.as_run():
        processes.update(dict.fromkeys(_layers(c, reading)))
    each = list(processes)[:MOST]
    # Other shells than bash take a line without these signs as one command's.
    is_one = SEPARATES.search(text) is None
    own = [p for p in each if base_name(p.names[0]) in TAKE_LINES or (is_one and not p.parents)]
    whole = Process(
        distinct(image for process in own for image in process.images),
        distinct(name for process in own for name in process.names),
        _lines(text),
        distinct(image for process in own for image in process.parents),
        distinct(image for process in each if process not in own for image in process.images),
    )
    return tuple(dict.fromkeys((*each, whole)))


def _layers(c: Command, reading: ParsedCommand) -> Iterable[Process]:
    """A command below its wrappers, outermost first."""
    parents = images_of(c.parent.path, "") if c.parent is not None else ()
    path = reading.variables.get(c.path.lstrip("$").strip("{}"), c.path) if c.path else ""
    typed = c.typed
    for words in (*c.layers, [path, *c.args]):
        if not words or not words[0]:
            continue
        at = typed.find(words[0])
        typed = typed[at:] if at > 0 else typed
        whole_path = UNQUOTED.match(typed) if typed[1:3] == ":\\" else None
        path = whole_path[1] if whole_path else words[0]
        if base_name(path) in BUILTINS:
            continue
        images = images_of(path, c.folder)
        yield Process(images, names_of(path), _lines(typed, " ".join(words)), parents)
        parents = images


def names_of(path: str) -> tuple[str, ...]:
    """The name of a program as its file is called: with and without `.exe`."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if not ENDING.search(name):
        return distinct((name, f"{name}.exe"))
    return distinct((name, re.sub(r"\.exe\Z", "", name, flags=re.IGNORECASE)))


def images_of(path: str, folder: str) -> tuple[str, ...]:
    """The spellings of a program, as typed first; `folder` is where the line has gone to."""
    path = path.strip("\"'")
    if not path:
        return ()
    names = names_of(path)
    head = path[: len(path) - len(names[0])]
    if not head:
        plain, named = sorted(names, key=len)[0], sorted(names, key=len)[-1]
        system = ELSEWHERE.get(base_name(path), SYSTEM)
        there = (f"{system}\\{named}", f"{system}\\{plain}")
        return (path, *(f"{at}/{plain}" for at in FOLDERS), *there)
    heads = [head]
    if head.startswith((".", "~")) or (folder and head[0] not in "/\\%$" and head[1:2] != ":"):
        heads.append(below(folder, head) + "/")
    heads += [windows(at) for at in heads]
    files = [path, *(f"{at}{name}" for at in heads for name in names)]
    return distinct(text for file in files for text in every_spelling(file))


def windows(text: str) -> str:
    """A text with paths as Windows spells them: `/c/x`, `C:/x` and `%TEMP%` become folders."""
    text = VARIABLE.sub(_folder, DRIVE.sub(lambda match: f"{match[1].upper()}:/", text))
    if " " not in text:
        return text.replace("/", "\\")
    return DRIVEN.sub(lambda match: match[0].replace("/", "\\"), text)


def _folder(match: re.Match[str]) -> str:
    name = match[1] or match[2] or match[3]
    return NAMED.get(name.lower(), match[0])


def _lines(*texts: str) -> tuple[str, ...]:
    """Command lines as given, and as Windows spells paths where that differs."""
    return distinct(
        line for text in texts for line in (text, windows(f"{text} ")[:-1] if text else "")
    )
