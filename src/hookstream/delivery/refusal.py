"""What the pipeline could not take, as a rejection without its content."""

from __future__ import annotations

from typing import Any

from hookstream.pipeline import refuse
from hookstream.records import Rejection


def refused(record: Any, error: Exception) -> Rejection:
    return (
        record
        if isinstance(record, Rejection)
        else refuse(record, f"internal: {type(error).__name__}")
    )
