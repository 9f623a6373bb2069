"""The place of the log.

`AGENT_HOOKS_LOG` sets the log's place: `*` is the default, else a file or a folder;
`off` captures nothing. For a registered hook it only adds a place: clients load a project's `.env`
into their hooks, so a repository could say it.
"""

from __future__ import annotations

import os

from hookstream.core.folders import home, state_folder

LOG_NAME = "agent-hooks.jsonl"
DEFAULT = "*"
OFF = ("off", "none", "false", "0")
VARIABLE = "AGENT_HOOKS_LOG"


def default_log() -> str | None:
    """The default place: log/agent-hooks.jsonl in the state folder."""
    state = state_folder()
    return os.path.join(state, "log", LOG_NAME) if state else None


class LogTarget:
    """The log's place: a file's path, and whether the user named that very file.

    A file that the user named is not rotated unless the configuration says so.
    """

    def __init__(self, path: str, named: bool) -> None:
        self.path = path
        self.named = named


def resolve(value: str) -> LogTarget | None:
    """A value of AGENT_HOOKS_LOG to its target; None if it turns capture off.

    Raises FileNotFoundError for the default place without a home folder.
    """
    value = value.strip()
    if value.lower() in OFF:
        return None
    if value in ("", DEFAULT):
        path = default_log()
        if path is None:
            raise FileNotFoundError(2, "no home folder for the default log")
        return LogTarget(path, named=False)
    if value.startswith("~"):
        base = home()
        if base is not None and value[1:2] in ("", "/", os.sep):
            value = base + value[1:]
    if value.endswith(("/", os.sep)) or os.path.isdir(value):
        return LogTarget(os.path.join(os.path.abspath(value), LOG_NAME), named=False)
    return LogTarget(os.path.abspath(value), named=True)


def target(argument: str | None, configured: str | None) -> LogTarget | None:
    """Argument > environment > configuration > default place."""
    return resolve(first_of(argument, os.environ.get(VARIABLE), configured))


def first_of(*values: str | None) -> str:
    """The first value that is not blank, else the default place."""
    return next((value for value in values if value is not None and value.strip()), DEFAULT)


class Destinations:
    """Targets of an event. `ignored` is an environment's value that is not allowed, `replaced` the
    registered target that an allowed one replaces."""

    def __init__(self, *targets: LogTarget | None) -> None:
        by_path = {target.path: target for target in targets if target is not None}
        self.targets = list(by_path.values())
        self.ignored: str | None = None
        self.replaced: LogTarget | None = None


def destinations(
    registered: str | None,
    said: str | None,
    configured: str | None,
    may_replace: bool,
    is_locked: bool = False,
) -> Destinations:
    """Destinations of a registered hook: its registered place (empty: the configured one) and the
    environment's place `said`. With `is_locked` the configured place stays and both others are
    added to it. Raises FileNotFoundError as `resolve` does."""
    if is_locked:
        more = [value for value in (registered, said) if value is not None and value.strip()]
        result = Destinations(resolve(first_of(configured)), *map(resolve, more))
        result.ignored = next((value.strip() for value in more if resolve(value) is None), None)
        return result
    own = resolve(first_of(registered, configured))
    if said is None or not said.strip():
        return Destinations(own)
    other = resolve(said)
    if may_replace:
        result = Destinations(other)
        if own is not None and (other is None or other.path != own.path):
            result.replaced = own
        return result
    result = Destinations(own, other)
    if other is None and own is not None:
        result.ignored = said.strip()
    return result
