"""Meaning of a policy hook's answer to the client that asked: the contract in the client's folder.

A hook answers by its exit status, its standard output, its standard error or a mix of them, and
every client reads that mix differently; what one takes for a deny another ignores
(normalizers/<client>/hook.py).
"""

from __future__ import annotations

from hookstream.capture.wrap import verdict_finders, verdict_readers
from hookstream.normalizers.hook_facts import hook_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.capture.wrap.verdict_readers import HookVerdict
    from hookstream.normalizers.hook_facts import Contract


def contract_of(vendor: str, dialect: str | None) -> Contract | None:
    """The contract of a vendor, of one dialect (or of another's configuration) if it has a separate
    one; None if hooks are not programs (plugins)."""
    facts = hook_facts(vendor)
    return facts.dialects.get(dialect or "") or facts.verdicts


def find(contract: Contract, text: str) -> dict[str, Any] | str | None:
    """The JSON object in a text, "garbage" for a broken one, or None."""
    if contract.finder is None:
        return None
    found: dict[str, Any] | str | None = getattr(verdict_finders, contract.finder)(text)
    return found


def read(contract: Contract, value: dict[str, Any], event: str) -> HookVerdict | None:
    """A JSON object as the client reads it; None for one that reads none."""
    if contract.reader is None:
        return None
    verdict: HookVerdict = getattr(verdict_readers, contract.reader)(value, event)
    return verdict
