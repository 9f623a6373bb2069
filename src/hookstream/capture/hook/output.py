"""Answers and time limits of a hook that only observes.

The facts are in the client's folder (normalizers/<client>/hook.py). Whatever happens the exit
status is 0 and stderr stays empty: Gemini and Qwen read stderr as the answer if stdout is empty,
and Copilot denies a tool call on any other status.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.hook_facts import HookFacts

# Until then an event is taken in full; then in a hurry, for a quarter of that again at most.
BUDGET_MS = 3600


def facts_of(vendor: str | None) -> HookFacts:
    """The facts of a vendor; those of no vendor if they cannot be loaded."""
    from hookstream.normalizers.hook_facts import NO_FACTS

    return loaded_facts(vendor) or NO_FACTS


def loaded_facts(vendor: str | None) -> HookFacts | None:
    """The facts of a vendor; None if they cannot be loaded, whatever is broken."""
    try:
        from hookstream.normalizers.hook_facts import hook_facts

        return hook_facts(vendor)
    except Exception:
        return None


def client_of(payload: dict[str, Any] | None, named: str | None) -> str | None:
    """The client that waits for the answer; `{}` is harmless to every client."""
    try:
        from hookstream.normalizers.index import marked
    except Exception:
        return named
    keys = marked(payload or {})
    return keys[0] if len(keys) == 1 else named


def answer(client: str | None, event: str | None = None) -> bytes:
    """The bytes for standard output."""
    facts = loaded_facts(client)
    if facts is None:
        from hookstream.capture.hook.failures import last_words

        return last_words(client, event)
    return facts.answers.get(event or "", facts.answer)


def budget_ms(vendor: str | None, event: str | None, configured: int | None) -> int:
    """Milliseconds the hook may take before it hurries."""
    wanted = configured or BUDGET_MS
    facts = loaded_facts(vendor)
    return wanted if facts is None else min(wanted, facts.budgets_ms.get(event or "", wanted))


def say(data: bytes) -> None:
    """Write the answer to standard output, by another system call if the first fails."""
    if not data:
        return
    for write in (os.write, os.write, _writev):
        try:
            write(1, data)
            return
        except (BrokenPipeError, AttributeError):
            return
        except OSError:
            continue


def _writev(handle: int, data: bytes) -> int:
    return os.writev(handle, (data,))
