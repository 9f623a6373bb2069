"""AARTS artifacts of an action: whole values of known fields, with `source_field`.

Nothing is decoded, resolved, lower-cased or split further, but for the package names of an
install command (AARTS 0.1, artifact section; type `package`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.event import Event

TARGETS = (("command", "command"), ("file_path", "file_path"), ("url", "url"))


def extract(event: Event) -> list[tuple[str, str, str]]:
    """(type, value, source_field) of an action's targets, in a fixed order."""
    facts = event.facts
    found: list[tuple[str, str, str]] = []
    if "action_name" not in facts:
        return found
    given = event.input
    for fact, kind in TARGETS:
        value = facts.get(fact)
        if value is not None:
            # A question about a call has no input of its own: its fact says where the value stands.
            asked = given is None and event.hook_point is None
            found.append((kind, value, fact if asked else _field(given, value)))
    if facts.get("action_category") == "package_install":
        for name in packages(facts.get("command", "")):
            found.append(("package", name, "tool_input.command"))
    return found


def _field(given: dict[str, Any] | None, value: str) -> str:
    """Where the value stands in the tool's input: a path, at least that of the whole input."""
    for name in sorted(given or ()):
        if given is not None and given[name] == value:
            return f"tool_input.{name}"
    for path, text in _texts(given, "tool_input"):
        if text == value:
            return path
    return "tool_input"


def _texts(value: Any, path: str, depth: int = 4) -> list[tuple[str, str]]:
    """(path, text) of every text in a tree, in the order of its keys."""
    if type(value) is str:
        return [(path, value)]
    if depth == 0:
        return []
    if type(value) is dict:
        pairs = [(f"{path}.{key}", value[key]) for key in sorted(value)]
    elif type(value) is list:
        pairs = [(f"{path}[{at}]", one) for at, one in enumerate(value[:64])]
    else:
        return []
    return [found for way, one in pairs for found in _texts(one, way, depth - 1)]


def packages(command: str) -> list[str]:
    """The package names of one plain install command line."""
    words = [word for word in command.split() if word != "sudo"]
    names: list[str] = []
    skip = False
    started = False
    for word in words[1:]:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in ("-r", "-c", "-t", "-i", "--index-url", "--target", "--registry")
        elif not started:
            started = word not in ("pip",)
        else:
            names.append(word)
    return names
