"""Lines of one source after those of another through the stages of one pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.pipeline.fitting import fitting
from hookstream.pipeline.memory import turn_to

if TYPE_CHECKING:
    from hookstream.core.lines import Lines
    from hookstream.pipeline.stages import Outcome, Pipeline

# Lines that pass the stages together; see docs/decisions/0007-stage-by-stage.md.
TOGETHER = 256


def through(pipeline: Pipeline, lines: Lines, standard: str) -> list[Outcome]:
    """The outcome of each line, rendered in a standard (or both) and cut to what a line may
    hold."""
    if lines.begins:
        pipeline.new_source(lines.machine, lines.owner, lines.head)
    if lines.source is not None:
        turn_to(pipeline, lines.source)
    pipeline.machines.source = lines.machine
    pipeline.machines.owner = lines.owner
    made: list[Outcome] = []
    for at in range(0, len(lines.given), TOGETHER):
        for one in pipeline.outcomes(lines.given[at : at + TOGETHER], standard):
            if isinstance(one, list):
                made.append([fitting(item, standard) for item in one])
            else:
                made.append(one)
    return made
