"""Kimi Code's hooks. Text on standard output of a prompt's hook goes into the context; JSON counts
at status 0, and of it a permissionDecision of deny alone. Sources: the published source of 2.1.0,
trials with it."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(tool="PreToolUse", gate="UserPromptSubmit", turn="Stop"),
        "kimi_code.answers.read",
        exits=(0,),
    ),
    marks="client_type=kimi",
    unattended="kimi -p --prompt --yolo -y --auto",
)
