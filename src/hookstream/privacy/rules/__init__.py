"""Every rule: `ALL` always applies, `NATIONAL` where national ids are asked for."""

from __future__ import annotations

from hookstream.privacy.rules.accounts import RULES as ACCOUNTS
from hookstream.privacy.rules.addresses import RULES as ADDRESSES
from hookstream.privacy.rules.assigned import RULES as ASSIGNED
from hookstream.privacy.rules.calls import RULES as CALLS
from hookstream.privacy.rules.cloud import RULES as CLOUD
from hookstream.privacy.rules.credentials import RULES as CREDENTIALS
from hookstream.privacy.rules.daemons import RULES as DAEMONS
from hookstream.privacy.rules.dumps import RULES as DUMPS
from hookstream.privacy.rules.encoded import RULES as ENCODED
from hookstream.privacy.rules.flags import RULES as FLAGS
from hookstream.privacy.rules.given import RULES as GIVEN
from hookstream.privacy.rules.hosting import RULES as HOSTING
from hookstream.privacy.rules.keys import RULES as KEYS
from hookstream.privacy.rules.logins import RULES as LOGINS
from hookstream.privacy.rules.nearby import RULES as NEARBY
from hookstream.privacy.rules.options import RULES as OPTIONS
from hookstream.privacy.rules.pii import NATIONAL
from hookstream.privacy.rules.pii import RULES as PII
from hookstream.privacy.rules.places import RULES as PLACES
from hookstream.privacy.rules.prefixes import RULES as PREFIXES
from hookstream.privacy.rules.printed import RULES as PRINTED
from hookstream.privacy.rules.programs import RULES as PROGRAMS
from hookstream.privacy.rules.protocols import RULES as PROTOCOLS
from hookstream.privacy.rules.rule import Rule
from hookstream.privacy.rules.sentences import RULES as SENTENCES
from hookstream.privacy.rules.services import RULES as SERVICES
from hookstream.privacy.rules.shapes import RULES as SHAPES
from hookstream.privacy.rules.shell import RULES as SHELL
from hookstream.privacy.rules.shown import RULES as SHOWN
from hookstream.privacy.rules.sources import RULES as SOURCES

__all__ = ["ALL", "NATIONAL", "Rule", "ids", "rules"]

BY_FORMAT = KEYS + CLOUD + HOSTING + SERVICES + PREFIXES + SHAPES + NEARBY
BY_PLACE = (
    ASSIGNED
    + FLAGS
    + ADDRESSES
    + CREDENTIALS
    + SENTENCES
    + SHELL
    + PROGRAMS
    + CALLS
    + PROTOCOLS
    + LOGINS
    + PLACES
    + SHOWN
    + OPTIONS
    + DAEMONS
    + PRINTED
    + SOURCES
    + DUMPS
    + ACCOUNTS
    + GIVEN
)

ALL: tuple[Rule, ...] = BY_FORMAT + BY_PLACE + PII + ENCODED


def ids() -> frozenset[str]:
    """The names of all rules, and of the one that goes by a field's name alone."""
    return frozenset(rule.id for rule in ALL + NATIONAL) | {"secret-field"}


def rules(national_ids: bool = False) -> tuple[Rule, ...]:
    """The rules in force, in the order in which ties are decided."""
    return ALL + NATIONAL if national_ids else ALL
