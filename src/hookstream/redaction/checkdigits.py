"""Check digits and number ranges of cards, accounts and phones."""

from __future__ import annotations


def luhn(value: str) -> bool:
    """Payment card numbers: 13 to 19 digits whose check digit is right, not one digit repeated."""
    digits = [int(char) for char in value if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) < 2:
        return False
    return is_luhn(digits)


def is_luhn(digits: list[int]) -> bool:
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


_BETWEEN = dict.fromkeys(map(ord, " .-"))  # the groups of a number


def iban(value: str) -> bool:
    """ISO 13616: the country's length and the remainder 1 modulo 97."""
    text = value.translate(_BETWEEN).upper()
    if len(text) != IBAN_LENGTHS.get(text[:2]) or not text.isalnum() or not text.isascii():
        return False
    moved = text[4:] + text[:4]
    return int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


# Of phone numbers, loaded when needed: a hook seldom does.
_phones: dict[str, tuple[int, int]] = {}


def _phone_lengths() -> dict[str, tuple[int, int]]:
    """Digits after a country's code: of its shortest and its longest number (ITU-T E.164)."""
    if not _phones:
        for item in (
            "10-10:1,52,58,225,229 10-11:54 10-12:30 10-13:90 10-14:7,234 12-12:878 4-11:352 "
            "4-13:43 4-5:290 4-7:683,690 5-10:358,685 5-12:971 5-14:82 5-15:49 "
            "5-5:247,500,682 5-7:676,677,678,688 5-8:686 5-9:27 6-10:53,95,98,880 6-11:375 "
            "6-12:39,359,381 6-13:63,598 6-6:298,299,672,687 6-7:597 6-8:386 "
            "6-9:40,46,252,376,421,508,681 7-10:44,48,61,230,243,254,263,267,353,372,960 "
            "7-11:31,501,503,507,595,679,974 7-12:86,882,972 7-17:62 "
            "7-7:238,239,246,248,269,291,297,592,673,674,680,691,692 "
            "7-8:241,599,670,675,853,961,965,975 7-9:220,231,245,265,354,355,385,423,967,968 "
            "8-10:20,60,64,84,378,506,850,855,856,964,970,976 "
            "8-11:57,65,92,502,504,593,886,977 8-12:383,883 8-13:66,91 8-17:81 "
            "8-8:45,47,216,222,223,226,227,228,232,235,236,253,257,266 "
            "8-8:268,350,356,357,370,371,373,374,389,505,509,800,973,993 "
            "8-9:32,36,51,213,224,233,237,250,258,264,377,382,387,591,689,852,962,963 "
            "9-10:380,881,966,996 9-11:55,56 9-12:870 "
            "9-9:33,34,41,93,94,211,212,218,221,240,242,244,249,251 "
            "9-9:255,256,260,261,262,351,420,590,594,596,992,994,995,998 "
        ).split():
            sizes, _, codes = item.partition(":")
            least, _, most = sizes.partition("-")
            _phones.update(dict.fromkeys(codes.split(","), (int(least), int(most))))
    return _phones


def phone(value: str) -> bool:
    """7 to 15 digits, not all the same; after `+` those of a country (E.164).

    Without blanks or dashes a sum can look the same, so there the country's lengths decide.
    """
    digits = "".join(char for char in value if char.isdigit())
    if not 8 <= len(digits) <= 15 or len(set(digits)) < 3:
        return False
    if value[0] != "+":
        return True
    lengths = _phone_lengths()
    code = next((digits[:n] for n in (1, 2, 3) if digits[:n] in lengths), "")
    if code in ("1", "7"):
        return len(digits) == 11 and (code == "7" or digits[1] > "1")
    least, most = lengths.get(code, (99, 0))
    return bool(code) and (value[1:] != digits or least <= len(digits) - len(code) <= most)
