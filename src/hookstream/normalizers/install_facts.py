"""Facts that install needs of a client: one `INSTALL` in `install.py` of its folder.

The places of its files and the form of an entry are in capture/install/agents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class InstallFacts:
    """`programs` are its commands, `traces` what a home holds where it was used; `events` are all
    that is safe to observe, `left_out` the others with the reason; `aliases` are names in payloads
    that differ from the registered one by more than their case; `note` is said after an install,
    `project_note` after one for a project. `recorded` is the newest version of the client whose
    payloads were recorded; empty where none were."""

    key: str
    title: str
    programs: tuple[str, ...]
    traces: tuple[str, ...]
    events: tuple[str, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    project_note: str = ""
    recorded: str = ""
