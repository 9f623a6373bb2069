"""Tokens without a word of their own, known by their shape alone: nearly any text may hold one, so
they stand apart from those that a hook loads only where a word asks for them."""

from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

H = "a1b2c3d4"
B = "a1B2c3D4"  # filler of the examples

UUID = "4ea38b7b-f563-4709-8bae-" + "12c8b2a6f0d1"

RULES = (
    Rule(
        "discord-bot-token",
        r"\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
        (".",),
        "https://discord.com/developers/docs/reference#authentication",
        ("M" + "TA5NjQyM" * 3 + ".X1y2Z3." + "a1B2c3D4e" * 3,),
        ("Module.loader.config",),
        validate="plausible",
    ),
    Rule(
        "asana-token",
        r"\b[0-9]/[0-9]{10,20}(?:/[0-9]{10,20})?:[a-f0-9]{32}\b",
        (":",),
        "https://developers.asana.com/docs/personal-access-token",
        ("1/1234567890123456:" + H * 4, "2/1234567890123456/1234567890123456:" + H * 4),
        ("1/2:3",),
        starts=tuple(f"{digit}/" for digit in range(10)),
    ),
    Rule(
        "okta-token",
        r"\b00[A-Za-z0-9_-]{40}\b",
        ("00",),
        "https://developer.okta.com/docs/guides/create-an-api-token/",
        ("SSWS 00" + B * 5,),
        ("00 x", "00" + "0" * 40),
        validate="ssws",
        starts=("00",),
    ),
    Rule(
        "twilio-account-sid",
        r"\bAC[0-9a-f]{32}\b",
        ("ac",),
        "https://www.twilio.com/docs/iam",
        ("AC" + H * 4,),
        ("ACx",),
    ),
    Rule(
        "twilio-pair",
        r"\bAC[0-9a-f]{32}[\"']?[,:][ ]?[\"']?([0-9a-f]{32})\b",
        (
            "ac0",
            "ac1",
            "ac2",
            "ac3",
            "ac4",
            "ac5",
            "ac6",
            "ac7",
            "ac8",
            "ac9",
            "aca",
            "acb",
            "acc",
            "acd",
            "ace",
            "acf",
        ),
        "https://www.twilio.com/docs/iam/api/authtoken",
        ("Client('AC" + "a1b2c3d4" * 4 + "', '" + "d4c3b2a1" * 4 + "')",),
        ("Client('AC" + "a1b2c3d4" * 4 + "', token)",),
        group=1,
    ),
    Rule(
        "bitwarden-token",
        r"\b0\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.[A-Za-z0-9]{28,32}:[A-Za-z0-9+/=]{20,32}",
        ("0.",),
        "https://bitwarden.com/help/access-tokens/",
        ("0." + UUID + "." + "a1B2c3D4e5" * 3 + ":" + "a1B2c3D4e5F6g7H8i9J0kw==",),
        ("0.5",),
    ),
)
