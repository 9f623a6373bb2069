"""What each client needs from a hook that only observes, and how long it may take.

Sources: the vendors' hook documentation and trials with the clients; the reason stands beside
each row. Whatever happens the exit status is 0 and stderr stays empty: Gemini and Qwen read stderr
as the answer where stdout is empty, and Copilot denies a tool call on any other status.
"""

from __future__ import annotations

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

BUDGET_MS = 4000
# (vendor, event) whose hooks the client gives less: Codex one second, Claude Code 1.5 seconds
# shared by all of the session's end hooks.
BUDGETS_MS = {
    ("codex", "SessionEnd"): 800,
    ("codex", "Interrupt"): 800,
    ("claude-code", "SessionEnd"): 1200,
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
    """Milliseconds from start to exit, at most."""
    wanted = configured or BUDGET_MS
    return min(wanted, BUDGETS_MS.get((vendor or "", event or ""), wanted))
