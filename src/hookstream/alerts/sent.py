"""The findings sent so far, on disk: an alert names a finding once, across restarts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hookstream.core.files import make_private, write_atomic
from hookstream.delivery.durable import set_aside

if TYPE_CHECKING:
    from pathlib import Path

# Ids kept of each alert, the newest; more than any span of time that is looked at should hold.
KEPT = 100_000


class Sent:
    """One alert's file: ids of findings that were sent (oldest first), and when it last ran."""

    def __init__(self, folder: Path, name: str) -> None:
        from hashlib import sha256

        make_private(folder)
        self.path = folder / f"{sha256(name.encode()).hexdigest()[:16]}.json"
        self.name = name
        self.ids: dict[str, None] = {}
        self.last_run = 0.0
        try:
            given: dict[str, Any] = json.loads(self.path.read_bytes())
            self.ids = dict.fromkeys(str(one) for one in given["sent"])
            self.last_run = float(given["last_run"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError):
            set_aside(self.path)

    def add(self, ids: list[str], at: float) -> None:
        """Note what was sent, on disk when this returns. OSError."""
        self.ids |= dict.fromkeys(ids)
        kept = list(self.ids)[-KEPT:]
        self.ids = dict.fromkeys(kept)
        self.last_run = at
        made = {"alert": self.name, "last_run": at, "sent": kept}
        write_atomic(self.path, json.dumps(made).encode())
