"""Loads what a vendor's hook loads, once, so that its image is at hand before the first event.

`capture.command.prepare` runs it in a process with the hook's own search path.
"""

from __future__ import annotations

from hookstream.capture import light


def load_all(vendor: str) -> None:
    """Every module that vendor's hook reaches and every pattern of the rules, into its image."""
    image = light.install(vendor)
    import hookstream.capture.hook  # noqa: F401  (first: the JSON seam goes by it)
    from hookstream.capture import intake, lines, log, start  # noqa: F401
    from hookstream.capture.keywords import KeywordEngine
    from hookstream.normalizers import compiled
    from hookstream.privacy import Privacy
    from hookstream.privacy.scanner import Scanner

    compiled(vendor)
    scanner = Scanner(engine="python")
    Privacy("hash", pseudonym_key=bytes(32), scanner=scanner)
    KeywordEngine(scanner.rules)
    import re

    for rule in scanner.rules:
        re.compile(rule.pattern, re.ASCII)
    image.save()
