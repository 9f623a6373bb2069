"""Load the modules of a vendor's hooks once, so that their snapshot exists before the first event.

`capture.command.prepare` runs it in a process with a hook's own search path.
"""

from __future__ import annotations

from hookstream.capture.startup import lazy_stdlib as light

# What hooks and wraps import in the middle of their work; the test runs both and finds no more.
MODULES = """capture.allowed capture.collector.intake capture.keys capture.hook.appender
capture.hook.failures capture.hook.read_so_far capture.hook.reasons
capture.hook.lines capture.log.append capture.log.rotation capture.log.tail
capture.wrap.verdicts capture.wrap.dedupe capture.wrap.events capture.wrap.record core.identity
redaction.digest redaction.filters.example redaction.keys redaction.mail
redaction.filters.public
shell.managers standards.artifacts"""


def load_all(vendor: str) -> None:
    """Every module that a hook or a wrap of that vendor's reaches and every pattern of the rules,
    into its snapshot."""
    snapshot = light.install(vendor)
    import hookstream.capture.hook.main  # noqa: F401  (first: the JSON seam depends on it)

    for name in MODULES.split():
        __import__(f"hookstream.{name}")
    from hookstream.capture.settings import read_settings

    read_settings()  # the policy, which hooks of users cannot keep in a snapshot of root's
    from hookstream.capture.startup.lazy_rules import lazy_rules
    from hookstream.capture.startup.prefilter import KeywordEngine
    from hookstream.capture.wrap.verdicts import contract_of
    from hookstream.normalizers import compiled
    from hookstream.redaction import Redactor
    from hookstream.redaction.extract import EXTRACTORS
    from hookstream.redaction.scanner import Scanner, places_of

    compiled(vendor)
    contract_of(vendor, None)
    scanner = Scanner(engine="python")
    Redactor("hash", pseudonym_key=bytes(32), scanner=scanner)
    Scanner(KeywordEngine, rule_set=lazy_rules())
    for rule in scanner.rules:
        places_of(rule)
    for module in EXTRACTORS:
        __import__(f"hookstream.redaction.extract.{module}")
    if light.patterns is not None:
        light.patterns.make_all()
    snapshot.save()
