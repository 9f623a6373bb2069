"""Packages that a command installs or runs, if its text names them."""

from __future__ import annotations

import re
from typing import NamedTuple

from hookstream.shell.managers import ECOSYSTEMS, INSTALLS, RUNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookstream.shell.command import Command
    from hookstream.shell.managers import Verbs

# Options whose value is a package.
NAMING = {
    "npx": ("--package", "-p"),
    "npm": ("--package",),
    "bunx": ("--package", "-p"),
    "uvx": ("--from", "--with", "-w"),
    "uv": ("--from", "--with", "-w"),
    "pipx": ("--spec",),
    "winget": ("--id",),
    "install-module": ("-name",),
    "install-package": ("-name",),
}
# Options that name the package whose program is run under another name: the operand is not a
# package.
FROM = ("--package", "-p", "--from", "--spec")
# What `python -m` runs as well.
MODULES = frozenset(("pip", "pipx", "uv", "poetry", "pdm", "pipenv"))
PYTHON = re.compile(r"(?:python|pypy)[\d.]*\Z|py\Z")
NUMBERED = re.compile(r"(pip|gem)[\d.]+\Z")
LOCAL = re.compile(
    r"[./~\\]|[A-Za-z]:[\\/]|(?:file|link|portal|workspace):|[^@]*\.(?:whl|deb|rpm|apk|gem|nupkg|tgz|tar\.gz)\Z"
)
ADDRESS = re.compile(r"(?:[a-z]+\+)?[a-z]{2,8}://", re.I)
EGG = re.compile(r"[#&]egg=([\w.-]+)")


class Package(NamedTuple):
    """A package of a command: `text` as written, `version` as asked for, "" for any."""

    manager: str
    text: str
    name: str
    version: str
    ecosystem: str


def manager_of(c: Command) -> tuple[str, list[str]]:
    """The package manager that a command is and its arguments, `python -m pip` too; "" for none."""
    name = c.program
    if name in ECOSYSTEMS:
        return name, c.args
    if PYTHON.match(name):
        for at, word in enumerate(c.args[:-1]):
            if word == "-m":
                module = c.args[at + 1]
                return (module, c.args[at + 2 :]) if module in MODULES else ("", [])
            if not word.startswith("-"):
                break
    numbered = NUMBERED.match(name)
    return (numbered[1], c.args) if numbered else ("", [])


def installs(c: Command) -> bool:
    """Return whether the command installs packages, named or from a list."""
    if c.program in ("pacman", "yay", "paru"):
        return c.has("-S")
    name, args = manager_of(c)
    return bool(name) and _after(c.operands_of(name, args), INSTALLS[name]) is not None


def packages(c: Command) -> list[Package]:
    """The packages that a command installs or runs, if its text names them."""
    name, args = manager_of(c)
    if not name:
        return []
    operands = c.operands_of(name, args)
    after = _after(operands, INSTALLS[name])
    named = list(_named(args, NAMING.get(name, ())))
    if after is None:
        after = _after(operands, RUNS[name])
        if after is not None:
            after = after[:1]
            if any(option in FROM for option, _ in named):
                after = []
        elif name == "uv" and operands[:1] == ["run"]:
            after = []
    if after is None:
        return []
    words = [*(part for _, value in named for part in value.split(",")), *after]
    return [package for word in words if (package := _package(name, word)) is not None]


def _after(operands: list[str], verbs: Verbs) -> list[str] | None:
    """The operands after the longest of the verbs; None if none leads them."""
    for verb in sorted(verbs, key=len, reverse=True):
        if [word.lower() for word in operands[: len(verb)]] == list(verb):
            return operands[len(verb) :]
    return None


def _named(args: list[str], options: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for at, word in enumerate(args):
        option, sign, value = word.partition("=")
        if option.lower() not in options:
            continue
        if sign:
            yield option, value
        elif at + 1 < len(args):
            yield option, args[at + 1]


def _package(manager: str, word: str) -> Package | None:
    if not word or word[0] in "-$<" or "$" in word or "*" in word or any(map(str.isspace, word)):
        return None if not _is_requirement(word) else _made(manager, word)
    if LOCAL.match(word) and not ADDRESS.match(word):
        return None
    return _made(manager, word)


def _is_requirement(word: str) -> bool:
    """`name @ https://...` and `name >= 2`, as one word."""
    return (
        re.match(r"[A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?\s*(?:@|[=<>~!]=?)\s*[^\s$*]+\Z", word)
        is not None
    )


def _made(manager: str, word: str) -> Package:
    ecosystem = ECOSYSTEMS[manager]
    name, version = _split(ecosystem, word)
    return Package(manager, word, name, version, ecosystem)


def _split(ecosystem: str, word: str) -> tuple[str, str]:
    """(name, version as asked for) of a package as its ecosystem writes it."""
    if ecosystem == "pypi":
        match = re.match(r"([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(.*)\Z", word, re.DOTALL)
        if ADDRESS.match(word) or match is None:
            egg = EGG.search(word)
            return (egg[1] if egg else word), ""
        return match[1], match[2].removeprefix("==").removeprefix("@").strip()
    if ADDRESS.match(word):
        return word, ""
    if ecosystem == "npm":
        plain = re.sub(r"\A(?:npm|jsr):", "", word)
        at = plain.find("@", 1)
        return (plain[:at], plain[at + 1 :]) if at > 0 else (plain, "")
    sign = {
        "golang": "@", "cargo": "@", "composer": ":", "gem": ":", "deb": "=", "conda": "=",
        "nuget": "@",
    }.get(ecosystem)  # fmt: skip
    if ecosystem == "docker":
        name, _, digest = word.partition("@")
        head, slash, tail = name.rpartition("/")
        image, _, tag = tail.partition(":")
        return head + slash + image, digest or tag
    if ecosystem == "apk":
        match = re.match(r"([\w.+-]+?)(?:[<>=~]+(.*))?\Z", word)
        return (match[1], match[2] or "") if match else (word, "")
    if sign is None:
        return word, ""
    name, _, version = word.partition(sign)
    return name, version.lstrip("=")
