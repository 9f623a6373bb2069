"""Examples that vendors print in their documentation, and that people type instead of a secret.

The keys of an example are known to everybody: they open nothing, and a text about them loses its
sense without them. Put together from parts, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import re

# AWS's of the IAM user guide, jwt.io's signatures, Stripe's test key.
_PRINTED = (
    "IOSFODNN7" + "EXAMPLE",
    "I44QH8DHB" + "EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY",
    "je7MtGbClwBF/2Zp9Utk/" + "h3yCo8nvbEXAMPLEKEY",
    "SflKxwRJSMeKKF2QT4fwp" + "MeJf36POk6yJV_adQssw5c",
    "KMUFsIDTnFmyG3nMiGM6H" + "9FNFUROf3wh7SmqJp-QV30",
    # Telegram's of the Bot API, the store and the database that
    # run without Azure, UUIDs of RFC 9562 and of encyclopedias, the first account of Hardhat.
    "ABC-DEF1234ghIkl-" + "zyx57W2v1u123ew11",
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq" + "/K1SZFPTOtr/KBHBeksoGMGw==",
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw" + "/Jw==",
    "e89b-12d3-a456-426614174000",
    "e29b-41d4-a716-446655440000",
    "ac0974bec39a17e36ba4a6b4d238ff94" + "4bacb478cbed5efcae784d7bf4f2ff80",
    # Base64 of user:pass, user:password, username:password and that in RFC 7617.
    "dXNlcjpwYXNz",
    "dXNlcjpwYXNzd29yZA==",
    "dXNlcm5hbWU6cGFzc3dvcmQ=",
    "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
    "sk_test_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "sk_test_" + "BQokikJOvBiI2HlWgH4olfQ2",
)
# 0123456789abcdef, deadbeef: runs of the alphabet and words of hexadecimal digits, again and again.
_RUNS = (
    "0123456789abcdefghijklmnopqrstuvwxyz",
    "1234567890abcdefghijklmnopqrstuvwxyz",
    "abcdefghijklmnopqrstuvwxyz0123456789",
    "abcdefghijklmnopqrstuvwxyz1234567890",
    "fedcba9876543210",
    "0987654321",
)
_HEX_WORDS = re.compile(r"(?i)(?:deadbeef|cafebabe|feedface|baadf00d|deadc0de|c0ffee)+")
_SAME = re.compile(r"(.)\1{7}-(.)\2{3}-(.)\3{3}-(.)\4{3}-(.)\5{11}")  # a UUID that is not random
LEAST = 20  # characters of what may be a run: shorter ones are weak passwords
RUN = 6  # characters of the alphabet in order
_GRAMS = frozenset(run[at : at + RUN] for run in _RUNS for at in range(len(run) - RUN + 1))


def is_example(value: str) -> bool:
    """A key that documentation prints, or one that is a mere run of the alphabet.

    This holds for formats too, so it judges by the value alone.
    """
    if value.endswith(_PRINTED) or _SAME.fullmatch(value) is not None:
        return True
    if len(value) < LEAST:
        return False
    if " " in value:  # test test ... test junk, abandon ... about: mnemonics of test networks
        words = value.split()
        return len(words) > 11 and len(set(words)) < 3
    return _is_run(value)


def _is_run(value: str) -> bool:
    if _HEX_WORDS.fullmatch(value) is not None:
        return True
    if value.lower() != value != value.upper():
        return False
    plain = value.lower().replace("-", "").replace("_", "")
    if not any(plain[at : at + RUN] in _GRAMS for at in (6, 9, 12)):
        return False
    at = covered = 0
    while at < len(plain):
        step = max(_common(plain, at, run) for run in _RUNS)
        covered += step if step > 2 else 0
        at += step if step > 2 else 1
    return covered >= len(plain) - 8 and covered * 5 >= len(plain) * 4


def _common(plain: str, at: int, run: str) -> int:
    """Return how many characters from here on follow each other as in the run."""
    first = run.find(plain[at])
    size = 0
    while (
        first >= 0
        and at + size < len(plain)
        and first + size < len(run)
        and plain[at + size] == run[first + size]
    ):
        size += 1
    return size
