"""Gemini CLI's hooks. Standard error replaces an empty standard output; text with a status above 1
denies. Sources: the hooks reference, trials with 0.61.0."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(
            tool="BeforeTool",
            # a rejected answer is given again
            gate="BeforeAgent BeforeModel BeforeToolSelection AfterModel AfterAgent",
            after="AfterTool",
        ),
        "gemini_cli.answers.read",
        blocks=(),
        stderr=True,
        stdout_text_denies=True,
    ),
    variables="GEMINI_SESSION_ID",
    folders="/.gemini/",
    attended={"interactive": {True: True, False: False, "true": True, "false": False}},
    unattended="gemini -p --prompt --yolo -y",
)
