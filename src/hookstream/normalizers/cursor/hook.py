"""Cursor's hooks. No text counts as a failed hook, other text than JSON blocks the action. A
permission event refuses what it cannot read; a crash does not, unless failClosed is set. The SDK
runtime takes `continue: false` of a prompt and continues. Sources: the SDK 1.0.32,
documentation."""

from __future__ import annotations

from hookstream.normalizers import hook_facts

PERMISSION = frozenset(
    "beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead subagentStart "
    "preToolUse".split()
)
EVENTS = {
    **dict.fromkeys(PERMISSION, hook_facts.TOOL),
    "subagentStart": hook_facts.GATE,
    "beforeSubmitPrompt": hook_facts.NOTED,
    "sessionStart": hook_facts.NOTED,
    "stop": hook_facts.TURN,
    "subagentStop": hook_facts.TURN,
    "postToolUse": hook_facts.AFTER,
    "postToolUseFailure": hook_facts.AFTER,
}


def contract(reader: str) -> hook_facts.Contract:
    return hook_facts.Contract(
        EVENTS,
        reader,
        "last_or_garbage",
        exits=(0,),
        deny_on_bad_output=PERMISSION,
        empty_is_failure=True,
        fails=hook_facts.CONFIGURED,
    )


HOOK = hook_facts.HookFacts(
    contract("cursor.answers.read"),
    # Claude Code's settings, which Cursor loads as well.
    {"claude-code": contract("cursor.answers.read_compat")},
    answer=b"{}",
    marks="cursor_version",
    environment=("CURSOR_PROJECT_DIR", "CURSOR_VERSION"),
    unattended="cursor-agent -p --print --force",
)
