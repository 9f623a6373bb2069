"""Auggie: settings.json in Claude Code's form, timeouts in milliseconds.

Sources: the package's source and runs of 0.36.0. Hooks run side by side, so their order is of no
account. `metadata` asks for what a payload lacks otherwise: the server of an MCP tool, the model,
the client's version and its user.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, HooksJson

HOME = Place("~/.augment")
MANAGED = Place("/etc/augment", "/etc/augment", "$PROGRAMDATA/augment or C:/ProgramData/augment")
METADATA = {"includeMCPMetadata": True, "includeUserContext": True}


def entry(event: str, command: str) -> dict[str, Any]:
    handler = {"type": "command", "command": command, "timeout": 10_000}
    return {"hooks": [handler], "metadata": METADATA}


CLIENT = Client(
    "auggie",
    "Auggie",
    programs="auggie",
    traces=(".augment",),
    home=HOME,
    events=tuple(
        "SessionStart SessionEnd PromptSubmit PreToolUse PostToolUse Notification Stop".split()
    ),
    note="Auggie runs hooks only for accounts whose service has them switched on",
    files={
        "user": (HooksJson(HOME / "settings.json", entry),),
        "project": (HooksJson(Place("./.augment/settings.json"), entry),),
        "managed": (HooksJson(MANAGED / "settings.json", entry),),
    },
    sessions=(HOME / "sessions",),
    proofs="yy- yy- yy- yy- py- py- nn- -y- pn- ny- nn-",
    remark="a refusal by a hook is in the session file alone; a sub-agent's calls are in hooks "
    "alone, under a conversation without a parent",
    settings=(Place("./.augment/settings.local.json"),),
    documents=".augment/sessions/*.json",
)
