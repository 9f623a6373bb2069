"""Settings of a command from the machine's policy, the user's file and the environment, under its
own options. An option that would loosen what the policy locks is an error of the user's."""

from __future__ import annotations

import copy
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.configuration import machine
from hookstream.configuration.catalog import BY_NAME, FOLLOWER, LOCKED, SETTINGS
from hookstream.configuration.files import parse_toml, read_user, variables
from hookstream.configuration.layers import (
    DEFAULT,
    MACHINE,
    OPTION,
    USER,
    Configuration,
    Layer,
    settle,
)
from hookstream.core.errors import HookstreamError, invalid_choice
from hookstream.core.personal import ALL, KINDS, NONE, unknown, words_of

if TYPE_CHECKING:
    from hookstream.delivery.job import Job
    from hookstream.delivery.settings import DeliverySettings
    from hookstream.queries.unmatched import RulesHere

KEYS = ("pseudonym_key_file", "hash_key_file")
OPTIONS = {
    "hash_key_file": "--hash-key-file",
    "allow": "--allow",
    "privacy": "--privacy",
    "personal": "--personal",
}


def user_layer() -> Layer | None:
    """The user's config.toml. config.json of earlier versions is the hooks' alone."""
    from hookstream.core.folders import config_folder

    found = read_user(config_folder(), parse_toml)
    return found if found is not None and found.path.endswith(".toml") else None


def layers(file: Layer | None = None) -> list[Layer | None]:
    """Policy, user's file (or the one that --config names), environment."""
    return [machine.read(parse_toml), file or user_layer(), variables()]


def configured(
    job: Job, privacy: str | None, file: Layer | None = None, personal: str | None = None
) -> Job:
    """The job with what the files say where its options say nothing. `privacy` and `personal` are
    the options. HookstreamError if an option would loosen what is locked."""
    said = {
        "privacy": privacy,
        "personal": personal_words(personal) if personal is not None else None,
        "hash_key_file": _full(job.key_file),
        "allow": _full(job.allow),
    }
    options = Layer(OPTION, "", {name: value for name, value in said.items() if value is not None})
    found = settle([*layers(file), options])
    tell(found)
    values = found.values
    named = values["pseudonym_key_file"]
    return replace(
        job,
        mode=values["privacy"],
        names=values["pseudonyms"],
        personal=tuple(words_of(values["personal"])),
        pseudonyms=job.pseudonyms or (Path(named).expanduser() if named else None),
        policy_keys=tuple(name for name in KEYS if found.origins[name] == MACHINE),
        may_make_key=named is None or job.pseudonyms is not None,
        key_file=_path(values["hash_key_file"]),
        allow=_path(values["allow"]),
    )


def personal_words(option: str) -> list[str]:
    """The kinds that --personal names. HookstreamError for one that does not exist."""
    for word in unknown(option):
        raise invalid_choice("--personal", word, (*KINDS, ALL, NONE))
    return words_of(option) or [NONE]


def fleet_key(option: Path | None = None) -> bytes | None:
    """The key of pseudonyms and fingerprints: the option's, else the configured one, else this
    user's own; None if it does not exist yet. Raises HookstreamError."""
    from hookstream.core.folders import pseudonym_key_file
    from hookstream.delivery.job import Job, pseudonym_key

    job = Job([], [], pseudonyms=option)
    found = configured(job, None)
    if found.pseudonyms is None and not Path(pseudonym_key_file()).exists():
        return None
    return pseudonym_key(replace(found, may_make_key=False))


def expect_machines(option: Path | None = None) -> None:
    """Make questions use the roster: the option's, else the configured one."""
    from hookstream.queries.roster import expect, read

    named = settle(layers()).values["expected_machines"]
    path = option or _path(named)
    if path is not None:
        expect(read(path, fleet_key()))


def _rules_of(projects: list[tuple[str, str]]) -> Any:
    """A function by name, so that another process can be handed it."""
    from hookstream.transcripts.permissions import settings_of

    return settings_of(Path.home(), projects, os.environ, machine=True)


def rules_here() -> RulesHere:
    """The permission rules of this machine, for calls of this machine."""
    from hookstream.capture.hook.lines import machine_name
    from hookstream.queries.unmatched import RulesHere
    from hookstream.redaction.digest import pseudonym

    key, name = fleet_key(), machine_name()
    return RulesHere(_rules_of, pseudonym("machine", name, key) if key and name else None)


def tell(found: Configuration) -> None:
    """Says what could not be used; raises HookstreamError if that was an option."""
    for one in found.refused:
        if one.origin == OPTION:
            where = machine.path()
            raise HookstreamError(f"{OPTIONS[one.name]}: {where} locks {one.name}; leave it out")
        print(f"hookstream: {one.text()}", file=sys.stderr)
    file = user_layer()
    for problem in found.problems:
        of_user = problem.removeprefix("configuration:")
        if file is not None and of_user != problem:
            problem = f"{file.path}:{of_user}"
        print(f"hookstream: {problem}", file=sys.stderr)


def follower_settings(path: Path | None) -> tuple[DeliverySettings, Layer | None]:
    """The configuration of a follower: the file that --config names, else the user's, over the
    machine's policy; and that file as a layer. Wrong, in one line, for what cannot be."""
    from hookstream.delivery.settings import SettingsReading

    file = named_layer(path) if path is not None else user_layer()
    policy = machine.read(parse_toml)
    for one in (policy, file):
        if one is not None and one.problem is not None and one.origin == USER:
            raise HookstreamError(f"{one.path}: {one.problem}")
    found = settle([policy, file])
    given = _given(found, file)
    where = file.path if file is not None else machine.path()
    if policy is not None:  # a credential written out in a file that all can read
        own = {name: policy.values[name] for name in ("sink",) if name in policy.values}
        if own:
            own = copy.deepcopy(own)
            SettingsReading(Path(policy.path), is_private(Path(policy.path))).settings(own)
    reading = SettingsReading(Path(where), is_private(Path(where)))
    settings = reading.settings(given, needs_sink=path is not None)
    if path is not None and file is not None:
        for problem in wrong_values(file):
            raise HookstreamError(f"{path}: {problem}")
    return settings, file


def wrong_values(file: Layer) -> list[str]:
    """The errors of a file that is not the machine's policy, one line each: settings that do not
    exist, values, locks, and the tables that other commands read."""
    found = [f"{name}: no such setting" for name in file.values if name not in {*BY_NAME, LOCKED}]
    alone = settle([Layer(USER, file.path, file.values)])
    found += [problem.removeprefix("configuration: ") for problem in alone.problems]
    if LOCKED in file.values:
        found.append(f"{LOCKED}: counts in {machine.path()} alone")
    return found or _wrong_tables(file)


def _wrong_tables(file: Layer) -> list[str]:
    from hookstream.delivery.settings import Wrong

    path = Path(file.path)
    try:
        if file.values.get("alert"):
            from hookstream.alerts.settings import load_alerts

            load_alerts(path)
        if "retention" in file.values:
            from hookstream.retention.settings import load

            load(path)
    except Wrong as error:
        return [str(error).removeprefix(f"{path}: ")]
    return []


def _given(found: Configuration, file: Layer | None) -> dict[str, Any]:
    """Names and values as one file of a follower's has them. Errors stay as they are written, so
    that they are reported at their place."""
    given = {
        one.name: found.values[one.name]
        for one in SETTINGS
        if FOLLOWER in one.readers and found.origins[one.name] != DEFAULT and one.name != "alert"
    }
    for name, value in (file.values if file is not None else {}).items():
        setting = BY_NAME.get(name)
        if setting is None and name != LOCKED:
            given[name] = value
        if setting is not None and FOLLOWER in setting.readers and not setting.is_valid(value):
            given[name] = value
    return given


def named_layer(path: Path) -> Layer:
    """A file that was named, in the place of the user's own; its paths may be relative to where the
    command runs. Raises HookstreamError."""
    try:
        values = parse_toml(path.read_bytes())
    except OSError as error:
        raise HookstreamError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise HookstreamError(f"{path}: {error}") from None
    except RecursionError:
        raise HookstreamError(f"{path}: nested too deeply") from None
    for one in SETTINGS:
        value = values.get(one.name)
        if one.kind == "path" and type(value) is str and value and not value.startswith("~"):
            values[one.name] = str(Path(value).absolute())
    return Layer(USER, str(path), values)


def is_private(path: Path) -> bool:
    """Return whether only its owner can read a file."""
    try:
        return os.name == "nt" or not path.stat().st_mode & 0o077
    except OSError:
        return False


def _full(path: Path | None) -> str | None:
    return str(path.expanduser().absolute()) if path is not None else None


def _path(value: str | None) -> Path | None:
    return Path(value).expanduser() if value else None
