"""Send records in size-limited batches and bisect a failing batch to find the bad record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from hookstream.sinks.base import DELIVERED, Receipt, rejected
from hookstream.standards.rendered import Rendered

T = TypeVar("T")


def portions(items: list[T], size: Callable[[T], int], most: int, most_bytes: int) -> Iterator[Any]:
    """The items in order, in lists of at most `most` and, except a single item, `most_bytes`."""
    portion: list[T] = []
    held = 0
    for item in items:
        cost = size(item)
        if portion and (len(portion) >= most or held + cost > most_bytes):
            yield portion
            portion, held = [], 0
        portion.append(item)
        held += cost
    if portion:
        yield portion


def deliver(items: list[T], send: Callable[[list[T]], Receipt | list[Receipt]]) -> list[Receipt]:
    """One receipt per item, if `send` answers for a complete request or for each item.

    A refused request is sent again in halves until the item at fault is alone. After a retry
    nothing more is sent, so that the order is kept.
    """
    answer = send(items)
    if isinstance(answer, list):
        return answer
    if answer.status != "rejected" or len(items) == 1:
        return [answer] * len(items)
    half = len(items) // 2
    first = deliver(items[:half], send)
    if first[-1].status == "retry":
        return first + [first[-1]] * (len(items) - half)
    return first + deliver(items[half:], send)


def in_order(
    portions: Iterator[list[T]], send: Callable[[list[T]], list[Receipt]], total: int
) -> list[Receipt]:
    """The receipts of all portions; after one that ends in a retry the rest waits with it."""
    receipts: list[Receipt] = []
    for portion in portions:
        receipts += send(portion)
        if receipts[-1].status == "retry":
            break
    return receipts + [receipts[-1]] * (total - len(receipts)) if receipts else []


def rendering(
    items: list[Rendered], render: Callable[[Rendered], T]
) -> tuple[list[T], dict[int, Receipt]]:
    """Render items, and return the rejections of the rest: place -> receipt. `render` raises
    ValueError with the reason."""
    made: list[T] = []
    refused: dict[int, Receipt] = {}
    for place, item in enumerate(items):
        try:
            made.append(render(item))
        except ValueError as error:
            refused[place] = rejected(str(error))
    return made, refused


def merged(receipts: list[Receipt], refused: dict[int, Receipt]) -> list[Receipt]:
    """The receipts of what was sent, with the rejections put in their places."""
    rest = iter(receipts)
    total = len(receipts) + len(refused)
    return [refused[n] if n in refused else next(rest) for n in range(total)]


def worst(receipts: list[Receipt]) -> Receipt:
    """The receipt of a record that travels in several messages: a retry, else a rejection."""
    for status in ("retry", "rejected"):
        for receipt in receipts:
            if receipt.status == status:
                return receipt
    return DELIVERED
