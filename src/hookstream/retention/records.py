"""Written lines: the facts that decide about them, and the same line without its content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.core.jsons import loads_text
from hookstream.core.times import micros
from hookstream.retention.policy import Facts, aged
from hookstream.standards.agent_hooks import METADATA_KEY
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.rendered import Rendered

if TYPE_CHECKING:
    from hookstream.redaction import Redactor


def facts_of(line: bytes) -> tuple[str | None, Facts]:
    """(event id, facts) of an Agent Hooks line; no facts if it is invalid."""
    fields = _object(line)
    source, user = _object_in(fields, "source"), _object_in(fields, "user")
    own = _object_in(_object_in(fields, "metadata"), METADATA_KEY)
    return _text(fields.get("event_id")), Facts(
        aged(_at(fields.get("timestamp")), _at(own.get("received_at"))),
        _text(fields.get("session_id")),
        _text(user.get("id")),
        _text(own.get("machine_id")),
        _text(source.get("tool")),
    )


def facts_of_wrapper(line: bytes) -> tuple[str | None, Facts]:
    """(event id, facts) of an AARTS line: it names neither user nor machine."""
    fields = _object(line)
    side = _object_in(fields, "hookstream")
    body = _object_in(fields, "aarts") or side
    return _text(side.get("event_id")), Facts(
        _at(body.get("timestamp")), _text(body.get("session_id")), None, None, None
    )


def _object(line: bytes) -> dict[str, Any]:
    document = loads_text(line.decode("utf-8", "replace"))
    return document if type(document) is dict else {}


def _object_in(given: dict[str, Any], name: str) -> dict[str, Any]:
    value = given.get(name)
    return value if type(value) is dict else {}


def _text(value: Any) -> str | None:
    return value if type(value) is str and value else None


def _at(value: Any) -> int | None:
    return micros(value) if type(value) is str else None


class Without:
    """Records as the privacy mode `hash` writes them: content is digest and length."""

    def __init__(self, redactor: Redactor) -> None:
        self.redactor = redactor

    def event(self, line: bytes) -> Rendered | None:
        """The event of an Agent Hooks line without its content; None if it has none, or the line is
        not an event."""
        fields = _object(line)
        try:
            event = read_agent_hooks(fields)
            self.redactor.redact_event(event)
            rendered = Rendered(event)
            if rendered.agent_hooks == line:
                return None
            # Another producer's line is not spelt as we spell it.
            if Rendered(read_agent_hooks(fields)).agent_hooks == rendered.agent_hooks:
                return None
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        return rendered
