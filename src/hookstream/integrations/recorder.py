"""The writer of all adapters. A failure to record never reaches the program: it is written where
`hookstream status` looks."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

from hookstream.capture.collector.handler import Handler, surroundings

FRAMEWORKS = "otel-genai"


@lru_cache(maxsize=16)
def handler_of(log: str | None, folders: tuple[str | None, ...]) -> Handler:
    """One handler, which holds the rules, for all adapters of a program that write to one place:
    some programs make an adapter for each request."""
    return Handler(log)


class Recorder:
    """Appends what callbacks of one framework say. `log` is a file or folder, by default the place
    that hooks write to (AGENT_HOOKS_LOG, the configuration, the state folder).

    Made when the program registers its adapter. It loads the rules then (seconds of CPU where no
    cache holds them), so that no callback does while an agent waits for it."""

    def __init__(self, framework: str, log: str | None = None) -> None:
        self.framework = framework
        self.handler = handler_of(log, surroundings(os.environ))
        try:
            self.handler.record_export([])  # where nothing is to be recorded, nothing is loaded
        except Exception as error:
            self._note(error, None)

    def record(self, event: str, session: str, **facts: Any) -> None:
        """One event of the framework's table (normalizers/genai/telemetry.py)."""
        payload = {name: value for name, value in facts.items() if value is not None}
        payload |= {"event": event, "framework": self.framework, "session_id": session}
        self.append(payload, FRAMEWORKS, event)

    def append(self, payload: dict[str, Any], vendor: str, event: str | None) -> None:
        """One payload of a vendor's table."""
        from hookstream.capture.hook.request import now_text
        from hookstream.core.records import Record

        try:
            record = Record(payload, vendor=vendor, native_event=event, witness="callback")
            record.received_at = now_text()
            self.handler.record_export([record])
        except Exception as error:
            self._note(error, event)

    def _note(self, error: Exception, event: str | None) -> None:
        try:
            self.handler.lose(error, self.framework, event, None)
        except Exception:
            return  # it cannot be reported either


def plain(value: Any, depth: int = 0) -> Any:
    """A value as JSON has it: what is neither text, number, list nor object is its text."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if depth > 8:
        return str(value)[:4096]
    if isinstance(value, dict):
        return {str(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item, depth + 1) for item in value]
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return plain(dump(), depth + 1)
    return str(value)[:65536]


def arguments_of(value: Any) -> Any:
    """Arguments as an object where they are one, also as JSON text."""
    from hookstream.normalizers.genai.span import as_arguments

    return as_arguments(plain(value))


def first_line(error: Any) -> str:
    return str(error).strip().split("\n", 1)[0][:500]
