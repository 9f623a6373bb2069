"""Settings that several commands read: of a follower's file, keys, rosters, permission rules."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.configuration import machine
from hookstream.configuration.catalog import FOLLOWER
from hookstream.configuration.files import parse_toml, user_layer
from hookstream.configuration.layers import Layer, settle
from hookstream.configuration.reading import Wrong, named_layer
from hookstream.core.errors import HookstreamError
from hookstream.core.folders import pseudonym_key_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookstream.delivery.job import Job
    from hookstream.queries.unmatched import RulesHere


def follower_job(options: Mapping[str, Any]) -> Job:
    """The job of a follower; a file that is named is checked for what other commands read of it,
    too. HookstreamError, in one line, for what cannot be."""
    from hookstream.delivery.settings import job_of

    job = job_of(options, FOLLOWER)
    if (config := options.get("config")) is not None:
        for problem in wrong_tables(named_layer(config)):
            raise HookstreamError(f"{config}: {problem}")
    return job


def wrong_tables(file: Layer) -> list[str]:
    """The errors of the tables that other commands than a follower read."""
    path = Path(file.path)
    try:
        if file.values.get("alert"):
            from hookstream.integrations.alerts import load_alerts

            load_alerts(path)
        if "retention" in file.values:
            from hookstream.retention.policy import load_settings

            load_settings(path)
    except Wrong as error:
        return [str(error).removeprefix(f"{path}: ")]
    return []


def fleet_key(option: Path | None = None) -> bytes | None:
    """The key of pseudonyms and fingerprints: the option's, else the configured one, else this
    user's own; None if it does not exist yet. Raises HookstreamError."""
    from hookstream.delivery.job import pseudonym_key
    from hookstream.delivery.settings import job_of

    job = job_of({})
    if option is not None:
        job = replace(job, pseudonym_key_file=option)
    if job.pseudonym_key_file is None and not Path(pseudonym_key_file()).exists():
        return None
    return pseudonym_key(replace(job, may_make_key=False))


def smallest_group() -> int:
    """The least number of people that the pages add up in lists of people."""
    return int(settle([machine.read(parse_toml), user_layer()]).values["smallest_group"])


def expect_machines(option: Path | None = None) -> None:
    """Make questions use the roster: the option's, else the configured one."""
    from hookstream.queries.roster import expect, read

    named = settle([machine.read(parse_toml), user_layer()]).values["expected_machines"]
    path = option or (Path(named).expanduser() if named else None)
    if path is not None:
        expect(read(path, fleet_key()))


def _rules_of(projects: list[tuple[str, str]]) -> Any:
    """A function by name, so that another process can be handed it."""
    from hookstream.transcripts.permissions import settings_of

    return settings_of(Path.home(), projects, os.environ, machine=True)


def own_names() -> dict[str, str]:
    """The plain names of this machine and user by their pseudonyms; none without a key."""
    from hookstream.capture.hook.lines import machine_name, user_name
    from hookstream.redaction.digest import pseudonym

    key = fleet_key()
    names = (("machine", machine_name()), ("user", user_name()))
    return {pseudonym(kind, name, key): name for kind, name in names if name and key}


def rules_here() -> RulesHere:
    """The permission rules of this machine, for calls of this machine."""
    from hookstream.capture.hook.lines import machine_name
    from hookstream.queries.unmatched import RulesHere
    from hookstream.redaction.digest import pseudonym

    key, name = fleet_key(), machine_name()
    return RulesHere(_rules_of, pseudonym("machine", name, key) if key and name else None)
