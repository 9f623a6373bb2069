"""The generations of OpenTelemetry's GenAI conventions: `1.41`, the last numbered set, and `0.1`,
what their own repository has made of it since.

The names of 0.1 are here and nowhere else; `attributes` gives those of 1.41. No schema address is
written: no release that could be cited exists.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from hookstream.core.clients import INPUT_INCLUDES_CACHE, VENDORS
from hookstream.core.event import Event
from hookstream.core.jsons import JsonObject
from hookstream.shell.reading import lone_program
from hookstream.sinks.kinds import SinkOption

TODAY, BEFORE = "0.1", "1.41"
OPT_IN = "OTEL_SEMCONV_STABILITY_OPT_IN"
LATEST = "gen_ai_latest_experimental"
SEMCONV = SinkOption(
    "semconv",
    str,
    None,
    f"GenAI conventions; 0.1 unless {OPT_IN} leaves out {LATEST}.",
    (TODAY, BEFORE),
)
CACHE_WRITE = "gen_ai.usage.cache_write.input_tokens"
CACHE_CREATION = "gen_ai.usage.cache_creation.input_tokens"
INPUT = "gen_ai.usage.input_tokens"


def generation(chosen: str | None, environment: Mapping[str, str] = os.environ) -> str:
    """The generation to write: as chosen, else as the conventions' own variable says, else 0.1."""
    if chosen is not None:
        return chosen
    words = environment.get(OPT_IN)
    if words is None or LATEST in [word.strip() for word in words.split(",")]:
        return TODAY
    return BEFORE


def today(known: JsonObject, event: Event, *, is_agent: bool) -> JsonObject:
    """The attributes of 1.41 under the names of 0.1; `is_agent` of the span of a turn or session,
    which has neither provider nor version."""
    made = dict(known)
    if CACHE_CREATION in made:
        made[CACHE_WRITE] = made.pop(CACHE_CREATION)
    _whole_input(made, event)
    if "gen_ai.agent.id" in made:
        # of a run, not of a definition that lasts
        made["hookstream.agent_id"] = made.pop("gen_ai.agent.id")
    if "gen_ai.agent.version" in made:
        made["hookstream.tool_version"] = made.pop("gen_ai.agent.version")
    if is_agent:
        made.pop("gen_ai.provider.name", None)
    if made.get("gen_ai.operation.name") == "execute_tool":
        _command(made, event)
    return made


def _whole_input(made: JsonObject, event: Event) -> None:
    """Count what came from the cache and went into it as input, as the conventions demand, where
    the client counts it apart."""
    apart = event.vendor in VENDORS and event.vendor not in INPUT_INCLUDES_CACHE
    cached = (event.facts.get("cache_read_tokens") or 0) + (
        event.facts.get("cache_write_tokens") or 0
    )
    if apart and cached and INPUT in made:
        made[INPUT] += cached
        made["hookstream.synthesized"] = [*made.get("hookstream.synthesized", []), "input_tokens"]


def _command(made: JsonObject, event: Event) -> None:
    """A command that is one process: its executable; what only failed with a code has that as the
    type of its error."""
    name = executable(event)
    if name:
        made["process.executable.name"] = name
    code = event.facts.get("exit_code")
    if made.get("error.type") == "tool_failed" and code and event.facts.get("command"):
        made["error.type"] = str(code)


def executable(event: Event) -> str | None:
    """The program of a command that is one process; None of others."""
    command = event.facts.get("command")
    is_shell = event.facts.get("action_category") == "shell"
    return lone_program(command) if is_shell and command else None
