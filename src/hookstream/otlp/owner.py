"""The client of a telemetry item, by its scope, its event's name or its service."""

from __future__ import annotations

from functools import cache, lru_cache

from hookstream.normalizers.client import clients

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.otlp.items import OtlpItem

# Spans of a call in the Trace profile of ACS, and what distinguishes them from others of that name.
ACS_CALLS = {"gen_ai.tool.call": "acs.capability", "gen_ai.tool.result": "acs.exit_status"}


@cache
def beginnings(kind: str) -> dict[str, str]:
    """Beginnings of scopes, events or services, each with its client."""
    return {
        word: client.key for client in clients() for word in getattr(client.telemetry, kind).split()
    }


def client_of(item: OtlpItem) -> str | None:
    """The coding client that sent an item; None for what none of them did."""
    mark = ACS_CALLS.get(item.name)
    if mark is not None and mark in item.attributes:
        return "aos"
    return _of_scope(item.source.scope) or _of_event(item.name) or _of_service(item.source.service)


@lru_cache(256)
def _of_scope(scope: str) -> str | None:
    for name, client in beginnings("scopes").items():
        if scope == name or (scope.startswith(name) and scope[len(name)] in "._/:-"):
            return client
    return None


@lru_cache(256)
def _of_event(name: str) -> str | None:
    starts = beginnings("events").items()
    return next((client for start, client in starts if name.startswith(start)), None)


@lru_cache(256)
def _of_service(name: str) -> str | None:
    service = name.replace("_", "-").lower()
    for start, client in beginnings("services").items():
        if service == start or service.startswith(f"{start}-"):
            return client
    return None
