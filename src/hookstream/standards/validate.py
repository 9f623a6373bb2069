"""`hookstream validate`: every line against the strict schemas, with file, line and reason."""

from __future__ import annotations

import json
from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING, Any

from hookstream.core.cloud_events import is_cloud_event, opened
from hookstream.core.limits import DEPTH, OUTPUT_LINE_BYTES, SAFE_INTEGER
from hookstream.core.parse import UnreadableLine, check_depth
from hookstream.standards.aarts_reader import is_handshake
from hookstream.standards.schema import SCHEMAS
from hookstream.standards.shapes import is_verdict

if TYPE_CHECKING:
    pass


class Validator:
    """The shipped schemas made ready. `problems(line)` names what is wrong with one line."""

    def __init__(self) -> None:
        from jsonschema import Draft202012Validator
        from referencing import Registry, Resource

        folder = files("hookstream.standards") / "schemas"
        loaded = {name: json.loads((folder / name).read_text("utf-8")) for name in SCHEMAS}
        registry: Any = Registry().with_resources(
            (schema["$id"], Resource.from_contents(schema)) for schema in loaded.values()
        )
        self.by_name = {
            name: Draft202012Validator(schema, registry=registry) for name, schema in loaded.items()
        }

    def problems(self, line: bytes) -> list[str]:
        """Violations of the line grammar or of the schema of the line's kind."""
        if len(line) > OUTPUT_LINE_BYTES:
            return [f"longer than {OUTPUT_LINE_BYTES} bytes"]
        if not line.isascii():
            return ["not ASCII"]
        try:
            value = json.loads(
                line,
                object_pairs_hook=_pairs,
                parse_constant=_constant,
                parse_float=_finite,
                parse_int=_exact,
            )
            check_depth([value], -1)
            if rb"\ud" in line.lower():
                json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnreadableLine:
            return [f"deeper than {DEPTH} levels"]
        except UnicodeEncodeError:
            return ["a lone surrogate"]
        except RecursionError:
            return [f"deeper than {DEPTH} levels"]
        except ValueError as error:
            return [f"not JSON: {error}"]
        if not isinstance(value, dict):
            return ["not an object"]
        if is_cloud_event(value):
            try:
                value, _ = opened(value)
            except UnreadableLine as refusal:
                return [f"CloudEvent: {refusal}"]
            if isinstance(value, list):
                return [
                    f"line {number} of the stream: {problem}"
                    for number, part in enumerate(value, 1)
                    for problem in self.problems(part)
                ]
        if value.get("aarts") is not None and "verdict" in value and "hookstream" not in value:
            # An envelope and the answer to it, as another emitter writes them.
            problems = self._breaches("aarts-event.json", value["aarts"], "aarts")
            if value["verdict"] is not None:
                problems += self._breaches("aarts-verdict.json", value["verdict"], "verdict")
            return problems
        kind = kind_of(value)
        if kind is None:
            return ["neither an Agent Hooks event, an AARTS object, a wrapper nor a rejection"]
        return self._breaches(kind, value)

    def _breaches(self, name: str, value: Any, place: str = "") -> list[str]:
        errors = sorted(self.by_name[name].iter_errors(value), key=lambda e: list(map(str, e.path)))
        prefix = [place] if place else []
        return [
            f"{'.'.join([*prefix, *map(str, error.path)]) or '(object)'}: {_brief(error)}"
            for error in errors
        ]


def _brief(error: Any) -> str:
    """The reason without the value: a message must not repeat what may be content."""
    rule, want = error.validator, error.validator_value
    if rule == "required":
        missing = [name for name in want if name not in error.instance]
        return f"{', '.join(missing)} missing"
    if rule in ("enum", "const", "pattern", "type", "maximum", "minimum", "minLength"):
        return f"breaks {rule} {json.dumps(want)[:200]}"
    return f"breaks {rule}"


def kind_of(value: dict[str, Any]) -> str | None:
    """The name of the schema that an object claims to keep; None if it is not ours."""
    if value.get("schema") == "hookstream/rejection/1":
        return "rejection.json"
    if "aarts" in value and "hookstream" in value:
        return "aarts-wrapper.json"
    if "event_type" in value or "spec_version" in value:
        return "agent-hooks-event.json"
    if is_verdict(value) and "aarts_version" not in value:
        return "aarts-verdict.json"
    if "hook_point" not in value and is_handshake(value):
        return "aarts-handshake.json"
    return "aarts-event.json" if "hook_point" in value or "host_id" in value else None


def _pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(items)
    if len(unique) != len(items):
        raise ValueError("a key stands twice in one object")
    return unique


def _constant(word: str) -> Any:
    raise ValueError(f"{word} is not a JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("a number beyond every double")
    return value


def _exact(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > SAFE_INTEGER:
        raise ValueError("an integer beyond 2^53 that is not a string")
    return int(text)
