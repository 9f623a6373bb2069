"""Options of a question to the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


@dataclass(frozen=True)
class DetectOptions:
    """The options of a question. `rules` are files or folders (empty: the shipped pack), `level`
    the least level of interest, `only` names rules, `listing` asks none of them; times are naive
    UTC, `until` excluded."""

    rules: tuple[Path, ...] = ()
    tuning: Path | None = None
    since: datetime | None = None
    until: datetime | None = None
    level: str = "informational"
    only: frozenset[str] = frozenset()
    listing: bool = False
