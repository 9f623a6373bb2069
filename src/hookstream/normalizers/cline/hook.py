"""Cline's hooks. Statuses are ignored; only JSON counts, and only where the client waits for it.
Sources: the extension's and the SDK's code, trials with CLI 3.0.65."""

from __future__ import annotations

from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(tool="PreToolUse", gate="UserPromptSubmit", after="PostToolUse"),
        "cline.answers.read",
        "control_or_last",
        blocks=(),
    ),
    answer=b'{"cancel": false}',  # no JSON is logged as a warning
    marks="clineVersion",
    attended={"interactive": {True: True, False: False}},
    unattended="cline --yolo -y",
)
