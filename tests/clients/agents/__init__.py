"""The clients of the suite, by vendor key."""

from clients.agents.auggie import Auggie
from clients.agents.base import Agent
from clients.agents.claude_code import ClaudeCode
from clients.agents.cline import Cline
from clients.agents.codex import Codex
from clients.agents.copilot import Copilot
from clients.agents.droid import Droid
from clients.agents.gemini_cli import GeminiCli
from clients.agents.grok_build import GrokBuild
from clients.agents.kilo import Kilo
from clients.agents.kimi_code import KimiCode
from clients.agents.mistral_vibe import MistralVibe
from clients.agents.opencode import OpenCode
from clients.agents.pi import Pi
from clients.agents.qwen_code import QwenCode

AGENTS: dict[str, Agent] = {
    agent.name: agent
    for agent in (
        ClaudeCode(),
        GeminiCli(),
        Codex(),
        Copilot(),
        QwenCode(),
        OpenCode(),
        Cline(),
        Pi(),
        KimiCode(),
        MistralVibe(),
        Auggie(),
        GrokBuild(),
        Kilo(),
        Droid(),
    )
}
