"""`hookstream run` with plain arguments, read without the library of the command line.

That library takes longer to import than a run over a few lines. What is not plain (help, a wrong
or shortened option, a value that does not fit) is left to it, so it alone says what is wrong.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

# option -> (parameter of `running.run`, kind)
OPTIONS: dict[str, tuple[str, type]] = {
    "--to": ("to", list),
    "--standard": ("standard", str),
    "--privacy": ("privacy", str),
    "--vendor": ("vendor", str),
    "--report": ("report", Path),
    "--workers": ("workers", int),
    "--strict": ("strict", bool),
    "--now": ("now", str),
    "--hash-key-file": ("hash_key_file", Path),
    "--allow": ("allow", Path),
    "--witness": ("witness", str),
    "--machine": ("machine", str),
    "--follow": ("follow", bool),
    "--config": ("config", Path),
    "--seal": ("seal", bool),
    "--seal-to": ("seal_to", list),
    "--state": ("state", Path),
    "--rules": ("rules", list),
    "--loop-threshold": ("loop_threshold", int),
    "--metrics": ("metrics", str),
    "--metrics-otlp": ("metrics_otlp", str),
    "--log-format": ("log_format", str),
    "--log-level": ("log_level", str),
}


def arguments(words: list[str]) -> dict[str, Any] | None:
    """The arguments of `running.run`, or None where the words are not plain."""
    given: dict[str, Any] = {}
    sources: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "-" or not word.startswith("-"):
            sources.append(word)
            continue
        option, equals, value = word.partition("=")
        if option not in OPTIONS:
            return None
        name, kind = OPTIONS[option]
        if kind is bool:
            if equals:
                return None
            given[name] = True
            continue
        if not equals:
            value = next(rest, "-")
            if value.startswith("-"):
                return None
        if kind is list:
            given.setdefault(name, []).append(value)
        elif kind is int:
            if not (value.isascii() and value.isdigit() and int(value) > 0):
                return None
            given[name] = int(value)
        else:
            given[name] = kind(value)
    if sources:
        given["sources"] = sources
    return given
