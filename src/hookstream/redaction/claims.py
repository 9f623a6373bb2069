"""Facts of an Event about itself (its owner, what was synthesized, found, thought risky).
hookstream sets them; but a line that is read back may come from any writer, and hold any text
there."""

from __future__ import annotations

from hookstream.redaction.digest import is_marker, marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookstream.core.event import Event


def gather(event: Event, texts: list[str]) -> None:
    """Add the strings of an Event's claims to `texts`."""
    texts.append(event.vendor)
    texts += event.synthesized
    texts += event.content_arguments
    if event.redacted or event.artifacts:
        texts += event.redacted
        texts += [text for triple in event.artifacts for text in triple]
    if event.secrets or event.redactions or event.risk is not None:
        texts += [text for triple in event.secrets for text in triple]
        texts += event.redactions or ()
        texts += event.risk[2] if event.risk is not None else ()


def digest(event: Event, key: bytes | None) -> None:
    """Content among the artifacts that a line brought along, as digest and length."""
    event.artifacts = [
        (one[0], marker(one[1], key), *one[2:])
        if one[0] in ("content", "prompt_fragment") and not is_marker(one[1])
        else one
        for one in event.artifacts
    ]


def rewrite(event: Event, clean: Callable[[str, str], str]) -> None:
    """Put `clean(text, path)` in the place of each of them."""

    def triples(given: list[Any], path: str) -> Any:
        return [tuple(clean(text, path) for text in triple) for triple in given]

    event.vendor = clean(event.vendor, "vendor")
    event.synthesized = [clean(name, "synthesized") for name in event.synthesized]
    event.content_arguments = frozenset(
        clean(name, "content_arguments") for name in event.content_arguments
    )
    event.redacted = [clean(path, "redacted") for path in event.redacted]
    event.artifacts = triples(event.artifacts, "artifacts")
    event.secrets = triples(event.secrets, "secrets")
    if event.redactions:
        counts = event.redactions.items()
        event.redactions = {clean(rule, "redactions"): n for rule, n in counts}
    if event.risk is not None:
        score, level, factors = event.risk
        event.risk = score, level, tuple(clean(factor, "risk") for factor in factors)
