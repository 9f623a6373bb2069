"""The form in which n8n's database holds an execution: a list of values that name each other by
their place in it, as the package `flatted` writes them."""

from __future__ import annotations

from hookstream.core.jsons import loads_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Values that one execution may become, and how deep: places may be named again and again.
VALUES = 200_000
DEPTH = 128


def unflatten(text: str) -> Any:
    """The value; None for any other text or one that becomes too large. A value inside itself is
    left out."""
    parts = loads_text(text)
    if type(parts) is not list or not parts:
        return None
    try:
        return _FlattedReader(parts).value(0, ())
    except ValueError:
        return None


class _FlattedReader:
    def __init__(self, parts: list[Any]) -> None:
        self.parts = parts
        self.left = VALUES

    def value(self, place: int, above: tuple[int, ...]) -> Any:
        self.left -= 1
        if self.left < 0 or len(above) > DEPTH or not 0 <= place < len(self.parts):
            raise ValueError("too large")
        found = self.parts[place]
        inside = (*above, place)
        if type(found) is dict:
            return {name: self._of(one, inside) for name, one in found.items()}
        if type(found) is list:
            return [self._of(one, inside) for one in found]
        return found

    def _of(self, one: Any, above: tuple[int, ...]) -> Any:
        if type(one) is not str:
            return one
        if not one.isascii() or not one.isdigit() or len(one) > 9:
            raise ValueError("no place")
        return None if int(one) in above else self.value(int(one), above)
