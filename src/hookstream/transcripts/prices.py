"""What models cost: list prices by model and time, from a maintained data set, or from a file.

A file is JSON: `{"model": {"input": 3.0, "output": 15.0, "cache_read": 0.3, "cache_write": 3.75}}`,
in USD a million tokens; it goes before the data set.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hookstream.errors import HookstreamError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

MILLION = 1_000_000
# Clients whose count of input tokens includes what came from the cache.
WITH_CACHE = frozenset(("codex", "gemini-cli", "qwen-code", "copilot", "cline"))


class Prices:
    """`source` says what the prices are and of when."""

    def __init__(self, own: dict[str, dict[str, float]] | None = None) -> None:
        self.own = own or {}
        self.calculate: Any = None
        self.usage: Any = None
        self.source = "prices of a file" if own else "no prices"
        try:
            from importlib.metadata import version

            from genai_prices import Usage, calc_price
        except ImportError:
            return
        self.calculate, self.usage = calc_price, Usage
        listed = f"list prices of genai-prices {version('genai-prices')}"
        self.source = f"{listed} and of a file" if own else listed

    def cost(
        self,
        client: str,
        model: str,
        tokens: tuple[int, int, int, int],
        at: datetime | None = None,
    ) -> float | None:
        """USD for one response's (input, output, cache read, cache write) tokens, as the client
        counts them; None for a model without a price."""
        given, written, read, stored = tokens
        plain = max(0, given - read) if client in WITH_CACHE else given
        own = self.own.get(model)
        if own is not None:
            counts = {"input": plain, "output": written, "cache_read": read, "cache_write": stored}
            return sum(own.get(name, 0.0) * count for name, count in counts.items()) / MILLION
        if self.calculate is None:
            return None
        usage = self.usage(
            input_tokens=plain + read + stored,
            output_tokens=written,
            cache_read_tokens=read,
            cache_write_tokens=stored,
        )
        try:
            price = self.calculate(usage, model_ref=model, genai_request_timestamp=at)
        except (LookupError, ValueError):
            return None
        return float(price.total_price)


def read_prices(path: Path | None) -> Prices:
    """The prices of a file, if any, and the data set's. Raises HookstreamError."""
    if path is None:
        return Prices()
    try:
        given = json.loads(path.read_text("utf-8"))
        own = {
            str(model): {str(name): float(price) for name, price in one.items()}
            for model, one in given.items()
        }
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise HookstreamError(
            f'--prices: {path} is no JSON of {{"model": {{"input": USD, ...}}}} '
            f"({type(error).__name__})"
        ) from None
    return Prices(own)
