"""What each client needs from a hook that only observes, and how long it may take.

Sources: the vendors' hook documentation and trials with the clients; the reason stands beside
each row. Whatever happens the exit status is 0 and stderr stays empty: Gemini and Qwen read stderr
as the answer where stdout is empty, and Copilot denies a tool call on any other status.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NOTHING = b""
ANSWERS = {
    "claude-code": NOTHING,  # text goes into the model's context on SessionStart and prompts
    "codex": NOTHING,  # a closed schema: stray keys fail the hook run
    "copilot": NOTHING,
    "gemini-cli": NOTHING,
    "kiro": NOTHING,  # text goes into the context on agentSpawn and userPromptSubmit
    "qwen-code": NOTHING,
    "windsurf": NOTHING,
    "cursor": b"{}",  # no text counts as a failed hook; other text blocks the action
    "cline": b'{"cancel": false}',  # no JSON is logged as a warning
}

# Until then an event is taken in full; then in a hurry, for a quarter of that again at most.
BUDGET_MS = 3600
# (vendor, event) whose hooks the client gives less: Codex one second, Claude Code 1.5 seconds
# shared by all of the session's end hooks.
BUDGETS_MS = {
    ("codex", "SessionEnd"): 640,
    ("codex", "Interrupt"): 640,
    ("claude-code", "SessionEnd"): 900,
}


def client_of(payload: dict[str, Any] | None, named: str | None) -> str | None:
    """Who waits for the answer. A client that loads another's registration shows in its payload,
    and `{}` is harmless to every client."""
    if payload is not None:
        if "cursor_version" in payload:
            return "cursor"
        if "clineVersion" in payload:
            return "cline"
    return named


def answer(client: str | None) -> bytes:
    """The bytes for standard output."""
    return ANSWERS.get(client or "", NOTHING)


def budget_ms(vendor: str | None, event: str | None, configured: int | None) -> int:
    """Milliseconds the hook may take before it hurries."""
    wanted = configured or BUDGET_MS
    return min(wanted, BUDGETS_MS.get((vendor or "", event or ""), wanted))


def say(data: bytes) -> None:
    """Writes the answer to standard output, by another system call where one fails."""
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
