"""Return whether a client is on the machine, and its version if a file has it. Runs nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from hookstream.capture.install.homes import InstallFolders
from hookstream.normalizers.client import Client

NUMBERS = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")


@dataclass(eq=False)
class ClientEvidence:
    """The evidence of a client: its program, or its files in a home folder."""

    program: str | None
    trace: str | None
    version: str | None

    @property
    def found(self) -> bool:
        return self.program is not None or self.trace is not None


def evidence_of(client: Client, homes: InstallFolders) -> ClientEvidence:
    """Look for the client's program on the path and for its traces in the home."""
    path = homes.env.get("PATH")
    programs = (shutil.which(name, path=path) for name in client.programs.split())
    program = next((path for path in programs if path), None)
    trace = next((t for t in client.traces if os.path.lexists(homes.home / t)), None)
    if trace is None and client.home is not None:
        folder = client.home.path(homes)
        trace = str(folder) if os.path.lexists(folder) else None
    numbers = product_version(client, homes)
    version = ".".join(str(n) for n in numbers) if numbers else None
    if version is None and program is not None:
        version = program_version(Path(program))
    return ClientEvidence(program, trace, version)


def program_version(program: Path) -> str | None:
    """The version of a program from npm (its package.json) or in a folder named by version."""
    real = Path(os.path.realpath(program))
    for folder in list(real.parents)[:4]:
        name = folder / "package.json"
        if name.is_file():
            version = _version_in(name)
            if version:
                return version
        if NUMBERS.fullmatch(folder.name):
            return folder.name
    return real.name if NUMBERS.fullmatch(real.name) else None


def is_newer(version: str, known: str) -> bool:
    """Return whether a version is above another, by their numbers."""
    mine, other = ([int(n) for n in re.findall(r"\d+", one)[:4]] for one in (version, known))
    return mine > other


def product_version(client: Client, homes: InstallFolders) -> tuple[int, ...] | None:
    """The version of an editor by its product file, as numbers."""
    local = homes.env.get("LOCALAPPDATA")
    places = list(client.products)
    if local and places:
        places.append(f"{local}/Programs/{client.key}/resources/app")
    for place in places:
        match = NUMBERS.match(_version_in(Path(place) / "package.json") or "")
        if match:
            return tuple(int(number) for number in match.groups() if number)
    return None


def _version_in(path: Path) -> str | None:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    version = value.get("version") if isinstance(value, dict) else None
    return version if isinstance(version, str) else None
