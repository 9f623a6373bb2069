"""Trust in a sum of costs, and its reason in words.

exact        the client's own figure, or each answer's tokens as its client counted them
approximate  a few of the client's calls may be in no record, or the sum is a difference
partial      some of the cost is known to be missing
unknown      no price
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from hookstream.core.clients import VENDORS, WITHOUT_HOOKS
from hookstream.normalizers.client import client_of

if TYPE_CHECKING:
    from hookstream.queries.prices import Prices

    Row = dict[str, Any]
    Reasons = Counter[tuple[str, str]]

EXACT, APPROXIMATE, PARTIAL, UNKNOWN = LEVELS = ("exact", "approximate", "partial", "unknown")
# Reasons that one cell names.
NAMED = 3


def reason_of(row: Row, cost: float | None, prices: Prices) -> tuple[str, str]:
    """The trust in the cost of one row of answers, and its reason."""
    if cost is None:
        at_speed = f" at speed {row['speed']}" if row["speed"] else ""
        is_named = row["model"] != "unknown"
        return UNKNOWN, f"no price for {row['model']}{at_speed}" if is_named else "no model named"
    if row["counted"] == "sub-agents":
        return PARTIAL, "only the tokens of sub-agents are reported"
    if row["lacks_tokens"] and not row["said"]:
        return PARTIAL, "input or output tokens are not reported"
    if row["is_cut"]:
        return PARTIAL, "the first events of a session are missing"
    if row["counted"] == "session totals":
        return APPROXIMATE, "the client's totals of sessions, not of answers"
    if row["counted"] == "side calls":
        return APPROXIMATE, "the client's running total less its answers"
    level, calls = _uncounted(row["tool"])
    if calls:
        amount = "no record has" if level == PARTIAL else "a record may lack"
        return level, f"{amount} {calls}"
    if row["said"]:
        return EXACT, "the client's own figure"
    return EXACT, f"tokens of each answer; {prices.origin(row['model'])}"


def summary_of(reasons: Reasons) -> tuple[str, str]:
    """The trust in a sum, and its reason: the lowest of its parts. A sum of which only some has a
    price is partial."""
    levels = {level for level, _ in reasons}
    worst = max(levels, key=LEVELS.index)
    whys = [why for (level, why), _ in reasons.most_common() if level == worst]
    text = "; ".join(whys[:NAMED]) + (f"; {len(whys) - NAMED} more" if len(whys) > NAMED else "")
    if worst == UNKNOWN and len(levels) > 1:
        lost = sum(number for (level, _), number in reasons.items() if level == UNKNOWN)
        return PARTIAL, f"{lost} of {reasons.total()} answers: {text}"
    return worst, text


def _uncounted(tool: str) -> tuple[str, str]:
    """The model calls of a client that are in no record, and what that makes of a sum."""
    is_client = tool in VENDORS or tool in WITHOUT_HOOKS
    return client_of(tool).uncounted if is_client else ("", "")
