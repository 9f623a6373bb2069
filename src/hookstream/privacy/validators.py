"""Checks a candidate must pass beyond its pattern: check digits, randomness, plain sense."""

from __future__ import annotations

from math import log2

from hookstream.privacy.placeholders import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    total = len(value)
    if not total:
        return 0.0
    return -sum(n / total * log2(n / total) for n in map(value.count, set(value)))


def luhn(value: str) -> bool:
    """Payment card numbers: 13 to 19 digits whose check digit is right, not one digit repeated."""
    digits = [int(char) for char in value if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    total = sum(digits[-1::-2])
    for digit in digits[-2::-2]:
        total += digit * 2 - 9 * (digit > 4)
    return total % 10 == 0


IBAN_LENGTHS = {
    code: int(length)
    for code, length in (
        item.split(":")
        for item in (
            "AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BR:29 BY:28 CH:21 CR:22 CY:28 "
            "CZ:24 DE:22 DK:18 DO:28 EE:20 EG:29 ES:24 FI:18 FO:18 FR:27 GB:22 GE:22 GI:23 GL:18 "
            "GR:27 GT:28 HR:21 HU:28 IE:22 IL:23 IQ:23 IS:26 IT:27 JO:30 KW:30 KZ:20 LB:28 LC:32 "
            "LI:21 LT:20 LU:20 LV:21 LY:25 MC:27 MD:24 ME:22 MK:19 MR:27 MT:31 MU:30 NL:18 NO:15 "
            "PK:24 PL:28 PS:29 PT:25 QA:29 RO:24 RS:22 SA:24 SC:31 SD:18 SE:24 SI:19 SK:24 SM:27 "
            "ST:25 SV:28 TL:23 TN:24 TR:26 UA:29 VA:22 VG:24 XK:20"
        ).split()
    )
}


def iban(value: str) -> bool:
    """ISO 13616: the country's length and the remainder 1 modulo 97."""
    text = "".join(value.split()).upper()
    if len(text) != IBAN_LENGTHS.get(text[:2]) or not text.isalnum() or not text.isascii():
        return False
    moved = text[4:] + text[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def mixed(value: str) -> bool:
    """Digits and letters both, and not too regular: a token rather than a word or a number."""
    if is_placeholder(value):
        return False
    has_digit = any(char.isdigit() for char in value)
    has_letter = any(char.isalpha() for char in value)
    return has_digit and has_letter and len(set(value)) > 3


def random(value: str) -> bool:
    """What no human writes: 16 or more characters, mixed, of high entropy, no path, no words."""
    size = len(value)
    if size < 16 or is_placeholder(value) or " " in value:
        return False
    digits = sum(char.isdigit() for char in value)
    upper = sum(char.isupper() for char in value)
    lower = sum(char.islower() for char in value)
    if not digits or not (upper or lower):
        return bool(upper and lower and size >= 24 and _ragged(value, 2.5))
    if is_uuid(value) or value.startswith(("sha1-", "sha256-", "sha384-", "sha512-", "sha256:")):
        return False
    bits = entropy(value)
    if digits + upper + lower == size and _is_hex(value):
        return bits > 2.6
    if bits > 3.1 and (digits >= 2 or bits > 3.8):
        return _ragged(value)
    return bits > 1.9 and _ragged(value, 3)


def _ragged(value: str, every: float = 6) -> bool:
    """Cases and digits change often within the words: no identifier, no path, no version."""
    parts = [
        part
        for part in value.replace("-", " ")
        .replace("_", " ")
        .replace("/", " ")
        .replace(".", " ")
        .split()
        if part
    ]
    longest = max(parts, key=len, default="")
    changes = sum(1 for a, b in zip(longest, longest[1:], strict=False) if _class(a) != _class(b))
    return len(longest) >= 12 and changes >= max(3, len(longest) / every)


def _class(char: str) -> int:
    return 0 if char.isdigit() else 1 if char.isupper() else 2


def _is_hex(value: str) -> bool:
    return value.strip("0123456789abcdef") == "" or value.strip("0123456789ABCDEF") == ""


def is_uuid(value: str) -> bool:
    return (
        len(value) == 36
        and value[8] == value[13] == value[18] == value[23] == "-"
        and _is_hex(value.replace("-", "").lower())
    )


def not_mask(value: str) -> bool:
    return not is_placeholder(value)


def phone(value: str) -> bool:
    """7 to 15 digits, not all the same (E.164)."""
    digits = [char for char in value if char.isdigit()]
    return 8 <= len(digits) <= 15 and len(set(digits)) > 2


def email(value: str) -> bool:
    """An address of a person: not `git@host`, not the no-reply ones, no file name or version."""
    local, _, host = value.rpartition("@")
    end = host.rpartition(".")[2].lower()
    if local in ("git", "hg", "svn") or end in _FILE_ENDINGS:
        return False
    return not local.lower().startswith(("noreply", "no-reply", "donotreply", "do-not-reply"))


_FILE_ENDINGS = frozenset(
    "png jpg jpeg gif svg webp js mjs cjs ts tsx jsx py rb go rs c h cpp css html json yaml yml "
    "toml lock md txt sh zip gz tgz tar whl jar map service timer socket target mount local".split()
)


def jwt(value: str) -> bool:
    """Its first part is base64url of a JSON object."""
    from binascii import Error, a2b_base64

    head = value.split(".", 1)[0]
    try:
        text = a2b_base64(head.replace("-", "+").replace("_", "/") + "===")
    except (Error, ValueError):
        return False
    return text.startswith(b"{")


def ssn(value: str) -> bool:
    """US social security numbers: no area 000, 666 or 9xx, no group 00, no serial 0000."""
    area, _, rest = value.partition("-")
    group, _, serial = rest.partition("-")
    return area not in ("000", "666") and area[:1] != "9" and group != "00" and serial != "0000"


def userinfo(value: str) -> bool:
    """A password with odd characters in a URL: not a port and a path."""
    head = value.split("/", 1)[0]
    return not is_placeholder(value) and not head.isdigit() and "://" not in value


def parameter(value: str) -> bool:
    """A query parameter's value that is no plain word or number."""
    if is_placeholder(value) or value.isdigit():
        return False
    return any(char.isdigit() for char in value) or len(value) >= 20


def connection(value: str) -> bool:
    value = value.strip()
    return len(value) >= 3 and not is_placeholder(value) and not value.endswith(("(", "()"))


def pair(value: str) -> bool:
    """Beside a user's name: digits with letters, and a sign or both cases; no version, no file."""
    letters = [char for char in value if char.isalpha()]
    varied = any(not char.isalnum() for char in value) or len({c.isupper() for c in letters}) > 1
    return (
        not is_placeholder(value)
        and any(char.isdigit() for char in value)
        and len(letters) > 1
        and (varied or random(value))
        and "." not in value[-6:]
    )


def netrc(value: str) -> bool:
    return not is_placeholder(value)


def bearer(value: str) -> bool:
    return not is_placeholder(value) and (any(char.isdigit() for char in value) or len(value) >= 24)


def basic(value: str) -> bool:
    """Base64 of `user:password`."""
    from binascii import Error, a2b_base64

    try:
        text = a2b_base64(value.replace("-", "+").replace("_", "/") + "==").decode("utf-8")
    except (Error, ValueError):
        return False
    return ":" in text and text.isprintable() and len(text) >= 3


def pgpass(value: str) -> bool:
    return not is_placeholder(value) and any(char.isdigit() for char in value)


def ssws(value: str) -> bool:
    """Okta tokens begin with 00 and mix cases and digits."""
    return mixed(value) and value.lower() != value and value.upper() != value


def plausible(value: str) -> bool:
    """Random enough to be no identifier: digits, or both cases, in its longest part."""
    body = max(value.replace("-", "_").split("_"), key=len)
    return any(char.isdigit() for char in body) or (body.lower() != body != body.upper())


def verhoeff(value: str) -> bool:
    """The check digit of Aadhaar numbers."""
    check = 0
    digits = [int(char) for char in value if char.isdigit()]
    for place, digit in enumerate(reversed(digits)):
        check = _D[check][_P[place % 8][digit]]
    return check == 0 and len(digits) == 12


def _dihedral() -> tuple[list[list[int]], list[list[int]]]:
    table = [[_product(a, b) for b in range(10)] for a in range(10)]
    permutation = [list(range(10)), [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]]
    for _ in range(6):
        permutation.append([permutation[-1][digit] for digit in permutation[1]])
    return table, permutation


def _product(a: int, b: int) -> int:
    if a < 5:
        return (a + b) % 5 if b < 5 else 5 + (a + b - 5) % 5
    return 5 + (a - 5 - b) % 5 if b < 5 else (a - b) % 5


_D, _P = _dihedral()


def cpf(value: str) -> bool:
    """The two check digits of Brazilian CPF numbers."""
    digits = [int(char) for char in value if char.isdigit()]
    if len(set(digits)) == 1:
        return False
    for size in (9, 10):
        total = sum(digit * (size + 1 - i) for i, digit in enumerate(digits[:size]))
        if total * 10 % 11 % 10 != digits[size]:
            return False
    return True


def dni(value: str) -> bool:
    """The check letter of Spanish identity cards."""
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(value[:8]) % 23] == value[8]


def nir(value: str) -> bool:
    """The key of French social security numbers: 97 minus the number modulo 97."""
    text = "".join(value.split()).replace("2A", "19").replace("2B", "18")
    return 97 - int(text[:13]) % 97 == int(text[13:])


CHECKS: dict[str, Callable[[str], bool]] = {
    "luhn": luhn,
    "mixed": mixed,
    "entropy": random,
    "word": not_mask,
    "phone": phone,
    "jwt": jwt,
    "ssn": ssn,
    "userinfo": userinfo,
    "parameter": parameter,
    "connection": connection,
    "netrc": netrc,
    "pair": pair,
    "bearer": bearer,
    "basic": basic,
    "pgpass": pgpass,
    "ssws": ssws,
    "plausible": plausible,
    "verhoeff": verhoeff,
    "cpf": cpf,
    "dni": dni,
    "nir": nir,
}
