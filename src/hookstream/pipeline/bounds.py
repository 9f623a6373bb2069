"""Bounds of one event in the hook: how much text is scanned, how long and deep its line may be.

Scanning costs time, and the agent waits for it. If an event holds more text than that, its
longest strings are replaced, as content is, by digest and length before anything is scanned.
"""

from __future__ import annotations

from hookstream.core.event import CONTENT_FACTS
from hookstream.core.jsons import canonical
from hookstream.core.jsons import line as written
from hookstream.core.limits import DEPTH, OUTPUT_LINE_BYTES
from hookstream.standards.agent_hooks import agent_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event

# Characters of all strings of an event together, and of one that may stay when there are more.
SCANNED = 256 * 1024
LONG = 16 * 1024
DEGRADED = (4096, 256)
TREES = ("input", "native", "unmapped")


def bound_text(
    event: Event, digest_key: bytes | None, scanned: int = SCANNED, long: int = LONG
) -> None:
    """Replace an event's long strings by their digests if it holds too much text to scan."""
    trees = (event.facts, event.input, event.native, event.unmapped)
    if sum(_length(tree) for tree in trees) <= scanned:
        return
    from hookstream.redaction.digest import digest, length, marker

    def replace(value: Any, path: str) -> Any:
        if type(value) is str and len(value) > long:
            event.redacted.append(path)
            return marker(value, digest_key)
        if type(value) is dict:
            return {key: replace(item, f"{path}.{key}") for key, item in value.items()}
        if type(value) is list:
            return [replace(item, f"{path}[{at}]") for at, item in enumerate(value)]
        return value

    facts = event.facts
    for name in [name for name in facts if _length(facts[name]) > long]:
        if name in CONTENT_FACTS:
            value = facts.pop(name)
            facts.setdefault(f"{name}_hash", digest(value, digest_key))
            facts.setdefault(f"{name}_length", length(value))
            event.redacted.append(name)
        else:
            facts[name] = replace(facts[name], name)
    for name in TREES:
        tree = getattr(event, name)
        if tree is not None:
            tree = replace(tree, name)
            if _length(tree) > scanned:  # very many short ones
                event.redacted.append(name)
                tree = {"all": marker(tree, digest_key)}
            setattr(event, name, tree)


def _length(value: Any) -> int:
    if type(value) is str:
        return len(value)
    if type(value) is dict:
        return sum(len(key) + _length(item) for key, item in value.items())
    if type(value) is list:
        return sum(_length(item) for item in value)
    return 0


def line_of(event: Event) -> bytes:
    """The event's line with its newline. One that would be longer or deeper than a line may be
    loses the fields that no table knows, then its arguments, and says so."""
    line = _render(event)
    if _fits(line):
        return line + b"\n"
    event.native = {"cut": f"a line of {len(line)} bytes"}
    event.unmapped = None
    for without in (_nothing, _long_strings, _arguments):
        without(event)
        line = _render(event)
        if _fits(line):
            return line + b"\n"
    raise ValueError("an event that cannot be written as a line")


def _render(event: Event) -> bytes:
    return written(agent_hooks(event))


def _nothing(event: Event) -> None:
    """Without `native` and `unmapped` alone it may fit already."""


def _long_strings(event: Event) -> None:
    event.facts = {name: _cut(value) for name, value in event.facts.items()}
    event.artifacts = []
    if event.input is not None:
        entries = list(event.input.items())[:64]
        event.input = {key[:128]: _cut(value) for key, value in entries}


def _arguments(event: Event) -> None:
    event.input = None


def _cut(value: Any) -> Any:
    if type(value) is str and len(value) > 4096:
        return f"{value[:4096]}[cut: {len(value)} characters]"
    if type(value) is dict or type(value) is list:
        text = canonical(value)
        return value if len(text) <= 4096 and _depth(value) < 16 else "[cut]"
    return value


def _fits(line: bytes) -> bool:
    if len(line) >= OUTPUT_LINE_BYTES or not line.startswith(b'{"'):
        return False
    if line.count(b"{") + line.count(b"[") <= DEPTH:
        return True
    from hookstream.core.jsons import loads

    return _depth(loads(line)) <= DEPTH


def _depth(value: Any) -> int:
    """Objects and lists inside each other."""
    level = [value]
    depth = 0
    while level := [node for node in level if type(node) is dict or type(node) is list]:
        depth += 1
        level = [
            below for node in level for below in (node.values() if type(node) is dict else node)
        ]
    return depth
