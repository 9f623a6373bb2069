"""Sealed streams for tests: written by the real sinks, with a clock that tests may move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hookstream.seal.sealed import SEALS, Sealed, Sealing, open_sealed
from hookstream.sinks import open_sink
from hookstream.standards.rendered import Rendered
from sinks.events import stream

NAME = "agent-hooks.jsonl"


class Clock:
    def __init__(self) -> None:
        self.now = 1_772_366_400.0  # 2026-03-01T12:00:00Z

    def __call__(self) -> float:
        return self.now


class Stage:
    """One sealed sink's folder, its keys, a second place and a clock."""

    def __init__(self, tmp: Path, kind: str = "jsonl", **options: Any) -> None:
        self.tmp = tmp
        self.folder = tmp / "out"
        self.uri = f"{kind}:{self.folder}"
        self.second = tmp / "second.jsonl"
        self.sealing = Sealing(tmp / "keys", (f"file:{self.second}",))
        self.clock = Clock()
        self.options = options
        self.written = 0
        self.standard = "agent-hooks"

    @property
    def log(self) -> Path:
        return self.folder / SEALS / ("lake" if self.uri.startswith(("parquet", "delta")) else NAME)

    @property
    def data(self) -> Path:
        return self.folder / NAME

    def open(self) -> Sealed:
        options = {"standard": self.standard, **self.options}
        made = open_sealed(
            self.uri,
            lambda: open_sink(self.uri, **options),
            self.sealing,
            self.sealing.keys,
            self.standard,
            clock=self.clock,
        )
        assert isinstance(made, Sealed)
        return made

    def batch(self, count: int) -> list[Rendered]:
        events = stream(self.written + count, self.written)
        self.written += count
        return [Rendered(event) for event in events]

    def write(self, batches: int = 3, count: int = 10, step_s: float = 200.0) -> None:
        """A run of the writer: some batches, some of them with an epoch's end between."""
        sink = self.open()
        for _ in range(batches):
            sink.write(self.batch(count))
            sink.flush()
            self.clock.now += step_s
        sink.close()

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.data.read_bytes().splitlines()]
