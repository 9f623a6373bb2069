"""config show, config check: what holds on this machine and why; what is wrong in a file."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.cli.help import HelpOfGroup, Part
from hookstream.core.errors import HookstreamError, SinkError, invalid_choice
from hookstream.core.shown import shown

if TYPE_CHECKING:
    from hookstream.configuration.layers import Configuration, Layer
    from hookstream.core.jsons import JsonObject
    from hookstream.delivery.settings import Configured

FORMATS = ("table", "json")
# What is shown of tables: their other keys may hold credentials.
SHOWN = ("name", "uri", "to", "question", "rule")


def register(app: typer.Typer) -> None:
    group = Part(cls=HelpOfGroup, help="Show and check settings.", no_args_is_help=True)
    group.command("show")(show)
    group.command("check")(check)
    app.add_typer(group, name="config")


def show(
    config: Annotated[
        Path | None, typer.Option(help="A file in the place of the user's own.")
    ] = None,
    format: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "table",
) -> None:
    """Print each setting: value, origin, and whether it is locked."""
    if format not in FORMATS:
        raise invalid_choice("--format", format, FORMATS)
    found, layers = effective(config)
    rows = rows_of(found)
    refused = [one.text() for one in found.refused]
    if format == "json":
        files = [
            {"origin": layer.origin, "path": layer.path} for layer in layers if layer is not None
        ]
        fields = {"settings": rows, "files": files, "refused": refused, "problems": found.problems}
        print(json.dumps(fields, indent=1))
        return
    width = max(len(row["name"]) for row in rows)
    for row in rows:
        locked = ", locked" if row["locked"] else ""
        value = "-" if row["value"] in (None, [], {}) else row["value"]
        text = value if isinstance(value, str) else json.dumps(value)
        print(f"{row['name']:{width}}  {text}  ({row['origin']}{locked})")
    for line in refused + found.problems:
        print(f"hookstream: {line}")


def effective(config: Path | None) -> tuple[Configuration, list[Layer | None]]:
    """The settings in force, and the layers that set them."""
    from hookstream.configuration import machine
    from hookstream.configuration.catalog import ALL
    from hookstream.configuration.files import parse_toml, read_user, variables
    from hookstream.configuration.layers import settle
    from hookstream.configuration.reading import named_layer
    from hookstream.core.folders import config_folder

    user = named_layer(config) if config is not None else None
    user = user or read_user(config_folder(), parse_toml)
    layers = [machine.read(parse_toml), user, *variables(*ALL)]
    return settle(layers), layers


def rows_of(found: Configuration) -> list[JsonObject]:
    """{"name", "value", "origin", "locked", "readers"} of every setting."""
    from hookstream.configuration.catalog import SETTINGS
    from hookstream.redaction import Redactor
    from hookstream.redaction.scanner import Scanner

    redactor = Redactor("full", pseudonym_key=bytes(16), scanner=Scanner("python"))
    return [
        {
            "name": setting.name,
            "value": redactor.redact_json(_shown(found.values[setting.name])),
            "origin": found.origins[setting.name],
            "locked": setting.name in found.locked,
            "readers": list(setting.readers),
        }
        for setting in SETTINGS
    ]


def _shown(value: Any) -> Any:
    if isinstance(value, list):
        return [_shown(one) for one in value]
    if isinstance(value, dict):
        return {name: _shown(one) for name, one in value.items() if name in SHOWN}
    if isinstance(value, str) and "://" in value:
        from hookstream.core.shown import shown

        return shown(value)
    return value


def check(
    file: Annotated[Path, typer.Argument(help="A policy or a user's file, TOML.")],
    policy: Annotated[
        bool, typer.Option("--policy", help="Check it as the machine's policy, wherever it lies.")
    ] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="As `run --follow` opens it: sources may come later.")
    ] = False,
    format: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "table",
) -> None:
    """Check a file as `run --config` opens it, or a policy.

    Every mistake is named with its line. Exit 1 if anything is wrong in a policy, 2 for what
    `run --config` refuses.
    """
    from hookstream.cli.mistakes import FileMistake, line_of, mistakes, spans_of
    from hookstream.configuration import machine
    from hookstream.configuration.files import user_layer
    from hookstream.configuration.reading import named_layer

    if format not in FORMATS:
        raise invalid_choice("--format", format, FORMATS)
    layer = named_layer(file)
    refusal = None
    if policy or str(file.absolute()) == machine.path():
        lines = file.read_text("utf-8").split("\n")
        problems = [
            FileMistake(text, line_of(lines, text, spans_of(lines)))
            for text in problems_of_policy(file, layer.values)
        ]
    else:
        own = user_layer()
        is_own = own is not None and Path(own.path) == file.absolute()
        refuse = partial(refused, follow=follow, is_own=is_own)
        refusal = refuse(file)
        problems = [] if refusal is None else mistakes(file, refusal, refuse)
    warnings = [] if problems else warnings_of(file, layer.values)
    if format == "json":
        fields = {
            "file": str(file),
            "problems": [problem.text for problem in problems],
            "lines": [problem.line for problem in problems],
            "warnings": warnings,
        }
        print(json.dumps(fields, indent=1))
    else:
        for problem in problems:
            print(f"{file}:{problem.line or ''}{':' if problem.line else ''} {problem.text}")
        for warning in warnings:
            print(f"{file}: warning: {warning}")
        if not problems:
            print(f"{file}: {len(layer.values)} keys, no problem")
    if problems:
        raise typer.Exit(refusal.code if refusal is not None else 1)


def refused(file: Path, *, follow: bool, is_own: bool) -> HookstreamError | None:
    """The error of `run --config FILE` without running; None if it would run. The user's
    own file need not hold a sink: hooks and other commands read it without one."""
    from hookstream.cli.configured import wrong_tables
    from hookstream.cli.delivery import rehearse
    from hookstream.configuration.reading import named_layer
    from hookstream.delivery.settings import wrong_values

    try:
        layer = named_layer(file)
        if is_own and "sink" not in layer.values:
            wrong = wrong_values(layer) or wrong_tables(layer)
            for problem in [*wrong, *_of_sinks(file, layer.values)]:
                raise HookstreamError(f"{file}: {problem}")
        else:
            rehearse(file, follow=follow)
    except HookstreamError as error:
        return error
    except SinkError as error:
        return HookstreamError(str(error))
    return None


def problems_of_policy(file: Path, values: JsonObject) -> list[str]:
    """The errors of the machine's policy, one line each."""
    from hookstream.configuration import machine
    from hookstream.configuration.layers import MACHINE, Layer, settle
    from hookstream.delivery.settings import unknown_settings

    found = unknown_settings(values)
    settled = settle([Layer(MACHINE, str(file), values)])
    found += [problem.removeprefix(f"{MACHINE}: ") for problem in settled.problems]
    if str(file.absolute()) == machine.path():
        untrusted = machine.distrust(file.stat())
        found += [f"ignored, {untrusted}"] if untrusted else []
        found += _of_keys(values)
    return found or _of_sinks(file, values)


def warnings_of(file: Path, values: JsonObject) -> list[str]:
    """Warnings: settings that run, and may not be what was meant."""
    return [*_of_secrets(file, values), *_of_token_files(file, values), *_of_sources(values)]


def _of_sources(values: JsonObject) -> list[str]:
    """Sources without a file: a run reads nothing of them, a follower waits for them."""
    from hookstream.core.errors import NothingToRead
    from hookstream.core.sources import find

    given = values.get("sources", [])
    sources = []
    for one in given if type(given) is list else [given]:
        try:
            if "://" not in one:
                find([str(Path(one).expanduser())])
        except NothingToRead as error:
            sources.append(f"sources: {error}")
    return sources


def _of_keys(values: JsonObject) -> list[str]:
    from hookstream.redaction.keys import load_key

    keys = []
    for name in ("pseudonym_key_file", "hash_key_file"):
        if name in values:
            try:
                load_key(Path(values[name]).expanduser(), shared=True)
            except HookstreamError as error:
                keys.append(f"{name}: {error}")
    return keys


def _of_secrets(file: Path, values: JsonObject) -> list[str]:
    """Addresses that open something, in a file that others can read."""
    from hookstream.configuration.reading import is_private

    if is_private(file):
        return []
    return [
        f"{table}[{at}].{name}: an address that holds a secret, in a file that others can read; "
        "chmod 600, or write it as path or token = {env = ...}"
        for table, name in (("sink", "uri"), ("alert", "to"))
        for at, one in enumerate(values.get(table, []))
        if type(one) is dict and type(one.get(name)) is str and shown(one[name]) != one[name]
    ]


def _of_token_files(file: Path, values: JsonObject) -> list[str]:
    """Files of credentials that others can read. They are used: containers mount them so."""
    from hookstream.configuration.reading import is_private
    from hookstream.delivery.credentials import From

    try:
        sinks = _followed(file, values).sinks
    except HookstreamError:
        return []
    given = [
        option for sink in sinks for option in sink.options.values() if isinstance(option, From)
    ]
    places = [(one, Path(one.name).expanduser()) for one in given if one.kind == "file"]
    return [
        f"{one.where.removeprefix(f'{file}: ')}: {path}: others can read it; chmod 600"
        for one, path in places
        if path.exists() and not is_private(path)
    ]


def _of_sinks(file: Path, values: JsonObject) -> list[str]:
    """The follower's report on its part."""
    try:
        _followed(file, values)
    except HookstreamError as error:
        return [str(error).removeprefix(f"{file}: ")]
    return []


def _followed(file: Path, values: JsonObject) -> Configured:
    """The sinks and settings as a follower reads them. HookstreamError."""
    import copy

    from hookstream.delivery.settings import SinkReading

    return SinkReading(file).follower(copy.deepcopy(values), needs_sink=False)
