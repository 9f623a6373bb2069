"""Settings of hook, wrap and collector: the machine's policy, and under it the user's file
`~/.config/hookstream/config.toml` (XDG), or config.json of earlier versions. All of it is optional;
docs/configuration.md lists every setting.

    privacy = "hash"
    log = "/var/log/agents/"
    budget_ms = 4000
"""

from __future__ import annotations

from hookstream.configuration import machine
from hookstream.configuration.files import parse_toml, read_user, user_files
from hookstream.configuration.layers import DEFAULT, MACHINE, Configuration, RefusedValue, settle
from hookstream.core.folders import config_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ROTATE_BYTES = 64 * 1024 * 1024


class CaptureSettings:
    """The settings from the files; `problem` is why a file, or a part of it, could not be used,
    `refused` what the user's file may not loosen."""

    def __init__(self, configuration: Configuration | None = None) -> None:
        configuration = configuration or Configuration()
        values: dict[str, Any] = configuration.values
        # None: no place is configured
        self.log: str | None = values["log"] if configuration.origins["log"] != DEFAULT else None
        self.is_log_locked = "log" in configuration.locked
        self.privacy: str = values["privacy"]
        self.personal: list[str] | str = values["personal"]
        self.pseudonyms: str | None = values["pseudonyms"]
        self.pseudonym_key_file: str | None = values["pseudonym_key_file"]
        self.sync: str = values["sync"]
        # None: 64 MiB in a place of ours, no rotation of a file the user named
        self.rotate_bytes: int | None = values["rotate_bytes"]
        self.keep: int = values["keep"]
        self.budget_ms: int | None = values["budget_ms"]
        self.hash_key_file: str | None = values["hash_key_file"]
        # which keys the machine's policy names: those are for all users
        self.shared_keys = [
            kind
            for kind, name in (("pseudonym", "pseudonym_key_file"), ("digest", "hash_key_file"))
            if configuration.origins[name] == MACHINE
        ]
        self.allow: str | None = values["allow"]
        self.environment: str = values["environment"]
        self.refused: list[RefusedValue] = configuration.refused
        self.problem: str | None = "; ".join(configuration.problems) or None
        self.policy_problem: str | None = next(
            (problem for problem in configuration.problems if problem.startswith(MACHINE)), None
        )

    @property
    def has_refusals(self) -> bool:
        """Return whether the log is to say something about the configuration itself
        (hook/refused.py)."""
        return bool(self.refused) or self.policy_problem is not None


def config_files() -> list[str]:
    """The files that say it, whether they exist or not."""
    return [machine.path(), *user_files(config_folder())]


def read_settings() -> CaptureSettings:
    """The settings of both files; defaults replace what is absent or wrong. Never raises."""
    layers = [machine.read(parse_toml), read_user(config_folder(), parse_toml)]
    return CaptureSettings(settle(layers))
