"""The table [retention] of the TOML file.

[retention]
max_age = "365d"                 # records; 12h, 365d, 52w
content_max_age = "30d"          # prompts, answers, outputs: digest and length stay
operator_key_file = "/run/keys/operator.pem"
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hookstream.configuration.reading import Reading, read_toml
from hookstream.retention.policy import seconds

KEYS = "max_age, content_max_age, operator_key_file"


@dataclass(frozen=True)
class RetentionSettings:
    """Ages in seconds; None keeps forever."""

    max_age_s: int | None = None
    content_max_age_s: int | None = None
    operator_key_file: str | None = None


def load(path: Path) -> RetentionSettings:
    """Load the retention settings of a file. Wrong, in one line, for what does not belong there."""
    reading = Reading(path)
    table = reading.take(read_toml(path), "", "retention", dict, {})
    records, content = (
        None if text is None else seconds(text, f"{path}: retention.{name}")
        for name in ("max_age", "content_max_age")
        for text in [reading.take(table, "retention.", name, str, None)]
    )
    key = reading.take(table, "retention.", "operator_key_file", str, None)
    reading.nothing_left(table, "retention.", KEYS)
    return RetentionSettings(records, content, key and str(Path(key).expanduser()))
