"""Cline's hooks. Statuses are ignored; only JSON counts, and only where the client waits for it.
Sources: the extension's and the SDK's code, trials with CLI 3.0.65."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, garbage, text_of
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Cline: cancel, and overrideInput of the CLI."""
    cancel = found.get("cancel")
    if cancel is not None and type(cancel) is not bool:
        return garbage()
    reason = text_of(found.get("errorMessage"))
    if cancel:
        return HookVerdict("deny", reason, stops=True)
    answer = HookVerdict(None, reason)
    if type(found.get("overrideInput")) is dict:
        answer.input = found["overrideInput"]
        answer.decision = "allow"
    return answer


HOOK = HookFacts(
    Contract(
        kinds(tool="PreToolUse", gate="UserPromptSubmit", after="PostToolUse"),
        read,
        "control_or_last",
        blocks=(),
    ),
    answer=b'{"cancel": false}',  # no JSON is logged as a warning
    marks="clineVersion",
    attended={"interactive": {True: True, False: False}},
    unattended="cline --yolo -y",
)
