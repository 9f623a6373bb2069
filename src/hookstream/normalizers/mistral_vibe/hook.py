"""Mistral Vibe's hooks. JSON on standard output at status 0; any other status, text or a timeout
lets the call pass, unless the hook is `strict`. Sources: the published source of 3.0.2, trials with
it."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import CONFIGURED, Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(tool="pre_tool", turn="post_agent", after="post_tool"),
        "mistral_vibe.answers.read",
        exits=(0,),
        blocks=(),
        fails=CONFIGURED,
    ),
    unattended="vibe -p --prompt --auto-approve --yolo",
)
