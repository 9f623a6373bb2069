"""Mistral Vibe's hooks. JSON on standard output at status 0; any other status, text or a timeout
lets the call pass, unless the hook is `strict`. Sources: the published source of 3.0.2, trials with
it."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, object_of, text_of
from hookstream.normalizers.hook_facts import CONFIGURED, Contract, HookFacts, kinds

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Mistral Vibe: a decision of deny, or other arguments for the call."""
    if found.get("decision") == "deny":
        return HookVerdict("deny", text_of(found.get("reason")))
    rewritten = object_of(found.get("hook_specific_output")).get("tool_input")
    if event == "pre_tool" and type(rewritten) is dict and found.get("decision") != "ask":
        return HookVerdict("allow", input=rewritten)
    return HookVerdict()


HOOK = HookFacts(
    Contract(
        kinds(tool="pre_tool", turn="post_agent", after="post_tool"),
        read,
        exits=(0,),
        blocks=(),
        fails=CONFIGURED,
    ),
    unattended="vibe -p --prompt --auto-approve --yolo",
)
