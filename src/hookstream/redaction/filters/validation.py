"""Rules that say what a secret must be like, and names of what is done with it.

`'password' => 'required|min:8|confirmed'` in Laravel, CodeIgniter, VeeValidate, Go's validator,
Apple's passwordrules; lists of hashes and ciphers.
"""

# ruff: noqa: E501 (a pattern stays on one line)
from __future__ import annotations

import re

_RULE = re.compile(
    r"(?i)(?:accepted(?:_if)?|active_url|after(?:_or_equal)?|alpha(?:_?(?:num|numeric|dash|spaces?"
    r"|numunicode|unicode|numeric_spaces))?|array|ascii|bail|base64(?:url|rawurl)?|before|between"
    r"|boolean|confirmed|contains(?:any|rune)?|containsany|current_?password(?::\w+)?|date|decimal"
    r"|declined|different|differs|digits(?:_between)?|distinct|dive|doesnt_(?:start|end)_with|e?q(?:field|csfield)?"
    r"|email|ends_?with|excludes?(?:_if|_unless|all|rune)?|excluded|exists|exact_length|file|filled"
    r"|greater_than|gte?(?:field)?|hex(?:adecimal)?|in|in_list|integer|is|is_natural|is_unique"
    r"|is_array|is_string|isstring|jwt|json|len(?:gth)?|less_than|lowercase|lte?(?:field)?|mac_address"
    r"|matches|match|max(?:_?length|_?len|size)?|min(?:_?length|_?len|size)?|min_digits|max_digits"
    r"|missing|ne(?:field|csfield)?|not_(?:in|regex)|nospaces|notblank|notempty|nullable|numeric"
    r"|omitempty|omitnil|oneof|optional|password|permit_empty|present|printascii|prohibited(?:_if)?"
    r"|regexp?|regex_match|regex_replace|require|required(?:_(?:if|with|without|unless|array_keys)(?:_all)?)?"
    r"|same|size|sometimes|starts_?with|startsnotwith|string|strip_tags|timezone|trim|ulid|unique"
    r"|uppercase|url|uuid[0-9]?|valid_(?:email|url|ip|base64)|xss_clean|strong_?password|mixed_?case"
    r"|letters|numbers|symbols|uncompromised|structonly|isdefault|varchar|char|nvarchar|hash"
    r"|minlength|maxlength|lower|upper|digit|special|allowed|max-consecutive)"
    r"(?:[:=\[(][^|;\n]{0,160})?"
)
_SAYS = re.compile(
    r"(?:^|[|,;])[ ]?(?:required|require|nullable|sometimes|confirmed|string|bail|trim|omitempty"
    r"|permit_empty|optional|filled|present|alpha\w{0,24}|(?:min|max|len|size|same|between|digits|in|oneof"
    r"|unique|exists|regex|matches|gte|lte|eqfield|nefield|minlength|maxlength|different|length"
    r"|(?:min|max|exact)_?len(?:gth)?|allowed)[:=\[(])"
)
_APART = re.compile(r"[|;]")
_COMMAS = re.compile(r",(?=[a-z]{2,20}(?:[=,|]|$))")

_ALGORITHM = re.compile(
    r"(?i)argon2(?:id?|d)?|bcrypt(?:[-_]sha(?:256|512))?|scrypt|pbkdf2(?:[-_:/]?(?:with)?(?:hmac)?[-_:/]?sha[-_]?[0-9]{1,3})?"
    r"|(?:aes|camellia|aria|des|3des|tripledes|blowfish|chacha20|xchacha20|rsa|ec|ecdh|ecdsa|eddsa|ed25519|x25519|dsa|sm[234]|dir)"
    r"(?:[-_/]?(?:128|192|256|512|1024|2048|3072|4096|poly1305|es|oaep|hsalsa))?"
    r"(?:[-_/](?:cbc|gcm|ctr|ecb|ccm|siv|cfb|ofb|xts|kw|gcmkw|hs[0-9]{3}|oaep(?:-[0-9]{3})?|poly1305|ige))?"
    r"(?:[-_/](?:hmac[-_])?(?:nopadding|pkcs[157]padding|pkcs7|sha-?[0-9]{1,3}|oaepwith\w{1,32}padding))?"
    r"|(?:hmac|rsa|ecdsa|scram|hs|rs|es|ps|sha|md|sha3|shake|blake2[bs]?|blake3|rsa-pss|rsa-oaep)[-_]?(?:sha)?[-_]?[0-9]{0,3}(?:-[0-9]{3})?(?:[-_]plus)?"
    r"|(?:caching_)?sha(?:2|256)_password|mysql_native_password|scram-sha-[0-9]{1,3}|crypt|md5|plain|none"
    r"|sha[0-9]{1,3}(?:crypt)?(?:[-_](?:crypt|rounds?))?|ssha[0-9]{0,3}|jwt|jws|jwe|paseto|opaque|bearer|basic|digest|hmac|hotp|totp"
    r"|oauth ?2?(?:\.[01])?|oidc|saml ?2?(?:\.0)?|pkce|dpop|mtls|fido2?|webauthn|u2f|kerberos|ntlm|ldap"
)
_HASHERS = frozenset(("bcrypt", "scrypt"))
_LISTED = re.compile(r"[\s,/|+&;]+|\]\s*,?\s*\[")


def is_rules(value: str) -> bool:
    """Rules of validation, apart by `|`, `;` or commas, one of which no password begins with."""
    if not 6 <= len(value) <= 512 or _SAYS.search(value) is None:
        return False
    pieces = [piece for piece in _APART.split(value.strip("|; ")) if piece.strip()]
    if len(pieces) == 1:
        pieces = _COMMAS.split(value)
    for piece in pieces:
        plain = piece.strip()
        if plain.startswith(("regex:", "regex[", "matches:", "pattern:")):  # its own `|` may follow
            return True
        if _RULE.fullmatch(plain.replace(": ", ":")) is None:
            return False
    return len(pieces) > 1 or any(char in value for char in ":[=")


def is_algorithms(value: str) -> bool:
    """One name of a hash, a cipher or a scheme, or a list of them: `[argon2, bcrypt]`."""
    if len(value) > 200:
        return False
    words = [word for word in _LISTED.split(value.strip("[](){}'\" ")) if word]
    if not words or not all(_ALGORITHM.fullmatch(word.strip("\"'")) for word in words):
        return False
    return len(words) > 1 or any(map(str.isdigit, value)) or value.lower() in _HASHERS
