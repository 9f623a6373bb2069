"""Run the lines of several sources through one pipeline, keeping state per source."""

from __future__ import annotations

from contextlib import suppress

from hookstream.pipeline.memory import turn_to

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.lines import Lines
    from hookstream.pipeline.stages import Outcome, Pipeline
    from hookstream.standards.rendered import Rendered


# Lines that pass the stages together; see docs/decisions/0007-stage-by-stage.md.
TOGETHER = 256


def fitting(item: Rendered, standard: str) -> Rendered:
    """Cut a record whose lines would be too long, as the hook does. A record that cannot be cut is
    returned as it is, and becomes a dead letter."""
    event = item.agent_hooks if standard in ("agent-hooks", "both") else None
    wrapper = item.aarts if standard in ("aarts", "both") else None
    if not (event and item.flaw(event)) and not (wrapper and item.flaw(wrapper)):
        return item
    from hookstream.pipeline.bounds import line_of

    with suppress(ValueError):
        line_of(item.event)
        return type(item)(item.event, item.position, item.sampled_rate)
    return item


def through(pipeline: Pipeline, lines: Lines, standard: str) -> list[Outcome]:
    """Return the outcome of each line, rendered in a standard (or both) and cut to the limit of a
    line."""
    if lines.begins:
        pipeline.new_source(lines.machine, lines.owner, lines.head)
    if lines.source is not None:
        turn_to(pipeline, lines.source)
    pipeline.machines.source = lines.machine
    pipeline.machines.owner = lines.owner
    outcomes: list[Outcome] = []
    for start in range(0, len(lines.given), TOGETHER):
        for outcome in pipeline.outcomes(lines.given[start : start + TOGETHER], standard):
            if isinstance(outcome, list):
                outcome = [fitting(item, standard) for item in outcome]
            outcomes.append(outcome)
    return outcomes
