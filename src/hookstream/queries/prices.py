"""Prices of models: of the user's file, else list prices by model and time from a maintained data
set, else the list prices that ship for models which the data set lacks."""

from __future__ import annotations

import re
from contextlib import suppress
from copy import copy
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from hookstream.normalizers.client import clients
from hookstream.queries.tariffs import MILLION, Tariff, own_file, read_tariffs, shipped

# What the provider's price list asks for an answer in fast mode, in times of the standard price.
FAST = {"claude-opus-4-6": 6.0, "claude-opus-4-8": 2.0}
# And where the model may run in the US alone.
US = 1.1
# A model's id at AWS, whose prices differ by region.
BEDROCK = re.compile(r"(?:^|/)((?:[\w-]+\.)?(?:anthropic|amazon|meta)\.[^/]+)$")
# A model without tiers has none below this.
NO_TIER = 1 << 53


@cache
def with_cache() -> frozenset[str]:
    """The clients whose count of input tokens includes those of the cache."""
    return frozenset(client.key for client in clients() if client.input_includes_cache)


def plain_of(client: str, given: int, cached: int) -> int:
    """The input tokens at the full price. Fewer than those of the cache do not include them."""
    return given - cached if client in with_cache() and given >= cached else given


class Prices:
    """Prices; `source` names their origin and date. `own` take precedence over lists."""

    def __init__(self, own: dict[str, Tariff] | None = None) -> None:
        self.own = own or {}
        self.calculate: Any = None
        self.usage: Any = None
        self.units: dict[tuple[str, datetime | None], tuple[Any, ...] | None] = {}
        self.known: dict[str, bool] = {}
        self.listed = "list price"
        self.source = "prices of a file" if own else "no prices"
        try:
            from importlib.metadata import version

            from genai_prices import Usage, calc_price
        except ImportError:
            return
        self.calculate, self.usage = calc_price, Usage
        self.listed = f"list price (genai-prices {version('genai-prices')})"
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
        plain = plain_of(client, given, read + stored)
        tariff = self._tariff(model)
        if tariff is not None:
            return tariff.cost((plain, written, read, stored), plain + read + stored)
        usage = self._usage(plain, written, read, stored)
        price = self._price(model, usage, at)
        return None if price is None else float(price.total_price)

    def cost_of_many(
        self,
        client: str,
        model: str,
        tokens: tuple[int, int, int, int],
        at: datetime | None = None,
    ) -> float | None:
        """`cost` for the sums of many responses, each at most as large as `tier`."""
        given, written, read, stored = tokens
        plain = plain_of(client, given, read + stored)
        tariff = self._tariff(model)
        if tariff is not None:
            return tariff.cost((plain, written, read, stored), 0)
        units = self._units(model, at)
        if units is None:
            return None
        fixed, *each = units
        counts = (plain, written, read, stored)
        return float(
            fixed + sum(one * count for one, count in zip(each, counts, strict=True)) / MILLION
        )

    def hour(self, model: str, at: datetime | None) -> float:
        """USD that a token written to the cache for an hour costs more than one written for the
        usual time: the provider asks twice the price of input for it."""
        tariff = self._tariff(model)
        if tariff is not None:
            return tariff.hour()
        units = self._units(model, at)
        if units is None or "claude" not in model:
            return 0.0
        _, plain, _, _, stored = units
        return max(0.0, float(2 * plain - stored)) / MILLION

    def times(self, model: str, speed: str | None) -> float | None:
        """The price at a speed and in a place, in times of the standard one; None where it is not
        known."""
        if speed is None or self._of(self.own, model) is not None:
            return 1.0
        name = model.rpartition("/")[2]
        fast = next((times for known, times in FAST.items() if known in name), None)
        times = 1.0
        for word in speed.split():
            each = US if word == "us" else fast if word == "fast" else None
            if each is None:
                return None
            times *= each
        return times

    def _units(self, model: str, at: datetime | None) -> tuple[Any, ...] | None:
        """The price of a call, and of a million tokens of each kind on top, at a model's lowest
        list price. Without tiers a price is a sum of these: asking for each sum takes long."""
        # No list price changes within a quarter of an hour.
        quarter = at and at.replace(minute=at.minute // 15 * 15, second=0, microsecond=0)
        if (model, quarter) not in self.units:
            self.units[model, quarter] = self._priced(model, quarter)
        return self.units[model, quarter]

    def _priced(self, model: str, at: datetime | None) -> tuple[Any, ...] | None:
        price = self._price(model, self._usage(1, 1, 0, 0), at)
        if price is None:
            return None
        base = copy(price.model_price)
        for name, one in vars(base).items():
            if hasattr(one, "tiers"):
                setattr(base, name, one.base)
        none, *each = (
            base.calc_price(self._usage(*(MILLION * (n == kind) for n in range(4))))["total_price"]
            for kind in range(-1, 4)
        )
        return none, *(one - none for one in each)

    def tier(self, model: str) -> int:
        """The number of input tokens a response may have at the model's lowest price, at any
        time."""
        tariff = self._tariff(model)
        if tariff is not None:
            return tariff.tiers[1][0] if len(tariff.tiers) > 1 else NO_TIER
        price = self._price(model, self._usage(1, 1, 0, 0), None)
        if price is None:
            return NO_TIER
        listed = price.model.prices
        dated = listed if isinstance(listed, list) else [listed]
        variants = [getattr(one, "prices", one) for one in dated]
        starts = [
            tier.start
            for variant in variants
            for one in vars(variant).values()
            for tier in getattr(one, "tiers", ())
        ]
        return min(starts, default=NO_TIER)

    def _usage(self, plain: int, written: int, read: int, stored: int) -> Any:
        return self.usage and self.usage(
            input_tokens=plain + read + stored,
            output_tokens=written,
            cache_read_tokens=read,
            cache_write_tokens=stored,
        )

    def origin(self, model: str) -> str:
        """The origin of a model's price in words."""
        if self._of(self.own, model) is not None:
            return "price of your file"
        tariff = self._tariff(model)
        return self.listed if tariff is None else tariff.origin

    def _tariff(self, model: str) -> Tariff | None:
        """The prices of a model that a file has: the user's, or one that ships for a model that the
        data set lacks."""
        own = self._of(self.own, model)
        if own is not None:
            return own
        tariff = self._of(shipped(), model)
        return None if tariff is None or self._is_listed(model) else tariff

    def _is_listed(self, model: str) -> bool:
        if model not in self.known:
            self.known[model] = self._price(model, self._usage(1, 1, 0, 0), None) is not None
        return self.known[model]

    @staticmethod
    def _of(tariffs: dict[str, Tariff], model: str) -> Tariff | None:
        """The prices of a model under its whole id, or under its name alone."""
        names = (model, model.partition("/")[2], model.rpartition("/")[2])
        return next((tariffs[name] for name in names if name in tariffs), None)

    def _price(self, model: str, usage: Any, at: datetime | None) -> Any:
        """The listed price of a model: of `provider/model` at that provider, if it has a list, else
        of the model by its name."""
        if self.calculate is None:
            return None
        provider, slash, name = model.partition("/")
        ways: list[tuple[str, str | None]] = [(model, None)]
        if slash and name:
            ways = [(name, provider), (model, None), (name, None), (name.rpartition("/")[2], None)]
        if found := BEDROCK.search(model):
            ways.append((found[1], "aws"))
        for reference, at_provider in ways:
            with suppress(LookupError, ValueError):
                return self.calculate(
                    usage,
                    model_ref=reference,
                    provider_id=at_provider,
                    genai_request_timestamp=at,
                )
        return None


def read_prices(path: Path | None) -> Prices:
    """The prices of a file (by default the user's, if there is one), and the lists'. Raises
    HookstreamError."""
    file = path or own_file()
    return Prices() if path is None and not file.is_file() else Prices(read_tariffs(file))
