"""The table [retention] of the TOML file.

[retention]
max_age = "365d"                 # records; 12h, 365d, 52w
content_max_age = "30d"          # prompts, answers, outputs: digest and length stay
operator_key_file = "/run/keys/operator.pem"
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from hookstream.delivery.settings import SettingsReading, Wrong
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
    try:
        with path.open("rb") as file:
            given = tomllib.load(file)
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Wrong(f"{path}: {error}") from None
    reading = SettingsReading(path, private=True)
    table = reading.take(given, "", "retention", dict, {})
    records, content = (
        None if text is None else seconds(text, f"{path}: retention.{name}")
        for name in ("max_age", "content_max_age")
        for text in [reading.take(table, "retention.", name, str, None)]
    )
    key = reading.take(table, "retention.", "operator_key_file", str, None)
    reading.nothing_left(table, "retention.", KEYS)
    return RetentionSettings(records, content, key and str(Path(key).expanduser()))
