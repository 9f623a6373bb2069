"""The conformance kit: what any emitter's stream shows of Agent Hooks or AARTS, line by line.

A line is held to the strict schema, its type or hook point to the names of the standard, and it is
read and written again: what does not come back at its place is a field that the standard does not
define, or one of another shape. Levels are those of AARTS for hosts; a stream shows what arrived,
and a host that claims a level must also wait for its verdicts, which no stream can show.
"""

from __future__ import annotations

import json
from collections import Counter
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from hookstream.core.cloud_events import is_cloud_event, opened
from hookstream.core.event import EVENT_TYPES, HOOK_POINTS
from hookstream.standards.aarts_reader import read_aarts
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.proper import OWN_TYPE
from hookstream.standards.rendered import Rendered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hookstream.core.jsons import JsonObject
    from hookstream.standards.validate import Validator

# What each level of AARTS 0.1 asks for besides the level below, as `queries/conformance.sql` does.
LEVELS: tuple[dict[str, frozenset[str]], ...] = (
    {
        "hook point": frozenset("SessionStart PreToolUse".split()),
        "tool": frozenset(
            "shell file_write file_edit web_request mcp_call package_install".split()
        ),
        "decision": frozenset("allow deny".split()),
    },
    {
        "hook point": frozenset(
            "PrePluginLoad PreSkillLoad PostInputProcessing PreLLMRequest PostToolUse "
            "PostAskResolution".split()
        ),
        "tool": frozenset("file_read file_delete code_exec browser database delegate".split()),
        "decision": frozenset(("ask",)),
        "provenance": frozenset(("of a sub-agent",)),
    },
    {
        "hook point": frozenset(
            "SessionEnd PreMCPConnect PreUserInput PostLLMResponse PreCompact PostCompact "
            "PreToolInputModification PreSubAgentSpawn PostSubAgentResult PreOutputDeliver "
            "PreMemoryWrite PreMemoryRead".split()
        ),
    },
)


class Remark(NamedTuple):
    """A remark on a line: `is_breach` if it breaks the schema, else it names a type or a field
    that the standard does not have."""

    text: str
    is_breach: bool


class Kit:
    """One standard's checks over a stream. `remarks(line)` for each line, then `summary()`."""

    def __init__(self, standard: str, validator: Validator) -> None:
        self.standard = standard
        self.validator = validator
        # Of objects: a line has one, a batch several. `others` are sound and of another standard.
        self.objects = self.breaches = self.lossless = self.others = 0
        # (kind of name, name) -> lines that have it
        self.arrived: Counter[tuple[str, str]] = Counter()
        self.unknown: Counter[str] = Counter()
        self.own: Counter[str] = Counter()

    def remarks(self, line: bytes) -> list[Remark]:
        """Remarks on one line: the breaches of the schema, else names that the standard lacks."""
        breaches = [Remark(problem, True) for problem in self.validator.problems(line)]
        if breaches:
            self.objects += 1
            self.breaches += 1
            return breaches
        remarks: list[Remark] = []
        for value in _values(json.loads(line)):
            told = list(STANDARDS[self.standard](self, value))
            self.objects += 1
            self.breaches += any(remark.is_breach for remark in told)
            remarks += told
        return remarks

    def summary(self) -> list[str]:
        """Lines for a reader: how many lines hold, what arrived, what is silent, the level."""
        title, names = NAMES[self.standard]
        kind = names[0]
        seen = [name for name in names[1] if self.arrived[kind, name]]
        sound = self.objects - self.breaches - self.others
        silent = [name for name in names[1] if name not in seen]
        told = [
            f"{title}: {sound + self.breaches} objects, {sound} keep the schema; of"
            f" {sum(self.arrived[kind, name] for name in seen)} whose {kind} the standard has"
            f" {self.lossless} come back with every field",
            f"{kind}s: {len(seen)} of {len(names[1])}",
            *(f"  {name} {self.arrived[kind, name]}" for name in seen),
        ]
        if silent:
            told.append(f"silent: {', '.join(silent)}")
        if self.others:
            told.append(f"not of this standard: {self.others} objects")
        if self.own:
            told.append(f"own types: {_counts(self.own)}")
        if self.unknown:
            told.append(f"unknown {kind}s: {_counts(self.unknown)}")
        if self.standard == "aarts":
            told.append(self._level())
        return told

    def level(self) -> tuple[int, list[str]]:
        """The highest AARTS level, 0 to 3, of which everything arrived, and what the next lacks."""
        for number, wanted in enumerate(LEVELS):
            missing = [
                f"{kind} {name}"
                for kind, names in wanted.items()
                for name in sorted(names)
                if not self.arrived[kind, name]
            ]
            if missing:
                return number, missing
        return len(LEVELS), []

    def _level(self) -> str:
        level, missing = self.level()
        wanting = f"; level {level + 1} lacks {', '.join(missing)}" if missing else ""
        return f"level shown: {level} of {len(LEVELS)}{wanting}"

    def agent_hooks(self, line: JsonObject) -> Iterator[Remark]:
        """Remarks on an Agent Hooks event that keeps the schema."""
        name = line.get("event_type")
        if not isinstance(name, str):
            self.others += 1
            return
        if name in EVENT_TYPES:
            self.arrived["event type", name] += 1
        elif OWN_TYPE.fullmatch(name):
            self.own[name] += 1
        else:
            yield self._stranger("event type", name, EVENT_TYPES)
        if name not in EVENT_TYPES:
            return  # the standard says nothing of its fields
        yield from self._lost(line, read_agent_hooks, "agent_hooks")

    def aarts(self, line: JsonObject) -> Iterator[Remark]:
        """Remarks on an AARTS object, alone, in a wrapper or with its verdict, that keeps the
        schema."""
        body = line.get("aarts", line)
        body = body if isinstance(body, dict) else {}
        point = body.get("hook_point")
        verdict = line.get("verdict")
        verdict = verdict if isinstance(verdict, dict) else body if "decision" in body else {}
        if "event_type" in line or (point is None and not verdict and "aarts_version" not in line):
            self.others += 1
            return
        if isinstance(verdict.get("decision"), str):
            self.arrived["decision", verdict["decision"]] += 1
        if not isinstance(point, str):
            return  # a verdict or a handshake, of which the schema says all
        if point in HOOK_POINTS:
            self.arrived["hook point", point] += 1
        else:
            yield self._stranger("hook point", point, HOOK_POINTS)
            return
        if point == "PreToolUse":
            self.arrived["tool", body["tool_name"]] += 1
            is_of_sub_agent = bool(body.get("is_sub_agent") or body.get("parent_session_id"))
            self.arrived["provenance", "of a sub-agent"] += is_of_sub_agent
        wrapped = line if "aarts" in line else {"aarts": line}
        yield from self._lost(wrapped, lambda _: read_aarts(line), "aarts")

    def _stranger(self, kind: str, name: str, known: tuple[str, ...]) -> Remark:
        self.unknown[name] += 1
        near = get_close_matches(name, known, 1)
        meant = f"; did you mean {near[0]}?" if near else ""
        return Remark(f"{kind} {json.dumps(name[:128])} is not in the standard{meant}", False)

    def _lost(
        self, line: JsonObject, read: Callable[[JsonObject], Any], rendering: str
    ) -> Iterator[Remark]:
        """Fields that do not come back, and those that the standard does not define."""
        try:
            event = read(json.loads(json.dumps(line)))
        except ValueError as error:
            yield Remark(str(error), True)
            return
        strange = list(event.unmapped or ())
        written = getattr(Rendered(event), rendering)
        gone = lost(line, json.loads(written)) if written else ["(the line)"]
        self.lossless += not gone
        for path in strange:
            yield Remark(f"{path}: the standard has no such field, or not in this shape", False)
        for path in gone:
            if not any(path.endswith(f".{name}") for name in strange):
                yield Remark(f"{path.strip('.')}: does not come back as it was", False)


STANDARDS = {"agent-hooks": Kit.agent_hooks, "aarts": Kit.aarts}
NAMES = {
    "agent-hooks": ("Agent Hooks 0.1.0", ("event type", EVENT_TYPES)),
    "aarts": ("AARTS 0.1", ("hook point", HOOK_POINTS)),
}


def lost(said: Any, kept: Any, path: str = "") -> list[str]:
    """The paths of what was said and is not kept as it was said; an empty object says nothing."""
    if isinstance(said, dict):
        held = kept if isinstance(kept, dict) else {}
        pairs = [(value, held.get(key), f"{path}.{key}") for key, value in said.items()]
        return [way for value, other, below in pairs for way in lost(value, other, below)]
    if path.endswith(".aarts.artifacts") and isinstance(kept, list):
        # The reader's come first, and are the same where the emitter's are.
        missing = [row for row in said if not any(lost(row, other) == [] for other in kept)]
        return [f"{path}[{said.index(row)}].value" for row in missing]
    if isinstance(said, list) and isinstance(kept, list) and len(said) == len(kept):
        rows = enumerate(zip(said, kept, strict=True))
        return [way for n, (value, other) in rows for way in lost(value, other, f"{path}[{n}]")]
    return [] if said == kept and type(said) is type(kept) else [path]


def _values(value: JsonObject) -> list[JsonObject]:
    """The objects of a standard in a line: itself, or what a CloudEvent carries."""
    if not is_cloud_event(value):
        return [value]
    data, _ = opened(value)
    return [json.loads(part) for part in data] if isinstance(data, list) else [data]


def _counts(names: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(names.items()))
