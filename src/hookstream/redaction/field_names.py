"""Names of fields and variables that say what their value is: a secret, perhaps one, or none."""

from __future__ import annotations

import re

from hookstream.redaction.rules.compiled.words.fields import (
    ABOUT,
    ENDINGS,
    FILES,
    FINDING,
    FLAGS,
    OPENING,
    PLAIN_TOKENS,
    SERVICES,
    STRONG_LAST,
    TAIL,
    WEAK_LAST,
)

NONE, WEAK, STRONG = 0, 1, 2

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

# A name that holds one of these holds a secret unless its last word says otherwise.
_PARTS = re.compile(
    r"password|passwd|passphrase|secret|apikey|accesstoken|authtoken|refreshtoken|privatekey"
    r"|credential|bearertoken|accesskey"
)
_WHOLE = {
    "auth": WEAK,
    "_auth": STRONG,
    "PWD": NONE,
    "OLDPWD": NONE,
    "pass": STRONG,
    "pw": STRONG,
    "key": NONE,
    "keys": NONE,
    "tokens": NONE,
    "sid": NONE,
    "hash": NONE,
    "signature": NONE,
    "login": NONE,
    "seed": NONE,
    "salt": NONE,
    "pin": WEAK,
    "x-amz-signature": STRONG,
    "dockerconfigjson": STRONG,
    ".dockerconfigjson": STRONG,
    "csrfmiddlewaretoken": STRONG,
    "proxy-authorization": STRONG,
    "secretkeyref": NONE,
    "author": NONE,
    "authors": NONE,
}

_BASE64 = re.compile(r"(?i)[_.-]b(?:ase)?64$")

_known: dict[str, int] = {}


def sensitivity(name: str) -> int:
    """STRONG: the value is a secret whatever its shape; WEAK: if it looks random; else NONE."""
    level = _known.get(name)
    if level is None:
        level = _judge(name)
        if len(_known) < 8192 and len(name) <= 128:
            _known[name] = level
    return level


def _judge(name: str) -> int:
    if len(name) > 128 or not name:
        return NONE
    whole = _WHOLE.get(name, _WHOLE.get(name.lower()) if name not in ("PWD", "OLDPWD") else NONE)
    if whole is not None:
        return whole
    before, dot, last = name.rpartition(".")
    if dot and before.endswith("key") and last in TAIL:  # secret.key.base
        name = before
    for mark in (".", "/", ":"):  # spring.datasource.password, //registry/:_authToken
        head, _, tail = name.rpartition(mark)
        before = head.rpartition(mark)[2]
        if tail:  # zhipu.api.key: the last two say it
            opens = before in OPENING and before not in FILES
            both = tail == "key" and (opens or _strip(before) in SERVICES)
            name = before + "_" + tail if both else tail
    if name in ("_auth", "_password", "pass", "pw"):
        return STRONG
    words = [word.lower() for word in _WORDS.findall(_BASE64.sub("", name))]
    while len(words) > 1 and (words[-1] in TAIL or words[-1].isdigit()):
        words.pop()
    if not words:
        return NONE
    return _weigh(words, "".join(words))


def _strip(name: str) -> str:
    """The name of a property of Java without its option: -Dkaggle.key."""
    return name[1:] if name[:1] == "D" and name[1:].islower() else name.lower()


def _weigh(words: list[str], compact: str) -> int:
    last = words[-1]
    if words[0] in FLAGS and len(words) > 1 and not words[1].isdigit():  # n8n_encryption_key
        return NONE
    if last in ("key", "keys"):
        return _weigh_key(words)
    if last in ABOUT and len(words) > 1 and not compact.endswith(ENDINGS):
        return NONE
    if last == "token" or compact.endswith("token"):
        if len(words) > 1 and words[-2] in PLAIN_TOKENS:
            return NONE
        return STRONG
    if last == "tokens":
        before = words[-2] if len(words) > 1 else ""
        return STRONG if before in ("api", "access", "auth", "refresh", "bearer", "bot") else NONE
    if compact.endswith(ENDINGS) or last in STRONG_LAST:
        return STRONG
    if last in ("pass", "pw") and len(words) > 1:
        return STRONG
    if last in WEAK_LAST and len(words) > 1:
        return WEAK
    if _PARTS.search(compact) and not ABOUT.intersection(words):
        return STRONG
    return NONE


def _weigh_key(words: list[str]) -> int:
    if len(words) == 1:
        return NONE
    before = words[-2]
    if before in FINDING or "public" in words or "publishable" in words:
        return NONE
    if before in OPENING or "".join(words[:-1]) in SERVICES or not SERVICES.isdisjoint(words):
        return STRONG
    return WEAK


_PASSWORD = re.compile(
    r"(?i)pass(?:w|ph|cod|d\b|wd|$|_|[A-Z])|passwd|pwd|(?:^|_)pw$|psk|kennwort|contrase|senha|wachtwoord|motdepasse|mdp$"
    r"|has[l\u0142]o|heslo|passord|senord|salasana|adgangskode|parola"
)


def is_password(name: str) -> bool:
    """Return whether people think up what a field of that name holds."""
    return _PASSWORD.search(name) is not None
