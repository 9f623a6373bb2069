"""Sinks (destinations): one module per kind, which declares itself (`kinds`), and the one reader
of a sink's URI and options.

A URI is `kind:target`; it holds neither credentials nor options. What it cannot hold (tokens,
formats, limits) are keyword arguments, named after what they mean and the same in a TOML file.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple

from hookstream.core.errors import SinkError, did_you_mean
from hookstream.core.files import check_folder
from hookstream.core.times import system_clock
from hookstream.sinks.base import Adopting, Receipt, Sink
from hookstream.sinks.kinds import QUICK_S, Opening, SinkKind
from hookstream.standards.rendered import Rendered

__all__ = ["KINDS", "Adopting", "Receipt", "Rendered", "Sink", "SinkAddress", "SinkError"]
__all__ += [
    "files_of",
    "folder_of",
    "kind_name",
    "open_segment",
    "open_sink",
    "read_uri",
    "secrets_of",
]

# The kinds, each a module of that name; a new sink is one word here and one module with `KIND`.
KINDS = (
    *"jsonl parquet delta cloudevents otlp splunk elastic webhook".split(),
    *("syslog", "kafka", "hookstream", "securitylake", "faulty"),
)
HIDDEN = ("faulty",)
# Schemes of object stores, which are not kinds.
BUCKETS = ("s3", "gs", "abfs", "abfss")
STANDARDS = ("agent-hooks", "aarts", "both")
# Columns of a table alone, without either rendering of an event.
COLUMNS_ONLY = "columns"
# A folder of such a name was probably meant to be a file.
OF_FILES = (".jsonl", ".ndjson", ".json", ".parquet", ".log")


class SinkAddress(NamedTuple):
    """A sink's URI, read: `target` with the user's folder spelt out; `folder` is the folder of this
    machine that it writes to, None for any other sink."""

    uri: str
    kind: SinkKind
    target: str
    folder: Path | None

    def files(self, standard: str, options: dict[str, Any]) -> list[str] | None:
        """The files of lines that it writes in its folder (none for a lake); None if it keeps
        nothing there."""
        if self.folder is None or self.kind.files is None:
            return None
        return self.kind.files(standard, options)


def kind_name(uri: str) -> str:
    """The word for a sink's kind in a URI, known or not."""
    return uri.partition(":")[0]


def kind_named(name: str) -> SinkKind:
    """The declaration of a kind."""
    kind: SinkKind = import_module(f"{__name__}.{name}").KIND
    return kind


def read_uri(uri: str) -> SinkAddress:
    """Read a sink's URI. SinkError says in one line what is wrong."""
    name, colon, target = uri.partition(":")
    shown = [one for one in KINDS if one not in HIDDEN]
    if not colon or name not in KINDS:
        is_word = colon and len(name) > 1  # one letter is a drive
        near = did_you_mean(name, shown) if is_word else ""
        near = near or f"; a sink is one of {', '.join(f'{one}:' for one in shown)}{_hint(uri)}"
        raise SinkError(f"{_shown(uri)}: no such sink{near}")
    if "\0" in target:
        raise SinkError(f"{name}: neither a folder nor an address holds a NUL character")
    if not target:
        raise SinkError(f"{name}: where to? Write {name}: and a folder or an address after it")
    if target == "-" and name != "jsonl":
        raise SinkError(f"{name}: does not write to standard output; jsonl:- does")
    kind = kind_named(name)
    # The shell does not expand a ~ that follows a sink's kind.
    target = str(Path(target).expanduser()) if target.startswith("~") else target
    folder = kind.place(target)
    if folder is None:
        return SinkAddress(uri, kind, target, None)
    folder = folder.expanduser()
    own = target if kind.name in HIDDEN else str(folder)
    return SinkAddress(uri, kind, own, folder.resolve())


def folder_of(uri: str) -> Path | None:
    """The folder of this machine that a sink writes to; None for any other, and for no sink."""
    try:
        return read_uri(uri).folder
    except SinkError:
        return None


def secrets_of(uri: str) -> frozenset[str]:
    """The options of a sink that are credentials; none for what is not a sink."""
    try:
        options = read_uri(uri).kind.options
    except SinkError:
        return frozenset()
    return frozenset(one.name for one in options if one.is_secret)


def flush_s_of(uri: str) -> float:
    """The seconds after which a follower flushes a sink; a program may have its own kinds."""
    return kind_named(kind_name(uri)).flush_s if kind_name(uri) in KINDS else QUICK_S


def files_of(uri: str, standard: str, options: dict[str, Any]) -> tuple[Path, list[str]] | None:
    """The folder of a sink and its files of lines there, none for a lake; None if it keeps no
    files."""
    address = read_uri(uri)
    names = address.files(standard, options)
    return None if address.folder is None or names is None else (address.folder, names)


def folder_to_come(uri: str) -> str | None:
    """One line about a folder whose name looks like a file's, before it is made; else None."""
    folder = folder_of(uri)
    if folder is None or folder.suffix not in OF_FILES or folder.exists():
        return None
    kept = files_of(uri, "both", {})
    holds = ", ".join(kept[1]) if kept and kept[1] else "date=*/tool=*/*.parquet"
    return f"{_shown(uri)}: makes a folder of that name, which holds {holds}"


def open_sink(
    uri: str,
    *,
    standard: str = "both",
    scratch: str | None = None,
    now: Callable[[], str] | None = None,
    installation: str | None = None,
    stream: str | None = None,
    **options: Any,
) -> Sink:
    """The sink of a URI, ready to write. SinkError says in one line what is wrong.

    With `scratch`, a folder, a sink of files is opened there instead: a check of what was asked
    that makes nothing in the sink's own folder.
    """
    address = _checked(uri, standard)
    given = address.kind.read(options)
    target = address.target
    if address.folder is not None:
        check_folder(address.folder)
        if scratch is not None and address.kind.name not in HIDDEN:
            target = mkdtemp(dir=scratch)
    at = Opening(
        uri, target, address.folder, standard, now or system_clock, installation, stream, scratch
    )
    return address.kind.open(at, **given)


def open_segment(
    uri: str,
    folder: str,
    *,
    standard: str = "both",
    now: Callable[[], str] | None = None,
    **options: Any,
) -> Sink:
    """A sink in a private folder whose contents the sink of `uri` takes over with `adopt`.

    SinkError if that kind of sink does not adopt: then the Events themselves must travel.
    """
    address = _checked(uri, standard)
    if not address.kind.has_segments:
        raise SinkError(f"{address.kind.name}: cannot be written by several processes")
    own = f"{address.kind.name}:{folder}"
    at = Opening(own, address.target, address.folder, standard, now or system_clock, segment=folder)
    return address.kind.open(at, **address.kind.read(options))


def _checked(uri: str, standard: str) -> SinkAddress:
    address = read_uri(uri)
    if standard not in STANDARDS and not (standard == COLUMNS_ONLY and address.kind.is_lake):
        raise SinkError(f"{standard!r}: no such standard; one of {', '.join(STANDARDS)}")
    return address


def _hint(uri: str) -> str:
    """Suggest a URI for a place that was named without a kind."""
    kind, colon, _ = uri.partition(":")
    shown = _shown(uri)
    if kind in BUCKETS:
        return f"; for a lake there write parquet:{shown}"
    if not colon or len(kind) == 1:
        return f"; for a folder of lines write jsonl:{shown}, for a lake parquet:{shown}"
    return ""


def _shown(uri: str) -> str:
    """A URI as a message may show it: short, printable, nothing before an @."""
    text = uri.rpartition("@")[2][:80]
    return text if text.isprintable() else repr(text)
