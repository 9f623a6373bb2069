"""Droid: hooks in Claude Code's form, in the first of three files that exists; timeouts in seconds.

Sources: trials with 0.225.2, the vendor's hook pages.
"""

from __future__ import annotations

from hookstream.core.places import Place
from hookstream.normalizers.client import Client, ClientTelemetry, HooksJson, grouped

HOME = Place("$FACTORY_HOME_OVERRIDE/.factory or ~/.factory")
PROJECT = Place("./.factory")
ENTRY = grouped(10)


def hooks(folder: Place) -> tuple[HooksJson, ...]:
    """The three files of a scope. The first that exists hides the others; without one of the two
    hook files, hooks are written into the settings, which a new hook file would hide."""
    first, second = folder / "hooks.json", folder / "hooks/hooks.json"
    return (
        HooksJson(first, ENTRY, first=True, table=None, optional=True),
        HooksJson(second, ENTRY, first=True, table=None, optional=True, hidden_by=(first,)),
        HooksJson(folder / "settings.json", ENTRY, first=True, hidden_by=(first, second)),
    )


CLIENT = Client(
    "droid",
    "Droid",
    programs="droid",
    traces=(".factory",),
    home=HOME,
    recorded="0.225.2",
    events=tuple(
        "SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse Notification Stop "
        "SubagentStop PreCompact".split()
    ),
    files={"user": hooks(HOME), "project": hooks(PROJECT)},
    sessions=(HOME / "sessions",),
    telemetry=ClientTelemetry(
        scopes="cli-agent-trace cli-genai-metrics",
        switch="OTEL_CUSTOMER_ENABLED=true with OTEL_TELEMETRY_FORMAT=genai in its environment",
    ),
    never_asks="auto-high",
    asks_less="auto-low auto-medium",
    proofs="pyn yyy pyp nyp nyy nyn nnn pyn pnn nyn nyn",
    remark="without session files a call that has no end is unknown: failed, refused or cut",
    settings=(HOME / "settings.local.json", PROJECT / "settings.local.json"),
)
