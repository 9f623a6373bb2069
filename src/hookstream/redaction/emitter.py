"""Data of a line's emitter that no fact holds: trees at the places of the standards, with the
content that the standards define there."""

from __future__ import annotations

from hookstream.redaction.fields import HAS_CONTENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.redaction.context import RedactionContext
    from hookstream.redaction.fields import Fields
    from hookstream.redaction.json_redactor import JsonRedactor

    Trees = dict[str, dict[str, Any]]

# Fields of AARTS that are content whatever their length.
CONTENT = frozenset(
    "system_prompt custom_instructions context_injections user_input body_content original_value "
    "modified_value".split()
)
PLACES = frozenset(("data", "action", "result", "decision", "usage"))


def gather(trees: Trees, fields: Fields, texts: list[str]) -> int:
    """Add every string to `texts`; the bits HAS_CONTENT, HAS_SECRET say what the trees hold."""
    found = 0
    for tree in trees.values():
        found |= fields.gather(tree, texts)
        if not CONTENT.isdisjoint(tree):
            found |= HAS_CONTENT
    return found


def rewrite(trees: Trees, walker: JsonRedactor, context: RedactionContext) -> Trees:
    """The trees without what the context's rules found; in hash mode without content."""
    own = context.with_content(CONTENT)
    rewritten = {}
    for name, tree in trees.items():
        if name == "event":
            rewritten[name] = _object(tree, walker, own, "")
            continue
        rewritten[name] = walker.tree(tree, name, own)
    return rewritten


def _object(
    tree: dict[str, Any], walker: JsonRedactor, context: RedactionContext, path: str
) -> dict[str, Any]:
    """A part of an Agent Hooks object: its own names for places say nothing of what is there."""
    out: dict[str, Any] = {}
    for key, value in tree.items():
        if key in PLACES and type(value) is dict:
            out[key] = _object(value, walker, context, f"{path}.{key}" if path else key)
        else:
            out |= walker.tree({key: value}, path, context)
    return out
