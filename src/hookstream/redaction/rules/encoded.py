"""Secrets one encoding deep: base64, hexadecimal, URL-encoding, words split by shell quotes.

A rule cannot see through an encoding, but an encoding keeps a literal recognisable (see `forms`).
"""

from __future__ import annotations

from hookstream.redaction.rules.forms import BASE64, HEX
from hookstream.redaction.rules.rule import Rule

# All at once: one by one they would take a millisecond of every hook.
_LOWER = "\n".join(BASE64).lower()
_URL_SAFE = _LOWER.translate(str.maketrans("+/", "-_"))

RULES = (
    Rule(
        "base64-secret",
        f"(?:{'|'.join(BASE64)})".replace("+", "[+-]").replace("/", "[/_]"),
        tuple(dict.fromkeys(f"{_LOWER}\n{_URL_SAFE}".split("\n"))),
        "RFC 4648",
        ("echo " + "cGFzc3dvcmQ9aHVu" + "dGVyMi1sb25nLW9uZQ== | base64 -d",),
        ("echo cGFzc3dvcmQgaXMgYSBmaWVsZA== | base64 -d",),
        reads="base64",
        weight=0,
    ),
    Rule(
        "hex-secret",
        f"(?i)(?:{'|'.join(HEX)})",
        tuple(HEX),
        "RFC 4648, section 8",
        ("xxd -r -p <<< " + ("ghp" + "_" + "a1B2" * 9).encode().hex(),),
        ("6768705f00",),
        reads="hex",
        weight=0,
    ),
    Rule(
        "percent-secret",
        r"%(?:3[aAdD]|2[2fF]|40|5[fF]|2[dD])[^\s\"'<>`]{0,4096}",
        ("%3a", "%3d", "%22", "%2f", "%40", "%5f", "%2d"),
        "RFC 3986, section 2.1",
        ("q=password%3D" + "hunter2%21xx&x=1", "postgres%3A%2F%2Fapp%3A" + "hunter2%40db%2Fshop"),
        ("a%3Db", "q=caf%C3%A9%20x%3D1"),
        reads="percent",
        weight=0,
    ),
    Rule(
        "split-secret",
        r"[A-Za-z0-9_-](?:''|\"\"|\"'|'\"|\\\r?\n[ \t]{0,16})[A-Za-z0-9_-]",
        ("''", '""', "\"'", "'\"", "\\\n", "\\\r\n"),
        "POSIX shell, section 2.2: adjacent quoted parts are one word",
        ("export T='gh''p_" + "a1B2" * 9 + "'", 'T="gh""p_' + "a1B2" * 9 + '"'),
        ('f("a""b")', "it''s"),
        reads="split",
        weight=0,
    ),
)
