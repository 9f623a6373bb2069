"""Values for the sets of `unseen.py`, made at run time: no literal here looks like a secret.

A template names a kind in braces; `filled` puts a fresh value in its place.
"""

from __future__ import annotations

import base64
import random
import re
import string
import uuid
from collections.abc import Callable

ALNUM = string.ascii_letters + string.digits
WORDS = "Harbor Copper Violet Thunder Maple Quartz Falcon Winter Cobalt Meadow".split()


def chars(rng: random.Random, alphabet: str, size: int) -> str:
    while True:
        value = "".join(rng.choice(alphabet) for _ in range(size))
        if size < 8 or (any(map(str.isdigit, value)) and any(map(str.isalpha, value))):
            return value


def password(rng: random.Random) -> str:
    return rng.choice(WORDS) + str(rng.randint(10, 9999)) + rng.choice("!.-_+") + rng.choice("xZq7")


def strong(rng: random.Random) -> str:
    return chars(rng, ALNUM + "-_.+", 18)


def github(rng: random.Random) -> str:
    return "gh" + "p_" + chars(rng, ALNUM, 36)


def aws(rng: random.Random) -> str:
    return chars(rng, ALNUM + "/+", 40)


def jwt(rng: random.Random) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    body = base64.urlsafe_b64encode(b'{"sub":"%d"}' % rng.randint(1, 10**9)).decode().rstrip("=")
    return f"{head}.{body}.{chars(rng, ALNUM + '-_', 43)}"


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "pw": password,
    "strong": strong,
    "gh": github,
    "aws": aws,
    "jwt": jwt,
    "uuid": lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
    "hex20": lambda rng: chars(rng, "0123456789abcdef", 20),
    "hex32": lambda rng: chars(rng, "0123456789abcdef", 32),
    "hex40": lambda rng: chars(rng, "0123456789abcdef", 40),
    "hex64": lambda rng: chars(rng, "0123456789abcdef", 64),
    "t20": lambda rng: chars(rng, ALNUM, 20),
    "t24": lambda rng: chars(rng, ALNUM, 24),
    "t32": lambda rng: chars(rng, ALNUM, 32),
    "t40": lambda rng: chars(rng, ALNUM, 40),
    "t48": lambda rng: chars(rng, ALNUM + "_-", 47) + "k",
    "b64": lambda rng: base64.b64encode(rng.randbytes(32)).decode(),
    "b64long": lambda rng: base64.b64encode(rng.randbytes(64)).decode(),
    "pin": lambda rng: str(rng.randint(100000, 999999)),
}
_KIND = re.compile(r"\{([a-z0-9]+)\}")


def filled(template: str, rng: random.Random) -> tuple[str, str]:
    """The text, and the value that was put in."""
    found = _KIND.search(template)
    if found is None or found[1] not in MAKERS:
        raise ValueError(template)
    value = MAKERS[found[1]](rng)
    return template[: found.start()] + value + template[found.end() :], value
