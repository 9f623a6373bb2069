"""Qwen Code's hooks: Claude Code's events except those it does not have; standard error replaces
an empty standard output. Sources: the documentation in 0.24.4, trials with it."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(
            tool="PreToolUse PermissionRequest",
            gate="UserPromptSubmit UserPromptExpansion PreCompact TodoCreated",
            turn="Stop SubagentStop TeammateIdle TodoCompleted",
            after="PostToolUse PostToolUseFailure PostToolBatch",
        ),
        "qwen_code.answers.read",
        exits=(0,),
        stderr=True,
    ),
    folders="/.qwen/",
    # Other programs reach a session in a terminal by a socket.
    attended={"env.QWEN_CODE_MESSAGING_SOCKET": True, "reason": {"prompt_input_exit": True}},
    unattended="qwen -p --prompt --yolo -y",
)
