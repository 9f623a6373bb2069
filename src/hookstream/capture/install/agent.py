"""A client as install sees it: where its configuration lies and what is registered there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import Homes


def no_gaps(homes: Homes) -> list[str]:
    return []


@dataclass(frozen=True)
class Agent:
    """`files(homes, scope)` is empty where the client has no such scope; `left_out` are events
    that are not safe to observe, with the reason; `traces` are what a home holds where the client
    was used; `gaps` says what keeps registered hooks from running; `note` is told after an
    install, `project_note` after one for a project; `aliases` are
    names in payloads that differ from the registered one by more than their case."""

    key: str
    title: str
    programs: tuple[str, ...]
    traces: tuple[str, ...]
    events: tuple[str, ...]
    files: Callable[[Homes, str], list[ConfigFile]]
    left_out: Mapping[str, str] = field(default_factory=dict)
    gaps: Callable[[Homes], list[str]] = no_gaps
    note: str = ""
    project_note: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)


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
