"""`hookstream:http(s)://collector[:port]`: the collector of a fleet (`serve --machines`).

POST /ship, the records' Agent Hooks lines as gzipped NDJSON, byte for byte. Headers say who sends
and which records: `Hookstream-Machine`, `Hookstream-Stream` (a name of the spool they come from)
and `Hookstream-Records`, their places in it as `7-19,21`. With these the collector leaves out what
it took already and counts what is missing. 200 means that the lines are on its disk; 422 names
those that it refuses, which become dead letters here. Needs the standard library only.
"""

from __future__ import annotations

import gzip
import os
import socket
from typing import Any

from hookstream.core.errors import SinkError
from hookstream.core.jsons import loads, objects
from hookstream.sinks.base import DELIVERED, Receipt, rejected, setup_fault
from hookstream.sinks.delivery import deliver, in_order, portions
from hookstream.sinks.http import CLIENT, HttpClient, Unreachable, meaning, unreachable
from hookstream.sinks.kinds import Opening, SinkKind, SinkOption
from hookstream.standards.rendered import Rendered

PATH = "/ship"
MOST = 1000
MOST_BYTES = 1 << 20
GZIP_LEVEL = 6
MACHINE_LENGTH = 64
REFUSED = {
    401: "the collector does not know this machine's credential",
    403: "this machine is revoked at the collector",
}
# Some lines are refused, the others are on the collector's disk.
PARTLY = 422


def open_sink(at: Opening, *, machine: str | None, **client: Any) -> Hookstream:
    name = machine or socket.gethostname()
    if not is_machine(name):
        raise SinkError(f"{at.uri}: machine {name!r}: 1 to {MACHINE_LENGTH} of A-Z a-z 0-9 . _ -")
    own = {
        "Hookstream-Machine": name,
        # Without a separate spool a run is a stream that is never resumed.
        "Hookstream-Stream": at.stream or os.urandom(16).hex(),
        "Content-Encoding": "gzip",
    }
    # Names and places are not credentials: only a token or headers of the user's need TLS.
    made = HttpClient(at.uri, at.target.rstrip("/") + PATH, **client)
    return Hookstream(at.uri, made, own)


KIND = SinkKind(
    name="hookstream",
    open=open_sink,
    options=(
        SinkOption(
            "machine", str, None, "Name of this machine at the collector; else the host's name."
        ),
        *CLIENT,
    ),
    targets="`http(s)://` of a fleet's collector",
    delivered="the lines are on its disk",
    duplicates="what was in flight, less what the collector recognises",
    example="""\
uri = "hookstream:https://collector.example:4718"
token_file = "token"
""",
    takes_stream=True,
)


def is_machine(name: str) -> bool:
    """Return whether a name can be that of a machine and of its folder at the collector."""
    plain = name.replace("-", "").replace("_", "").replace(".", "")
    return (
        0 < len(name) <= MACHINE_LENGTH and plain.isascii() and plain.isalnum() and name[0] != "."
    )


class Hookstream:
    """One request holds up to `MOST` records and `MOST_BYTES` bytes before compression."""

    def __init__(self, uri: str, client: HttpClient, headers: dict[str, str]) -> None:
        self.uri = uri
        self._client = client
        self._headers = headers
        self._next = 0

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        parts = portions(batch, lambda one: len(one.agent_hooks) + 1, MOST, MOST_BYTES)
        return in_order(parts, lambda part: deliver(part, self._post), len(batch))

    def _post(self, records: list[Rendered]) -> Receipt | list[Receipt]:
        places = [self._place(record) for record in records]
        body = b"".join(record.agent_hooks + b"\n" for record in records)
        headers = {**self._headers, "Hookstream-Records": runs(places)}
        packed = gzip.compress(body, GZIP_LEVEL, mtime=0)
        try:
            answer = self._client.post(packed, "application/x-ndjson", headers=headers)
        except Unreachable as error:
            return unreachable(error)
        if answer.status in REFUSED:
            why = said_of(answer.body).get("error")
            return setup_fault(f"HTTP {answer.status}: {why or REFUSED[answer.status]}")
        if answer.status == PARTLY and (refused := refused_in(answer.body)):
            return [rejected(refused[place]) if place in refused else DELIVERED for place in places]
        receipt = meaning(answer)
        return DELIVERED if receipt.status == "delivered" else receipt

    def _place(self, record: Rendered) -> int:
        """The record's place in the spool, or after the last one without a spool."""
        place = record.position if record.position is not None else self._next
        self._next = max(self._next, place + 1)
        return place

    def reject(self, lines: list[bytes]) -> None:
        """Ignore rejections: they are not events."""

    def flush(self) -> None:
        """Do nothing: a 2xx answer means that the collector has the lines on disk."""

    def close(self) -> None:
        self._client.close()


def said_of(body: bytes) -> dict[str, Any]:
    """Parse the collector's answer, empty if it is not an object."""
    try:
        value = loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if type(value) is dict else {}


def refused_in(body: bytes) -> dict[int, str]:
    """Places of the refused lines, with the collector's reason. Empty if the answer names none:
    then the request is sent again in halves."""
    refused = said_of(body).get("refused")
    rows = objects(refused)
    return {
        row["place"]: f"refused by the collector: {str(row.get('reason'))[:200]}"
        for row in rows
        if type(row.get("place")) is int
    }


def runs(places: list[int]) -> str:
    """Format rising numbers as `7-19,21`."""
    found: list[list[int]] = []
    for place in places:
        if found and place == found[-1][1] + 1:
            found[-1][1] = place
        else:
            found.append([place, place])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in found)
