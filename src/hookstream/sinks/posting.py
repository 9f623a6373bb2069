"""Shared by HTTP sinks: build size-limited requests, map responses to receipts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from hookstream.sinks.base import DELIVERED, Receipt
from hookstream.sinks.delivery import deliver, in_order, merged, portions, rendering, worst
from hookstream.sinks.http import Unreachable, meaning, unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hookstream.sinks.formats.render import Message
    from hookstream.sinks.http import HttpAnswer, HttpClient
    from hookstream.standards.rendered import Rendered

MOST = 512
MOST_BYTES = 4 << 20


class Posting(ABC):
    """A sink that posts requests of up to `most` records and `most_bytes` bytes.

    A kind says what a request looks like in `request` and what its answer means in `read`.
    """

    def __init__(
        self,
        uri: str,
        client: HttpClient,
        render: Callable[[Rendered], list[Message]],
        most: int = MOST,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.uri = uri
        self._client = client
        self._render = render
        self._most = most
        self._most_bytes = most_bytes

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        made, refused = rendering(batch, self._render)
        parts = portions(made, lambda record: sum(map(len, record)), self._most, self._most_bytes)
        receipts = in_order(parts, lambda part: deliver(part, self._request), len(made))
        return merged(receipts, refused)

    def _request(self, records: list[list[Message]]) -> Receipt | list[Receipt]:
        return self.request(records) if any(records) else DELIVERED

    @abstractmethod
    def request(self, records: list[list[Message]]) -> Receipt | list[Receipt]:
        """Send one request for all the records: one receipt for it, or one for each."""

    def singly(
        self, record: list[Message], post: Callable[[Message], Receipt | HttpAnswer]
    ) -> Receipt:
        """Send a record's messages one by one; after a retry none is sent."""
        receipts: list[Receipt] = []
        for message in record:
            answer = post(message)
            receipts.append(answer if isinstance(answer, Receipt) else meaning(answer))
            if receipts[-1].status == "retry":
                break
        return worst(receipts)

    def post(
        self,
        body: bytes,
        content_type: str,
        target: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Receipt | HttpAnswer:
        """Return the answer, or the retry without one."""
        try:
            return self._client.post(body, content_type, target, headers)
        except Unreachable as error:
            return unreachable(error)

    def reject(self, lines: list[bytes]) -> None:  # noqa: B027
        """Ignore rejections: they are not events."""

    def flush(self) -> None:  # noqa: B027
        """Do nothing: nothing is buffered, a 2xx answer means delivered."""

    def close(self) -> None:
        self._client.close()
