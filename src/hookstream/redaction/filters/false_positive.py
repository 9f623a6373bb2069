"""Values under a secret's name that are a piece of code, a constant or a cache's key.

The rules that go by names take nearly any string for a secret. Asked about what they found, with
the text around it: what people write there again and again that opens nothing.
"""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.filters.placeholder import is_placeholder

_BUILT = re.compile(
    r"(?:[a-zA-Z_$][\w$]*(?:\.|::|->))+[a-zA-Z_]\w*\(.*|[A-Z][A-Za-z]{1,24}\(\)?\..*|[a-z]\.[a-z]\w{2,16}\(.*"
)
_CHAIN = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.|!\.)[A-Za-z_$#][\w$]*)+(?:!|\?\?|\?:|!!)?[;,)]?"
)
_PARTS = re.compile(r"->|::|[.?!;,):]+")
_SOURCES = ("env", "environ", "environment", "config", "settings", "secrets", "process")
_SOURCE_WORDS = frozenset(_SOURCES)
_NAMED = re.compile(r"[A-Z]{2,}(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z]+)+")


def is_reference(value: str, last: str) -> bool:
    """Return whether the value is a call or a chain of names, and not quoted: `last` precedes
    it.
    """
    if last in ("'", '"', "`"):
        return False
    if _BUILT.fullmatch(value) is not None:
        return True
    return _CHAIN.fullmatch(value) is not None and _is_chain(value)


def _is_chain(value: str) -> bool:
    """`Bun.env.TOKEN!`, `session.accessToken!`: one part names its source or kind."""
    parts = [part for part in _PARTS.split(value) if part]
    if parts[0].lower().endswith(_SOURCES):
        return True
    if not _SOURCE_WORDS.isdisjoint(part.lower() for part in parts):
        return True
    return (
        _NAMED.fullmatch(parts[-1]) is not None
        and field_names.sensitivity(parts[-1]) == field_names.STRONG
    )


QUOTES = "\"'`"
_NAME = re.compile(
    r"([A-Za-z_$][\w.$-]*)\\{0,3}[\"'`\])]{0,3}[^\w\"'`\n]{0,8}[brfuBRFU]?\\{0,3}[\"'`]?\Z"
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_NO_WORD = re.compile(r"[^a-z0-9]")
# The quote before the value closed a string: ` + token + `, `),f(`, `;\nconst x = `.
_BETWEEN = re.compile(
    r"\s?[+.&,] ?[^\n]*[+.&,]\s?|\+[A-Za-z_$][\w.$]*[);,][^\n]*|['\"] ?[.+] [^\n]* [.+] ?['\"]"
    r"|[)\]}]{1,3}(?:[,;.)?:]|\\{1,4}n)[^\n]*|;(?:\\n| )[^\n]*"
)
_EXPRESSION = re.compile(
    r"[\w.]{1,64}(?:\.[\w.]{1,64}):[A-Za-z_][\w.]{0,64}"  # package.module:function
    r"|[A-Za-z_]\w{0,32}\([^\n]*[ \"][^\n]*\)(?:\[\])?"  # STRUCT("a" VARCHAR)[]
    r"|(?:[\w.-]{0,32}\$?\{[^{}\n]{0,64}\}[ :/.\\n-]{0,4}){1,8}"  # {scheme} {token}
    r"|(?:None|null|True|False|undefined|true|false|!0|!1)[,)\]};][^\n]*"
    r"|/[\w/.-]{1,64}:[A-Za-z]{1,40}|agent:[^\n]*|[-\w]{0,4}%\([^\n]*"
    r"|0x[0-9A-Fa-f]{1,8}|0x(?:c0|7f|5[56]|ffff)[0-9a-f]{8,14}|\.{1,2}/[\w./-]{1,128}\.[a-z]{1,5}|[A-Za-z]{2,}(?:_[A-Z]{2,}){2,}"
    r"|[\w./-]{1,64}\.(?:7z|zip|rar|t?gz|tar|sql|pem|json|ya?ml|csv|pfx|p12|jks)"  # a file's name
    r"|argon2(?:id|i|d)?|bcrypt|scrypt|pbkdf2|(?:hmac|rsa|ecdsa|scram|hs|rs|es|ps)-?(?:sha)?-?[0-9]{1,3}|(?:HMAC|RSA|ECDSA)-SHA[0-9]{1,3}"
    r"|[A-Za-z_$][\w$]*_[0-9]\.[A-Za-z_]\w*"  # compiled TypeScript: token_1.default
)
_REGEX = re.compile(r"\\[wWdDsSbB](?:[*+?{\])]|$)|\[\^|\(\?:|[aA]-[zZ][A0]-[Z9]|^\.[*+]")
_UNION = re.compile(r":[ ]?[\w.<>\[\]]{1,64}[ ]?\|[ ]?$")
_DEFINED = re.compile(r"#[ \t]{0,4}define[ \t]{1,4}\w+[ \t]+$")
_OF_CACHE = re.compile(r"(?i)cache[^\n]{0,60}\bkeys?\b[^\n]{0,8}$|\bkeys?:? [^\n]{0,8}cache$")
_HASH_KEY = re.compile(r"(?:[\w.]+-){1,12}(?:[0-9a-f]{32,64}|[0-9a-f]{128})(?![0-9A-Za-z])")
_HEX = re.compile(r"[0-9a-f]{32,128}")
_ONCE = re.compile(r"(?i)(?:client_?request|idempotency|continuation)_?(?:token|key)$")
_TOKEN = re.compile(r"(?i)(?:token|key|auth|authorization|credentials?)[0-9]?$")
_COOKIE = re.compile(r"(?i)cookie\\{0,3}[\"'`]?[ ]?[:=,(][^\n]*=$")
_TESTED = re.compile(r"(?:^|\n|--- )PASS: $")
_TEST = re.compile(r"[A-Za-z]\w*(?:[./:-]\w+)+|[A-Za-z]+(?:_[A-Za-z0-9]+)+")
# sed 's/password=.*/password=REDACTED/': what is put in, up to the sign that ends it.
_SUBSTITUTION = re.compile(r"(?:^|[\s'\"{;])s([/|#,@!])[^\n]{0,90}$")
# The name of a secret that is kept elsewhere: --secret=db-pass, --secret id=app-token,type=env
_SECRET_NAME = re.compile(r"([a-z]{1,24}(?:[-_][a-z]{1,24}){1,5})(?:,[a-z]{2,8}=[^\s]{1,64})?")
_SECRET_OPTION = re.compile(r"--secrets?[ =][\"']?$")
_CHECKOUT = ("cs_test_", "cs_live_")  # Stripe's checkout sessions: an id


def is_false_positive(text: str, start: int, end: int) -> bool:
    """Return whether the region opens nothing, whatever its name says."""
    value = text[start:end]
    last = text[start - 1 : start]
    if len(value) > 512:
        from hookstream.redaction.filters import public  # few texts need it

        return public.is_public(value, "")
    if last == ":" and value[0] == ":":  # Token::new
        return True
    before = text[max(0, start - 96) : start]
    if "s" in before and (edit := _SUBSTITUTION.search(before)) is not None:
        put, sign, _ = value.partition(edit[1])
        if sign and is_placeholder(put):
            return True
    if _is_code(value, before, last) or _is_named_elsewhere(value, before):
        return True
    if "#" in before and _DEFINED.search(before) is not None and not is_random(value):
        return value[0] not in QUOTES and (value.isdigit() or "_" in value or is_words(value))
    if is_words(value) or _is_constant(value, before):
        return True
    from hookstream.redaction.filters import public

    line = text[max(text.rfind("\n", 0, start) + 1, start - 256) : start]
    return (
        public.is_public(value, line)
        or public.is_id(value, line[-96:])
        or is_reference(value, last)
    )


def _is_code(value: str, before: str, last: str) -> bool:
    """An expression, the text between two strings, a regular expression, a sign."""
    if len(value) <= 4 and (value == "Og==" or not any(map(str.isalnum, value))):
        return True  # a sign between two strings; no user and no password in base64
    if _EXPRESSION.fullmatch(value) is not None:
        return True
    between = last in QUOTES and _BETWEEN.fullmatch(value) is not None
    return (between or _REGEX.search(value) is not None) and not is_random(value)


def _is_named_elsewhere(value: str, before: str) -> bool:
    """An id, an option, a type or a cache's key, by the text before it."""
    if before.endswith(_CHECKOUT):
        return True
    if before.endswith("PASS: ") and _TESTED.search(before) and _TEST.fullmatch(value):
        return True
    if before.endswith(" -k") and value in ("ey", "eyout", "eyform", "eyopt", "eypass"):
        return True  # openssl req -keyout
    if before[-2:].endswith(("|", "| ")) and value.isidentifier() and _UNION.search(before):
        return True
    if _SECRET_OPTION.search(before) is not None:
        match = _SECRET_NAME.fullmatch(value)
        if match is not None and field_names.sensitivity(match[1]) == field_names.STRONG:
            return True
    hashed = _HASH_KEY.match(value) is not None or _HEX.fullmatch(value) is not None
    return hashed and _OF_CACHE.search(before) is not None


def is_words(value: str) -> bool:
    """A name of code, three words or more: `shouldRunWithSkip`, `3_2_oauth_flow_FlowVisitor`."""
    if not value.replace("_", "").replace("-", "").isalnum() or value.lower() == value:
        return False
    words = _WORDS.findall(value)
    if value.isalnum() and any(word.isdigit() for word in words[:-1]):
        return False
    long = [word for word in words if len(word) > 2 and word[1:].islower()]
    return (
        len(long) > 2
        and sum(map(len, long)) >= len(value.replace("_", "")) * 0.75
        and all(set(word.lower()) & set("aeiouy") for word in long)
        and sum(char.isdigit() for char in value) < 4
    )


def _is_constant(value: str, before: str) -> bool:
    """A constant called as its value, a token that is a word, a number used once."""
    named = _NAME.search(before)
    if named is None:
        return False
    name = named[1]
    if _ONCE.search(name) is not None:
        return True
    if len(value) < 20 and value.isalpha() and _COOKIE.search(before) is not None:
        return True
    if any(char.isdigit() or char.isspace() for char in value) or is_random(value):
        return False
    spelt, name_spelt = (_NO_WORD.sub("", one.lower()) for one in (value, name.rpartition(".")[2]))
    if len(_WORDS.findall(name)) > 1 and name_spelt in spelt:
        return True
    if (
        _TOKEN.search(name) is None
        or "pass" in name_spelt
        or "secret" in name_spelt
        or name == "AUTH"
    ):
        return False
    if len(value) < 5 and value.isalpha():  # token = "eos"
        return True
    return len(spelt) > 3 and (spelt in name_spelt or _is_word(value, before))


def _is_word(value: str, before: str) -> bool:
    """A quoted word or two for a token: the name of a thing, `pathToken = "dependencies"`."""
    words = _WORDS.findall(value)
    return (
        before[-1:] in QUOTES
        and len(value) < 24
        and "_" not in value
        and len(words) < 4
        and all(len(word) > 2 and set(word.lower()) & set("aeiouy") for word in words)
    )
