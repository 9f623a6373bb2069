"""Rule: one kind of secret as data, compiled from a data file (see compile.py)."""

from __future__ import annotations

HIGH, LOW = "high", "low"


class Rule:
    """One kind of secret.

    id           the name in `[REDACTED:<id>]`
    pattern      finds it; ASCII classes, case as written unless it begins with `(?i)`
    keywords     lower-case words one of which every match holds, whatever its case; `#` is a digit
    group        the part of the match that is the secret (0: all of it)
    check        name of a check in `validators` that the secret must pass
    extract      name of an extractor: the pattern finds the place, the extractor the value
    confidence   HIGH: known by its format; LOW: by a name or a place. Where two meet the first
                 names the region
    starts       lower-case literals one of which every match begins with, whatever its case: for
                 patterns that begin with many words, which `re` is slow to look for
    shared       what the pattern begins with, where others begin so and all match seldom: an engine
                 may ask for all of them at once (see engines.py)
    prefilter    a looser and cheaper pattern that matches wherever this one does, for engines that
                 only say which rules can match
    """

    __slots__ = (
        "check",
        "confidence",
        "extract",
        "group",
        "id",
        "keywords",
        "pattern",
        "prefilter",
        "shared",
        "starts",
    )

    def __init__(
        self,
        id: str,
        pattern: str,
        keywords: tuple[str, ...],
        group: int = 0,
        check: str = "",
        extract: str = "",
        confidence: str = HIGH,
        starts: tuple[str, ...] = (),
        shared: str = "",
        prefilter: str = "",
    ) -> None:
        self.id = id
        self.pattern = pattern
        self.keywords = keywords
        self.group = group
        self.check = check
        self.extract = extract
        self.confidence = confidence
        self.starts = starts
        self.shared = shared
        self.prefilter = prefilter

    def __repr__(self) -> str:
        return f"Rule({self.id!r})"
