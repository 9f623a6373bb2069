"""Readers take the value that stands at or after the place a rule found.

A reader gets the text and the match and gives the spans of secret values, often none. Each looks
at a bounded stretch and never goes back, so hostile text costs no more than any other.
"""

from __future__ import annotations

from hookstream.privacy.readers.assigned import assigned
from hookstream.privacy.readers.blocks import body, pem, putty
from hookstream.privacy.readers.commands import argument, called, flagged, option, stored
from hookstream.privacy.readers.handed import (
    beside,
    credential,
    dense,
    handed,
    inserted,
    last,
    result,
)
from hookstream.privacy.readers.near import near
from hookstream.privacy.readers.personal import card, email, iban, phone
from hookstream.privacy.readers.programs import chosen, default, listed, part, shown
from hookstream.privacy.readers.sentences import before, foreign, paired, prose, subject
from hookstream.privacy.readers.tables import (
    column,
    element,
    for_key,
    labelled,
    option_value,
    pairs,
    preceding,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from hookstream.privacy.readers.values import Spans

READERS: dict[str, Callable[[str, re.Match[str]], Spans]] = {
    "argument": argument,
    "assigned": assigned,
    "before": before,
    "beside": beside,
    "body": body,
    "called": called,
    "card": card,
    "chosen": chosen,
    "column": column,
    "credential": credential,
    "default": default,
    "dense": dense,
    "element": element,
    "email": email,
    "flagged": flagged,
    "for_key": for_key,
    "foreign": foreign,
    "handed": handed,
    "iban": iban,
    "inserted": inserted,
    "labelled": labelled,
    "last": last,
    "listed": listed,
    "near": near,
    "option": option,
    "option_value": option_value,
    "paired": paired,
    "pairs": pairs,
    "part": part,
    "pem": pem,
    "phone": phone,
    "preceding": preceding,
    "prose": prose,
    "putty": putty,
    "result": result,
    "shown": shown,
    "stored": stored,
    "subject": subject,
}
