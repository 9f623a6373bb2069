"""CloudEvents as input: what one carries, read with the CloudEvents SDK.

The data is an Agent Hooks event, an AARTS object, a capture record or a bare payload, as JSON or in
base64, or a stream: lines of them. The SDK checks the attributes and decodes base64; JSON data is
left as the careful parser of lines has read it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from urllib.parse import unquote

from hookstream.core.jsons import JsonObject, dumps
from hookstream.core.limits import STREAM_LINES
from hookstream.core.parse import UnreadableLine, parse
from hookstream.core.times import to_iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The registered type of lines that are all Agent Hooks; other names of lines of JSON.
STREAM = "application/vnd.agent-hooks.stream+jsonl"
STREAMS = (STREAM, "application/x-ndjson", "application/jsonl", "application/x-jsonlines")
CORE = frozenset("id source type specversion time subject datacontenttype dataschema".split())


def is_cloud_event(value: JsonObject) -> bool:
    """Return whether an object has the attributes that make it a CloudEvent of any version."""
    return "specversion" in value and "type" in value and "source" in value


def is_stream(media_type: object) -> bool:
    """Return whether a content type is one of lines of JSON."""
    return type(media_type) is str and media_type.partition(";")[0].strip().lower() in STREAMS


def of_headers(headers: dict[str, str], body: bytes) -> JsonObject | None:
    """The CloudEvent of a request in binary mode; None if its headers name none."""
    if "ce-specversion" not in headers:
        return None
    value: JsonObject = {
        name[3:]: unquote(text) for name, text in headers.items() if name.startswith("ce-")
    }
    if "content-type" in headers:
        value["datacontenttype"] = headers["content-type"]
    return {**value, "data_base64": b64encode(body).decode()}


def opened(value: JsonObject) -> tuple[JsonObject | list[bytes], str | None]:
    """(the data, the time of the event); the data of a stream is its lines. Raises UnreadableLine
    with the reason."""
    try:
        from cloudevents.core.exceptions import BaseCloudEventException, CloudEventValidationError
        from cloudevents.core.formats.json import JSONFormat
    except ImportError:  # a bundle keeps lines as they are and has no SDK
        raise UnreadableLine("cloudevents_not_installed") from None
    # An attribute that is null is unset (JSON format 2.2).
    value = {name: item for name, item in value.items() if item is not None}
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
    stamp = value.get("time")
    time = to_iso(stamp) if type(stamp) is str else None
    text = data.encode("utf-8", "replace") if isinstance(data, str) else data
    if is_stream(value.get("datacontenttype")) and isinstance(text, bytes | list):
        return _lines(text), time
    if isinstance(text, bytes):
        data, _ = parse(text)
    if type(data) is not dict:
        raise UnreadableLine("cloudevent_without_object")
    return data, time


def _lines(stream: bytes | list[Any]) -> list[bytes]:
    """The lines of a stream that are not blank; an array counts as its elements."""
    size = len(stream) if isinstance(stream, list) else stream.count(b"\n")
    if size > STREAM_LINES:
        raise UnreadableLine("cloudevent_stream_too_long")
    lines = map(dumps, stream) if isinstance(stream, list) else stream.split(b"\n")
    filled = [line for line in lines if line.strip()]
    if not filled:
        raise UnreadableLine("cloudevent_without_object")
    return filled
