"""Places of files by system, user, project and environment: `$QWEN_HOME or ~/.qwen`."""

from __future__ import annotations

import os
import re
import sys
from glob import escape, glob
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core import folders
from hookstream.core.errors import HookstreamError

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = re.compile(r"\$([A-Z][A-Z0-9_]*)")
SYSTEMS = ("linux", "darwin", "win32")


class Machine:
    """A machine that places are looked up on: its environment, system, and folders."""

    def __init__(
        self,
        home: Path | None = None,
        project: Path | None = None,
        env: Mapping[str, str] | None = None,
        platform: str = sys.platform,
        root: Path = Path("/"),
    ) -> None:
        self.env = os.environ if env is None else env
        self.platform = platform
        self.project = project or Path.cwd()
        self.root = root
        self._home = home

    @property
    def home(self) -> Path:
        """The home folder. Raises HookstreamError where neither HOME nor the system knows one."""
        home = self._home or folders.home(self.env)
        if home is None:
            raise HookstreamError("no home folder: set HOME to install for a user")
        return Path(home)


class Place:
    """A file or folder: alternatives divided by ` or `, of which the first that can be resolved
    counts. `$NAME/x` needs that variable, `~/x` is below the home, `./x` below the project, `/x`
    below the root. Linux, macOS and Windows may differ; the last of those given holds for the rest.
    """

    def __init__(self, linux: str, mac: str | None = None, windows: str | None = None) -> None:
        mac = linux if mac is None else mac
        self.texts = (linux, mac, mac if windows is None else windows)

    def __truediv__(self, below: str) -> Place:
        return Place(
            *(" or ".join(f"{part}/{below}" for part in text.split(" or ")) for text in self.texts)
        )

    def __repr__(self) -> str:
        return f"Place({self.texts[0]!r})"

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that move it, on any system."""
        return tuple(dict.fromkeys(VARIABLE.findall(" ".join(self.texts))))

    @property
    def scope(self) -> str:
        """The scope of the files there: user, project or managed."""
        return {".": "project", "": "managed"}.get(self.texts[0].partition("/")[0], "user")

    def path(self, machine: Machine) -> Path:
        """The path on a machine, which need not exist. Raises as `home` does without a home."""
        at = SYSTEMS.index(machine.platform) if machine.platform in SYSTEMS else 0
        for text in self.texts[at].split(" or "):
            base = _resolved(text, machine)
            if base is not None:
                return base
        raise ValueError(f"{self!r}: no alternative without a variable")

    def files(self, machine: Machine) -> list[Path]:
        """The files and folders on a machine that it matches, with `*` for any name."""
        pattern = escape(str(self.path(machine))).replace("[*]", "*")
        return [Path(name) for name in sorted(glob(pattern))]  # noqa: PTH207


def editors(below: str) -> tuple[Place, ...]:
    """The places of files in the folders of VS Code and the editors made of it."""
    local = Place(
        "$XDG_CONFIG_HOME/*/User or ~/.config/*/User",
        "~/Library/Application Support/*/User",
        "$APPDATA/*/User or ~/AppData/Roaming/*/User",
    )
    return local / below, Place("~/.*-server/data/User") / below


def _resolved(text: str, machine: Machine) -> Path | None:
    head, _, below = text.partition("/")
    if head == "~":
        return machine.home / below
    if head == ".":
        return machine.project / below
    if head == "":
        return machine.root / below
    if not head.startswith("$"):
        return Path(head, below)
    value = machine.env.get(head[1:], "")
    if value == "~" or value.startswith("~/"):
        return machine.home / value[2:] / below
    # A relative path in an XDG variable is invalid and to be ignored (XDG base directories).
    if not value or (head.startswith("$XDG_") and not Path(value).is_absolute()):
        return None
    return Path(value) / below
