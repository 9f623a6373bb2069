"""The loop of every run: one-shot, workers, Spark, follower, shipper and topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hookstream.core.lines import Lines


class Run:
    """Lines of a source through the pipeline to the sinks, then a commit. `pipeline` gives the
    outcomes of lines, `sinks` takes them; what drives a source itself calls `take`."""

    def __init__(
        self,
        source: Iterable[Lines],
        pipeline: Callable[[Lines], list[Any]],
        sinks: Callable[[Lines, list[Any]], None],
        commit: Callable[[], None] = lambda: None,
    ) -> None:
        self.source = source
        self.pipeline = pipeline
        self.sinks = sinks
        self.commit = commit

    def all(self) -> None:
        """Take what the source has now."""
        for lines in self.source:
            self.take(lines)

    def take(self, lines: Lines) -> None:
        self.sinks(lines, self.pipeline(lines))
        self.commit()
