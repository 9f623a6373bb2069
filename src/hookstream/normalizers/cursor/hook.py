"""Cursor's hooks. No text counts as a failed hook, other text than JSON blocks the action. A
permission event refuses what it cannot read; a crash does not, unless failClosed is set. The SDK
runtime takes `continue: false` of a prompt and continues. Sources: the SDK 1.0.32,
documentation."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import (
    AFTER,
    CONFIGURED,
    GATE,
    NOTED,
    TOOL,
    TURN,
    Contract,
    HookFacts,
)

PERMISSION = frozenset(
    "beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead subagentStart "
    "preToolUse".split()
)
EVENTS = {
    **dict.fromkeys(PERMISSION, TOOL),
    "subagentStart": GATE,
    "beforeSubmitPrompt": NOTED,
    "sessionStart": NOTED,
    "stop": TURN,
    "subagentStop": TURN,
    "postToolUse": AFTER,
    "postToolUseFailure": AFTER,
}


def contract(reader: str) -> Contract:
    return Contract(
        EVENTS,
        reader,
        "last_or_garbage",
        exits=(0,),
        deny_on_bad_output=PERMISSION,
        empty_is_failure=True,
        fails=CONFIGURED,
    )


HOOK = HookFacts(
    contract("cursor"),
    # Claude Code's settings, which Cursor loads as well.
    {"claude-code": contract("cursor_compat")},
    answer=b"{}",
    mark="cursor_version",
    environment=("CURSOR_PROJECT_DIR", "CURSOR_VERSION"),
)
