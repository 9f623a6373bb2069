"""Attended sessions, by the marks that each client's `hook.py` declares.

A record of a session's edge or of a prompt carries the answer; where no mark is known it is
unknown, never guessed: a terminal or a variable that a hook inherits says nothing, as a run without
a person that an attended session starts has them too.
"""

from __future__ import annotations

from hookstream.normalizers.hook_facts import ENVIRONMENT
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.hook_facts import Marks

# The events that carry it.
TYPES = frozenset(("Session.Start", "Session.End", "Session.Abort", "Prompt.Submitted"))


def is_attended(
    marks: Marks, payload: dict[str, Any], env: dict[str, Any] | None = None
) -> bool | None:
    """Return whether a person attends, by the first mark that says so; None where none does."""
    for path, words in marks.items():
        is_variable = path.startswith(ENVIRONMENT)
        value = (
            (env or {}).get(path.removeprefix(ENVIRONMENT)) if is_variable else at(payload, path)
        )
        if value is None:
            continue
        if isinstance(words, bool):
            return words
        answer = words.get(value) if isinstance(value, str | bool) else None
        if answer is not None:
            return answer
    return None
