"""A lake of answers of models with their tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hookstream.core.event import Event
from hookstream.sinks import open_sink
from hookstream.standards.rendered import Rendered
from hookstream.ui.lake import BrowsedLake


def spending(folder: Path, answers: list[dict[str, Any]]) -> BrowsedLake:
    """One answer of a model for each dict of facts; what it lacks is filled in."""
    items = []
    for number, given in enumerate(answers):
        facts = {
            "event_id": f"{number:08x}-0000-4000-8000-000000000000",
            "timestamp": "2026-11-21T12:00:00.000Z",
            "received_at": "2026-11-21T12:00:00.000Z",
            "tool": "claude-code",
            "session_id": f"s{number}",
            "machine_id": "machine-1",
            "user_id": "user-1",
            "model_id": "claude-sonnet-4-5",
            "input_tokens": 0,
            "sequence": number,
            **given,
        }
        items.append(Rendered(Event("Model.Responded", None, facts, facts["tool"])))
    sink = open_sink(f"parquet:{folder}")
    receipts = sink.write(items)
    sink.close()
    assert all(receipt.status == "delivered" for receipt in receipts)
    return BrowsedLake(folder)
