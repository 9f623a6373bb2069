"""`elastic:http(s)://host:9200`: Elasticsearch bulk API, with a receipt per document.

Documents are created under their `event_id`: one that is already there (409) has been delivered
before. The server answers for each document by itself, so one that must be retried does not hold
back those after it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any
from urllib.parse import quote

from hookstream.sinks.base import DELIVERED, Receipt, rejected, retry, setup_fault
from hookstream.sinks.formats.render import Message, renderer_at
from hookstream.sinks.http import (
    CLIENT,
    SETUP,
    HttpAnswer,
    HttpClient,
    meaning,
    retry_after,
)
from hookstream.sinks.kinds import (
    ARGUMENTS,
    OCSF_VERSION,
    SIGNING_KEY,
    Opening,
    SinkKind,
    SinkOption,
    format_option,
)
from hookstream.sinks.posting import Posting

INDEX = "logs-hookstream.agent_hooks-default"  # a data stream: type, dataset, namespace
NDJSON = "application/x-ndjson"
# Only what is read: an answer that repeats documents would be as long as the request.
FILTER = "?filter_path=errors,items.*.status,items.*.error.type"


def open_sink(
    at: Opening,
    *,
    format: str,
    index: str,
    user: str | None,
    password: str | None,
    arguments: bool | None,
    version: str,
    signing_key_file: str | None,
    **client: Any,
) -> Elastic:
    if user is not None:
        word = b64encode(f"{user}:{password or ''}".encode()).decode()
        client["headers"] = {**(client["headers"] or {}), "Authorization": f"Basic {word}"}
    made = HttpClient(at.uri, at.target, scheme="ApiKey", **client)
    return Elastic(
        at.uri,
        made,
        renderer_at(
            at, format, arguments=arguments, version=version, signing_key_file=signing_key_file
        ),
        index,
    )


KIND = SinkKind(
    name="elastic",
    open=open_sink,
    options=(
        format_option("ecs", "ocsf"),
        SinkOption("index", str, INDEX, "Index or data stream."),
        SinkOption("user", str, None, "User, with a password, instead of a token (an API key)."),
        SinkOption("password", str, None, "Password of the user.", is_secret=True),
        ARGUMENTS,
        OCSF_VERSION,
        SIGNING_KEY,
        *CLIENT,
    ),
    targets="`http(s)://host:9200`",
    delivered="the item's own status is 2xx, or 409 (already exists)",
    duplicates="none: the id is `event_id`",
    example="""\
uri = "elastic:https://elastic.example:9200"
token_env = "ELASTIC_API_KEY"
""",
)


class Elastic(Posting):
    """One index or data stream."""

    def __init__(self, uri: str, client: HttpClient, render: Any, index: str) -> None:
        super().__init__(uri, client, render)
        self._target = f"{client.target.rstrip('/')}/{quote(index, safe='')}/_bulk{FILTER}"

    def request(self, records: list[list[Message]]) -> Receipt | list[Receipt]:
        body = b"".join(_create(message.data) for record in records for message in record)
        answer = self.post(body, NDJSON, self._target)
        if isinstance(answer, Receipt):
            return answer
        receipt = meaning(answer)
        return self._read(answer, len(records)) if receipt is DELIVERED else receipt

    def _read(self, answer: HttpAnswer, sent: int) -> Receipt | list[Receipt]:
        """Read the result of each document. An answer that does not have it is not a delivery."""
        wait = setup_fault("HTTP 200 without a bulk answer: check the address")
        try:
            document = json.loads(answer.body)
        except ValueError:
            return wait
        if not isinstance(document, dict) or type(document.get("errors")) is not bool:
            return wait
        items = document.get("items")
        if document["errors"] is False:
            return DELIVERED
        if not isinstance(items, list) or len(items) != sent:
            return wait
        after_s = retry_after(answer.headers.get("retry-after"))
        return [_receipt(item, after_s) for item in items]


def _create(data: bytes) -> bytes:
    document = json.loads(data)
    event = document.get("event") or document.get("metadata")
    name = event.get("id") or event["uid"]
    return b'{"create":{"_id":%s}}\n%s\n' % (json.dumps(name).encode(), data)


def _receipt(item: Any, after_s: float) -> Receipt:
    result = next(iter(item.values()), None) if isinstance(item, dict) else None
    status = result.get("status") if isinstance(result, dict) else None
    if not isinstance(status, int) or not isinstance(result, dict):
        return setup_fault("a bulk item without a status")
    if 200 <= status < 300 or status == 409:
        return DELIVERED
    error = result.get("error")
    kind = str(error.get("type", ""))[:80] if isinstance(error, dict) else ""
    reason = f"{status} {kind}".strip()
    if status == 429 or status >= 500:
        return retry(reason, after_s)
    return setup_fault(reason) if status in SETUP else rejected(reason)
