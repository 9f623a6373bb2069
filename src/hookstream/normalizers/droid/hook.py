"""Droid's hooks: Claude Code's answers with another meaning. Status 3 ends the run. Sources: trials
with 0.225.2."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import claude_like
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(
            tool="PreToolUse",
            gate="UserPromptSubmit PreCompact",
            turn="Stop SubagentStop",
            after="PostToolUse",
        ),
        claude_like,
        blocks=(2, 3),
    ),
    marks="CLAUDE_ENV_FILE session_duration_ms+reason tool_execution_count+elapsed_time",
    variables="DROID_PROJECT_DIR FACTORY_PROJECT_DIR",
    folders="/.factory/",
    unattended="droid exec",
)
