"""Loads what a vendor's hooks load, once, so that their image is at hand before the first event.

`capture.command.prepare` runs it in a process with a hook's own search path.
"""

from __future__ import annotations

from hookstream.capture import light

# What hooks and wraps import in the middle of their work; the test runs both and finds no more.
MODULES = """capture.allowed capture.failures capture.forward_given capture.intake capture.lines
capture.log capture.rotation capture.tail capture.verdict_judge capture.wrap_beside
capture.wrap_events capture.wrap_record identity privacy.digest privacy.examples privacy.keys
privacy.labels privacy.mail privacy.public privacy.references privacy.validation
standards.artifacts"""


def load_all(vendor: str) -> None:
    """Every module that a hook or a wrap of that vendor's reaches and every pattern of the rules,
    into its image."""
    image = light.install(vendor)
    import hookstream.capture.hook  # noqa: F401  (first: the JSON seam goes by it)

    for name in MODULES.split():
        __import__(f"hookstream.{name}")
    from hookstream.capture.keywords import KeywordEngine
    from hookstream.capture.rule_index import listed
    from hookstream.capture.verdicts import contract_of
    from hookstream.normalizers import compiled
    from hookstream.privacy import Privacy
    from hookstream.privacy.readers import READERS
    from hookstream.privacy.scanner import Scanner, places_of

    compiled(vendor)
    contract_of(vendor, None)
    scanner = Scanner(engine="python")
    Privacy("hash", pseudonym_key=bytes(32), scanner=scanner)
    Scanner(KeywordEngine, rule_set=listed())
    for rule in scanner.rules:
        places_of(rule)
    for module in READERS:
        __import__(f"hookstream.privacy.readers.{module}")
    if light.patterns is not None:
        light.patterns.make_all()
    image.save()
