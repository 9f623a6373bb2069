"""A client as install sees it: the place of its configuration and what is registered there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.normalizers.install_facts import InstallFacts


def no_gaps(homes: InstallFolders) -> list[str]:
    return []


@dataclass(frozen=True)
class Agent(InstallFacts):
    """`files(homes, scope)` is empty where the client has no such scope; `gaps` says what keeps
    registered hooks from running."""

    files: Callable[[InstallFolders, str], list[ConfigFile]] = lambda homes, scope: []
    gaps: Callable[[InstallFolders], list[str]] = no_gaps


def agent(
    facts: InstallFacts,
    files: Callable[[InstallFolders, str], list[ConfigFile]],
    gaps: Callable[[InstallFolders], list[str]] = no_gaps,
) -> Agent:
    """A client's facts with what is done with its files."""
    return Agent(**vars(facts), files=files, gaps=gaps)


def grouped(
    timeout: int,
    timeouts: Mapping[str, int] | None = None,
    matchers: Mapping[str, str] | None = None,
    **extra: Any,
) -> Callable[[str, str], dict[str, Any]]:
    """Entries of the form that Claude Code began: a group with a matcher and its handlers."""

    def entry(event: str, command: str) -> dict[str, Any]:
        limit = (timeouts or {}).get(event, timeout)
        handler = {"type": "command", "command": command, "timeout": limit}
        group: dict[str, Any] = {"hooks": [{**handler, **extra}]}
        matcher = (matchers or {}).get(event)
        return {"matcher": matcher, **group} if matcher is not None else group

    return entry
