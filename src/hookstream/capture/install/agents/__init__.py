"""The clients that install knows, in the order they are shown."""

from __future__ import annotations

from importlib import import_module

from hookstream.capture.install.agent import Agent

MODULES = {
    "claude-code": "claude_code",
    "cursor": "cursor",
    "gemini-cli": "gemini_cli",
    "codex": "codex",
    "copilot": "copilot",
    "windsurf": "windsurf",
    "qwen-code": "qwen_code",
    "cline": "cline",
    "openclaw": "openclaw",
    "opencode": "opencode",
    "kimi-code": "kimi_code",
    "devin": "devin",
    "antigravity": "antigravity",
    "auggie": "auggie",
    "pi": "pi",
    "mistral-vibe": "mistral_vibe",
}


def agent_of(key: str) -> Agent:
    """The client of a vendor key. Raises KeyError."""
    found: Agent = import_module(f"hookstream.capture.install.agents.{MODULES[key]}").AGENT
    return found


def agents() -> list[Agent]:
    return [agent_of(key) for key in MODULES]
