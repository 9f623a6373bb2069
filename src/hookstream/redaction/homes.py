"""People's names become the user's pseudonym where paths and commands name them: home folders,
`sudo -u`, `chown`, `ssh name@host`; paths stay joinable. `rules/words/people.toml` says where."""

from __future__ import annotations

import re

from hookstream.redaction.digest import pseudonym
from hookstream.redaction.rules.compiled.words.accounts import GENERIC, SYSTEM
from hookstream.redaction.rules.compiled.words.people import NEEDS, PLACES, SIGNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event

_ENDS = r"/\s\"'\\:;,<>|&(){}\[\]$*?#`=\x00-\x1f"


def _others(names: list[str], ends: str) -> str:
    """A pattern for the beginning of any name but these: automata know no `not`."""
    following: dict[str, list[str]] = {}
    for name in names:
        if name:
            following.setdefault(name[0], []).append(name[1:])
    steps = [re.escape(char) + _others(rest, ends) for char, rest in sorted(following.items())]
    mine = "".join(re.escape(char) for char in sorted(following))
    away = f"[^{mine}{ends if '' in names else ''}]"  # a shorter name is another name
    return f"(?:{'|'.join([*steps, away])})" if steps else f"[^{ends}]"


def sign() -> str:
    """A pattern for the home of a user who is not generic; it is part of an engine's pass. Made
    when an engine asks: a hook, whose engine goes by keywords, has no time for it."""
    return (
        rf"(?:/home/|[/\\]Users[/\\]{{1,4}}){_others(sorted(GENERIC), _ENDS)}"
        rf"|-(?:home|Users)-{_others(sorted(n for n in GENERIC if '-' not in n), _ENDS + '-')}"
        rf"|(?:{'|'.join(_sign(mark) for mark in sorted(NAMED))})"
    )


_BEGINS = r"(?:^|[\n;&|(`\"'])[ ]?"  # a command


def _sign(mark: str) -> str:
    """A mark as an engine looks for it: words by themselves, what is not with a name joined."""
    if mark == "://":
        return r"://[A-Za-z][\w.-]{0,64}(?::[^\s@/\"']{0,64})?@"
    if mark == "~":
        return r"(?:^|[\s\"'`=:(,/])~[A-Za-z]"
    if mark.startswith("^"):
        return rf"{_BEGINS}{mark[1:]}[ ]-?[A-Za-z]"
    if mark.startswith("%"):
        return r"(?i)%(?:25){0,2}(?:2F|5C)(?:home|users)%"
    if mark in ("/home", "/Users"):
        return rf"/[a-z]{mark}/"
    edge = r"\b" if mark[0].isalpha() else ""
    return edge + re.escape(mark) + (r"\s" if mark.isalpha() and mark.islower() else "")


# One of these is in every text that names a person.
NAMED = frozenset(mark.replace("\\x20", " ") for mark in SIGNS)
# As words that a text has, whatever their place.
WORDS = tuple(sorted(f"{mark[1:]} " if mark[0] == "^" else mark for mark in NAMED))
MARKS = (
    *("/home/", "/Users/", "\\Users\\", "-home-", "-Users-"),
    *sorted(mark for mark in NAMED if mark[0] != "^"),
)
_FIRST = sorted(mark[1:] for mark in NAMED if mark[0] == "^")
_FIRST_WORDS = tuple(f"{word} " for word in _FIRST)
_COMMANDS = re.compile(rf"{_BEGINS}(?:{'|'.join(_FIRST)})[ ]-?[A-Za-z]")

_NAME = r"([^/\s\"'\\:;,<>|&(){}\[\]$*?#`=\x00-\x1f]{1,64})"
_HOME = re.compile(
    r"(?:(?<![\w.@-])/|(?<=/mnt/[a-z])/|(?<=/var)/|(?<=/usr)/|(?<=/export)/|(?<=/data)/)"
    r"(?:home|Users)/" + _NAME + r"|(?i:(?<![a-z])[a-z]:[\\/]{1,4}Users[\\/]{1,4})" + _NAME
)
# Claude Code and others name a folder after a path: projects/-home-alice-project.
_DASHED = re.compile(r"(?<=[/\\])(-(?:home|Users)-)([^/\s\"'\\:;,<>|-]{1,64})(?=[-/\\]|\Z)")


# A name as accounts have it; an address after it belongs to `@`.
_ACCOUNT = r"([A-Za-z][A-Za-z0-9_.-]{1,63})"
_ARGUMENTS = r"(?:[^\s|;&<>\"'`]{1,64}\s){0,6}?"
_WORD = r"[^\s\"'<>,;:@|&()\[\]{}=/\\0-9]{1,32}"
_PERSON = rf"({_WORD},?(?:\s{_WORD}){{1,3}})"
# Words in lower case one of which every match holds, and the pattern: few are ever asked for.
_PLACES = [
    (
        needs,
        re.compile(
            place.replace("<name>", _ACCOUNT)
            .replace("<person>", _PERSON)
            .replace("<arg>", _ARGUMENTS),
            re.ASCII | re.M,
        ),
    )
    for needs, place in zip(NEEDS, PLACES, strict=True)
]
# Words in the place of names, and options' values.
_NO_NAME = re.compile(r"user-[0-9a-f]{16}|.*[_=].*|-.*|\d+|[A-Z_]{4,}")


def may_name(text: str) -> bool:
    """Return whether a text may name a person."""
    has = text.__contains__
    return any(map(has, MARKS)) or (
        any(map(has, _FIRST_WORDS)) and _COMMANDS.search(text) is not None
    )


class HomePaths:
    """Rewrites texts under one key. `rewrite` is memoised: paths repeat with every event."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._names: dict[str, str] = {}
        self._texts: dict[str, str] = {}

    def name(self, name: str) -> str:
        pseudonym_of_name = self._names.get(name)
        if pseudonym_of_name is None:
            lowered = name.lower()
            is_nobody = lowered in GENERIC or lowered in SYSTEM
            pseudonym_of_name = name if is_nobody else pseudonym("user", name, self.key)
            if len(self._names) > 4096:
                self._names.clear()
            self._names[name] = pseudonym_of_name
        return pseudonym_of_name

    def rewrite(self, text: str) -> str:
        """The text with people's names in home paths replaced; the same object if it has no such
        name.
        """
        rewritten = self._texts.get(text)
        if rewritten is not None:
            return rewritten
        if not may_name(text):
            return text
        fresh = self._rewrite(text)
        if len(text) <= 512:
            if len(self._texts) > 8192:
                self._texts.clear()
            self._texts[text] = fresh
        return fresh

    def apply(self, event: Event) -> None:
        """An event that holds nothing else to hide."""
        facts = event.facts
        for name, value in facts.items():
            kind = type(value)
            if kind is str:
                facts[name] = self.rewrite(value)
            elif kind is dict or kind is list:
                facts[name] = self.tree(value)
        event.input = self.tree(event.input)
        event.native = self.tree(event.native)
        event.unmapped = self.tree(event.unmapped)
        event.emitter = self.tree(event.emitter)
        event.redacted = self.tree(event.redacted)
        event.artifacts = [
            (artifact[0], self.tree(artifact[1]), *artifact[2:]) for artifact in event.artifacts
        ]
        if event.type.startswith("vendor."):
            event.type = self.rewrite(event.type)

    def tree(self, value: Any) -> Any:
        """Any JSON value with the names in its strings replaced; keys stay as they are."""
        kind = type(value)
        if kind is str:
            return self.rewrite(value)
        if kind is dict:
            return {key: self.tree(item) for key, item in value.items()}
        if kind is list:
            return [self.tree(item) for item in value]
        return value

    def _rewrite(self, text: str) -> str:
        seen: list[tuple[str, str]] = []

        def replace(match: re.Match[str]) -> str:
            group = 1 if match[1] is not None else 2
            name = match[group].rstrip(".!")
            fresh = self.name(name)
            if fresh == name:
                return match[0]
            seen.append((name, fresh))
            at = match.start(group) - match.start()
            return match[0][:at] + fresh + match[0][at + len(name) :]

        out = _HOME.sub(replace, text)
        for name, fresh in seen:  # a name with a dash is only known whole from the plain path
            flat = re.sub(r"[^A-Za-z0-9]", "-", name)
            for head in ("-home-", "-Users-"):
                out = out.replace(f"{head}{flat}-", f"{head}{fresh}-")
        out = _DASHED.sub(self._dashed, out)
        lowered = out.lower()
        for needs, pattern in _PLACES:
            if any(map(lowered.__contains__, needs)):
                replaced = pattern.sub(self._placed, out)
                if replaced != out:
                    out, lowered = replaced, replaced.lower()
        return out

    def _placed(self, match: re.Match[str]) -> str:
        name = match[1].rstrip(".")
        if _NO_NAME.fullmatch(name) is not None:
            return match[0]
        at = match.start(1) - match.start()
        return match[0][:at] + self.name(name) + match[0][at + len(name) :]

    def _dashed(self, match: re.Match[str]) -> str:
        name = match[2]
        if name == "user" and re.match(r"-[0-9a-f]{16}", match.string[match.end() :]):
            return match[0]
        return match[1] + self.name(name)
