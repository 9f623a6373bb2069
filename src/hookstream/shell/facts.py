"""A command line read once: everything that rules, tables, artifacts and the risk ask of it.

The only reader of commands: what one door shows (the `egress` question, a rule's `command_hosts`, an
AARTS artifact) is what every other shows. Readings are kept by their text, within a bound.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from hookstream.shell.addresses import (
    COPIES,
    DATABASES,
    HTTP_TOOLS,
    LOGINS,
    Address,
    addresses,
)
from hookstream.shell.command import Command, base_name, distinct
from hookstream.shell.effects import effects_of
from hookstream.shell.effects.code import DOWNLOADS, SOCKETS, runs_input
from hookstream.shell.files import creates, deletes, moves, reads, runs, writes
from hookstream.shell.managers import ECOSYSTEMS
from hookstream.shell.packages import Package, packages
from hookstream.shell.reading import READ, filled_in, read
from hookstream.shell.spelling import below
from hookstream.shell.wrappers import BUILTINS, INTERPRETERS, POWERSHELLS, SHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# A text without any of these names no host and no package, its quotes taken off: most commands are
# dismissed by this alone, and never parsed (a test holds it to every case).
NAMES = re.compile(
    r"://|/dev/(?:tcp|udp)/|base64|@[\w.-]+:|(?<![\w-])(?:"
    + "|".join(
        re.escape(name)
        for name in sorted(
            {*DOWNLOADS, *SOCKETS, *LOGINS, *COPIES, *HTTP_TOOLS, *DATABASES, *ECOSYSTEMS}
            | {"telnet", "ftp", "tftp", "openssl", *POWERSHELLS}
        )
    )
    + r")(?:[\d.]*\s|\.exe|\.cmd)",
    re.IGNORECASE,
)
RUNNERS = re.compile(
    "(?<![\\w-])(?:"
    + "|".join(sorted({*SHELLS, *POWERSHELLS, *INTERPRETERS}))
    + "|iex|invoke-expression|eval|source)"
    r"(?![\w-])|(?:^|[;|&\s])\.\s",
    re.IGNORECASE,
)
FEEDS = ("|", "<(", "$(", "`", "<<")
QUOTES = str.maketrans("", "", "'\"\\")
PIPED = "piped_to_shell"
ENCODED = "base64_encoded"
KEPT = 2048


class CommandFacts(NamedTuple):
    """Facts of a command line: texts in the order they are met, each once."""

    words: str
    programs: tuple[str, ...]
    effects: frozenset[str]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    creates: tuple[str, ...]
    deletes: tuple[str, ...]
    # (old name, new name)
    moves: tuple[tuple[str, str], ...]
    runs: tuple[str, ...]
    addresses: tuple[Address, ...]
    packages: tuple[Package, ...]
    # how the line is used: piped_to_shell, base64_encoded
    contexts: tuple[str, ...]

    @property
    def hosts(self) -> list[tuple[str, str]]:
        """(host, via) of what it reaches."""
        return list(dict.fromkeys((address.host, address.via) for address in self.addresses))


@lru_cache(maxsize=KEPT)
def facts_of(text: str) -> CommandFacts:
    """The facts of a command line; never raises, whatever the text is."""
    reading = read(text)
    commands = reading.commands
    piped = _piped(commands)
    run = list(reading.as_run())
    named: list[Address] = []
    asked: list[Package] = []
    for c in commands:
        context = ", ".join(
            word for word, holds in ((ENCODED, c.encoded), (PIPED, id(c) in piped)) if holds
        )
        filled = filled_in(c, reading.variables)
        named += [address._replace(context=context) for address in addresses(filled)]
        asked += packages(filled)
    names = effects_of(text)
    contexts = []
    if piped:
        contexts.append(PIPED)
    if "decoded_code" in names or any(c.encoded for c in commands):
        contexts.append(ENCODED)
    return CommandFacts(
        reading.words,
        distinct(c.program for c in (*commands, *_wrappers(commands))),
        names,
        _files(run, reads),
        _files(run, writes),
        _files(run, creates),
        _files(run, deletes),
        tuple(dict.fromkeys(pair for c in run for pair in moves(c))),
        distinct(file for c in commands for file in runs(c)),
        tuple(dict.fromkeys(named)),
        tuple(dict.fromkeys(asked)),
        tuple(contexts),
    )


def _files(commands: list[Command], names: Callable[[Command], list[str]]) -> tuple[str, ...]:
    """Files as typed, and as seen from where the line has gone to."""
    return distinct(
        file
        for c in commands
        for name in names(c)
        for file in ((name, below(c.folder, name)) if c.folder else (name,))
    )


def _wrappers(commands: list[Command]) -> list[Command]:
    """The programs around the commands: `sudo`, `env`."""
    levels = [words for c in commands for words in c.layers]
    return [Command(words) for words in levels if base_name(words[0]) not in BUILTINS]


def can_name(text: str) -> bool:
    """Return whether a line may name a host or a package, or run what it reads."""
    plain = text[:READ].translate(QUOTES)
    if NAMES.search(f"{plain} ") is not None:
        return True
    return any(sign in plain for sign in FEEDS) and RUNNERS.search(plain) is not None


def _piped(commands: list[Command]) -> set[int]:
    """The commands whose output a shell or an interpreter runs."""
    return {
        id(source)
        for c in commands
        if (runs_input(c) and not _runs_file(c)) or c.program == "eval" or c.path.startswith("$(")
        for source in c.sources()
    }


def _runs_file(c: Command) -> bool:
    """`bash script.sh`: its input is the script's, no code."""
    operands = c.operands()
    return bool(operands) and operands[0][:2] not in ("<(", "$(", "-") and not c.has("-s", "-c")
