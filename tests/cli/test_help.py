"""What somebody reads who does not know the program yet."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from hookstream.cli.completion import every_command
from hookstream.cli.help import FEW, OTHER, SUBJECTS, VALUES, by_subject
from same_process import hookstream


@pytest.mark.parametrize("group", [[], ["config"], ["machines"]], ids=" ".join)
def test_every_command_is_said_in_a_line_that_is_not_cut(
    group: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = hookstream(*group, "--help").stdout.decode()
    commands = shown.partition("Commands:" if group else "Capture:")[2].splitlines()
    assert len(commands) > 2
    assert [line for line in commands if line.endswith("...")] == []


@pytest.mark.parametrize("group", ["config", "machines"])
def test_a_group_without_its_command_shows_its_help(group: str) -> None:
    done = hookstream(group)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"Usage: hookstream {group} ")
    assert b"--help)" not in done.stderr


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, own_home: Path) -> None:
    file = own_home / "config" / "hookstream" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("x = [")
    source = tmp_path / "in.jsonl"
    source.write_text("{}\n")
    said = hookstream("run", source, "--to", f"jsonl:{tmp_path / 'out'}").stderr.decode()
    assert said.startswith(f"hookstream: {file}: not valid TOML")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="serve needs Unix sockets")
@pytest.mark.posix("serve needs Unix sockets")
def test_a_collector_that_would_hear_nobody_does_not_start() -> None:
    done = hookstream("serve", "--socket", "off", "--http", "off")
    assert done.returncode == 2
    assert b"--socket and --http are both off" in done.stderr


@pytest.mark.parametrize(
    ("sink", "meant"),
    [
        ("out", "write jsonl:out, for a lake parquet:out"),
        ("out/lake", "write jsonl:out/lake, for a lake parquet:out/lake"),
        ("C:/out", "write jsonl:C:/out, for a lake parquet:C:/out"),
        ("s3://bucket/x", "for a lake there write parquet:s3://bucket/x"),
        ("nowhere:x", None),
    ],
)
def test_a_place_without_its_kind_is_answered_with_what_to_write(
    tmp_path: Path, sink: str, meant: str | None
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text("{}\n")
    done = hookstream("run", source, "--to", sink, cwd=tmp_path)
    said = done.stderr.decode().strip()
    assert done.returncode == 2 and "no such sink" in said
    assert said.endswith(meant) if meant else "write" not in said
    assert list(tmp_path.iterdir()) == [source]


COMMANDS = dict(every_command())


def spelled(command: Any) -> list[str]:
    return [one.opts[-1] for one in command.params if one.param_type_name == "option"]


@pytest.mark.parametrize("name", COMMANDS)
def test_many_options_are_grouped_by_subject(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = hookstream(*name.split(), "--help").stdout.decode()
    options = spelled(COMMANDS[name])
    if name != "ship" and not getattr(COMMANDS[name], "commands", None):
        subjects = by_subject(name, COMMANDS[name].params)
        assert sorted(one.opts[-1] for _, some in subjects for one in some) == sorted(options)
        assert all(f"{subject}:\n" in shown for subject, _ in subjects)
        assert (len(subjects) > 1) == (len(options) > FEW)
        assert all(len(some) <= 4 for subject, some in subjects if subject == OTHER)
    assert all(f"\n  {option}" in shown for option in options)
    assert not re.search("<(str|int|path|float|list)", shown)
    assert max(map(len, shown.splitlines())) <= 80


def test_every_subject_names_options_that_exist() -> None:
    known = {f"{name} {option}" for name, one in COMMANDS.items() for option in spelled(one)}
    known |= {option for one in COMMANDS.values() for option in spelled(one)}
    named = [option for options in SUBJECTS.values() for option in options]
    assert {*named, *VALUES} <= known
    assert len(set(named)) == len(named)


def test_a_switch_that_is_off_is_shown_without_its_opposite() -> None:
    shown = hookstream("query", "--help").stdout.decode()
    assert "--no-fail-on-rows" not in shown and "--no-pager" in shown
