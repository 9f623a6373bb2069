"""config show, config check: what holds on this machine and why; what is wrong in a file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.errors import HookstreamError, invalid_choice

if TYPE_CHECKING:
    from hookstream.configuration.layers import Configuration, Layer

FORMATS = ("table", "json")
# What is shown of tables: their other keys may hold credentials.
SHOWN = ("name", "uri", "to", "question", "rule")


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="Show and check settings.", no_args_is_help=True)
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
        files = [{"origin": one.origin, "path": one.path} for one in layers if one is not None]
        made = {"settings": rows, "files": files, "refused": refused, "problems": found.problems}
        print(json.dumps(made, indent=1))
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
    """What holds, and the layers that say so."""
    from hookstream.capture.log import place
    from hookstream.cli.configured import named_layer
    from hookstream.configuration import machine
    from hookstream.configuration.files import parse_toml, read_user, variables
    from hookstream.configuration.layers import ENVIRONMENT, Layer, settle

    user = named_layer(config) if config is not None else None
    user = user or read_user(place.config_folder(), parse_toml)
    layers = [machine.read(parse_toml), user, variables()]
    said = os.environ.get(place.VARIABLE, "").strip()
    if said:
        layers.append(Layer(ENVIRONMENT, place.VARIABLE, {"log": said}))
    return settle(layers), layers


def rows_of(found: Configuration) -> list[dict[str, Any]]:
    """{"name", "value", "origin", "locked", "readers"} of every setting."""
    from hookstream.configuration.catalog import SETTINGS
    from hookstream.redaction import Redactor
    from hookstream.redaction.scanner import Scanner

    redactor = Redactor("full", pseudonym_key=bytes(16), scanner=Scanner("python"))
    return [
        {
            "name": one.name,
            "value": redactor.redact_json(_shown(found.values[one.name])),
            "origin": found.origins[one.name],
            "locked": one.name in found.locked,
            "readers": list(one.readers),
        }
        for one in SETTINGS
    ]


def _shown(value: Any) -> Any:
    if isinstance(value, list):
        return [_shown(one) for one in value]
    if isinstance(value, dict):
        return {name: _shown(one) for name, one in value.items() if name in SHOWN}
    if isinstance(value, str) and "://" in value:
        from hookstream.sinks.shown import shown

        return shown(value)
    return value


def check(
    file: Annotated[Path, typer.Argument(help="A policy or a user's file, TOML.")],
    policy: Annotated[
        bool, typer.Option("--policy", help="Check it as the machine's policy, wherever it lies.")
    ] = False,
    format: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "table",
) -> None:
    """Check a file: syntax, names, values, locks, sinks, rights. Exit 1 if anything is wrong."""
    from hookstream.cli.configured import named_layer

    if format not in FORMATS:
        raise invalid_choice("--format", format, FORMATS)
    layer = named_layer(file)
    problems = problems_of(file, layer.values, policy)
    if format == "json":
        print(json.dumps({"file": str(file), "problems": problems}, indent=1))
    else:
        for problem in problems:
            print(f"{file}: {problem}")
        if not problems:
            print(f"{file}: {len(layer.values)} keys, no problem")
    if problems:
        raise typer.Exit(1)


def problems_of(file: Path, values: dict[str, Any], is_policy: bool = False) -> list[str]:
    """What is wrong in a file, one line each."""
    from hookstream.configuration import machine
    from hookstream.configuration.catalog import BY_NAME, LOCKED
    from hookstream.configuration.layers import MACHINE, Layer, settle

    unknown = [name for name in values if name not in BY_NAME and name != LOCKED]
    found = [f"{name}: no such setting" for name in unknown]
    settled = settle([Layer(MACHINE, str(file), values)])
    found += [problem.removeprefix(f"{MACHINE}: ") for problem in settled.problems]
    if str(file.absolute()) == machine.path():
        untrusted = machine.distrust(file.stat())
        found += [f"ignored, {untrusted}"] if untrusted else []
        found += _of_keys(values)
    elif LOCKED in values and not is_policy:
        found.append(f"{LOCKED}: counts in {machine.path()} alone")
    return found if found else [*_of_sinks(file, values), *_of_secrets(file, values)]


def _of_keys(values: dict[str, Any]) -> list[str]:
    from hookstream.redaction.keys import load_key

    found = []
    for name in ("pseudonym_key_file", "hash_key_file"):
        if name in values:
            try:
                load_key(Path(values[name]).expanduser(), shared=True)
            except HookstreamError as error:
                found.append(f"{name}: {error}")
    return found


def _of_secrets(file: Path, values: dict[str, Any]) -> list[str]:
    """Addresses that open something, in a file that others can read."""
    from hookstream.cli.configured import is_private
    from hookstream.sinks.shown import shown

    if is_private(file):
        return []
    return [
        f"{table}[{at}].{name}: an address that holds a secret, in a file that others can read; "
        "chmod 600, or write it as path or token = {env = ...}"
        for table, name in (("sink", "uri"), ("alert", "to"))
        for at, one in enumerate(values.get(table, []))
        if type(one) is dict and type(one.get(name)) is str and shown(one[name]) != one[name]
    ]


def _of_sinks(file: Path, values: dict[str, Any]) -> list[str]:
    """The follower's report on its part."""
    import copy

    from hookstream.cli.configured import is_private
    from hookstream.config import Reading

    try:
        Reading(file, is_private(file)).settings(copy.deepcopy(values), needs_sink=False)
    except HookstreamError as error:
        return [str(error).removeprefix(f"{file}: ")]
    return []
