"""Permission rules of Copilot CLI: the approvals that it keeps by folder. Its other rules are words
of its command line and are not in any file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.normalizers.permission_rules import Listed, texts, with_comments

if TYPE_CHECKING:
    from collections.abc import Iterator

TOOLS = {
    "commands": ("bash", "powershell"),
    "read": ("view", "grep", "glob", "rg"),
    "write": ("create", "edit", "apply_patch", "str_replace_editor"),
}


def rules(data: bytes, path: str) -> Iterator[Listed]:
    """The approvals of every folder. Raises Refused."""
    value = with_comments(data)
    held = value.get("locations") if type(value) is dict else None
    for place in held.values() if type(held) is dict else ():
        listed = place.get("tool_approvals") if type(place) is dict else None
        for one in listed if type(listed) is list else ():
            if type(one) is dict:
                yield from _approval(one)


def _approval(given: dict[str, Any]) -> Iterator[Listed]:
    kind = given.get("kind")
    if kind == "commands":
        for command in texts(given.get("commandIdentifiers")):
            yield Listed("allow", f"shell({command})", TOOLS[kind], (f"{command}:*",))
    elif kind == "mcp" and type(given.get("serverName")) is str:
        server, tool = given["serverName"], given.get("toolName")
        name = tool if type(tool) is str else "*"
        yield Listed("allow", f"{server}({name})", (f"mcp__{server}__{name}",))
    elif kind in ("read", "write"):
        yield Listed("allow", kind, TOOLS[kind])
