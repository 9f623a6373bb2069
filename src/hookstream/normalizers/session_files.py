"""The client that keeps a payload's session file, by the folder that it is in."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A part of a session file's place, in lower case -> the client that keeps it there.
FOLDERS = {
    "/.codex/": "codex",
    "/.copilot/": "copilot",
    "/session-state/": "copilot",
    "copilot-chat": "copilot",
    "/.gemini/": "gemini-cli",
    "/.qwen/": "qwen-code",
    "/.claude/": "claude-code",
}


def keeper(payload: dict[str, Any]) -> str | None:
    """The client in whose folder the payload's session file is; None without a file, for one in
    another place, and where the place names two."""
    path = payload.get("transcript_path")
    if type(path) is not str:
        return None
    place = path.replace("\\", "/").lower()
    found = {key for part, key in FOLDERS.items() if part in place}
    if place.rpartition("/")[2].startswith("rollout-"):
        found.add("codex")
    return found.pop() if len(found) == 1 else None
