"""Antigravity: hooks.json, an object of named hooks, ours among them; whole seconds.

Sources: the vendor's guide and published trials. The client drops a file with one error in it: the
hooks of others in it are not edited, so none is wrapped.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, HooksJson, Unread

TABLE = "hookstream"


def entry(event: str, command: str) -> dict[str, Any]:
    handler = {"type": "command", "command": command, "timeout": 10}
    # Events of tools have groups with a matcher, the others a flat list.
    return {"matcher": "*", "hooks": [handler]} if event.endswith("ToolUse") else handler


CLIENT = Client(
    "antigravity",
    "Antigravity",
    programs="agy antigravity",
    traces=(".gemini/antigravity-cli", ".gemini/config/hooks.json"),
    events=tuple("SessionStart PreToolUse PostToolUse PreInvocation PostInvocation Stop".split()),
    note='`agy -p "/hooks"` lists the hooks that it loaded',
    files={
        "user": (HooksJson(Place("~/.gemini/config/hooks.json"), entry, table=TABLE),),
        "project": (HooksJson(Place("./.agents/hooks.json"), entry, table=TABLE),),
    },
    unread=(
        Unread(
            "a separate form, which no document describes",
            (Place("~/.gemini/antigravity*/*/*.pb"),),
        ),
    ),
    proofs="n-- y-- y-- n-- p-- n-- n-- n-- p-- n-- p--",
    remark="as documented and published, no recording; session files are not read",
)
