"""Permission rules of OpenCode: `permission` in its configuration, by tool and pattern.

Rules for what is not a tool (external_directory, doom_loop) count as ones for any call.
https://opencode.ai/docs/permissions
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.normalizers.permission_rules import Listed, with_comments

if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWERS = ("allow", "ask", "deny")
TOOLS = {
    "edit": ("edit", "write", "patch", "multiedit", "apply_patch"),
    "*": (),
    "external_directory": (),
    "doom_loop": (),
}
PATHS = ("read", "edit", "list")


def rules(data: bytes, path: str) -> Iterator[Listed]:
    """The rules of one file. Raises Refused."""
    value = with_comments(data)
    held = value.get("permission") if type(value) is dict else None
    facts: dict[str, Any] = held if type(held) is dict else {"*": held}
    for name, said in facts.items():
        for pattern, answer in (said if type(said) is dict else {"*": said}).items():
            if answer in ANSWERS:
                tools = TOOLS.get(name, (name,))
                text = f"{name}: {pattern}"
                yield Listed(answer, text, tools, _arguments(name, pattern))


def _arguments(name: str, pattern: str) -> tuple[str, ...]:
    if pattern.strip("*") == "":
        return ()
    if name == "bash":
        return (f"{pattern[:-2]}:*" if pattern.endswith(" *") else pattern,)
    if name in PATHS:
        return (pattern.replace("**", "*").replace("*", "**"),)
    return ()
