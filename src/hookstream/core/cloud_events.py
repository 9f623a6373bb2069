"""CloudEvents as input: what one carries, read with the CloudEvents SDK.

The data is an Agent Hooks event, an AARTS object, a capture record or a bare payload, as JSON or in
base64. The SDK checks the attributes and decodes base64; JSON data stays as the careful parser of
lines has read it.
"""

from __future__ import annotations

import json

from hookstream.core.parse import UnreadableLine, parse
from hookstream.core.times import to_iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CORE = frozenset("id source type specversion time subject datacontenttype dataschema".split())


def is_cloud_event(value: dict[str, Any]) -> bool:
    """Return whether an object has the attributes that make it a CloudEvent of any version."""
    return "specversion" in value and "type" in value and "source" in value


def opened(value: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """(the data, the time of the event). Raises UnreadableLine with the reason."""
    try:
        from cloudevents.core.exceptions import BaseCloudEventException, CloudEventValidationError
        from cloudevents.core.formats.json import JSONFormat
    except ImportError:  # a bundle keeps lines as they are and has no SDK
        raise UnreadableLine("cloudevents_not_installed") from None
    attributes = {name: item for name, item in value.items() if name != "data"}
    try:
        event = JSONFormat().read(None, json.dumps(attributes))
    except CloudEventValidationError as error:
        # Names of extensions are the sender's text, which a reason may not repeat.
        names = {name if name in CORE else "extension" for name in error.errors}
        raise UnreadableLine(f"invalid_cloudevent: {', '.join(sorted(names))}") from None
    except (BaseCloudEventException, ValueError, TypeError, AttributeError):
        raise UnreadableLine("invalid_cloudevent") from None
    data = value.get("data")
    if data is None:
        data = event.get_data()
    if isinstance(data, str | bytes):
        text = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
        data, _ = parse(text)
    if type(data) is not dict:
        raise UnreadableLine("cloudevent_without_object")
    time = value.get("time")
    return data, to_iso(time) if type(time) is str else None
