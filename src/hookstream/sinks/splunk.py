"""`splunk:http(s)://host:8088`: Splunk's HTTP Event Collector.

With `ack=True` (a token with indexer acknowledgement) an answer only gives a number: the requests
are held here and `flush` returns once the indexers have them all. Without it an answer 200 means
that Splunk has the events in memory, and no more than that.
"""

from __future__ import annotations

import json
import time
from typing import Any

from hookstream.core.errors import SinkError
from hookstream.core.identity import uuid_of
from hookstream.core.jsons import JsonObject
from hookstream.core.times import micros
from hookstream.sinks.base import DELIVERED, Receipt, rejected, retry, setup_fault
from hookstream.sinks.formats.render import Message, renderer_at
from hookstream.sinks.http import CLIENT, HttpAnswer, HttpClient, meaning
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
from hookstream.standards.rendered import Rendered

PATH = "/services/collector"
# Answers 400 that are an event's fault; the others are the token's, the index's, the channel's.
EVENT_CODES = frozenset((5, 6, 12, 13, 15))
MOST_HELD = 64  # requests waiting for the indexers
RESEND_S = 300.0


def open_sink(
    at: Opening,
    *,
    format: str,
    index: str | None,
    source: str,
    host: str | None,
    ack: bool,
    ack_timeout_s: float,
    arguments: bool | None,
    version: str,
    signing_key_file: str | None,
    **client: Any,
) -> Splunk:
    if not client["token"]:
        raise SinkError("splunk: needs the option token, the collector's own")
    render = renderer_at(
        at, format, arguments=arguments, version=version, signing_key_file=signing_key_file
    )
    about = {"index": index, "source": source, "host": host}
    known = {name: value for name, value in about.items() if value is not None}

    def events(item: Rendered) -> list[Message]:
        return [_event(item, message, known) for message in render(item)]

    made = HttpClient(at.uri, at.target, scheme="Splunk", **client)
    channel = uuid_of(f"splunk\0{at.uri}\0{at.installation or ''}") if ack else None
    return Splunk(at.uri, made, events, channel, ack_timeout_s)


KIND = SinkKind(
    name="splunk",
    open=open_sink,
    options=(
        format_option("native", "ecs", "ocsf"),
        SinkOption("index", str, None, "Index; else the token's own."),
        SinkOption("source", str, "hookstream", "Field `source` of an event."),
        SinkOption("host", str, None, "Field `host` of an event."),
        SinkOption("ack", bool, False, "Wait until the indexers have acknowledged."),
        SinkOption("ack_timeout_s", float, 30.0, "Longest wait for an acknowledgement."),
        ARGUMENTS,
        OCSF_VERSION,
        SIGNING_KEY,
        *CLIENT,
    ),
    targets="`http(s)://host:8088`",
    delivered="200 with code 0; with `ack`, indexer acknowledgement",
    duplicates="what was in flight",
    example="""\
uri = "splunk:https://hec.example:8088"
token_env = "HEC_TOKEN"
index = "agents"
ack = true
""",
)


def _event(item: Rendered, message: Message, known: dict[str, str]) -> Message:
    at = micros(item.event.facts["timestamp"])
    about: JsonObject = {**known, "sourcetype": f"hookstream:{message.kind}"}
    if at is not None:
        about["time"] = f"{at // 1_000_000}.{at % 1_000_000:06d}"
    head = json.dumps(about, separators=(",", ":"))[:-1].encode("ascii")
    return Message(message.kind, b'%s,"event":%s}' % (head, message.data), message.content_type)


class Splunk(Posting):
    """One collector token. `channel` is set if the indexers acknowledge."""

    def __init__(
        self, uri: str, client: HttpClient, render: Any, channel: str | None, ack_timeout_s: float
    ) -> None:
        super().__init__(uri, client, render, most_bytes=900_000)  # collectors take 1 MB or more
        base = client.target.partition("?")[0].rstrip("/")
        for tail in ("/event", PATH):
            base = base.removesuffix(tail)
        self._events = f"{base}{PATH}/event"
        self._acks = f"{base}{PATH}/ack"
        self._channel = channel
        self._headers = {"X-Splunk-Request-Channel": channel} if channel else None
        self._ack_timeout_s = ack_timeout_s
        self._held: dict[int, tuple[bytes, float]] = {}

    def request(self, records: list[list[Message]]) -> Receipt | list[Receipt]:
        if len(self._held) >= MOST_HELD and (trouble := self._ask()):
            return trouble
        if len(self._held) >= MOST_HELD:
            return retry("the indexers have not acknowledged enough yet")
        body = b"\n".join(message.data for record in records for message in record)
        answer = self.post(body, "application/json", self._events, self._headers)
        if isinstance(answer, Receipt):
            return answer
        fields = _object(answer)
        if meaning(answer) is DELIVERED:
            return self._accepted(fields, body)
        if answer.status == 400 and fields.get("code") in EVENT_CODES:
            return self._without(records, fields)
        if answer.status == 400 and "code" in fields:
            return setup_fault(f"HTTP 400: {str(fields.get('text', ''))[:80]}")
        return meaning(answer)

    def _accepted(self, given: JsonObject, body: bytes) -> Receipt:
        if given.get("code") != 0:
            return setup_fault("HTTP 200 without a collector's answer: check the address")
        if self._channel is not None:
            number = given.get("ackId")
            if type(number) is not int:
                return setup_fault("no acknowledgement number: is it on for this token?")
            self._held[number] = (body, time.monotonic())
        return DELIVERED

    def _without(self, records: list[list[Message]], given: JsonObject) -> Receipt | list[Receipt]:
        """Send the other records again without the event at fault, named by the collector."""
        refused = rejected(f"HTTP 400: {str(given.get('text', ''))[:80]}")
        number = given.get("invalid-event-number")
        owners = [place for place, record in enumerate(records) for _ in record]
        if type(number) is not int or not 0 <= number < len(owners) or len(records) == 1:
            return refused
        place = owners[number]
        rest = self.request(records[:place] + records[place + 1 :])
        receipts = rest if isinstance(rest, list) else [rest] * (len(records) - 1)
        return [*receipts[:place], refused, *receipts[place:]]

    def _ask(self) -> Receipt | None:
        """Ask which requests are indexed and forget those; what is too old is sent again."""
        body = json.dumps({"acks": list(self._held)}).encode()
        answer = self.post(body, "application/json", f"{self._acks}?channel={self._channel}")
        if isinstance(answer, Receipt):
            return answer
        if meaning(answer) is not DELIVERED:
            return retry(f"HTTP {answer.status} for acknowledgements", 1.0)
        acks = _object(answer).get("acks")
        for number in [n for n in self._held if isinstance(acks, dict) and acks.get(str(n))]:
            del self._held[number]
        late = time.monotonic() - RESEND_S
        for number in [n for n, (_, since) in self._held.items() if since < late]:
            again, _ = self._held.pop(number)
            answer = self.post(again, "application/json", self._events, self._headers)
            fresh = None if isinstance(answer, Receipt) else _object(answer).get("ackId")
            self._held[fresh if type(fresh) is int else number] = (again, time.monotonic())
        return None

    def flush(self) -> None:
        until = time.monotonic() + self._ack_timeout_s
        wait = 0.05
        while self._held:
            trouble = self._ask()
            if not self._held:
                return
            if time.monotonic() > until:
                why = trouble.reason if trouble else "not indexed yet"
                raise SinkError(f"{self.uri}: {len(self._held)} requests unacknowledged: {why}")
            time.sleep(wait)
            wait = min(wait * 2, 1.0)

    def close(self) -> None:
        try:
            self.flush()
        finally:
            self._held = {}
            super().close()


def _object(answer: HttpAnswer) -> JsonObject:
    try:
        document = json.loads(answer.body)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
