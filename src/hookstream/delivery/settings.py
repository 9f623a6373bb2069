"""Load the TOML configuration: sources, sinks, filters, routes, references to credentials.

    sources = ["~/.local/state/hookstream/log"]
    privacy = "hash"

    [[sink]]
    name = "soc"
    uri = "splunk:https://hec.example:8088"
    token_env = "HEC_TOKEN"          # or token_file; any option: {env = "..."}, {file = "..."}
    only = {risk = "high"}           # event_type, tool, decision, risk
    except = {tool = ["cursor"]}
    sample = {allow = 10}            # one allowed event of ten, and each says so

    [[route]]
    event_type = ["Policy.*"]
    to = ["soc"]

Any other key of a sink is passed to it by name. A credential written out is accepted only from a
file that no other user can read.
"""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.configuration.catalog import FOLLOWER, LOCKED, SETTINGS
from hookstream.core.errors import HookstreamError, SinkError
from hookstream.delivery.credentials import From, known, open_at
from hookstream.delivery.select import DECISIONS, LEVELS, Selected, Selection, SelectRule
from hookstream.sinks import STANDARDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.sinks.base import Sink

SECRETS = ("token", "password", "api_key", "secret", "key_password", "path")
SECRET_WORDS = ("password", "secret", "token", "api_key", "apikey", "authorization", "jaas")
RULE = ("event_type", "tool", "decision", "risk")
# Settings of the same grammar that others read: hooks, `hookstream alert`, what every command does.
ELSEWHERE = {one.name for one in SETTINGS if FOLLOWER not in one.readers}
ELSEWHERE |= {"alert", "pseudonyms", "pseudonym_key_file", LOCKED}


class Wrong(HookstreamError):
    """The file says what cannot be; the text is its name, the key's path and what is expected."""


@dataclass(frozen=True)
class SinkSettings:
    """One sink. `options` are passed on by name; credentials in them are read when it is opened."""

    name: str
    uri: str
    standard: str
    selection: Selection
    options: dict[str, Any]
    flush_s: float | None

    @property
    def label(self) -> str:
        """The configured name, if any."""
        return "" if self.name == self.uri else self.name

    def open(self, **common: Any) -> Sink:
        """SinkError as `open_sink`; HookstreamError if a credential is not to be had."""
        options = {name: known(value) for name, value in self.options.items()}
        for name in common:
            if name in options:
                raise SinkError(f"{self.uri.partition(':')[0]}: {name} is not for a file to say")
        try:
            sink = open_at(self.uri, standard=self.standard, **common, **options)
        except (TypeError, AttributeError, ValueError):  # from whatever takes the option in the end
            kind = self.uri.partition(":")[0]
            raise SinkError(f"{kind}: the value of an option is of a wrong type") from None
        return sink if self.selection.takes_all else Selected(sink, self.selection)


@dataclass(frozen=True)
class DeliverySettings:
    """The configuration file; what it leaves out is None."""

    sources: list[str] = field(default_factory=list)
    sinks: list[SinkSettings] = field(default_factory=list)
    state: Path | None = None
    privacy: str | None = None
    vendor: str | None = None
    hash_key_file: Path | None = None
    spool_bytes: int | None = None
    allow: Path | None = None
    seal: bool = False
    seal_to: list[str] = field(default_factory=list)
    kafka: dict[str, Any] = field(default_factory=dict)


def load(path: Path) -> DeliverySettings:
    """The settings in the file. Wrong, in one line, for anything that does not belong there."""
    try:
        with path.open("rb") as file:
            private = os.name == "nt" or not os.fstat(file.fileno()).st_mode & 0o077
            given = tomllib.load(file)
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Wrong(f"{path}: {error}") from None
    return SettingsReading(path, private).settings(given)


class SettingsReading:
    """One file being read; every complaint names the key."""

    def __init__(self, path: Path, private: bool) -> None:
        self.path = path
        self.private = private

    def wrong(self, where: str, what: str) -> Wrong:
        return Wrong(f"{self.path}: {where}: {what}")

    def take(self, given: dict[str, Any], where: str, name: str, want: type, other: Any) -> Any:
        """The value under a key, which is taken out. Wrong unless it is of that type."""
        if name not in given:
            return other
        value = given.pop(name)
        if want is float and type(value) is int:
            value = float(value)
        if type(value) is not want:
            raise self.wrong(f"{where}{name}", f"needs to be a {WORDS[want]}")
        return value

    def word(self, given: dict[str, Any], where: str, name: str, words: tuple[str, ...]) -> Any:
        value = self.take(given, where, name, str, None)
        if value is not None and value not in words:
            raise self.wrong(f"{where}{name}", f"{value!r} is none of {', '.join(words)}")
        return value

    def nothing_left(self, given: dict[str, Any], where: str, allowed: str) -> None:
        for name in given:
            raise self.wrong(f"{where}{name}", f"no such key; here may be {allowed}")

    def settings(self, given: dict[str, Any], needs_sink: bool = True) -> DeliverySettings:
        sources = self.texts(given, "", "sources")
        standard = self.word(given, "", "standard", STANDARDS) or "both"
        privacy = self.word(given, "", "privacy", ("hash", "redact", "full"))
        vendor = self.take(given, "", "vendor", str, None)
        state = self.take(given, "", "state", str, None)
        key = self.take(given, "", "hash_key_file", str, None)
        allow = self.take(given, "", "allow", str, None)
        room = self.take(given, "", "spool_bytes", int, None)
        seal = self.take(given, "", "seal", bool, False)
        seal_to = self.texts(given, "", "seal_to")
        kafka = self.option(self.take(given, "", "kafka", dict, {}), "kafka", False)
        if room is not None and room < 1 << 20:
            raise self.wrong("spool_bytes", "needs to be at least 1048576")
        sinks = self.take(given, "", "sink", list, [])
        routes = self.take(given, "", "route", list, [])
        for name in ELSEWHERE:
            given.pop(name, None)
        allowed = "sources, standard, privacy, vendor, state, hash_key_file, allow, spool_bytes, "
        allowed += "seal, seal_to, kafka"
        self.nothing_left(given, "", f"{allowed}, [[sink]], [[route]], [[alert]], [retention]")
        if not sinks and needs_sink:
            raise self.wrong("sink", "none given; write at least one [[sink]] with a uri")
        names = self.names(sinks)
        ways = tuple(self.route(one, f"route[{n}]", names) for n, one in enumerate(routes))
        return DeliverySettings(
            [one if "://" in one else str(Path(one).expanduser()) for one in sources],
            [
                self.sink(one, f"sink[{n}]", name, standard, ways)
                for n, (one, name) in enumerate(zip(sinks, names, strict=True))
            ],
            Path(state).expanduser() if state else None,
            privacy,
            vendor,
            Path(key).expanduser() if key else None,
            room,
            Path(allow).expanduser() if allow else None,
            seal or bool(seal_to),
            seal_to,
            {name: known(value) for name, value in kafka.items()},
        )

    def names(self, sinks: list[Any]) -> list[str]:
        names: list[str] = []
        for n, one in enumerate(sinks):
            if type(one) is not dict:
                raise self.wrong(f"sink[{n}]", "needs to be a table: write [[sink]]")
            uri = self.take(one, f"sink[{n}].", "uri", str, None)
            if uri is None:
                raise self.wrong(f"sink[{n}].uri", "missing")
            one["uri"] = uri
            name = self.take(one, f"sink[{n}].", "name", str, uri)
            if name in names:
                raise self.wrong(f"sink[{n}].name", f"{name!r} is given twice")
            names.append(name)
        return names

    def sink(
        self, given: dict[str, Any], where: str, name: str, standard: str, routes: Any
    ) -> SinkSettings:
        at = f"{where}."
        uri = given.pop("uri")
        standard = self.word(given, at, "standard", STANDARDS) or standard
        flush_s = self.take(given, at, "flush_s", float, None)
        sample = self.take(given, at, "sample", dict, {})
        allows = self.take(sample, f"{at}sample.", "allow", int, 1)
        self.nothing_left(sample, f"{at}sample.", "allow")
        if allows < 1:
            raise self.wrong(f"{at}sample.allow", "needs to be 1 or more")
        filters = {
            key: self.rule(self.take(given, at, key, dict, {}), f"{at}{key}.")
            for key in ("only", "except")
            if key in given
        }
        selection = Selection(name, filters.get("only"), filters.get("except"), routes, allows)
        options = self.options(given, at)
        return SinkSettings(name, uri, standard, selection, options, flush_s)

    def rule(self, given: dict[str, Any], where: str, also: str = "") -> SelectRule:
        types = self.texts(given, where, "event_type")
        tools = self.texts(given, where, "tool")
        decisions = self.texts(given, where, "decision")
        for word in decisions:
            if word not in DECISIONS:
                raise self.wrong(f"{where}decision", f"{word!r} is none of {', '.join(DECISIONS)}")
        risk = self.word(given, where, "risk", LEVELS)
        self.nothing_left(given, where, ", ".join(RULE) + also)
        return SelectRule(tuple(types), tuple(tools), tuple(decisions), risk)

    def route(self, given: Any, where: str, names: list[str]) -> tuple[SelectRule, frozenset[str]]:
        if type(given) is not dict:
            raise self.wrong(where, "needs to be a table: write [[route]]")
        to = self.texts(given, f"{where}.", "to")
        for name in to:
            if name not in names:
                raise self.wrong(f"{where}.to", f"{name!r} is the name of no sink")
        return self.rule(given, f"{where}.", ", to"), frozenset(to)

    def texts(self, given: dict[str, Any], where: str, name: str) -> list[str]:
        value = given.pop(name, [])
        value = [value] if type(value) is str else value
        if type(value) is not list or not all(type(one) is str for one in value):
            raise self.wrong(f"{where}{name}", "needs to be a text or a list of texts")
        return list(value)

    # options and credentials

    def options(self, given: dict[str, Any], where: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in given.items():
            name, _, kind = key.rpartition("_")
            if name in SECRETS and kind in ("env", "file"):
                if type(value) is not str or not value:
                    raise self.wrong(f"{where}{key}", "needs to be a text")
                if name in given or name in found:
                    raise self.wrong(f"{where}{key}", f"{name} is given twice")
                found[name] = From(kind, value, f"{self.path}: {where}{key}")
            else:
                found[key] = self.option(value, f"{where}{key}", key in SECRETS)
        return found

    def option(self, value: Any, where: str, secret: bool) -> Any:
        if type(value) is dict and len(value) == 1 and set(value) <= {"env", "file"}:
            ((kind, name),) = value.items()
            if type(name) is str:
                return From(kind, name, f"{self.path}: {where}")
        if type(value) is dict:
            return {
                name: self.option(one, f"{where}.{name}", secret or is_secret(where, name))
                for name, one in value.items()
            }
        if secret and not self.private:
            raise self.wrong(
                where, "a credential in a file that others can read; chmod 600, or use env or file"
            )
        return value


def is_secret(where: str, name: str) -> bool:
    """Return whether an option's inner key may hold a credential: every header, and names that say
    so.
    """
    return where.endswith(".headers") or any(word in name.lower() for word in SECRET_WORDS)


WORDS = {
    bool: "truth value",
    str: "text",
    int: "whole number",
    float: "number",
    list: "list",
    dict: "table",
}


def opening(sink: SinkSettings, **common: Any) -> Callable[[], Sink]:
    """Open the sink; errors begin with its configured name, never with an address, which may hold a
    credential."""

    def make() -> Sink:
        try:
            return sink.open(**common)
        except SinkError as error:
            raise SinkError(f"sink {sink.label}: {error}" if sink.label else str(error)) from None

    return make
