"""Mistral Vibe: `[[hooks]]` tables in hooks.toml, timeouts in seconds.

Sources: the published source of 3.0.2 and trials with it. Hooks of one event run one after the
other and a refusal ends the round: ours come first. Those of a project come before a person's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, HooksToml, Unread

if TYPE_CHECKING:
    from hookstream.normalizers.client import Entry

HOME = Place("$VIBE_HOME or ~/.vibe")


def named(prefix: str) -> Entry:
    """Entries whose names begin with a prefix: of two equal ones only the project's is kept."""

    def entry(event: str, command: str) -> dict[str, Any]:
        name = f"{prefix}-{event.replace('_', '-')}"
        return {"name": name, "type": event, "command": command, "timeout": 10}

    return entry


CLIENT = Client(
    "mistral-vibe",
    "Mistral Vibe",
    programs="vibe",
    recorded="3.0.2",
    traces=(".vibe",),
    home=HOME,
    events=("pre_tool", "post_tool", "post_agent"),
    project_note="it reads hooks of a project only in folders that it trusts",
    files={
        "user": (HooksToml(HOME / "hooks.toml", named("hookstream"), "type", first=True),),
        "project": (
            HooksToml(Place("./.vibe/hooks.toml"), named("hookstream-project"), "type", first=True),
        ),
    },
    sessions=(HOME / "logs/session/unified",),
    unread=(
        Unread(
            "sessions of versions before 3: none recorded",
            (
                HOME / "logs/session/*/messages.jsonl",
                HOME / "logs/session/*/agents/*/messages.jsonl",
                HOME / "logs/session/*.json",
            ),
        ),
    ),
    input_includes_cache=True,
    proofs="ny- py- yy- yy- py- ny- ny- np- nn- ny- np-",
    settings=(HOME / "config.toml", Place("./.vibe/config.toml")),
)
