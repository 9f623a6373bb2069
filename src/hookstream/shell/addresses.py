"""Hosts and URLs that a command reaches, if its text names them.

An address is what a program is asked to reach: the operand of curl, the host of ssh, a URL in a
program's arguments or in the code it is given. Text about addresses is not one: what echo prints,
what grep looks for, a commit message, a header, a comment, the body of a file.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hookstream.shell.effects.code import DOWNLOADS, SOCKETS
from hookstream.shell.wrappers import INTERPRETERS, POWERSHELLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookstream.shell.command import Command


class Address(NamedTuple):
    """`text` as written, `host` in lower case, `port` or "", `via` command, ssh or socket;
    `context` says how it is used (`facts.py`)."""

    text: str
    host: str
    port: str
    via: str
    is_url: bool
    context: str


URL = re.compile(
    r"(?<![A-Za-z0-9+.-])(?:https?|wss?|ftps?|sftp|ssh|git|git\+ssh|git\+https?|rsync|tcp|udp|tls|ldaps?|smtps?|imaps?|"
    r"rediss?|postgres(?:ql)?(?:\+\w+)?|mysql(?:\+\w+)?|mongodb(?:\+srv)?|amqps?|mqtts?|rtmp|telnet|gopher|dict|nfs|smb)://"
    r"[^\s'\"<>|;`\\]+",
    re.IGNORECASE,
)
PARTS = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://(?:[^/@\s]{0,300}@)?(\[[0-9a-f:.]+(?:%[\w.%-]{1,40})?\]|[^/:?#\s\[\]()]{1,253})(?::(\d{1,5}))?",
    re.IGNORECASE,
)
# The end of a URL in code or prose.
TAIL = re.compile(r"[)\]}.,:!]+\Z")
SIX = r"(?:[0-9a-f]{0,4}:){2,7}[0-9a-f.]{0,15}(?:%[\w.%-]{1,40})?"
HOST = re.compile(rf"\[{SIX}\]|{SIX}|(?:[^\W_]|_)(?:[\w.-]{{0,252}}[^\W_])?", re.IGNORECASE)
BARE_SIX = re.compile(SIX, re.IGNORECASE)
# From here on, digits alone are an address: below, a port or a count.
FIRST_NUMBER = 1 << 24
# `host`, `host:port`, `host/path` as curl takes it, a dot or a port or `localhost` in it.
BARE = re.compile(
    r"(?:[^/@\s]{1,99}@)?((?:[\w-]{1,63}\.){1,8}[\w-]{1,63}|localhost|[\w-]{1,63}(?=:\d))\.?(?::(\d{1,5}))?(?=[/?#]|\Z)"
)
COPY = re.compile(
    r"(?:[\w.-]{1,99}@)?([A-Za-z0-9](?:[\w-]{0,62}\.){0,8}[\w-]{1,63}|\[[0-9a-f:]+\]):(?!//)", re.I
)
REMOTE = re.compile(r"[\w.-]{1,99}@([A-Za-z0-9][\w.-]{0,252}):(?!//)")
SOCAT = re.compile(
    r"(?:TCP[46]?|UDP[46]?|OPENSSL|SSL|SCTP)(?:-CONNECT)?:([\w.-]+|\[[0-9a-f:]+\]):(\w+)", re.I
)
DEVICE = re.compile(r"/dev/(?:tcp|udp)/([^/\s]+)/(\d+|\w+)")
PORT = re.compile(r"\d{1,5}(?:-\d{1,5})?\Z")
REGISTRY = re.compile(r"((?:[\w-]+\.)+[\w-]+|localhost)(?::(\d+))?/")
# Their arguments are text about addresses, names or paths, never one that is asked.
TALKERS = frozenset(
    "echo printf print grep egrep fgrep rg ag ack sed gsed awk gawk cat jq yq test [ [[ export declare local "
    "readonly typeset alias unset let read cd ls mkdir rm touch find fd head tail less sort diff tee write-host "
    "write-output select-string : true false".split()
)
# git: what only speaks of the history.
SPEAKS = (
    "commit|log|grep|tag|notes|show|blame|diff|config|stash|rev-parse|status|add|branch|checkout"
)
GIT_REMOTE = "clone|fetch|pull|push|remote|submodule|ls-remote|archive"
MESSAGES = frozenset(
    "-m -am --message --body -b --title -t --notes -n --description -d --comment -c".split()
)
PROSE = frozenset("--message --body --title --notes --description --comment".split())
WITH_MESSAGES = frozenset("git gh glab hub hg svn npm yarn pnpm".split())
# The options of programs that download whose value is asked.
ASKED = frozenset(
    "--url --proxy -x --preproxy --socks5 --socks5-hostname --doh-url --next --base -b -uri -proxy -source".split()
)
DATABASES = frozenset(
    "psql pg_dump pg_restore mysql mysqldump mariadb redis-cli mongosh mongo".split()
)
LOGINS = frozenset("ssh autossh mosh ssh-copy-id sftp".split())
COPIES = frozenset("scp rsync sftp".split())
HTTP_TOOLS = frozenset("http https xh httpie".split())


def addresses(c: Command) -> list[Address]:
    """The addresses that a command reaches, in the order of its words."""
    if c.program in TALKERS:
        return list(_devices(c))
    texts = list(_devices(c))
    if c.program in DOWNLOADS:
        texts += _downloads(c)
    elif c.program in SOCKETS or c.program in ("telnet", "ftp", "tftp"):
        texts += _sockets(c)
    elif c.program in LOGINS or c.program in COPIES:
        texts += _logins(c)
    elif not c.runs_texts:
        texts += _others(c)
    for word in c.assigned:
        texts += urls_in(word.partition("=")[2]) if c.path else ()
    return texts


def url_of(text: str) -> Address | None:
    """The address of one URL; None if it names no host or the scheme is not of a network."""
    if URL.match(text) is None:
        return None
    parts = PARTS.match(text)
    host = host_of(parts[1]) if parts else ""
    return (
        Address(text, host, (parts[2] or "") if parts else "", "command", True, "")
        if host
        else None
    )


def host_of(text: str) -> str:
    """A host in lower case; "" if the text is not a host, or a part of it is filled in
    elsewhere."""
    host = text.rstrip(".").lower()
    if not HOST.fullmatch(host) or (host.isdecimal() and int(host) < FIRST_NUMBER):
        return ""
    return host


def urls_in(text: str) -> list[Address]:
    """The URLs in a text."""
    urls = []
    for match in URL.finditer(text):
        url = match[0]
        if match.start() > 0 or match.end() < len(text):
            url = TAIL.sub("", _balanced(url))
        address = url_of(url)
        if address is not None:
            urls.append(address)
    return urls


def _balanced(url: str) -> str:
    """Without what follows a bracket that the URL does not open, or a comma between arguments."""
    depth = 0
    for at, sign in enumerate(url):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return url[:at]
    return url


def _socket(text: str, host: str, port: str, via: str = "socket") -> Iterator[Address]:
    name = host_of(host)
    if name:
        yield Address(text, name, port if port.isdigit() else "", via, False, "")


def _devices(c: Command) -> Iterator[Address]:
    """`/dev/tcp/host/port` in a redirection or an argument."""
    words = [to for _, to in c.redirects]
    if c.program not in TALKERS and not c.runs_texts:
        words += c.args
    for word in words:
        for match in DEVICE.finditer(word) if "/dev/" in word else ():
            yield from _socket(match[0], match[1], match[2])


def _bare(word: str) -> Iterator[Address]:
    """An operand of curl: a URL, or a host with its path."""
    if "://" in word:
        address = url_of(word)
        if address is not None:
            yield address
        return
    match = BARE.match(word)
    host = host_of(match[1]) if match else ""
    if match and host:
        yield Address(word, host, match[2] or "", "command", True, "")


def _values(c: Command, options: frozenset[str]) -> Iterator[str]:
    for at, word in enumerate(c.args):
        option, sign, value = word.partition("=")
        if option.lower() in options or word in options:
            if sign:
                yield value
            elif at + 1 < len(c.args):
                yield c.args[at + 1]


def _downloads(c: Command) -> Iterator[Address]:
    for word in (*c.operands(), *_values(c, ASKED)):
        yield from _bare(word)


def _sockets(c: Command) -> Iterator[Address]:
    if c.program == "socat":
        for word in c.args:
            for match in SOCAT.finditer(word):
                yield from _socket(f"{match[1]}:{match[2]}", match[1], match[2])
        return
    operands = c.operands()
    if c.has("-l", "-U", "--listen", "--unixsock") or not operands:
        return
    name = operands[0].rpartition("@")[2]
    port = operands[1] if len(operands) > 1 and PORT.match(operands[1]) else ""
    if not port and (joined := re.fullmatch(r"([\w.-]+):(\d+)", name)):
        name, port = joined[1], joined[2]
    if (PORT.match(name) and not host_of(name)) or "/" in name:
        return
    yield from _socket(f"{name}:{port}" if port else name, name, port)


def _logins(c: Command) -> Iterator[Address]:
    operands = c.operands()
    if c.program in COPIES:
        for word in operands:
            if "://" in word:
                yield from urls_in(word)
            elif (match := COPY.match(word)) and not re.match(r"[A-Za-z]:[\\/]", word):
                yield from _socket(match[1], match[1], "", "ssh")
    if c.program in LOGINS and operands:
        target = operands[0]
        if "://" in target:
            yield from urls_in(target)
        elif ":" not in target or BARE_SIX.fullmatch(target.rpartition("@")[2]):
            name = target.rpartition("@")[2]
            port = next(_values(c, frozenset(("-p", "-P"))), "")
            yield from _socket(f"{name}:{port}" if port.isdigit() else name, name, port, "ssh")
    for jumps in _values(c, frozenset(("-J",))):
        for jump in jumps.split(","):
            name, _, port = jump.rpartition("@")[2].partition(":")
            yield from _socket(jump, name, port, "ssh")


def _others(c: Command) -> Iterator[Address]:
    """URLs in the arguments of any other program, and what some write without a scheme."""
    if c.program == "git" and c.verb(SPEAKS):
        return
    skip = False
    for word in (c.path, *c.args):
        if skip:
            skip = False
            continue
        if word in PROSE or (word in MESSAGES and c.program in WITH_MESSAGES):
            skip = True
            continue
        if "://" in word:
            yield from urls_in(word)
        elif c.program == "git" and c.verb(GIT_REMOTE) and (match := REMOTE.match(word)):
            yield from _socket(match[1], match[1], "", "ssh")
    if c.program in INTERPRETERS or c.program in POWERSHELLS:
        for text in c.stdin:
            yield from urls_in(text)
    if c.program in HTTP_TOOLS:
        for word in c.operands():
            if "://" not in word and "=" not in word:
                yield from _bare(word)
    if c.program in DATABASES:
        for host in _values(c, frozenset(("-h", "--host"))):
            port = next(_values(c, frozenset(("-p", "--port"))), "")
            yield from _socket(f"{host}:{port}" if port.isdigit() else host, host, port)
    if c.program == "openssl":
        for word in _values(c, frozenset(("-connect",))):
            host, _, port = word.rpartition(":")
            yield from _socket(word, host, port)
    if c.program in ("docker", "podman", "nerdctl") and c.verb("pull|push|login"):
        for word in c.operands()[1:2]:
            match = REGISTRY.match(word if "/" in word else f"{word}/" if c.verb("login") else "")
            if match:
                host = f"{match[1]}:{match[2]}" if match[2] else match[1]
                yield from _socket(host, match[1], match[2] or "", "command")
