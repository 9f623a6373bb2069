"""Native tool calls: action name, AARTS category, target. Shared by all vendors."""

from __future__ import annotations

from hookstream.normalizers.table import Tool, shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.normalizers.ready import CompiledVendor

UNKNOWN = Tool("other", "other")
# What makes a line more than one command, or its words more than they are.
SIGNS = (";", "&", "|", "`", "$(", "\n", ">", "<")
# Installers that are not called by a name of the list.
OTHERS = tuple("python pypy py pip gem pacman yay paru".split())


def resolve_action(
    event: Event, compiled: CompiledVendor, payload: dict[str, Any], is_presumed: bool = False
) -> None:
    """Fill action_name, action_category and the target from the vendor's tool table.

    An unknown tool is `other` under its native name. Where the payload may be another client's, one
    that gets a command is its shell.
    """
    facts = event.facts
    native = facts["action_native"]
    tool = compiled.tools.get(native)
    if tool is None:
        pair = compiled.mcp(native, payload) if compiled.mcp is not None else None
        if pair is not None:
            server, name = pair
            tool = Tool(f"mcp:{name}", "mcp_call")
            if server and "mcp_server" not in facts:
                facts["mcp_server"] = server
        elif is_presumed and event.input and _command(event.input, "command"):
            tool = shell("command")
            event.synthesized += ["action_name", "action_category"]
        else:
            tool = UNKNOWN
    facts.setdefault("action_name", tool.action)
    fill_action(event, tool)


def fill_action(event: Event, tool: Tool) -> None:
    """The category and the target of an action whose tool is known, from its input."""
    facts = event.facts
    facts.setdefault("action_category", tool.category)
    if tool.content:
        event.content_arguments = tool.content
    given = event.input
    if given is None:
        return
    if tool.command is not None and tool.command not in tool.content:
        command = _command(given, tool.command)
        if command:
            facts.setdefault("command", command)
            if tool.category == "shell" and is_plain_install(command):
                facts["action_category"] = "package_install"
    for fact, names in tool.targets:
        if fact not in facts:
            value = _first(given, names)
            if value:
                facts[fact] = value


def _first(given: dict[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = given.get(name)
        if type(value) is list and value:
            value = value[0]
        if type(value) is str and value:
            return value
    return ""


def _command(given: dict[str, Any], names: str | tuple[str, ...]) -> str:
    for name in (names,) if type(names) is str else names:
        text = command_text(given.get(name), "\n" if name == "commands" else " ")
        if text:
            return text
    return ""


def command_text(value: Any, between: str = " ") -> str:
    """A command from its words, also those of a program and its `args`, or several commands."""
    if type(value) is dict:
        args = value.get("args")
        value = [value.get("command"), *(args if type(args) is list else ())]
    if type(value) is list:
        return between.join(text for part in value if (text := command_text(part)))
    return value if type(value) is str else ""


def is_plain_install(command: str) -> bool:
    """Return whether the whole line is one install command of a package manager, as the one reader
    of commands says of its words: for its parser a hook has no time."""
    words = command.split()
    if words[:1] == ["sudo"]:
        words = words[1:]
    if len(words) < 2:
        return False
    for sign in SIGNS:
        if sign in command:
            return False
    from hookstream.shell.managers import ECOSYSTEMS

    if words[0] not in ECOSYSTEMS and not words[0].startswith(OTHERS):
        return False
    from hookstream.shell.command import Command
    from hookstream.shell.packages import installs

    return installs(Command(words))
