"""Check digits, dates and ranges of national identity numbers; separators do not count.

Each check takes the number as it is written and answers whether the state could have issued it.
"""

from __future__ import annotations

from hookstream.redaction.checkdigits import is_luhn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ALNUM = "0123456789" + _LETTERS


def _plain(value: str) -> str:
    return "".join(char for char in value.upper() if char.isalnum())


def _digits(value: str) -> list[int]:
    return [int(char) for char in value if char.isdigit()]


def _sum(digits: list[int], weights: tuple[int, ...]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=False))


def _is_date(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _varied(digits: list[int]) -> bool:
    return len(set(digits)) > 1


def _luhn(digits: list[int]) -> bool:
    return is_luhn(digits) and _varied(digits)


def _mod_11_10(digits: list[int]) -> bool:
    """ISO/IEC 7064, MOD 11,10."""
    product = 10
    for digit in digits[:-1]:
        total = (digit + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == digits[-1]


def ssn(value: str) -> bool:
    """US: no area 000, 666 or 9xx, no group 00, no serial 0000."""
    text = _plain(value)
    area, group, serial = text[:3], text[3:5], text[5:]
    is_issued = area not in ("000", "666") and area[:1] != "9"
    return is_issued and group != "00" and serial != "0000" and _varied(_digits(value))


def itin(value: str) -> bool:
    """US taxpayer numbers: 9xx with a group that is issued."""
    group = int(_plain(value)[3:5])
    return 50 <= group <= 65 or 70 <= group <= 88 or 90 <= group <= 92 or 94 <= group <= 99


def nino(value: str) -> bool:
    """UK national insurance: prefixes that are not given out."""
    return _plain(value)[:2] not in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ")


def nhs(value: str) -> bool:
    """UK health service: weights 10 to 2 modulo 11."""
    digits = _digits(value)
    check = (11 - _sum(digits, (10, 9, 8, 7, 6, 5, 4, 3, 2)) % 11) % 11
    return check == digits[9] and _varied(digits)


def nir(value: str) -> bool:
    """France: 97 minus the number modulo 97; 2A and 2B are Corsica."""
    text = _plain(value).replace("2A", "19").replace("2B", "18")
    return len(text) == 15 and text.isdigit() and 97 - int(text[:13]) % 97 == int(text[13:])


def steuer_id(value: str) -> bool:
    """Germany: MOD 11,10, and of the first ten digits one alone occurs twice or three times."""
    digits = _digits(value)
    counts = sorted(digits[:10].count(digit) for digit in set(digits[:10]))
    repeats = [count for count in counts if count > 1]
    return digits[0] != 0 and repeats in ([2], [3]) and _mod_11_10(digits)


def dni(value: str) -> bool:
    """Spain: the letter is the number modulo 23; of foreigners X, Y, Z mean 0, 1, 2."""
    text = _plain(value)
    number = {"X": "0", "Y": "1", "Z": "2"}.get(text[0], text[0]) + text[1:-1]
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == text[-1]


_ODD = (
    1,
    0,
    5,
    7,
    9,
    13,
    15,
    17,
    19,
    21,
    2,
    4,
    18,
    20,
    11,
    3,
    6,
    8,
    12,
    14,
    16,
    10,
    22,
    25,
    24,
    23,
)


def codice_fiscale(value: str) -> bool:
    """Italy: odd places by a table, even ones as they are, modulo 26."""
    text = _plain(value)
    places = [int(char) if char.isdigit() else _LETTERS.index(char) for char in text[:15]]
    total = sum(letter if at % 2 else _ODD[letter] for at, letter in enumerate(places))
    return _LETTERS[total % 26] == text[15]


def bsn(value: str) -> bool:
    """The Netherlands: weights 9 to 2 and -1 modulo 11."""
    digits = _digits(value)
    return _varied(digits) and _sum(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def be_rrn(value: str) -> bool:
    """Belgium: 97 minus the number modulo 97, with a 2 before it for who was born from 2000 on."""
    text = _plain(value)
    number, check = text[:9], int(text[9:])
    return check in (97 - int(number) % 97, 97 - int("2" + number) % 97)


def pt_nif(value: str) -> bool:
    """Portugal: weights 9 to 2 modulo 11."""
    digits = _digits(value)
    return (11 - _sum(digits, (9, 8, 7, 6, 5, 4, 3, 2)) % 11) % 11 % 10 == digits[8]


def ie_pps(value: str) -> bool:
    """Ireland: weights 8 to 2, and 9 for a second letter, modulo 23."""
    text = _plain(value)
    total = _sum(_digits(text[:7]), (8, 7, 6, 5, 4, 3, 2))
    if len(text) > 8 and text[8] != "W":
        total += 9 * (_LETTERS.index(text[8]) + 1)
    return "WABCDEFGHIJKLMNOPQRSTUV"[total % 23] == text[7]


def at_svnr(value: str) -> bool:
    """Austria: the fourth digit from the others modulo 11; a date at the end."""
    digits = _digits(value)
    total = _sum(digits, (3, 7, 9, 0, 5, 8, 4, 2, 1, 6))
    return digits[0] != 0 and total % 11 == digits[3] and 1 <= int(_plain(value)[4:6]) <= 31


def ch_ahv(value: str) -> bool:
    """Switzerland: the check digit of EAN-13."""
    digits = _digits(value)
    return (10 - _sum(digits, (1, 3) * 6) % 10) % 10 == digits[12]


def pesel(value: str) -> bool:
    """Poland: weights 1 3 7 9; the month gives the century."""
    digits = _digits(value)
    text = _plain(value)
    is_right = (10 - _sum(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10) % 10 == digits[10]
    return is_right and _is_date(int(text[2:4]) % 20, int(text[4:6]))


def rodne_cislo(value: str) -> bool:
    """Czechia and Slovakia: divisible by 11, or its first nine digits leave 10."""
    text = _plain(value)
    month = int(text[2:4]) % 50
    is_right = int(text) % 11 == 0 or (int(text[:9]) % 11 == 10 and text[9] == "0")
    return is_right and _is_date(month % 20 if month > 20 else month, int(text[4:6]))


def cnp(value: str) -> bool:
    """Romania: weights 2 7 9 1 4 6 3 5 8 2 7 9 modulo 11."""
    digits = _digits(value)
    check = _sum(digits, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    text = _plain(value)
    return min(check, 10) % 10 + (check == 10) == digits[12] and _is_date(
        int(text[3:5]), int(text[5:7])
    )


def egn(value: str) -> bool:
    """Bulgaria: weights 2 4 8 5 10 9 7 3 6 modulo 11; the month gives the century."""
    digits = _digits(value)
    text = _plain(value)
    is_right = _sum(digits, (2, 4, 8, 5, 10, 9, 7, 3, 6)) % 11 % 10 == digits[9]
    return is_right and _is_date(int(text[2:4]) % 20, int(text[4:6]))


def oib(value: str) -> bool:
    """Croatia: MOD 11,10."""
    digits = _digits(value)
    return _varied(digits) and _mod_11_10(digits)


def asmens_kodas(value: str) -> bool:
    """Lithuania and Estonia: weights 1 to 9 and 1, else 3 to 9 and 1 to 3, modulo 11."""
    digits = _digits(value)
    text = _plain(value)
    check = _sum(digits, (1, 2, 3, 4, 5, 6, 7, 8, 9, 1)) % 11
    if check == 10:
        check = _sum(digits, (3, 4, 5, 6, 7, 8, 9, 1, 2, 3)) % 11 % 10
    return check == digits[10] and _is_date(int(text[3:5]), int(text[5:7]))


def personnummer(value: str) -> bool:
    """Sweden: the check digit of Luhn; 60 is added to the day of who has another number."""
    text = _plain(value)[-10:]
    return _luhn(_digits(text)) and _is_date(int(text[2:4]), int(text[4:6]) % 60)


def fodselsnummer(value: str) -> bool:
    """Norway: two check digits modulo 11."""
    digits = _digits(value)
    text = _plain(value)
    first = (11 - _sum(digits, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11) % 11
    second = (11 - _sum(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 11
    is_date = _is_date(int(text[2:4]) % 40, int(text[:2]) % 40)
    return is_date and [first, second] == digits[9:]


def cpr(value: str) -> bool:
    """Denmark: a date; numbers since 2007 have no check digit."""
    text = _plain(value)
    return _is_date(int(text[2:4]), int(text[:2]))


def hetu(value: str) -> bool:
    """Finland: a date, and the number modulo 31."""
    text = _plain(value)
    number = text[:6] + text[-4:-1]
    is_right = number.isdigit() and "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(number) % 31] == text[-1]
    return is_right and _is_date(int(text[2:4]), int(text[:2]))


def tckn(value: str) -> bool:
    """Turkey: two check digits over odd and even places."""
    digits = _digits(value)
    tenth = (sum(digits[0:9:2]) * 7 - sum(digits[1:8:2])) % 10
    return digits[0] != 0 and [tenth, sum(digits[:10]) % 10] == digits[9:]


def luhn(value: str) -> bool:
    """The check digit of Luhn, not one digit repeated: Canada, Israel."""
    return _luhn(_digits(value))


def cpf(value: str) -> bool:
    """Brazil: two check digits modulo 11."""
    digits = _digits(value)
    for size in (9, 10):
        total = sum(digit * (size + 1 - at) for at, digit in enumerate(digits[:size]))
        if total * 10 % 11 % 10 != digits[size]:
            return False
    return _varied(digits)


def rut(value: str) -> bool:
    """Chile: weights 2 to 7 from the right modulo 11, K for 10."""
    text = _plain(value)
    total = sum(int(char) * (2 + at % 6) for at, char in enumerate(reversed(text[:-1])))
    return "0123456789K"[(11 - total % 11) % 11] == text[-1]


def curp(value: str) -> bool:
    """Mexico: places in an alphabet with the letter after N, weights 18 to 2."""
    text = _plain(value)
    alphabet = "0123456789ABCDEFGHIJKLMN\u00d1OPQRSTUVWXYZ"
    total = sum(alphabet.index(char) * (18 - at) for at, char in enumerate(text[:17]))
    return str(-total % 10) == text[17] and _is_date(int(text[6:8]), int(text[8:10]))


def aadhaar(value: str) -> bool:
    """India: the check digit of Verhoeff."""
    check = 0
    digits = _digits(value)
    for position, digit in enumerate(reversed(digits)):
        check = _D[check][_P[position % 8][digit]]
    return check == 0 and len(digits) == 12


def _product(a: int, b: int) -> int:
    if a < 5:
        return (a + b) % 5 if b < 5 else 5 + (a + b - 5) % 5
    return 5 + (a - 5 - b) % 5 if b < 5 else (a - b) % 5


_D = [[_product(a, b) for b in range(10)] for a in range(10)]
_P = [list(range(10)), [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]]
for _ in range(6):
    _P.append([_P[-1][digit] for digit in _P[1]])


def cn_ric(value: str) -> bool:
    """China: MOD 11-2 over 18 places with a date."""
    text = _plain(value)
    total = sum(int(char) * pow(2, 17 - at, 11) for at, char in enumerate(text[:17]))
    return "10X98765432"[total % 11] == text[17] and _is_date(int(text[10:12]), int(text[12:14]))


def rrn(value: str) -> bool:
    """South Korea: weights 2 to 9 and 2 to 5 modulo 11."""
    digits = _digits(value)
    text = _plain(value)
    check = (11 - _sum(digits, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10
    return check == digits[12] and _is_date(int(text[2:4]), int(text[4:6]))


def my_number(value: str) -> bool:
    """Japan: weights 6 to 2 and 7 to 2 modulo 11."""
    digits = _digits(value)
    rest = _sum(digits, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return (0 if rest < 2 else 11 - rest) == digits[11] and _varied(digits)


def hkid(value: str) -> bool:
    """Hong Kong: weights 9 to 1 modulo 11, a blank counts 36."""
    text = _plain(value).rjust(9)
    places = [36 if char == " " else _ALNUM.index(char) for char in text]
    return sum(digit * (9 - at) for at, digit in enumerate(places)) % 11 == 0


def nric(value: str) -> bool:
    """Singapore: weights 2 7 6 5 4 3 2 modulo 11, a letter by the century."""
    text = _plain(value)
    total = _sum(_digits(text[1:8]), (2, 7, 6, 5, 4, 3, 2))
    total += {"T": 4, "G": 4, "M": 3}.get(text[0], 0)
    letters = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "M": "XWUTRQPNJLK"}
    return letters.get(text[0], "XWUTRQPNMLK")[total % 11] == text[8]


def thai_id(value: str) -> bool:
    """Thailand: weights 13 to 2 modulo 11."""
    digits = _digits(value)
    total = _sum(digits, (13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2))
    return (11 - total % 11) % 10 == digits[12] and _varied(digits)


def tfn(value: str) -> bool:
    """Australia: weights 1 4 3 7 5 8 6 9 10 modulo 11."""
    digits = _digits(value)
    return _varied(digits) and _sum(digits, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def za_id(value: str) -> bool:
    """South Africa: a date, and the check digit of Luhn."""
    text = _plain(value)
    return _luhn(_digits(text)) and _is_date(int(text[2:4]), int(text[4:6]))


CHECKS: dict[str, Callable[[str], bool]] = {
    "aadhaar": aadhaar,
    "asmens-kodas": asmens_kodas,
    "at-svnr": at_svnr,
    "be-rrn": be_rrn,
    "bsn": bsn,
    "ch-ahv": ch_ahv,
    "cn-ric": cn_ric,
    "cnp": cnp,
    "codice-fiscale": codice_fiscale,
    "cpf": cpf,
    "cpr": cpr,
    "curp": curp,
    "dni": dni,
    "egn": egn,
    "fodselsnummer": fodselsnummer,
    "hetu": hetu,
    "hkid": hkid,
    "ie-pps": ie_pps,
    "itin": itin,
    "luhn": luhn,
    "my-number": my_number,
    "nhs": nhs,
    "nino": nino,
    "nir": nir,
    "nric": nric,
    "oib": oib,
    "personnummer": personnummer,
    "pesel": pesel,
    "pt-nif": pt_nif,
    "rodne-cislo": rodne_cislo,
    "rrn": rrn,
    "rut": rut,
    "ssn": ssn,
    "steuer-id": steuer_id,
    "tckn": tckn,
    "tfn": tfn,
    "thai-id": thai_id,
    "za-id": za_id,
}
