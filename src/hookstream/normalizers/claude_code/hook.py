"""Claude Code's hooks. Standard output is read at every status; text that begins like no object is
context on SessionStart and prompts, and noise elsewhere. Sources: the hooks reference, trials with
2.1.329."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import claude_like
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

EVENTS = kinds(
    tool="PreToolUse PermissionRequest",
    gate="UserPromptSubmit UserPromptExpansion TaskCreated ConfigChange PreCompact Elicitation "
    "ElicitationResult PreModelSwitch WorktreeCreate",
    turn="Stop SubagentStop TeammateIdle TaskCompleted",
    after="PostToolUse PostToolUseFailure PostToolBatch",
)
HOOK = HookFacts(
    Contract(EVENTS, claude_like, deny_on_other_exit=frozenset(("WorktreeCreate",))),
    folders="/.claude/",
    # 1.5 seconds are shared by all of the session's end hooks.
    budgets_ms={"SessionEnd": 900},
    attended={
        "env.CLAUDE_CODE_SESSION_ATTENDED": {"1": True, "0": False},
        "env.CLAUDE_CODE_ENTRYPOINT": {"cli": True, "sdk-cli": False},
        "entrypoint": {"cli": True, "sdk-cli": False},
        "reason": {"prompt_input_exit": True},
    },
    unattended="claude -p --print --dangerously-skip-permissions",
)
