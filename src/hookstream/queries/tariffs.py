"""Prices of models in files: those that ship for models which the data set lacks, and a user's own.

    {"MODEL": {"input": 1.0, "output": 5.0, "cache_read": 0.1, "cache_write": 1.25,
               "cache_write_1h": 2.0, "above": {"32000": {"input": 1.8, "output": 9.0}},
               "source": "https://...", "date": "2026-11-29"}}

USD per million tokens; `input` and `output` are required, and what a cache kind lacks costs what
input costs. `above` has the prices of an answer with more input tokens, cached ones included.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from hookstream.core.errors import HookstreamError, did_you_mean
from hookstream.core.folders import config_folder

MILLION = 1_000_000
KINDS = ("input", "output", "cache_read", "cache_write", "cache_write_1h")
FIELDS = (*KINDS, "above", "source", "date")
FILE = "prices.json"


@dataclass(frozen=True)
class Tariff:
    """The prices of one model: `tiers` are the rates above a number of input tokens, rising."""

    tiers: tuple[tuple[int, dict[str, float]], ...]
    source: str = ""
    date: str = ""

    @classmethod
    def of(cls, rates: dict[str, float]) -> Tariff:
        """One price for answers of any size."""
        return cls(((0, rates),))

    def cost(self, tokens: tuple[int, int, int, int], size: int) -> float:
        """USD for (input without cache, output, cache read, cache write) tokens of answers that
        have `size` input tokens each."""
        rates = self.rates(size)
        return sum(_rate(rates, kind) * count for kind, count in zip(KINDS, tokens, strict=False))

    def hour(self) -> float:
        """USD that a token kept in the cache for an hour costs beyond a usual one."""
        rates = self.rates(0)
        usual = _rate(rates, "cache_write")
        return max(0.0, rates.get("cache_write_1h", usual * MILLION) / MILLION - usual)

    def rates(self, size: int) -> dict[str, float]:
        """The rates for an answer with that many input tokens."""
        return next(
            (rates for above, rates in reversed(self.tiers) if size > above), self.tiers[0][1]
        )

    @property
    def origin(self) -> str:
        """The origin of the prices in words."""
        where = self.source.partition("//")[2].partition("/")[0] or self.source
        dated = f" of {self.date}" if self.date else ""
        return f"list price{dated}{f' ({where})' if where else ''}"


def _rate(rates: dict[str, float], kind: str) -> float:
    return rates.get(kind, rates.get("input", 0.0)) / MILLION


def own_file() -> Path:
    """The file of the user's prices; it need not exist."""
    return Path(config_folder() or "", FILE)


@cache
def shipped() -> dict[str, Tariff]:
    """The prices that ship, by model."""
    text = resources.files("hookstream.queries").joinpath(FILE).read_text("utf-8")
    return parse(text, FILE)


def read_tariffs(path: Path) -> dict[str, Tariff]:
    """The prices of a file. Raises HookstreamError naming the file, the model and the field."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise HookstreamError(f"{path}: {reason}") from None
    return parse(text, str(path))


def parse(text: str, name: str) -> dict[str, Tariff]:
    """The prices of a text. Raises HookstreamError."""
    try:
        models = json.loads(text, object_pairs_hook=_unique)
    except ValueError as error:
        raise HookstreamError(f"{name}: not JSON: {error}") from None
    if not isinstance(models, dict):
        raise HookstreamError(f'{name}: must be an object: {{"MODEL": {{"input": 1.0, ...}}}}')
    return {model: _tariff(f"{name}: {model}", fields) for model, fields in models.items()}


def _tariff(where: str, fields: Any) -> Tariff:
    rates = _rates(where, fields, FIELDS)
    above = fields.get("above", {})
    if not isinstance(above, dict):
        raise HookstreamError(
            f'{where}: above must be an object: {{"200000": {{"input": 2.0, ...}}}}'
        )
    tiers = [(0, rates)]
    for start, inner in above.items():
        if not start.isdecimal() or int(start) == 0:
            raise HookstreamError(f"{where}: above: {start!r} is not a number of tokens")
        tiers.append((int(start), _rates(f"{where}: above {start}", inner, KINDS)))
    for field in ("source", "date"):
        if not isinstance(fields.get(field, ""), str):
            raise HookstreamError(f"{where}: {field} must be a text")
    day = fields.get("date", "")
    try:
        if day:
            date.fromisoformat(day)
    except ValueError:
        raise HookstreamError(f"{where}: date {day!r} is not like 2026-11-29") from None
    return Tariff(tuple(sorted(tiers, key=lambda tier: tier[0])), fields.get("source", ""), day)


def _rates(where: str, fields: Any, allowed: tuple[str, ...]) -> dict[str, float]:
    if not isinstance(fields, dict):
        raise HookstreamError(f'{where}: must be an object: {{"input": 1.0, "output": 5.0}}')
    for field in fields:
        if field not in allowed:
            raise HookstreamError(f"{where}: no field {field!r}{did_you_mean(field, allowed)}")
    for field in ("input", "output"):
        if field not in fields:
            raise HookstreamError(f"{where}: {field} is missing (USD per million tokens)")
    rates = {field: value for field, value in fields.items() if field in KINDS}
    for field, value in rates.items():
        if type(value) not in (int, float) or not math.isfinite(value) or value < 0:
            raise HookstreamError(f"{where}: {field} must be a number of USD, 0 or more")
    return rates


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are unique. Raises ValueError."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        again = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{again!r} is there twice")
    return fields
