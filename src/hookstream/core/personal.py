"""Kinds of personal data: which rules of redaction each is, and which are on by default.

The setting `personal`, the option `--personal` and `hookstream.redact(personal=...)` name kinds or
single rules: `email, card`, `all`, `none`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# A person's identity number of a state or its insurance: `<country>-<number>`, `-said` if the
# number counts only after words that name it.
_NATIONAL = (
    "us-ssn us-ssn-said us-itin us-itin-said uk-nino uk-nino-said uk-nhs "
    "fr-nir de-steuer-id es-dni es-dni-said "
    "es-nie es-nie-said it-codice-fiscale nl-bsn be-rrn pt-nif ie-pps at-svnr ch-ahv pl-pesel "
    "cz-rodne-cislo ro-cnp bg-egn hr-oib lt-asmens-kodas se-personnummer no-fodselsnummer dk-cpr "
    "fi-hetu tr-tckn il-id br-cpf br-cpf-said cl-rut mx-curp ca-sin in-aadhaar in-aadhaar-said "
    "in-pan cn-ric kr-rrn jp-my-number hk-hkid sg-nric th-id au-tfn za-id"
)
KINDS: dict[str, frozenset[str]] = {
    "email": frozenset(("email", "email-spelt")),
    "phone": frozenset(("phone", "phone-us", "phone-said", "phone-url")),
    "card": frozenset(("payment-card", "payment-card-amex", "payment-card-said")),
    "iban": frozenset(("iban", "iban-said")),
    "national-id": frozenset(_NATIONAL.split()),
    "private-ip": frozenset(("private-ip",)),
}
DEFAULT = ("email", "phone", "card", "iban", "national-id")
# Data that identifies a person, and opens nothing.
PERSONAL = frozenset().union(*KINDS.values())
ALL, NONE = "all", "none"


def words_of(value: Sequence[str]) -> list[str]:
    """The words of a list, or of a text with commas between them."""
    words = value.split(",") if isinstance(value, str) else value
    return [word.strip().lower() for word in words if word.strip()]


def unknown(value: Any) -> list[str]:
    """The words that name neither a kind nor a rule; `[""]` for neither a text nor a list."""
    is_list = type(value) in (list, tuple) and all(type(word) is str for word in value)
    if type(value) is not str and not is_list:
        return [""]
    words = (*KINDS, ALL, NONE, *PERSONAL)
    return [word for word in words_of(value) if word not in words]


def rules_of(value: Sequence[str]) -> frozenset[str]:
    """The ids of the rules that the words name. Raises ValueError for an unknown word."""
    wrong = unknown(value)
    if wrong:
        raise ValueError(f"{wrong[0]}: not a kind of personal data ({', '.join(KINDS)}, all, none)")
    rules: set[str] = set()
    for word in words_of(value):
        if word == ALL:
            rules |= PERSONAL
        elif word != NONE:
            rules |= KINDS.get(word, {word})
    return frozenset(rules)
