"""Every rule: `<family>.toml` is the data, `compiled/<family>.py` its compiled form. Families are
loaded when a caller asks for all of them: a hook asks for few. Which kinds of personal data are
looked for is the scanner's matter (see `hookstream.core.personal`).
"""

from __future__ import annotations

from importlib import import_module

from hookstream.core.personal import PERSONAL
from hookstream.redaction.rules.rule import HIGH, LOW, Rule

__all__ = ["FAMILIES", "HIGH", "LOW", "PERSONAL", "Rule", "ids", "of_family", "rules"]

# In the order in which ties are decided: formats, places, people, encodings.
FAMILIES = (
    *"keys cloud hosting services unmarked prefixes shapes nearby".split(),
    *("assignments", "options", "addresses", "credentials", "prose", "shell", "programs"),
    *("calls", "protocols", "logins", "places"),
    *("personal", "encoded", "national"),
)

_loaded: dict[str, tuple[Rule, ...]] = {}


def of_family(name: str) -> tuple[Rule, ...]:
    """The rules of one family."""
    family_rules = _loaded.get(name)
    if family_rules is None:
        rows = import_module(f"{__name__}.compiled.{name}").ROWS
        family_rules = _loaded[name] = tuple([Rule(*row) for row in rows])
    return family_rules


def rules() -> tuple[Rule, ...]:
    """The rules, in the order in which ties are decided."""
    return tuple(rule for name in FAMILIES for rule in of_family(name))


def ids() -> frozenset[str]:
    """The names of all rules, and of the one that goes by a field's name alone."""
    return frozenset(rule.id for rule in rules()) | {"secret-field"}
