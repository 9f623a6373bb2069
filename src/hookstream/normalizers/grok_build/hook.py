"""Grok Build's hooks: it runs those of Claude Code's and Cursor's settings, too.

Sources: trials with 1.0.41, the vendor's user guide.
"""

from __future__ import annotations

from hookstream.normalizers.guard_answers import claude_like
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(
            tool="PreToolUse",
            gate="UserPromptSubmit",
            turn="Stop SubagentStop",
            after="PostToolUse PostToolUseFailure",
        ),
        claude_like,
    ),
    marks="hookEventName+workspaceRoot",
    variables="GROK_HOOK_EVENT GROK_HOOK_NAME GROK_WORKSPACE_ROOT",
    folders="/.grok/",
    runs_hooks_of="claude-code cursor",
    attended={"screen_mode": {"headless": False}},
    unattended="grok -p --prompt --always-approve",
)
