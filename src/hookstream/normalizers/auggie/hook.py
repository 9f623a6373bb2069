"""Auggie's hooks, which run side by side. Standard output is JSON or nothing, read at status 0 and
2; status 2 blocks before a tool alone. Source: the package's source and runs of 0.36.0."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(tool="PreToolUse", turn="Stop", after="PostToolUse"),
        "auggie.answers.read",
        exits=(0, 2),
    ),
    unattended="auggie -p --print",
)
