"""A setting is what the table says, whichever door it comes in by and whoever reads it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hookstream.capture.settings import read_settings
from hookstream.cli.app import MODULES, app, commands_of
from hookstream.configuration.catalog import (
    BY_NAME,
    FOLLOWER,
    HOOK,
    OPTIONS,
    RUN,
    SETTINGS,
    TABLE,
    Setting,
)
from hookstream.core.errors import HookstreamError
from hookstream.delivery.job import Job
from hookstream.delivery.settings import job_of

# A value of each kind that is not the default.
VALUES: dict[str, Any] = {
    "count": 1 << 21, "milliseconds": 900, "text": "cursor", "flag": True, "texts": ["/a", "/b"],
    "table": {"a": "b"}, "tables": [{"uri": "jsonl:/a"}], "personal": ["card"],
    "path": "/k", "place": "/var/log/agents/",
}  # fmt: skip
WORDS = {"privacy": "redact", "sync": "full", "environment": "replace", "standard": "aarts"}
# Not settings: what a job has of the machine, and its sinks with all that belongs to them.
OF_A_JOB = {"sinks", "user", "policy_keys", "may_make_key", "engine", "after"}
# Of sinks a job has no value but the sinks themselves; the rest have other readers than a job.
TABLES = {"sink", "route", "alert"}


def value_of(setting: Setting) -> Any:
    if setting.choices:
        return WORDS.get(setting.name, setting.choices[-1])
    return VALUES[setting.kind]


def toml(setting: Setting, value: Any) -> str:
    if setting.kind == "tables":
        return f'[[{setting.name}]]\nuri = "{value[0]["uri"]}"\n'
    if setting.kind == "table":
        return f'[{setting.name}]\na = "b"\n'
    return f"{setting.name} = {json.dumps(value)}\n"


def plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def answers(setting: Setting, options: dict[str, Any]) -> dict[str, Any]:
    """The setting's value by the program that reads it."""
    found: dict[str, Any] = {}
    if HOOK in setting.readers and not options:
        found["hook"] = getattr(read_settings(), setting.name)
    for reader in (RUN, FOLLOWER):
        if reader in setting.readers and setting.name not in TABLES:
            found[reader] = plain(getattr(job_of(options, reader), setting.name))
    if not options:
        done = CliRunner().invoke(app, ["config", "show", "--format", "json"])
        rows = {row["name"]: row["value"] for row in json.loads(done.output)["settings"]}
        if setting.kind not in ("tables", "table"):  # their keys may be credentials
            found["config show"] = rows[setting.name]
    return found


@pytest.fixture
def doors(policy: Callable[..., Path], own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put a setting through a door; gives the options that a command is to have."""

    def put(door: str, setting: Setting, value: Any) -> dict[str, Any]:
        if door == "policy":
            policy(toml(setting, value))
        elif door == "file":
            folder = own_home / "config" / "hookstream"
            folder.mkdir(parents=True)
            (folder / "config.toml").write_text(toml(setting, value))
        elif door == "variable":
            monkeypatch.setenv(setting.variable, value)
        else:
            return {setting.name: ",".join(value) if setting.kind == "personal" else value}
        return {}

    return put


def doors_of(setting: Setting) -> list[str]:
    has = {"variable": setting.variable, "option": setting.option.startswith("--")}
    return ["policy", "file", *(door for door, there in has.items() if there)]


CASES = [(one, door) for one in SETTINGS for door in doors_of(one) if one.name not in TABLES]


@pytest.mark.parametrize(
    ("setting", "door"), CASES, ids=[f"{one.name}-{door}" for one, door in CASES]
)
def test_all_programs_give_one_answer_for_a_setting(
    setting: Setting, door: str, doors: Any
) -> None:
    value = value_of(setting)
    options = doors(door, setting, value)
    found = answers(setting, options)
    if door == "variable":
        found.pop("hook", None)  # hooks read AGENT_HOOKS_LOG by rules of their own, and no other
    assert found == dict.fromkeys(found, value)


@pytest.mark.parametrize("door", ["policy", "file"])
def test_sinks_of_both_files_are_the_followers(door: str, doors: Any) -> None:
    doors(door, BY_NAME["sink"], [{"uri": "jsonl:/a"}])
    job = job_of({"sink": ["jsonl:/b"], "sources": ["/in"]}, FOLLOWER)
    assert job.uris == ["jsonl:/a", "jsonl:/b"]
    assert job_of({"sink": ["jsonl:/b"]}, RUN).uris == ["jsonl:/b"]


@pytest.mark.parametrize(
    "setting",
    [one for one in SETTINGS if one.option.startswith("--") and one.when_locked != "add"
     and FOLLOWER in one.readers and one.kind != "flag"],
    ids=lambda one: one.name,
)  # fmt: skip
def test_no_option_loosens_what_is_locked(setting: Setting, policy: Callable[..., Path]) -> None:
    strict, loose = ("hash", "full") if setting.name == "privacy" else (value_of(setting), "/other")
    if setting.name == "standard":
        loose = "agent-hooks"
    if setting.name == "personal":
        loose = "none"
    policy(toml(setting, strict) + f'locked = ["{setting.name}"]\n')
    with pytest.raises(HookstreamError, match=f"{setting.option}: .* locks {setting.name}"):
        job_of({setting.name: loose}, FOLLOWER)


def test_a_job_has_no_setting_that_is_not_in_the_table() -> None:
    assert {one.name for one in fields(Job)} - OF_A_JOB <= {one.name for one in TABLE}
    for one in fields(Job):
        default = OPTIONS[one.name].default if one.name in OPTIONS else None
        if one.name not in (*OF_A_JOB, "sources") and default and isinstance(default, str | int):
            assert one.default == default


def test_commands_have_the_options_of_the_table() -> None:
    found: dict[str, set[str]] = {}
    for command in (commands_of(MODULES[name])[name] for name in ("run", "backfill", "query")):
        for one in command.params:
            if one.name in OPTIONS:
                found.setdefault(one.name, set()).add("/".join([*one.opts, *one.secondary_opts]))
    own = {"workers", "machine"}  # of `backfill` too, with another default
    missing = set(OPTIONS) - set(found)
    assert not missing, f"add to `@takes(...)` of the command, for `run` cli/stream.py: {missing}"
    for name, spelled in found.items():
        wanted = OPTIONS[name].option if OPTIONS[name].option.startswith("--") else name
        assert spelled == {wanted} or name in own
