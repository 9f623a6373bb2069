"""Tokens told by what stands beside them: a word of the format, a service's name, its address."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.privacy.rules.rule import Rule

B = "a1B2c3D4"  # filler of the examples

WORDED = (
    Rule(
        "worded-token",
        r"(?:(?:\b|[_-])(?:live|prod|production|staging|sandbox|sbx|sk|tk|test|dev|api|priv|refresh|access|auth|personal)"
        r"|key|apikey|sec|secret|tok|token|pat|pak)[_-]([A-Za-z]{0,16}[0-9][A-Za-z0-9]{14,32}[A-Za-z0-9_-]{0,220})",
        (
            *(
                "live",
                "prod",
                "staging",
                "sandbox",
                "sbx",
                "sk",
                "tk",
                "test",
                "dev",
                "api",
                "priv",
            ),
            *("refresh", "access", "auth", "personal", "key", "sec", "tok", "pat", "pak"),
        ),
        "how services spell tokens: the vendor's word, what it is, and a random part",
        ("acme_live_" + B * 4, "acme-pat-" + B * 4),
        ("acme_live_" + "stream_of_events", "test_" + "thatTheQuickBrownFoxJumps"),
        group=1,
        validate="entropy",
        weight=1,
    ),
)

RULES = WORDED
