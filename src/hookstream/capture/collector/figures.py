"""The collector about itself: /metrics, /healthz, /readyz, for all workers whichever is asked."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from time import time

from hookstream.capture.collector.http_messages import Reply
from hookstream.delivery.metrics import Sample, build_info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.capture.collector.fleet.intake import Intake
    from hookstream.capture.collector.handler import Handler

PAGES = ("/metrics", "/healthz", "/readyz")
# A worker's figures are written down so often, for the others.
REPORT_S = 2.0
# Free bytes below which a collector is not ready.
FREE_BYTES = 64 << 20
SILENT_S = 86_400.0
FLEET = {
    "requests": "hookstream_fleet_requests_total",
    "lines": "hookstream_fleet_lines_total",
    "duplicates": "hookstream_fleet_duplicates_total",
    "skipped": "hookstream_fleet_skipped_total",
    "foreign": "hookstream_fleet_foreign_lines_total",
    "held_off": "hookstream_fleet_held_off_total",
}


@dataclass(eq=False)
class Figures:
    """Figures of one worker, and through the fleet's file those of all."""

    handler: Handler
    intake: Intake | None
    refused: dict[int, int]
    slot: int = 1

    def answer(self, path: str) -> Reply:
        if path == "/metrics":
            from hookstream.delivery.metrics import KIND, prometheus_text

            return Reply(200, prometheus_text(self.samples), KIND)
        problems = self.problems() if path == "/readyz" else []
        body = "".join(f"{problem}\n" for problem in problems) or "ok\n"
        return Reply(503 if problems else 200, body.encode(), "text/plain; charset=utf-8")

    def own(self) -> dict[str, Any]:
        return {
            "taken": self.handler.taken,
            "failed": self.handler.failed,
            "refused": {str(status): n for status, n in self.refused.items()},
            "redactions": dict(self.handler.redactions),
            "fleet": dict(self.intake.counts) if self.intake is not None else {},
        }

    def report(self) -> None:
        """Write this worker's figures down for the others; a full disk does not stop it."""
        if self.intake is not None:
            try:
                self.intake.seen.report(self.slot, self.own())
            except sqlite3.Error:
                return

    def samples(self) -> list[Sample]:
        self.report()
        by_slot = {self.slot: self.own()}
        samples = [build_info()]
        if self.intake is not None:
            by_slot = {**self.intake.seen.workers(), **by_slot}
            samples += machine_samples(self.intake.seen.last_seen())
        for slot, figures in sorted(by_slot.items()):
            samples += worker_samples(str(slot), figures)
        return samples

    def problems(self) -> list[str]:
        """Return why nothing could be appended now."""
        places = [path for path in (self.handler.log, self.fleet_folder()) if path]
        return [problem for path in places if (problem := trouble_at(path))]

    def fleet_folder(self) -> str | None:
        return self.intake.folder if self.intake is not None else None


def trouble_at(path: str) -> str:
    """The reason why a folder (or a file's folder) is not writable, empty if it is."""
    folder = path if os.path.isdir(path) else os.path.dirname(os.path.abspath(path))
    try:
        if not os.access(folder, os.W_OK):
            return f"{folder}: cannot be written"
        free = os.statvfs(folder)
    except OSError as error:
        return f"{folder}: {error.strerror}"
    return "" if free.f_bavail * free.f_frsize >= FREE_BYTES else f"{folder}: the disk is full"


def worker_samples(slot: str, figures: dict[str, Any]) -> list[Sample]:
    own = {"worker": slot}
    samples = [
        Sample("hookstream_collector_payloads_total", figures["taken"], own),
        Sample("hookstream_collector_problems_total", figures["failed"], own),
    ]
    for status, n in sorted(figures["refused"].items()):
        samples.append(Sample("hookstream_collector_refused_total", n, {**own, "status": status}))
    for rule, n in sorted(figures.get("redactions", {}).items()):
        samples.append(Sample("hookstream_redactions_total", n, {"rule": rule, **own}))
    samples += [Sample(FLEET[key], n, own) for key, n in figures["fleet"].items()]
    return samples


def machine_samples(last_seen: dict[str, float]) -> list[Sample]:
    now = time()
    silent = sum(now - at > SILENT_S for at in last_seen.values())
    samples = [
        Sample("hookstream_fleet_machines", len(last_seen)),
        Sample("hookstream_fleet_machines_silent", silent),
    ]
    for machine, at in sorted(last_seen.items()):
        family = "hookstream_fleet_machine_last_seen_seconds"
        samples.append(Sample(family, at, {"machine": machine}))
    return samples
