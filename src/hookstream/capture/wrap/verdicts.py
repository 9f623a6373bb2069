"""What a policy hook's answer means to the client that asked: one contract a vendor.

A hook answers by its exit status, its standard output, its standard error or a mix of them, and
every client reads that mix differently; what one takes for a deny another ignores. Sources: the
vendors' hook documentation and trials with the real clients; where the two differ the trial holds.
"""

from __future__ import annotations

from hookstream.capture.wrap.verdict_finders import control_or_last, last_or_garbage, objects_only
from hookstream.capture.wrap.verdict_readers import (
    Answer,
    claude_like,
    cline,
    codex,
    copilot,
    cursor,
    cursor_compat,
    gemini,
    qwen,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Reader: TypeAlias = Callable[[dict[str, Any], str], Answer]
    Finder: TypeAlias = Callable[[str], "dict[str, Any] | str | None"]

# What an event lets a hook do. TOOL: refuse an action. GATE: refuse what it announces (a prompt,
# a compaction, a task). NOTED: the refusal is taken in, but trials show that it is not obeyed.
# TURN: send the agent back to work. AFTER: say something about what has happened.
TOOL, GATE, NOTED, TURN, AFTER, NONE = "tool", "gate", "noted", "turn", "after", "none"
OPEN, CLOSED, CONFIGURED = "open", "closed", "open_unless_configured"


class Contract:
    """How one client reads an answer.

    events     native event -> what a refusal does there; any other event: NONE
    reader     the JSON object it found, to an Answer
    finder     text to the JSON object in it, to "garbage" if it tried and failed, or None
    exits      statuses at which the JSON is read; None: all of them
    blocks     statuses that refuse by themselves, with the reason on stderr
    wants_text a refusing status without a word on stderr is an invalid answer
    stderr     standard error is the answer where standard output is empty
    rest       events at which any other non-zero status refuses (the client fails closed)
    garbled    events at which an unreadable answer refuses
    empty      status 0 without output counts as a failed hook
    fails      what a failure does elsewhere: "open" or "open_unless_configured"
    """

    __slots__ = (
        "blocks",
        "empty",
        "events",
        "exits",
        "fails",
        "finder",
        "garbled",
        "reader",
        "rest",
        "stderr",
        "text_blocks",
        "wants_text",
    )

    def __init__(
        self,
        events: dict[str, str],
        reader: Reader | None,
        finder: Finder | None = objects_only,
        *,
        exits: tuple[int, ...] | None = None,
        blocks: tuple[int, ...] = (2,),
        wants_text: bool = False,
        stderr: bool = False,
        text_blocks: bool = False,
        rest: frozenset[str] = frozenset(),
        garbled: frozenset[str] = frozenset(),
        empty: bool = False,
        fails: str = OPEN,
    ) -> None:
        self.events = events
        self.reader = reader
        self.finder = finder
        self.exits = exits
        self.blocks = blocks
        self.wants_text = wants_text
        self.stderr = stderr
        self.text_blocks = text_blocks
        self.rest = rest
        self.garbled = garbled
        self.empty = empty
        self.fails = fails


def kinds(**groups: str) -> dict[str, str]:
    """`tool="A B", gate="C"` -> {"A": "tool", ...}."""
    return {name: kind for kind, names in groups.items() for name in names.split()}


CLAUDE = kinds(
    tool="PreToolUse PermissionRequest",
    gate="UserPromptSubmit UserPromptExpansion TaskCreated ConfigChange PreCompact Elicitation "
    "ElicitationResult PreModelSwitch WorktreeCreate",
    turn="Stop SubagentStop TeammateIdle TaskCompleted",
    after="PostToolUse PostToolUseFailure PostToolBatch",
)
CURSOR_PERMISSION = frozenset(
    "beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead subagentStart "
    "preToolUse".split()
)
COPILOT_CLOSED = frozenset("preToolUse permissionRequest PreToolUse PermissionRequest".split())
COPILOT = kinds(
    tool="preToolUse permissionRequest PreToolUse PermissionRequest",
    gate="userPromptSubmitted UserPromptSubmit",
    turn="agentStop Stop subagentStop SubagentStop",
    after="postToolUse PostToolUse postToolUseFailure PostToolUseFailure",
)


def cursor_contract(reader: Reader) -> Contract:
    return Contract(
        {
            **dict.fromkeys(CURSOR_PERMISSION, TOOL),
            "subagentStart": GATE,
            "beforeSubmitPrompt": NOTED,
            "sessionStart": NOTED,
            "stop": TURN,
            "subagentStop": TURN,
            "postToolUse": AFTER,
            "postToolUseFailure": AFTER,
        },
        reader,
        last_or_garbage,
        exits=(0,),
        garbled=CURSOR_PERMISSION,
        empty=True,
        fails=CONFIGURED,
    )


CONTRACTS = {
    # Standard output is read at every status; text that begins like no object is context or noise.
    "claude-code": Contract(CLAUDE, claude_like, rest=frozenset(("WorktreeCreate",))),
    # A closed schema: a stray key or an unsupported word makes the answer invalid.
    "codex": Contract(
        kinds(
            tool="PreToolUse PermissionRequest",
            gate="UserPromptSubmit",
            turn="Stop SubagentStop",
            after="PostToolUse",
        ),
        codex,
        exits=(0,),
        wants_text=True,
    ),
    # Standard error stands in for an empty standard output; text with a status above 1 denies.
    "gemini-cli": Contract(
        kinds(
            tool="BeforeTool",
            gate="BeforeAgent BeforeModel BeforeToolSelection AfterModel",
            turn="AfterAgent",
            after="AfterTool",
        ),
        gemini,
        blocks=(),
        stderr=True,
        text_blocks=True,
    ),
    "qwen-code": Contract(
        kinds(
            tool="PreToolUse PermissionRequest",
            gate="UserPromptSubmit UserPromptExpansion PreCompact TodoCreated",
            turn="Stop SubagentStop TeammateIdle TodoCompleted",
            after="PostToolUse PostToolUseFailure PostToolBatch",
        ),
        qwen,
        exits=(0,),
        stderr=True,
    ),
    # A permission event refuses what it cannot read; a crash does not, unless failClosed is set.
    # The SDK runtime takes `continue: false` of a prompt and goes on.
    "cursor": cursor_contract(cursor),
    "cursor/claude-code": cursor_contract(cursor_compat),
    # Any status but 0 denies a tool call: a crash too.
    "copilot": Contract(COPILOT, copilot, exits=(0,), blocks=(), rest=COPILOT_CLOSED),
    # VS Code: 2 blocks, anything else goes on.
    "copilot/vscode": Contract(COPILOT, claude_like, exits=(0,)),
    # Statuses are ignored; only JSON counts, and only where the client waits for it.
    "cline": Contract(
        kinds(
            tool="PreToolUse",
            gate="UserPromptSubmit",
            after="PostToolUse",
        ),
        cline,
        control_or_last,
        blocks=(),
    ),
    # Standard output is never read.
    "windsurf": Contract(
        kinds(
            tool="pre_read_code pre_write_code pre_run_command pre_mcp_tool_use",
            gate="pre_user_prompt",
            after="post_read_code post_write_code post_run_command post_mcp_tool_use",
        ),
        None,
        None,
    ),
    "kiro": Contract(
        kinds(tool="preToolUse PreToolUse", after="postToolUse PostToolUse"), None, None
    ),
}


def contract_of(vendor: str, dialect: str | None) -> Contract | None:
    """The contract of a vendor, of one dialect (or of another's configuration) where it has its
    own; None where hooks are no
    programs (plugins)."""
    return CONTRACTS.get(f"{vendor}/{dialect}") or CONTRACTS.get(vendor)
