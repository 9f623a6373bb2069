"""The job of a command: its options over environment, file and machine policy. The file:

    sources = ["~/.local/state/hookstream/log"]
    privacy = "hash"

    [[sink]]
    name = "soc"
    uri = "splunk:https://hec.example:8088"
    token_env = "HEC_TOKEN"          # or token_file; any option: {env = "..."}, {file = "..."}
    only = {risk = "high"}           # event_type, tool, decision, risk
    except = {tool = ["NAME"]}
    sample = {allow = 10}            # one allowed event of ten, and each says so

    [[route]]
    event_type = ["Policy.*"]
    to = ["soc"]

Any other key of a sink is passed to it by name. A credential written out is accepted only from a
file that no other user can read.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from hookstream.configuration import machine
from hookstream.configuration.catalog import (
    BY_NAME,
    FOLLOWER,
    LOCKED,
    OPTIONS,
    RUN,
    SETTINGS,
    TABLE,
    Setting,
)
from hookstream.configuration.files import parse_toml, user_layer, variables
from hookstream.configuration.layers import (
    DEFAULT,
    MACHINE,
    OPTION,
    USER,
    Configuration,
    Layer,
    settle,
)
from hookstream.configuration.reading import Reading, named_layer
from hookstream.core.errors import HookstreamError, did_you_mean, invalid_choice
from hookstream.core.jsons import JsonObject
from hookstream.core.logs import say
from hookstream.core.personal import ALL, KINDS, NONE, unknown, words_of
from hookstream.delivery.credentials import From, known
from hookstream.delivery.job import Job, SinkSettings
from hookstream.delivery.select import DECISIONS, LEVELS, Selection, SelectRule
from hookstream.sinks import secrets_of

SECRETS = ("token", "password", "api_key", "secret", "key_password", "path")
SECRET_WORDS = ("password", "secret", "token", "api_key", "apikey", "authorization", "jaas")
RULE = ("event_type", "tool", "decision", "risk")
KEYS = ("pseudonym_key_file", "hash_key_file")
FIELDS = {field.name for field in fields(Job)}
# Settings of a follower that are tables with a reader of their own.
TABLES = ("sink", "route", "alert")


def job_of(options: Mapping[str, Any], reader: str = RUN) -> Job:
    """The job of a command that was given these options, by the names of the settings; the program
    `reader` says which settings of the files count. HookstreamError, in one line, for what cannot
    be, and for an option that would loosen what is locked."""
    config = options.get("config")
    file = named_layer(config) if config is not None else user_layer()
    given = {
        name: _checked(OPTIONS[name], value)
        for name, value in options.items()
        if name in OPTIONS and value not in (None, False, [])
    }
    asked = {name: value for name, value in given.items() if name not in ("sources", "sink")}
    laid = {name: one for name, one in asked.items() if reader in OPTIONS[name].readers}
    found = settle([machine.read(parse_toml), file, *variables(reader), Layer(OPTION, "", laid)])
    sinks: list[str | SinkSettings] = []
    values = {name: found.values[name] for name in BY_NAME if reader in BY_NAME[name].readers}
    if reader == FOLLOWER:
        configured = _read_follower(found, file, config)
        values |= configured.values
        sinks += configured.sinks
    report(found, file)
    for uri in given.get("sink", ()):
        if any(uri == sink.name for sink in sinks if isinstance(sink, SinkSettings)):
            raise HookstreamError(f"--to {uri}: is in the file already")
        sinks.append(uri)
    said = asked | values
    typed = {
        one.name: _typed(one, said[one.name])
        for one in TABLE
        if one.name in FIELDS and one.name in said
    }
    sources = [*given.get("sources", ()), *typed.get("sources", ())]
    typed["sources"] = [
        str(Path(source).expanduser()) if source.startswith("~") else source for source in sources
    ]
    return Job(
        **typed,
        sinks=sinks,
        policy_keys=tuple(name for name in KEYS if found.origins[name] == MACHINE),
        may_make_key=found.values["pseudonym_key_file"] is None,
    )


def _checked(setting: Setting, value: Any) -> Any:
    """An option's value as a file would have it. HookstreamError for one that cannot be."""
    if setting.kind == "personal":
        for word in unknown(value):
            raise invalid_choice(setting.option, word, (*KINDS, ALL, NONE))
        return words_of(value) or [NONE]
    if setting.kind == "words":
        words = [word.strip() for word in value.split(",") if word.strip()]
        for word in words:
            if word not in setting.choices:
                raise invalid_choice(setting.option, word, setting.choices)
        return words
    if setting.choices and value not in setting.choices:
        raise invalid_choice(setting.option, value, setting.words)
    if setting.kind == "path":
        return str(Path(value).expanduser().absolute())
    return value


def _typed(setting: Setting, value: Any) -> Any:
    """A value as the job has it."""
    if setting.kind == "path":
        return Path(value).expanduser() if value else None
    if setting.kind == "personal":
        return tuple(words_of(value))
    if setting.kind in ("texts", "words"):
        return tuple(value or ())
    return value


def report(found: Configuration, file: Layer | None) -> None:
    """Say what could not be used. HookstreamError if that was an option."""
    for one in found.refused:
        if one.origin == OPTION:
            where = machine.path()
            option = OPTIONS[one.name].option
            raise HookstreamError(f"{option}: {where} locks {one.name}; leave it out")
        say(f"hookstream: {one.text()}")
    for problem in found.problems:
        of_user = problem.removeprefix("configuration:")
        if file is not None and of_user != problem:
            problem = f"{file.path}:{of_user}"
        say(f"hookstream: {problem}")


class Configured(NamedTuple):
    """The part of a file that a follower alone reads: checked values, and the sinks."""

    values: JsonObject
    sinks: list[SinkSettings]


def _read_follower(found: Configuration, file: Layer | None, config: Path | None) -> Configured:
    """The follower's settings. Wrong, in one line, for what cannot be."""
    if file is not None and file.problem is not None:
        raise HookstreamError(f"{file.path}: {file.problem}")
    policy = machine.read(parse_toml)
    if policy is not None and "sink" in policy.values:
        # a credential written out in a file that all can read
        own = {"sink": copy.deepcopy(policy.values["sink"])}
        SinkReading(Path(policy.path)).follower(own)
    where = file.path if file is not None else machine.path()
    reading = SinkReading(Path(where))
    configured = reading.follower(_given(found, file), needs_sink=config is not None)
    if config is not None and file is not None:
        for problem in wrong_values(file):
            raise HookstreamError(f"{config}: {problem}")
    return configured


def _given(found: Configuration, file: Layer | None) -> JsonObject:
    """Names and values as one file of a follower's has them. Errors stay as they are written, so
    that they are reported at their place."""
    by_name = {
        one.name: copy.deepcopy(found.values[one.name])
        for one in SETTINGS
        if FOLLOWER in one.readers and found.origins[one.name] != DEFAULT and one.name != "alert"
    }
    for name, value in (file.values if file is not None else {}).items():
        setting = BY_NAME.get(name)
        if setting is None and name != LOCKED:
            by_name[name] = value
        if setting is not None and FOLLOWER in setting.readers and not setting.is_valid(value):
            by_name[name] = value
    return by_name


def wrong_values(file: Layer) -> list[str]:
    """The errors of a file that is not the machine's policy, one line each: settings that do not
    exist, values, locks."""
    values = unknown_settings(file.values)
    alone = settle([Layer(USER, file.path, file.values)])
    values += [problem.removeprefix("configuration: ") for problem in alone.problems]
    if LOCKED in file.values:
        values.append(f"{LOCKED}: counts in {machine.path()} alone")
    return values


def unknown_settings(values: Mapping[str, Any]) -> list[str]:
    """A line for each key of a file that is not a setting, with the nearest one."""
    return [
        f"{name}: no such setting{did_you_mean(name, BY_NAME)}"
        for name in values
        if name not in BY_NAME and name != LOCKED
    ]


class SinkReading(Reading):
    """A file with sinks, routes and credentials."""

    def follower(self, given: JsonObject, needs_sink: bool = True) -> Configured:
        read = [one for one in SETTINGS if FOLLOWER in one.readers and one.name not in TABLES]
        values = {one.name: self.setting(given, one) for one in read}
        kafka = self.option(values["kafka"], "kafka", False)
        sinks = self.take(given, "", "sink", list, [])
        routes = self.take(given, "", "route", list, [])
        for setting in SETTINGS:
            given.pop(setting.name, None)
        given.pop(LOCKED, None)
        allowed = ", ".join(one.name for one in read)
        self.nothing_left(given, "", f"{allowed}, [[sink]], [[route]], [[alert]], [retention]")
        if not sinks and needs_sink:
            raise self.wrong("sink", "none given; write at least one [[sink]] with a uri")
        names = self.names(sinks)
        ways = tuple(self.route(route, f"route[{n}]", names) for n, route in enumerate(routes))
        values |= {
            "kafka": {name: known(value) for name, value in kafka.items()},
            "seal": values["seal"] or bool(values["seal_to"]),
        }
        made = [
            self.sink(one, f"sink[{n}]", name, values["standard"], ways)
            for n, (one, name) in enumerate(zip(sinks, names, strict=True))
        ]
        return Configured(values, made)

    def names(self, sinks: list[Any]) -> list[str]:
        names: list[str] = []
        for n, sink in enumerate(sinks):
            if type(sink) is not dict:
                raise self.wrong(f"sink[{n}]", "needs to be a table: write [[sink]]")
            uri = self.take(sink, f"sink[{n}].", "uri", str, None)
            if uri is None:
                raise self.wrong(f"sink[{n}].uri", "missing")
            sink["uri"] = uri
            name = self.take(sink, f"sink[{n}].", "name", str, uri)
            if name in names:
                raise self.wrong(f"sink[{n}].name", f"{name!r} is given twice")
            names.append(name)
        return names

    def sink(
        self, given: JsonObject, where: str, name: str, standard: str, routes: Any
    ) -> SinkSettings:
        at = f"{where}."
        uri = given.pop("uri")
        standard = self.word(given, at, "standard", BY_NAME["standard"].choices) or standard
        flush_s = self.take(given, at, "flush_s", float, None)
        if flush_s is not None and not 0 <= flush_s < math.inf:
            raise self.wrong(f"{at}flush_s", "needs to be 0 or more")
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
        options = self.options(given, at, secrets_of(uri))
        return SinkSettings(name, uri, standard, selection, options, flush_s)

    def rule(self, given: JsonObject, where: str, also: str = "") -> SelectRule:
        types = self.texts(given, where, "event_type")
        tools = self.texts(given, where, "tool")
        decisions = self.texts(given, where, "decision")
        for word in decisions:
            if word not in DECISIONS:
                raise self.wrong(
                    f"{where}decision", f"{word!r} is not one of {', '.join(DECISIONS)}"
                )
        risk = self.word(given, where, "risk", LEVELS)
        self.nothing_left(given, where, ", ".join(RULE) + also)
        return SelectRule(tuple(types), tuple(tools), tuple(decisions), risk)

    def route(self, given: Any, where: str, names: list[str]) -> tuple[SelectRule, frozenset[str]]:
        if type(given) is not dict:
            raise self.wrong(where, "needs to be a table: write [[route]]")
        to = self.texts(given, f"{where}.", "to")
        for name in to:
            if name not in names:
                near = did_you_mean(name, names)
                raise self.wrong(f"{where}.to", f"no sink has the name {name!r}{near}")
        return self.rule(given, f"{where}.", ", to"), frozenset(to)

    # options and credentials

    def options(
        self, given: JsonObject, where: str, more: frozenset[str] = frozenset()
    ) -> JsonObject:
        """Read options, credentials among them: SECRETS, and `more` of a kind of sink."""
        secrets = more.union(SECRETS)
        found: JsonObject = {}
        for key, value in given.items():
            name, _, kind = key.rpartition("_")
            if name in secrets and kind in ("env", "file"):
                if type(value) is not str or not value:
                    raise self.wrong(f"{where}{key}", "needs to be a text")
                if name in given or name in found:
                    raise self.wrong(f"{where}{key}", f"{name} is given twice")
                found[name] = From(kind, value, f"{self.path}: {where}{key}")
            else:
                found[key] = self.option(value, f"{where}{key}", key in secrets)
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
    so. The address of a token does not.
    """
    if where.endswith(".headers"):
        return True
    return not name.endswith("_url") and any(word in name.lower() for word in SECRET_WORDS)
