"""Qoder's session files: Claude Code's form, with who refused in `toolDenialKind`.

Source: the program 1.1.52, not recorded. Its hooks have records of their own, with the id of the
call that they were asked about; a person's words are in `userFeedback`.
"""

from __future__ import annotations

from hookstream.normalizers import steps as s
from hookstream.normalizers.claude_code import transcript as claude_code
from hookstream.normalizers.claude_code.table import mcp
from hookstream.normalizers.qoder.table import TOOLS
from hookstream.normalizers.table import at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.steps import Events, Steps, Value

SIDES = frozenset("runtime-config token-stats active-leaf relocated workspace-directories".split())
DECIDERS = {
    "permission-rule": "rule",
    "automode-blocked": "classifier",
    "automode-unavailable": "client",
    "automode-parsing-error": "client",
}


def claims(p: Value) -> bool:
    """A record that only it writes, or one of Claude Code's form: its place or its mark says whose
    that is."""
    if type(p.get("sessionId")) is str and p.get("type") in SIDES:
        return True
    return claude_code.claims({name: p[name] for name in p if name != claude_code.QODERS})


class QoderReader(claude_code.ClaudeReader):
    """Claude Code's reader, which knows the hooks that refused and the kinds of refusals."""

    def start(self) -> None:
        super().start()
        # call id -> the facts of its refusal by a hook
        self.by_hook: dict[str, Value] = {}

    def read(self, value: Value) -> Steps:
        if value.get("type") == "attachment":
            self._hooked(s.as_object(value.get("attachment")))
        yield from super().read(value)

    def _hooked(self, about: Value) -> None:
        """Keep a hook's refusal of a call."""
        kind, call_id = about.get("type"), about.get("toolUseID")
        is_refusal = kind == "hook_blocking_error" or (
            kind == "hook_permission_decision" and about.get("decision") == "deny"
        )
        if not is_refusal or about.get("hookEvent") != "PreToolUse" or type(call_id) is not str:
            return
        error = about.get("blockingError")
        reason = error if type(error) is str else s.as_text(at(error, "blockingError"))
        denial = s.denied("hook", reason, str(kind), "observed")
        if len(self.by_hook) < s.WaitingCalls.LIMIT:
            self.by_hook[call_id] = {**denial, "policy_engine": about.get("command")}

    def _denial(self, value: Value, part: Value, text: str, known: Value) -> Value | None:
        denial = self.by_hook.pop(str(part.get("tool_use_id")), None)
        if denial is not None and part.get("is_error") is True:
            return denial
        kind, words = kind_of(value, part), s.as_text(value.get("userFeedback"))
        if words:
            return s.denied("user", words, "userFeedback", "observed")
        if kind in DECIDERS:
            return s.denied(DECIDERS[kind], text, "toolDenialKind", "observed")
        return super()._denial({**value, "toolDenialKind": kind}, part, text, known)


def kind_of(value: Value, part: Value) -> Any:
    """The kind of a result's refusal: of several results the record has a list."""
    kinds = value.get("toolDenialKind")
    if type(kinds) is not list:
        return kinds
    parts = [p for p in s.objects(at(value, "message.content")) if p.get("type") == "tool_result"]
    number = next((number for number, one in enumerate(parts) if one is part), len(kinds))
    return kinds[number] if number < len(kinds) else None


EVENTS: Events = {
    **claude_code.EVENTS,
    "user.notification": s.task_notice("qoder"),
    "cost-state": s.totals("qoder"),
}
VENDOR = s.transcript_vendor("qoder", claims=claims, events=EVENTS, tools=TOOLS, mcp=mcp)
FILES = s.SessionFiles(QoderReader, VENDOR, claude_code.FILE, part=r"\.meta\.json$")
