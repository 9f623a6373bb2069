"""The client of a telemetry item, by its scope, its event's name or its service."""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.otlp.items import OtlpItem

# scope name, or the part before its first dot or slash -> client
SCOPES = {
    "com.anthropic.claude_code": "claude-code",
    "codex_otel": "codex",
    "codex": "codex",
    "gemini-cli": "gemini-cli",
    "qwen-code": "qwen-code",
    "github.copilot": "copilot",
    "opencode": "opencode",
    "cline": "cline",
}
# what the names of a client's events begin with
EVENTS = {
    "claude_code.": "claude-code",
    "codex.": "codex",
    "gemini_cli.": "gemini-cli",
    "qwen-code.": "qwen-code",
    "github.copilot.": "copilot",
    "acs.": "aos",
}
# Spans of a call in the Trace profile of ACS, and what distinguishes them from others of that name.
ACS_CALLS = {"gen_ai.tool.call": "acs.capability", "gen_ai.tool.result": "acs.exit_status"}
# service.name, or what it begins with -> client
SERVICES = {
    "claude-code": "claude-code",
    "codex": "codex",
    "gemini-cli": "gemini-cli",
    "qwen-code": "qwen-code",
    "github-copilot": "copilot",
    "opencode": "opencode",
    "cline": "cline",
}


STARTS = tuple(EVENTS)


def client_of(item: OtlpItem) -> str | None:
    """The coding client that sent an item; None for what none of them did."""
    mark = ACS_CALLS.get(item.name)
    if mark is not None and mark in item.attributes:
        return "aos"
    client = _of_scope(item.source.scope)
    if client is None and item.name.startswith(STARTS):
        return next(client for start, client in EVENTS.items() if item.name.startswith(start))
    return client or _of_service(item.source.service)


@lru_cache(256)
def _of_scope(scope: str) -> str | None:
    for name, client in SCOPES.items():
        if scope == name or (scope.startswith(name) and scope[len(name)] in "._/:-"):
            return client
    return None


@lru_cache(256)
def _of_service(given: str) -> str | None:
    service = given.replace("_", "-").lower()
    for start, client in SERVICES.items():
        if service == start or service.startswith(f"{start}-"):
            return client
    return None
