"""GitHub Copilot: what is registered."""

from __future__ import annotations

from hookstream.normalizers.install_facts import InstallFacts

EVENTS = tuple(
    "sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse preMcpToolCall "
    "postToolUse postToolUseFailure errorOccurred agentStop subagentStart subagentStop preCompact "
    "permissionRequest notification".split()
)
INSTALL = InstallFacts(
    key="copilot",
    title="GitHub Copilot",
    recorded="1.0.102",
    programs=("copilot",),
    traces=(".copilot",),
    events=EVENTS,
    aliases={"UserPromptSubmit": "userPromptSubmitted", "Stop": "agentStop"},
    project_note="it reads repository hooks only in folders that it trusts",
)
