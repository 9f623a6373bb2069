"""Gemini CLI's hooks. Standard error stands in for an empty standard output; text with a status
above 1 denies. Sources: the hooks reference, trials with 0.61.0."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(
            tool="BeforeTool",
            gate="BeforeAgent BeforeModel BeforeToolSelection AfterModel",
            turn="AfterAgent",
            after="AfterTool",
        ),
        "gemini",
        blocks=(),
        stderr=True,
        stdout_text_denies=True,
    )
)
