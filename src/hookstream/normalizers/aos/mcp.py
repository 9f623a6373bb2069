"""Messages of the Model Context Protocol in an AOS or ACS envelope: which is what, and its facts.

Source: the specification of MCP 2025-06-18. An answer of a server names neither its method nor its
tool: what it answers is known by its shape, and by the id of the request (sessions stage).
"""

from __future__ import annotations

from hookstream.normalizers.aos.envelopes import first_text
from hookstream.normalizers.aos.parts import joined_text
from hookstream.normalizers.aos.wrapped import is_answer, wrapped
from hookstream.normalizers.table import at, derived, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookstream.core.records import Payload

# method -> the name of its event
REQUESTS = {
    "tools/list": "MCPToolsList",
    "prompts/list": "MCPPromptsList",
    "prompts/get": "MCPPromptsGet",
    "resources/list": "MCPResourcesList",
    "resources/templates/list": "MCPResourceTemplatesList",
    "resources/subscribe": "MCPResourcesSubscribe",
    "resources/unsubscribe": "MCPResourcesUnsubscribe",
    "completion/complete": "MCPCompletion",
    "logging/setLevel": "MCPLoggingSetLevel",
    "roots/list": "MCPRootsList",
    "elicitation/create": "MCPElicitation",
    "notifications/tools/list_changed": "MCPToolsChanged",
    "notifications/prompts/list_changed": "MCPPromptsChanged",
    "notifications/resources/list_changed": "MCPResourcesChanged",
    "notifications/resources/updated": "MCPResourceUpdated",
    "notifications/roots/list_changed": "MCPRootsChanged",
}
CALLS = ("tools/call", "resources/read")
# a key of the result -> the name of the answer's event
RESULTS = {
    "serverInfo": "MCPInitializeResult",
    "tools": "MCPToolsListResult",
    "prompts": "MCPPromptsListResult",
    "messages": "MCPPromptsGetResult",
    "resources": "MCPResourcesListResult",
    "resourceTemplates": "MCPResourceTemplatesListResult",
    "completion": "MCPCompletionResult",
    "roots": "MCPRootsListResult",
    "action": "MCPElicitationResult",
}
SERVERS = tuple(
    (
        "params.server params.serverName params.mcpServer params.context.server "
        "params.context.mcpServer params.metadata.server params.metadata.mcp_server "
        "params.payload.server params.payload.mcp_server"
    ).split()
)
TRANSPORTS = {
    "stdio": "stdio",
    "sse": "sse",
    "http": "streamable_http",
    "streamable-http": "streamable_http",
    "streamable_http": "streamable_http",
    "streamablehttp": "streamable_http",
}
NAMES = 256


def kind_of(p: Payload) -> str:
    """The kind of a message: its method if rows know it, `call`, `request`, what an answer holds,
    `result` (of a call), `answer`, or nothing to report."""
    message = wrapped(p)
    method = message.get("method")
    if type(method) is str:
        if method in CALLS:
            return "call"
        if method in REQUESTS or method in ("initialize", "sampling/createMessage"):
            return method
        return "" if method == "ping" or method.startswith("notifications/") else "request"
    if not is_answer(message):
        return ""
    result = message.get("result")
    if type(result) is not dict:
        return "result" if type(message.get("error")) is dict else "answer"
    if type(result.get("role")) is str:
        return "sampled"
    if not result.keys().isdisjoint(("content", "contents", "structuredContent", "isError")):
        return "result"
    return next((key for key in RESULTS if key in result), "answer")


def is_kind(kind: str) -> Callable[[Payload], bool]:
    """Predicate: the carried message is of this kind."""

    @reads("params")
    def test(p: Payload) -> bool:
        return kind_of(p) == kind

    return test


@reads("params")
def method_of(p: Payload) -> str | None:
    return first_text(wrapped(p), "method")


# Calls.


@reads("params")
def called_tool(p: Payload) -> str | None:
    message = wrapped(p)
    return first_text(message, "params.name") or first_text(message, "method")


@derived
@reads("params")
def action(p: Payload) -> str | None:
    name = called_tool(p)
    return f"mcp:{name}" if name else None


def arguments_of(message: Payload) -> Any:
    value = at(message, "params.arguments")
    return value if value is not None else at(message, "params")


@reads("params")
def arguments(p: Payload) -> Any:
    return arguments_of(wrapped(p))


@reads("params")
def uri(p: Payload) -> str | None:
    return first_text(wrapped(p), "params.uri")


@reads("params")
def success(p: Payload) -> bool:
    message = wrapped(p)
    return type(message.get("error")) is not dict and at(message, "result.isError") is not True


@reads("params")
def output(p: Payload) -> Any:
    message = wrapped(p)
    for key in ("content", "contents", "structuredContent"):
        text = joined_text(at(message, f"result.{key}"))
        if text is not None:
            return text
    return None


# Servers.


def _server(p: Payload) -> Any:
    return next((value for path in SERVERS if (value := at(p, path)) is not None), None)


@reads(*SERVERS)
def server(p: Payload) -> str | None:
    """The server as the envelope names it, or as it names itself."""
    found = _server(p)
    if type(found) is dict:
        found = first_text(found, "name") or first_text(found, "id")
    if type(found) is str and found:
        return found
    return first_text(wrapped(p), "result.serverInfo.name")


@reads("params", *SERVERS)
def connects(p: Payload) -> bool:
    return kind_of(p) == "initialize" and server(p) is not None


@reads("params", *SERVERS)
def connects_somewhere(p: Payload) -> bool:
    return kind_of(p) == "initialize" and server(p) is None


@derived
@reads("params.context.agent.mcpServers")
def only_server(p: Payload) -> str | None:
    """The one server that the agent has."""
    rows = at(p, "params.context.agent.mcpServers")
    if type(rows) is not list or len(rows) != 1:
        return None
    return first_text(rows[0], "name") if type(rows[0]) is dict else None


@reads(*SERVERS, "params.transport", "params.context.transport")
def transport(p: Payload) -> str | None:
    found = _server(p)
    word = first_text(p, "params.transport", "params.context.transport")
    if word is None and type(found) is dict:
        word = first_text(found, "transport") or first_text(found, "type")
    return TRANSPORTS.get(word.lower()) if word else None


@reads(*SERVERS)
def server_url(p: Payload) -> str | None:
    found = _server(p)
    return first_text(found, "url", "uri") if type(found) is dict else None


@reads(*SERVERS)
def server_command(p: Payload) -> str | None:
    found = _server(p)
    if type(found) is not dict or not first_text(found, "command"):
        return None
    words = found.get("args")
    more = [word for word in words if type(word) is str] if type(words) is list else []
    return " ".join([found["command"], *more])


@reads("params")
def protocol(p: Payload) -> dict[str, Any]:
    """Client, server and protocol version of a connection."""
    message = wrapped(p)
    found: dict[str, Any] = {}
    for side in ("params", "result"):
        for key in ("protocolVersion", "clientInfo.name", "clientInfo.version"):
            found[key] = found.get(key) or at(message, f"{side}.{key}")
        found["serverInfo.version"] = at(message, f"{side}.serverInfo.version")
    return {key: value for key, value in found.items() if type(value) is str}


@reads("params")
def listed(p: Payload) -> list[str]:
    """The names of what a server offers: tools, prompts, resources."""
    message = wrapped(p)
    for key in ("tools", "prompts", "resources", "resourceTemplates", "roots"):
        rows = at(message, f"result.{key}")
        if type(rows) is list:
            names = [
                first_text(row, "name") or first_text(row, "uri")
                for row in rows[:NAMES]
                if type(row) is dict
            ]
            return [name for name in names if name]
    return []


@reads("params")
def asked_for(p: Payload) -> str | None:
    """The subject of a request: a prompt's name, a resource."""
    message = wrapped(p)
    return first_text(message, "params.name") or first_text(message, "params.uri")


@reads("params")
def result(p: Payload) -> Any:
    """A whole result, as content."""
    return at(wrapped(p), "result")


# Sampling: a server asks for the client's model.


@reads("params")
def sampled_request(p: Payload) -> Any:
    value = at(wrapped(p), "params")
    if type(value) is not dict:
        return None
    return {key: value[key] for key in ("systemPrompt", "messages") if key in value}


@reads("params")
def sampled_response(p: Payload) -> Any:
    value = at(wrapped(p), "result.content")
    return joined_text(value if type(value) is list else [value])


@reads("params")
def sampled_by(p: Payload) -> str | None:
    return first_text(wrapped(p), "result.model")


@reads("params")
def sampling_stop(p: Payload) -> str | None:
    return first_text(wrapped(p), "result.stopReason")
