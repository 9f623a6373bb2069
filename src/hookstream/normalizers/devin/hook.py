"""Devin's hooks: status 2 or `{"decision": "block"}` refuses. Source: the vendor's hook pages."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import decision_word
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

HOOK = HookFacts(
    Contract(
        kinds(tool="PreToolUse PermissionRequest", gate="UserPromptSubmit", turn="Stop"),
        decision_word,
        exits=(0,),
    ),
    variables="DEVIN_PROJECT_DIR",
    environment=("DEVIN_PROJECT_DIR",),
)
