"""Permission rules of Gemini CLI: policies (TOML) and lists of tools in its settings.

A rule by a regular expression of arguments counts as one for any call of its tool.
https://geminicli.com/docs/reference/policy-engine/
"""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

from hookstream.core.parse import UnreadableLine
from hookstream.normalizers.permission_rules import CALL, Listed, texts, with_comments

if TYPE_CHECKING:
    from collections.abc import Iterator

ANSWERS = {"allow": "allow", "ask_user": "ask", "deny": "deny"}
LISTS = (("allowed", "allow"), ("confirmationRequired", "ask"), ("exclude", "deny"))
SHELL = "run_shell_command"


def rules(data: bytes, path: str) -> Iterator[Listed]:
    """The rules of one file. Raises Refused."""
    yield from _policy(data) if path.endswith(".toml") else _settings(with_comments(data))


def _policy(data: bytes) -> Iterator[Listed]:
    try:
        value = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise UnreadableLine("not_toml") from None
    listed = value.get("rule")
    for one in listed if type(listed) is list else ():
        if type(one) is dict and type(one.get("decision")) is str:
            yield from _rule(one)


def _rule(given: dict[str, Any]) -> Iterator[Listed]:
    answer = ANSWERS.get(given["decision"])
    prefixes = texts(given.get("commandPrefix"))
    tools = texts(given.get("toolName"))
    if not tools and (prefixes or given.get("commandRegex")):
        tools = (SHELL,)
    shown = "|".join(tools) or "*"
    server = given.get("mcpName")
    if type(server) is str:
        tools = tuple(f"mcp__{server}__{name}" for name in tools or ("*",))
        shown = f"{server}({shown})"
    elif prefixes or given.get("commandRegex") or given.get("argsPattern"):
        pattern = "|".join(prefixes) or given.get("commandRegex") or given.get("argsPattern")
        shown = f"{shown}({pattern})"
    if answer is not None:
        arguments = tuple(f"{prefix.strip()}:*" for prefix in prefixes)
        yield Listed(answer, shown, () if "*" in tools else tools, arguments)


def _settings(value: Any) -> Iterator[Listed]:
    held = value.get("tools") if type(value) is dict else None
    for name, answer in LISTS:
        for text in texts(held.get(name)) if type(held) is dict else ():
            match = CALL.fullmatch(text)
            if match is not None:
                prefix = (match[2] or "").strip()
                yield Listed(answer, text, (match[1],), (f"{prefix}:*",) if prefix else ())
