"""Kiro: its hooks are files that a person writes; nothing is registered.

Sources for its sessions, of which none is recorded: kirodotdev/KiroCrew issue 12237 and
chattymin/PokeTokenBar issue 236.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, Unread

DATABASE = "kiro-cli/data.sqlite3"

CLIENT = Client(
    "kiro",
    "Kiro",
    unread=(
        Unread(
            "sessions of its terminal client: no version recorded",
            (Place("~/.kiro/sessions/cli/*.json"), Place("~/.kiro/sessions/*/*/messages.jsonl")),
        ),
        Unread(
            "the database of its terminal client: no version recorded",
            (
                Place("$XDG_DATA_HOME or ~/.local/share") / DATABASE,
                Place("~/Library/Application Support") / DATABASE,
            ),
        ),
    ),
    mcp_files=(Place("./.kiro/settings/mcp.json"),),
)
