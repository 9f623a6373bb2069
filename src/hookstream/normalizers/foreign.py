"""Events of another emitter (Agent Hooks or AARTS), completed as a native payload's are: what the
action is, its target, how it ended, at which hook point it is.

The emitter's values stay; what is concluded here is listed in `synthesized`.
"""

from __future__ import annotations

from hookstream.core.event import POINT_OF_TYPE
from hookstream.normalizers import VENDORS, compiled, tools
from hookstream.normalizers.actions import UNKNOWN, fill_action
from hookstream.normalizers.identity import conclude_outcome
from hookstream.normalizers.table import mcp_name
from hookstream.normalizers.taxonomy import TAXONOMY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event

# The names under which emitters give an argument, the most common first.
COMMANDS = ("command", "cmd", "command_line", "commandLine", "script", "commands")
PATHS = tuple(
    (
        "file_path path filepath filePath filename file target_file absolute_path notebook_path "
        "directory dir_path"
    ).split()
)
URLS = ("url", "uri", "address", "href")
QUERIES = ("query", "pattern", "q", "search_query", "regex", "glob")
SHELL, READ, WRITE, EDIT = (
    tools.shell(COMMANDS),
    tools.read(PATHS),
    tools.write(PATHS),
    tools.edit(PATHS),
)
DELETE, FETCH, SEARCH = tools.delete(PATHS), tools.fetch(URLS), tools.search(QUERIES)
# Agent Hooks action name -> its tool
BY_ACTION = {
    "shell": SHELL,
    "read_file": READ,
    "write_file": WRITE,
    "code_edit": tools.edit(PATHS, "code_edit"),
    "delete_file": DELETE,
    "list_files": tools.listing(PATHS),
    "search_files": tools.find(QUERIES, PATHS),
    "delegate": tools.delegate(),
}
# AARTS tool category -> its tool
BY_CATEGORY = {
    "shell": SHELL,
    "package_install": tools.Tool("shell", "package_install", command=COMMANDS),
    "file_read": READ,
    "file_write": WRITE,
    "file_edit": EDIT,
    "file_delete": DELETE,
    "web_request": FETCH,
    "browser": tools.Tool("browser", "browser", url=URLS),
    "database": tools.Tool("database", "database", query=("sql", *QUERIES)),
    "code_exec": tools.Tool("code_exec", "code_exec"),
    "delegate": tools.delegate(),
}
SERVERS = ("mcp_server", "server", "server_name", "serverName", "server_id")
# Points whose reason is a text: without it, or its digest, there is nothing to show there.
WITH_CONTENT = {"Model.Requested": "request", "Model.Responded": "response"}
DECIDED = {"Policy.Blocked": "deny", "Policy.Override": "allow"}
AFTERWARDS = ("tokens_after", "tokens_removed")


def complete_foreign(event: Event) -> None:
    """Add what a native payload of the same meaning would give. Facts that are there stay."""
    facts = event.facts
    if event.hook_point is None:
        event.hook_point = _hook_point(event)
    if "action_name" in facts or "action_category" in facts or "action_native" in facts:
        _complete_action(event)
    if event.type == "Action.After":
        stated = facts.get("success")
        conclude_outcome(event)
        if stated is not None:
            facts["success"] = stated
    decision = DECIDED.get(event.type)
    if decision is not None and "decision" not in facts:
        _conclude(event, "decision", decision)
    if "decision" in facts:
        facts.setdefault("certainty", "observed")
    if event.type == "Agent.Plan.Start" and "agent_type" in facts and "plan_type" not in facts:
        kind = str(facts["agent_type"]).lower()
        _conclude(event, "plan_type", kind if kind in ("plan", "explore") else "default")


def _conclude(event: Event, fact: str, value: Any) -> None:
    event.facts[fact] = value
    # An own line has listed what was concluded: AARTS has no place for an action's name.
    if fact not in event.synthesized and "hookstream_version" not in event.facts:
        event.synthesized.append(fact)


def _hook_point(event: Event) -> str | None:
    facts = event.facts
    if event.type == "Context.Compaction":
        if facts.get("context_phase") == "after" or any(name in facts for name in AFTERWARDS):
            facts.setdefault("context_phase", "after")
            return "PostCompact"
        facts.setdefault("context_phase", "before")
        return "PreCompact"
    fact = WITH_CONTENT.get(event.type)
    if fact and fact not in facts and f"{fact}_hash" not in facts:
        return None
    return POINT_OF_TYPE.get(event.type)


def _complete_action(event: Event) -> None:
    facts = event.facts
    tool = _tool(event)
    if facts.get("action_name", "other") == "other" and tool is not UNKNOWN:
        _conclude(event, "action_name", tool.action)
    if tool.action.startswith("mcp:"):
        _server(event)
    elif (
        tool is UNKNOWN
        and "action_native" not in facts
        and facts.get("action_name", "other") != "other"
    ):
        # A name of the emitter's own says what a native tool's would.
        facts["action_native"] = facts["action_name"]
    facts.setdefault("action_name", "other")
    if facts.get("action_category", "other") == "other" and tool.category != "other":
        _conclude(event, "action_category", tool.category)
    if event.hook_point != "PreToolInputModification":  # it does not report an action a second time
        fill_action(event, tool)
        _fill_from_artifacts(event)


def _fill_from_artifacts(event: Event) -> None:
    """The targets that the input does not name and the emitter's artifacts do."""
    facts = event.facts
    given = event.input or {}
    is_command = "command" in facts or any(row[0] == "command" for row in event.artifacts)
    for kind, value, field, _ in event.artifacts:
        # Next to a command only what an argument is by itself; the rest may be a part of it.
        own = not is_command or given.get(field.removeprefix("tool_input.")) == value
        if kind == "command" or (kind in ("file_path", "url") and own):
            facts.setdefault(kind, value)


def _tool(event: Event) -> tools.Tool:
    """The tool of an action: of the client's own table, else by its name, else by its category."""
    facts = event.facts
    native, name = facts.get("action_native", ""), facts.get("action_name", "")
    if native and event.vendor in VENDORS:
        tool = compiled(event.vendor).tools.get(native)
        if tool is not None:
            return tool
    if name.startswith("mcp:"):
        return tools.Tool(name, "mcp_call")
    if native.startswith("mcp__") or facts.get("action_category") == "mcp_call":
        return tools.Tool(f"mcp:{_split(native)[1] or native or 'unknown'}", "mcp_call")
    if name == "web_search":
        given = event.input or {}
        return FETCH if any(given.get(key) for key in URLS) else SEARCH
    return (
        BY_ACTION.get(name)
        or BY_CATEGORY.get(facts.get("action_category", ""))
        or TAXONOMY.get(native)
        or TAXONOMY.get(name)
        or UNKNOWN
    )


mcp = mcp_name(lone=True)


def _split(native: str) -> tuple[str, str]:
    """(server, tool) of a name such as mcp__server__tool or server/tool."""
    pair = mcp(native, {})
    if pair is not None:
        return pair
    server, slash, tool = native.partition("/")
    return (server, tool) if slash and server and tool else ("", native)


def _server(event: Event) -> None:
    """The MCP server: as the native name, the action's name or an argument says it."""
    facts = event.facts
    if "mcp_server" in facts:
        return
    server = _split(facts.get("action_native", ""))[0] or _split(facts["action_name"][4:])[0]
    given = event.input or {}
    words = [server, *(given.get(key) for key in SERVERS)]
    found = next((word for word in words if type(word) is str and word), None)
    if found is not None:
        _conclude(event, "mcp_server", found)
