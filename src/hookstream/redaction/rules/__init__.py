"""Every rule: `<family>.toml` is the data, `compiled/<family>.py` what it comes to. Families are
loaded when somebody asks for all of them: a hook asks for few.

`rules` gives those in force; national identity numbers are behind a switch.
"""

from __future__ import annotations

from importlib import import_module

from hookstream.redaction.rules.rule import HIGH, LOW, Rule

__all__ = ["FAMILIES", "HIGH", "LOW", "PERSONAL", "Rule", "ids", "of_family", "rules"]

# In the order in which ties are decided: formats, places, people, encodings.
ALWAYS = (
    *("keys", "cloud", "hosting", "services", "unmarked", "prefixes", "shapes", "nearby"),
    *("assignments", "options", "addresses", "credentials", "prose", "shell", "programs"),
    *("calls", "protocols", "logins", "places"),
    *("personal", "encoded"),
)
NATIONAL = "national"
FAMILIES = (*ALWAYS, NATIONAL)

# What says who somebody is, and opens nothing. A test holds it to the families of these names.
PERSONAL = frozenset(
    "email phone phone-us phone-said payment-card payment-card-amex iban "
    "us-ssn uk-nino fr-nir in-aadhaar br-cpf es-dni".split()
)

_loaded: dict[str, tuple[Rule, ...]] = {}


def of_family(name: str) -> tuple[Rule, ...]:
    """The rules of one family."""
    found = _loaded.get(name)
    if found is None:
        rows = import_module(f"{__name__}.compiled.{name}").ROWS
        found = _loaded[name] = tuple([Rule(*row) for row in rows])
    return found


def rules(national_ids: bool = False) -> tuple[Rule, ...]:
    """The rules in force, in the order in which ties are decided."""
    families = FAMILIES if national_ids else ALWAYS
    return tuple(rule for name in families for rule in of_family(name))


def ids() -> frozenset[str]:
    """The names of all rules, and of the one that goes by a field's name alone."""
    return frozenset(rule.id for rule in rules(national_ids=True)) | {"secret-field"}
