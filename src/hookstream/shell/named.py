"""Hosts a command talks to and packages it installs, as far as its words say."""

from __future__ import annotations

import re

from hookstream.shell.effects.agents import INSTALLS
from hookstream.shell.effects.code import DOWNLOADS, SOCKETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.shell.command import Command

ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://(?:[^/@\s]{0,200}@)?(\[[0-9a-f:]+\]|[^/:?#\s]{1,253})", re.I
)
BARE = re.compile(r"(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?=[:/]|\Z)", re.I)
COPY = re.compile(r"(?:[\w.-]{1,99}@)?((?:[\w-]{1,63}\.){0,8}[\w-]{2,63}):(?!//)")
NAME = re.compile(r"@?[A-Za-z0-9][\w./-]{0,213}")
LANGUAGE_TOOLS = frozenset(
    "pip pip3 uv pipx npm pnpm yarn bun poetry cargo go gem composer".split()
)
# Their argument is text about addresses, not one that is asked.
TALKERS = frozenset("echo printf grep rg egrep sed awk cat git-grep jq".split())


def hosts(c: Command) -> list[str]:
    """Hosts named in the arguments, lower-case, of commands that can reach them."""
    if c.program in TALKERS:
        return []
    found = [match[1] for word in c.args for match in ADDRESS.finditer(word)]
    operands = c.operands()
    if c.program in DOWNLOADS:
        found += [match[0] for word in operands if (match := BARE.match(word))]
    elif c.program in ("scp", "rsync", "sftp"):
        found += [match[1] for word in operands if (match := COPY.match(word))]
    elif c.program in ("ssh", "telnet", "ftp", *SOCKETS):
        found += [word.rpartition("@")[2] for word in operands[:1]]
    return [host.lower().strip("[]") for host in found if "$" not in host and "*" not in host]


def packages(c: Command) -> list[str]:
    """Packages of a language that are installed, without versions."""
    verbs = INSTALLS.get(c.program, "").split("|")
    if c.program not in LANGUAGE_TOOLS:
        return []
    operands = c.operands()
    if c.program == "uv" and operands[:2] == ["pip", "install"]:
        operands = operands[1:]
        verbs = ["install"]
    if not operands or operands[0] not in verbs:
        return []
    names = [NAME.match(word) for word in operands[1:]]
    found = [match[0].rstrip("./-") for match in names if match]
    return [f"{c.program}:{name}" for name in found if name and not name.startswith(".")]
