"""Laying files over each other: default, machine's policy, user's file, environment, option.

A later layer wins, except for a setting that the policy locks: there it may be stricter and no
looser. What it may not do is kept in `refused`.
"""

from __future__ import annotations

from hookstream.configuration.catalog import ADD, BY_NAME, LOCKED, SETTINGS, Setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

DEFAULT, MACHINE, USER = "default", "machine policy", "user file"
ENVIRONMENT, OPTION = "environment", "option"


class Layer:
    """One source of settings; `problem` is why it could not be read, `spelled` its own names of
    settings if they differ."""

    def __init__(
        self, origin: str, path: str, values: dict[str, Any], problem: str | None = None
    ) -> None:
        self.origin = origin
        self.path = path
        self.values = values
        self.problem = problem
        self.spelled: dict[str, str] = {}


class RefusedValue:
    """A value that would have loosened a locked setting."""

    def __init__(self, name: str, asked: Any, kept: Any, origin: str) -> None:
        self.name = name
        self.asked = asked
        self.kept = kept
        self.origin = origin

    def text(self) -> str:
        """A refusal's text, without the values: a path or an address may hold a name."""
        return f"{self.name} of the {self.origin}: refused, the machine policy locks it"


class Configuration:
    """The merged configuration: `values`, and for each `origins`, the name of a layer. `locked` are
    the names that the policy locks, `refused` what was not let through, `problems` one line per
    problem."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {setting.name: setting.default for setting in SETTINGS}
        self.origins = dict.fromkeys(self.values, DEFAULT)
        self.locked: frozenset[str] = frozenset()
        self.refused: list[RefusedValue] = []
        self.problems: list[str] = []

    def lay(self, layer: Layer) -> None:
        """Lay a further layer over the present ones."""
        where = "configuration" if layer.origin == USER else layer.origin
        if layer.problem is not None:
            self.problems.append(f"{where}: {layer.problem}")
        for name, value in layer.values.items():
            setting = BY_NAME.get(name)
            if setting is None or value is None:
                continue
            if setting.is_valid(value):
                self._take(setting, value, layer.origin)
            else:
                self.problems.append(f"{where}: {layer.spelled.get(name, name)} is not valid")
        if layer.origin == MACHINE:
            self._lock(layer.values.get(LOCKED, []), where)

    def _take(self, setting: Setting, value: Any, origin: str) -> None:
        name = setting.name
        kept = self.values[name]
        if name in self.locked:
            if setting.when_locked == ADD:
                value = [*kept, *(one for one in _listed(value) if one not in kept)]
            elif setting.is_loosened(kept, value):
                self.refused.append(RefusedValue(name, value, kept, origin))
                return
        self.values[name] = _listed(value) if setting.when_locked == ADD else value
        self.origins[name] = origin

    def _lock(self, names: Any, where: str) -> None:
        listed = _listed(names)
        known = [name for name in listed if name in BY_NAME]
        self.locked |= frozenset(known)
        for name in known:  # locked and unset: as strict as it can be
            if self.values[name] is None and BY_NAME[name].choices:
                self.values[name] = BY_NAME[name].choices[-1]
                self.origins[name] = MACHINE
        for name in listed:
            if name not in known:
                self.problems.append(f"{where}: {LOCKED} names no setting: {str(name)[:40]}")


def settle(layers: Sequence[Layer | None]) -> Configuration:
    """The layers over the defaults, the machine's policy first."""
    configuration = Configuration()
    for layer in layers:
        if layer is not None:
            configuration.lay(layer)
    return configuration


def _listed(value: Any) -> list[Any]:
    return list(value) if type(value) is list else [value]
