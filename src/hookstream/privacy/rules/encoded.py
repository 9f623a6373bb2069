"""Secrets one encoding deep: base64, hexadecimal, URL-encoding, words split by shell quotes.

A rule cannot see through an encoding, but an encoding keeps a literal recognisable: each of these
words has three base64 forms (one for each place in a group of three bytes) and one in hexadecimal.
"""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

import re
from binascii import b2a_base64, hexlify

from hookstream.privacy.rules.cloud import RULES as CLOUD
from hookstream.privacy.rules.hosting import RULES as HOSTING
from hookstream.privacy.rules.rule import Rule
from hookstream.privacy.rules.services import RULES as SERVICES

WORDS = (
    b"password password= Password PASSWORD passwd secret Secret SECRET token Token TOKEN api_key "
    b"apikey apiKey API_KEY Authorization authorization Bearer private_key PRIVATE -----BEGIN "
    b"AKIA ASIA xoxb- xoxp- xoxa- sk-ant- sk-proj- sk_live_ rk_live_ sk_test_ github_pat_ SG. "
    b"postgres:// postgresql:// mysql:// mongodb redis:// amqp:// https:// AccountKey Pwd= PWD= "
    b"credential access_key _KEY= _PASS= _AUTH= eyJhb client_secret hooks.slack AGE-SECRET-KEY dop_v1_ "
    b"ghs_ ghu_ fm2_ CCIPAT_ tskey- dckr_pat_ glsa_ sntry rzp_live_ hvs. 8Q~ sbp_ hf_ r8_ dp.pt. nfp_ NRAK- sk.eyJ PMAK- EZAK dt0c -us1 GOCSPX- EAAA"
).split()
_PREFIX = re.compile(r"\\b([A-Za-z0-9_-]{2,}(?:\\\.)?)(?![|?*+{])")


def _prefixes(rules: tuple[Rule, ...]) -> set[bytes]:
    """The fixed beginnings of the formats, four characters or more."""
    found = set()
    for rule in rules:
        head = _PREFIX.match(rule.pattern)
        if head is not None and rule.weight == 2 and len(head[1].replace("\\", "")) >= 4:
            found.add(head[1].replace("\\", "").encode())
        for word in rule.keywords:
            if len(word) >= 4 and word[-1] in "_-." and word[0] not in "_-":
                found.add(word.encode())
    return found


def base64_forms(word: bytes) -> list[str]:
    """The characters that every base64 text of something holding the word must hold."""
    forms = []
    for shift in range(3):
        text = b2a_base64(bytes(shift) + word, newline=False).decode()
        first = (shift * 8 + 5) // 6
        last = (shift + len(word)) * 8 // 6
        forms.append(text[first:last])
    return [form for form in forms if len(form) >= 4]


_ALL = {*WORDS, *_prefixes(CLOUD + HOSTING + SERVICES)}
_FORMS = sorted({form for word in _ALL for form in base64_forms(word)})
_HEX = sorted({hexlify(word).decode() for word in _ALL if len(word) >= 4})

RULES = (
    Rule(
        "base64-secret",
        "(?:" + "|".join(form.replace("+", "[+-]").replace("/", "[/_]") for form in _FORMS) + ")",
        tuple(form.lower() for form in _FORMS if "+" not in form and "/" not in form)
        + tuple(
            form.lower().replace("+", "-").replace("/", "_")
            for form in _FORMS
            if "+" in form or "/" in form
        )
        + tuple(form.lower() for form in _FORMS if "+" in form or "/" in form),
        "RFC 4648",
        ("echo " + "cGFzc3dvcmQ9aHVu" + "dGVyMi1sb25nLW9uZQ== | base64 -d",),
        ("echo cGFzc3dvcmQgaXMgYSBmaWVsZA== | base64 -d",),
        reads="base64",
        weight=0,
    ),
    Rule(
        "hex-secret",
        "(?i)(?:" + "|".join(_HEX) + ")",
        tuple(_HEX),
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
