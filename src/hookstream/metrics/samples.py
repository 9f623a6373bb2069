"""Figures of a process about itself: families, and samples of them.

Names and units are Prometheus': `_total` counts since the process or its state began, `_seconds`
and `_bytes` are base units. No label names a user, a path or an id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

COUNTER, GAUGE = "counter", "gauge"
# family -> (kind, what it means)
FAMILIES = {
    "hookstream_build": (GAUGE, "Always 1; the version that runs."),
    "hookstream_records_total": (COUNTER, "Records read, by what became of them."),
    "hookstream_events_total": (COUNTER, "Events produced."),
    "hookstream_rule_hits_total": (COUNTER, "Events on which a rule matched, by rule."),
    "hookstream_redactions_total": (COUNTER, "Secrets replaced, by rule."),
    "hookstream_source_lag_bytes": (GAUGE, "Bytes of the sources that are not read yet."),
    "hookstream_source_lag_records": (GAUGE, "Messages of a partition that are not read yet."),
    "hookstream_partitions": (GAUGE, "Partitions of a topic that this process consumes."),
    "hookstream_partition_failures": (GAUGE, "Failed tries in a row of a partition's sink."),
    "hookstream_dead_letters_total": (COUNTER, "Records that a sink of a consumer refused."),
    "hookstream_spool_bytes": (GAUGE, "Size of the spool."),
    "hookstream_state_damaged": (GAUGE, "Files of the state that were found damaged."),
    "hookstream_sink_delivered_total": (COUNTER, "Records that a sink has answered for."),
    "hookstream_sink_retried_total": (COUNTER, "Records offered to a sink again."),
    "hookstream_sink_dead_letters_total": (COUNTER, "Records that a sink refused for good."),
    "hookstream_sink_filtered_total": (COUNTER, "Records that a sink's filter left out."),
    "hookstream_sink_dropped_total": (COUNTER, "Records removed from the spool before their turn."),
    "hookstream_sink_damaged_total": (COUNTER, "Records damaged in the spool."),
    "hookstream_sink_queue_records": (GAUGE, "Records that wait for a sink."),
    "hookstream_sink_lag_seconds": (GAUGE, "Age of the oldest record that waits for a sink."),
    "hookstream_sink_failures": (GAUGE, "Failed tries in a row; 0 where the last one succeeded."),
    "hookstream_collector_payloads_total": (COUNTER, "Payloads taken from hooks and agents."),
    "hookstream_collector_problems_total": (COUNTER, "Payloads that could not be recorded."),
    "hookstream_collector_refused_total": (COUNTER, "HTTP requests refused, by status."),
    "hookstream_fleet_requests_total": (COUNTER, "Requests of shippers taken."),
    "hookstream_fleet_lines_total": (COUNTER, "Lines appended to machines' logs."),
    "hookstream_fleet_duplicates_total": (COUNTER, "Lines left out because they came before."),
    "hookstream_fleet_skipped_total": (COUNTER, "Lines that shippers never sent."),
    "hookstream_fleet_foreign_lines_total": (COUNTER, "Lines under another machine's id."),
    "hookstream_fleet_held_off_total": (COUNTER, "Requests sent away with 429 or 503."),
    "hookstream_fleet_machines": (GAUGE, "Machines that have shipped."),
    "hookstream_fleet_machines_silent": (GAUGE, "Of these, not seen for a day."),
    "hookstream_fleet_machine_last_seen_seconds": (GAUGE, "When a machine shipped last (Unix)."),
}


class Sample(NamedTuple):
    """One figure; `family` is a name of FAMILIES."""

    family: str
    value: float
    labels: dict[str, str] = {}  # noqa: RUF012  never changed


if TYPE_CHECKING:
    Figures: TypeAlias = Callable[[], list[Sample]]
    Ready: TypeAlias = Callable[[], list[str]]


def build() -> Sample:
    from hookstream.version import __version__

    return Sample("hookstream_build", 1, {"version": __version__})
