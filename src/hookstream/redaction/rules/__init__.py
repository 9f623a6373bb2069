"""Every rule, in modules that are loaded when somebody asks for all of them: a hook asks for few.

`rules` gives those in force; what is personal and behind a switch stands in `pii`.
"""

from __future__ import annotations

from importlib import import_module

from hookstream.redaction.rules.rule import Rule

__all__ = ["MODULES", "Rule", "ids", "rules"]

# In the order in which ties are decided: formats, places, people, encodings.
MODULES = (
    *("keys", "cloud", "hosting", "services", "unmarked", "prefixes", "shapes", "nearby"),
    *("assigned", "flags", "addresses", "credentials", "sentences", "shell", "programs"),
    *("calls", "protocols", "logins", "places"),
    *("pii", "encoded"),
)


def of_module(name: str) -> tuple[Rule, ...]:
    """The rules of one module that always apply."""
    found: tuple[Rule, ...] = import_module(f"{__name__}.{name}").RULES
    return found


def rules(national_ids: bool = False) -> tuple[Rule, ...]:
    """The rules in force, in the order in which ties are decided."""
    always = tuple(rule for name in MODULES for rule in of_module(name))
    if not national_ids:
        return always
    from hookstream.redaction.rules.pii import NATIONAL

    return always + NATIONAL


def ids() -> frozenset[str]:
    """The names of all rules, and of the one that goes by a field's name alone."""
    return frozenset(rule.id for rule in rules(national_ids=True)) | {"secret-field"}
