"""The dense part of a span of time: what a chart shows, so that one old day does not stretch it."""

from __future__ import annotations

from itertools import pairwise

# A hole of more than this share of the span divides it, and a side of it with less than this share
# of the counts is left out.
HOLE, FEW = 0.4, 0.1
LEAST_S = 14 * 86400


def dense(counts: dict[int, float]) -> tuple[int, int]:
    """The first and last of the times (epoch seconds) that a chart shows: without the few that a
    long hole divides from the rest."""
    times = sorted(counts)
    total = sum(counts.values()) or 1
    while len(times) > 1:
        span = times[-1] - times[0]
        hole, at = max((after - before, n) for n, (before, after) in enumerate(pairwise(times)))
        if span <= LEAST_S or hole < HOLE * span:
            break
        before, after = times[: at + 1], times[at + 1 :]
        fewer, rest = sorted((before, after), key=lambda side: sum(counts[t] for t in side))
        if sum(counts[time] for time in fewer) > FEW * total:
            break
        times = rest
    return times[0], times[-1]
