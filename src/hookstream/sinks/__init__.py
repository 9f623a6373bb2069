"""Sinks (destinations): one module per kind; `open_sink` reads a URI.

A URI is `kind:target`; it holds neither credentials nor options. What it cannot hold (tokens,
formats, limits) are keyword arguments, named after what they mean and the same in a TOML file.
"""

from __future__ import annotations

from importlib import import_module
from inspect import signature
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import SinkError
from hookstream.core.files import check_folder
from hookstream.sinks.base import Adopting, Receipt, Sink
from hookstream.standards.rendered import Rendered

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["KINDS", "Adopting", "Receipt", "Rendered", "Sink", "SinkError", "open_segment"]
__all__ += ["folder_of", "open_sink"]

# kind -> module; a new sink is one line here and one module with `open_sink`.
KINDS = {
    "jsonl": "jsonl",
    "parquet": "parquet",
    "delta": "delta",
    "cloudevents": "cloudevents",
    "otlp": "otlp",
    "splunk": "splunk",
    "elastic": "elastic",
    "webhook": "webhook",
    "syslog": "syslog",
    "kafka": "kafka",
    "hookstream": "hookstream",
    "faulty": "faulty",
}
# Kinds whose target is a folder, unless it is an address.
INTO_FOLDERS = frozenset(("jsonl", "parquet", "delta", "cloudevents"))
# Schemes of object stores, which are not kinds.
BUCKETS = ("s3", "gs", "abfs", "abfss")
STANDARDS = ("agent-hooks", "aarts", "both")
# Columns of a table alone, without either rendering of an event.
COLUMNS_ONLY = "columns"
# Options any caller may give to every sink; those that have no use for them do not see them.
COMMON = ("now", "installation", "stream")


def open_sink(
    uri: str, *, standard: str = "both", scratch: str | None = None, **options: Any
) -> Sink:
    """The sink a URI names, ready to write. SinkError says in one line what is wrong.

    With `scratch`, a folder, a sink of files is opened there instead: a check of what was asked
    that makes nothing in the sink's own folder.
    """
    module, target = _find(uri, standard)
    folder = folder_of(uri)
    if folder is not None:
        check_folder(folder)
    if scratch is not None:
        if folder is not None:
            target = mkdtemp(dir=scratch)
        elif _kind(uri) == "faulty":
            options["scratch"] = scratch
    make: Callable[..., Sink] = module.open_sink
    also = getattr(module, "ALSO", None)
    return make(uri, target, standard=standard, **_fitting(uri, make, options, also))


def open_segment(uri: str, folder: str, *, standard: str = "both", **options: Any) -> Sink:
    """A sink in a private folder whose contents the sink of `uri` takes over with `adopt`.

    SinkError if that kind of sink does not adopt: then the Events themselves must travel.
    """
    module, target = _find(uri, standard)
    make: Callable[..., Sink] | None = getattr(module, "open_segment", None)
    if make is None:
        raise SinkError(f"{_kind(uri)}: cannot be written by several processes")
    return make(target, folder, standard=standard, **_fitting(uri, make, options, None))


def _kind(uri: str) -> str:
    return uri.partition(":")[0]


def _meant(uri: str) -> str:
    """Suggest a URI for a place that was named without a kind."""
    kind, colon, _ = uri.partition(":")
    shown = _shown(uri)
    if kind in BUCKETS:
        return f"; for a lake there write parquet:{shown}"
    if not colon or len(kind) == 1:  # one letter is a drive
        return f"; for a folder of lines write jsonl:{shown}, for a lake parquet:{shown}"
    return ""


def _find(uri: str, standard: str) -> tuple[Any, str]:
    kind, colon, target = uri.partition(":")
    if not colon or kind not in KINDS:
        known = ", ".join(f"{name}:" for name in KINDS if name != "faulty")
        raise SinkError(f"{_shown(uri)}: no such sink; a sink is one of {known}{_meant(uri)}")
    if "\0" in target:
        raise SinkError(f"{kind}: neither a folder nor an address holds a NUL character")
    if not target:
        raise SinkError(f"{kind}: where to? Write {kind}: and a folder or an address behind it")
    if standard not in STANDARDS and (standard, kind) != (COLUMNS_ONLY, "parquet"):
        raise SinkError(f"{standard!r}: no such standard; one of {', '.join(STANDARDS)}")
    if target == "-" and kind != "jsonl":
        raise SinkError(f"{kind}: does not write to standard output; jsonl:- does")
    return import_module(f"hookstream.sinks.{KINDS[kind]}"), at_home(target)


def at_home(target: str) -> str:
    """Expand the ~ of a user's folder: the shell does not, after a sink's kind."""
    return str(Path(target).expanduser()) if target.startswith("~") else target


def folder_of(uri: str) -> Path | None:
    """The folder of this machine that a sink writes to, None for any other sink."""
    kind, _, target = uri.partition(":")
    target = at_home(target.removeprefix("file://"))
    if kind not in INTO_FOLDERS or "://" in target or "\0" in target or target in ("", "-"):
        return None
    return Path(target).resolve()


def _shown(uri: str) -> str:
    """A URI as a message may show it: short, printable, nothing before an @."""
    text = uri.rpartition("@")[2][:80]
    return text if text.isprintable() else repr(text)


def _fitting(
    uri: str, make: Callable[..., Sink], options: dict[str, Any], also: tuple[str, ...] | None
) -> dict[str, Any]:
    """The options that `make` takes; `also` names those that its catch-all accepts, all if None."""
    parameters = signature(make).parameters
    catches_all = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    if catches_all and also is None:
        return options
    taken = [name for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY]
    taken += also or ()
    for name in options:
        if name not in taken and name not in COMMON:
            known = ", ".join(word for word in taken if word != "standard") or "none"
            raise SinkError(f"{_kind(uri)}: no option {name!r}; its options: {known}")
    return {name: value for name, value in options.items() if name in taken}
