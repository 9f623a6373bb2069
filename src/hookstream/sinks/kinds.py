"""The declaration of a kind of sink: its module says it as `KIND`, and nothing else does.

name            the word before the colon of a URI, and the name of the module
open            makes the sink of an `Opening`; gets every option as a keyword
options         its options, with types and defaults
place           the folder of a target, None for an address; without `place` all are addresses
files           the names of the files of lines that it writes in its folder
is_lake         its folder holds a lake's parts
is_queried      `hookstream query` reads its folder
has_segments    several processes may write, each to a private folder
flush_s         how often a follower flushes it
takes_stream    the far end is given the name of a follower's spool, with each record's place
targets, delivered, duplicates    cells of the table in docs/sinks.md
example         the keys of its [[sink]] table, as its page shows them
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import SinkError, did_you_mean
from hookstream.core.times import system_clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.sinks.base import Sink

FORMATS = ("native", "cloudevents", "ecs", "ocsf", "cef")
OF_ONE_RECEIVER = ("asim", "udm")
QUICK_S = 0.25
WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    dict: "a table",
}


@dataclass(frozen=True)
class SinkOption:
    """An option of a kind of sink: a key of its [[sink]] table, a keyword of `open_sink`. A secret
    one is a credential. With `choices` it is one of these."""

    name: str
    type: type
    default: Any
    help: str
    choices: tuple[Any, ...] = ()
    is_secret: bool = False

    def read(self, kind: str, value: Any) -> Any:
        """The value; the default for None. SinkError for one of another type, or no choice."""
        if value is None:
            return self.default
        if self.choices:
            if any(type(value) is type(choice) and value == choice for choice in self.choices):
                return value
            text = ", ".join(str(choice).lower() for choice in self.choices)
            words = [
                choice for choice in self.choices if type(choice) is str and type(value) is str
            ]
            near = did_you_mean(value, words) or f"; one of {text}"
            raise SinkError(f"{kind}: no {self.name} {value!r}{near}")
        if self.type is float and type(value) is int:
            value = float(value)
        if type(value) is not self.type:
            raise SinkError(f"{kind}: option {self.name} needs to be {WORDS[self.type]}")
        size: Any = value
        if self.type in (int, float) and not 0 < size < math.inf:
            raise SinkError(f"{kind}: option {self.name} needs to be more than 0")
        return value


def format_option(*choices: str) -> SinkOption:
    """The option of a message's format; the first is the default."""
    return SinkOption("format", str, choices[0], "Format of a message.", choices)


ARGUMENTS = SinkOption(
    "arguments",
    bool,
    None,
    "Include command lines, paths and URLs, after redaction. Default: in OCSF 1.9, ASIM and UDM.",
)
OCSF_VERSION = SinkOption("version", str, "1.9", "Version of the format `ocsf`.", ("1.9", "1.8"))
SIGNING_KEY = SinkOption(
    "signing_key_file", str, None, "Ed25519 key (PEM, 0600) that signs each record."
)


@dataclass(frozen=True)
class Opening:
    """The circumstances in which a sink is opened: `target` is the rest of the URI, `folder`
    the one that it names, `segment` the
    private folder of one of several processes, `scratch` a folder for a sink that is only checked;
    `stream` names the spool that records come from, `installation` this installation."""

    uri: str
    target: str
    folder: Path | None
    standard: str
    now: Callable[[], str] = system_clock
    installation: str | None = None
    stream: str | None = None
    scratch: str | None = None
    segment: str | None = None


def local_folder(target: str) -> Path | None:
    """The folder that a target names, None for an address and for standard output."""
    target = target.removeprefix("file://")
    return None if "://" in target or target in ("", "-") else Path(target)


def nowhere(target: str) -> Path | None:
    """Return None: the target is an address."""
    return None


@dataclass(frozen=True)
class SinkKind:
    """A kind of sink, as its module declares it."""

    name: str
    open: Callable[..., Sink]
    options: tuple[SinkOption, ...]
    targets: str
    delivered: str
    duplicates: str
    example: str
    place: Callable[[str], Path | None] = nowhere
    files: Callable[[str, dict[str, Any]], list[str]] | None = None
    is_lake: bool = False
    is_queried: bool = False
    has_segments: bool = False
    flush_s: float = QUICK_S
    takes_stream: bool = False

    def read(self, options: dict[str, Any]) -> dict[str, Any]:
        """Every option, read or its default. SinkError for an unknown or a wrong one."""
        by_name = {option.name: option for option in self.options}
        for name in options:
            if name not in by_name:
                spelled = [
                    *by_name,
                    *(f"{option.name}_env" for option in self.options if option.is_secret),
                ]
                near = (
                    did_you_mean(name, spelled) or f"; its options: {', '.join(by_name) or 'none'}"
                )
                raise SinkError(f"{self.name}: no option {name!r}{near}")
        return {name: one.read(self.name, options.get(name)) for name, one in by_name.items()}
