"""Personal data: addresses, numbers of people, accounts and cards. National ids behind a switch."""

# ruff: noqa: E501 (a pattern or an example stays on one line)
from __future__ import annotations

from hookstream.redaction.rules.rule import Rule

RULES = (
    Rule(
        "email",
        r"(?i)@[a-z0-9](?:[a-z0-9-]{0,62}\.){1,4}[a-z]{2,24}\b",
        ("@",),
        "RFC 5322 as people write it",
        ("write to bob.smith" + "@example.com now", "a" + "@b.co"),
        ("git@github.com:x/y", "npm i @scope/pkg@1.2.3", "icon@2x.png"),
        reads="email",
    ),
    Rule(
        "phone",
        r"\+[1-9][0-9]{0,3}[ .-]?\(?[0-9]{1,4}\)?(?:[ .-]?[0-9]{2,4}){2,4}\b",
        ("+",),
        "ITU-T E.164",
        ("call +49 30 " + "1234 5678", "+1-555-" + "013-4477"),
        ("@@ -1,7 +1,7 @@", "+12 lines", "1+1=2", "2.4+20151223.git", "h+461832192", "+2147483647"),
        reads="phone",
    ),
    Rule(
        "phone-us",
        r"(?:\([2-9][0-9]{2}\)[ ]?[0-9]{3}[ -][0-9]{4}\b|\b[2-9][0-9]{2}-[0-9]{3}-[0-9]{4}\b)",
        ("-",),
        "North American Numbering Plan",
        ("(555) " + "234-5678", "call 555-" + "234-5678"),
        ("2026-11-21", "123-456-7890", "3465-872-860-1285-1272"),
        reads="phone",
    ),
    Rule(
        "phone-said",
        r"(?i)\b(?:tel|telephone|phone|mobile|cell|fax|whatsapp)(?:[ _-]?(?:number|no\.?))?"
        r"\\{0,3}[\"']?[ ]?[:=.]?[ ]{0,2}(?:is )?\\{0,3}[\"']?([0-9+(][0-9 ()./-]{6,18}[0-9])\b",
        ("tel", "phone", "mobile", "cell", "fax", "whatsapp"),
        "national forms, known by the word before them",
        ("Tel: 020 " + "7946 0958", '"phone_number": "' + "5551" + '234567"'),
        ("phone: none", "cell 12", "mobile first 2026", "Mobile: 2026-11-21 10"),
        reads="phone",
    ),
    Rule(
        "payment-card",
        r"\b(?:4[0-9]{3}|5[1-5][0-9]{2}|2(?:2(?:2[1-9]|[3-9][0-9])|[3-6][0-9]{2}|7[01][0-9]|720)"
        r"|6(?:011|5[0-9]{2}|4[4-9][0-9])|35(?:2[89]|[3-8][0-9]))(?:[ -]?[0-9]{4}){3}(?:[ -][0-9]{3})?\b",
        ("2", "3", "4", "5", "6"),
        "ISO/IEC 7812",
        ("card 4111 1111 " + "1111 1111", "5555555555" + "554444"),
        (
            "4111 1111 1111 1112",
            "4000123412341234000",
            "0.4111" + "111111111111",
            "/posts/4111" + "111111111111/a",
        ),
        reads="card",
        starts=("2", "3", "4", "5", "6"),
    ),
    Rule(
        "payment-card-amex",
        r"\b3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}\b",
        ("34", "37"),
        "ISO/IEC 7812",
        ("3782 822463 " + "10005",),
        ("3782 822463 10006", "0.3782" + "82246310005"),
        reads="card",
        starts=("34", "37"),
    ),
    Rule(
        "iban",
        r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b",
        ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
        "ISO 13616",
        ("DE89 3704 0044 " + "0532 0130 00", "GB29NWBK6016" + "1331926819"),
        ("DE00 3704 0044 0532 0130 00", "FR12ABCD"),
        reads="iban",
    ),
)

NATIONAL = (
    Rule(
        "us-ssn",
        r"\b[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}\b",
        ("-",),
        "https://www.ssa.gov/employer/randomization.html",
        ("ssn 078-05-" + "1120",),
        ("000-12-3456", "2026-11-21"),
        validate="ssn",
    ),
    Rule(
        "uk-nino",
        r"\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ ]?[0-9]{2}[ ]?[0-9]{2}[ ]?[0-9]{2}[ ]?[A-D]\b",
        ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
        "https://www.gov.uk/hmrc-internal-manuals/national-insurance-manual/nim39110",
        ("QQ is none; AB 12 34 " + "56 C",),
        ("DQ123456A",),
    ),
    Rule(
        "fr-nir",
        r"\b[12][ ]?[0-9]{2}[ ]?(?:0[1-9]|1[0-2])[ ]?(?:[0-9]{2}|2[AB])[ ]?[0-9]{3}[ ]?[0-9]{3}[ ]?[0-9]{2}\b",
        ("1", "2"),
        "https://www.service-public.fr/",
        ("1 84 12 76 451 089 " + "46",),
        ("1 84 13 76 451 089 46",),
        validate="nir",
    ),
    Rule(
        "in-aadhaar",
        r"\b[2-9][0-9]{3} [0-9]{4} [0-9]{4}\b",
        (" ",),
        "https://uidai.gov.in/",
        ("2341 2341 " + "2346",),
        ("1234 1234 1234", "2341 2341 2341"),
        validate="verhoeff",
    ),
    Rule(
        "br-cpf",
        r"\b[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}\b",
        ("-",),
        "https://www.gov.br/receitafederal/",
        ("529.982.247-" + "25",),
        ("529.982.247-26",),
        validate="cpf",
    ),
    Rule(
        "es-dni",
        r"\b[0-9]{8}[A-HJ-NP-TV-Z]\b",
        ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
        "https://www.interior.gob.es/",
        ("12345678" + "Z",),
        ("12345678A",),
        validate="dni",
    ),
)

PERSONAL = frozenset(rule.id for rule in (*RULES, *NATIONAL))
