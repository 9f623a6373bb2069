"""Legal holds of a folder: records that no retention removes, by case.

`FOLDER/.retention/holds.json`, written completely each time. A hold covers a record if one of its
sessions, users or machines is the record's.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError
from hookstream.core.files import make_private, write_atomic
from hookstream.lake.staged import PLACE

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.retention.policy import Facts

NAME = "holds.json"


@dataclass(frozen=True)
class Hold:
    """A case and what is held for it; users and machines as the stream names them."""

    case: str
    sessions: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()
    since: str = ""

    def covers(self, facts: Facts) -> bool:
        return (
            facts.session in self.sessions
            or facts.user in self.users
            or facts.machine in self.machines
        )


def read(folder: Path) -> tuple[Hold, ...]:
    """The holds of a folder. HookstreamError if they cannot be read: then nothing may go."""
    path = folder / PLACE / NAME
    try:
        document = json.loads(path.read_bytes())
        return tuple(
            Hold(
                str(one["case"]),
                tuple(map(str, one["sessions"])),
                tuple(map(str, one["users"])),
                tuple(map(str, one["machines"])),
                str(one["since"]),
            )
            for one in document
        )
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError):
        raise HookstreamError(f"{path}: damaged; nothing is removed until it is mended") from None


def write(folder: Path, holds: list[Hold]) -> None:
    """Write the holds. OSError."""
    make_private(folder / PLACE)
    text = json.dumps([asdict(hold) for hold in holds], indent=1)
    write_atomic(folder / PLACE / NAME, text.encode("utf-8"))
