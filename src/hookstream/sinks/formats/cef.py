"""ArcSight Common Event Format 0 (implementation standard, version 25).

Header: backslash and bar escaped, no line break. Extension: backslash, equals sign, line breaks
and bar escaped; the standard does not ask for the last, but there are readers that split a whole
line at bars. Keys of the standard dictionary only, cut to the lengths it gives.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.event import Event
from hookstream.sinks.formats.attributes import error_type
from hookstream.sinks.formats.words import DEBUG, ERROR, INFO, WARN, millis, sentence, severity
from hookstream.version import __version__

SEVERITY = {DEBUG: 1, INFO: 3, WARN: 6, ERROR: 8}
RISK = {"high": 8, "critical": 10}
# extension key -> (longest value, fact), in the order they are written
KEYS = {
    "externalId": (40, "event_id"),
    "deviceExternalId": (255, "machine_id"),
    "suid": (1023, "user_id"),
    "act": (63, "decision"),
    "reason": (1023, "decision_reason"),
    "sourceServiceName": (1023, "tool"),
    "deviceProcessName": (1023, "action_native"),
    "destinationServiceName": (1023, "mcp_server"),
    "msg": (1023, "error_message"),
    "deviceFacility": (1023, "native_event"),
    "cs1": (4000, "session_id"),
    "cs2": (4000, "turn_id"),
    "cs3": (4000, "call_id"),
    "cs4": (4000, "action_name"),
    "cs5": (4000, "decided_by"),
    "cs6": (4000, "matched_rule_id"),
    "flexString1": (1023, "subject"),
    "flexString2": (1023, "decision_point"),
    "cn2": (20, "exit_code"),
    "cn3": (20, "duration_ms"),
}
ARGUMENTS = {
    "filePath": (1023, "file_path"),
    "request": (1023, "url"),
    "sproc": (1023, "command"),
}
LABELS = {
    "cs1": "sessionId",
    "cs2": "turnId",
    "cs3": "callId",
    "cs4": "action",
    "cs5": "decidedBy",
    "cs6": "ruleId",
    "flexString1": "decisionSubject",
    "flexString2": "hookPoint",
    "cn1": "riskScore",
    "cn2": "exitCode",
    "cn3": "durationMs",
}
OUTCOMES = {"ok": "success", "error": "failure", "denied": "failure", "timeout": "failure"}
_CONTROL = dict.fromkeys((*range(32), *range(127, 160), 8232, 8233), " ")
_IN_VALUE = {code: " " for code in _CONTROL if code not in (10, 13)}


def cef(event: Event, *, arguments: bool = False) -> str:
    """One line of CEF without a line break. ValueError if the event has no time."""
    head = [
        "CEF:0",
        "hookstream",
        "hookstream",
        header(__version__),
        header(event.type),
        header(sentence(event)),
        str(grade(event)),
    ]
    return "|".join(head) + "|" + " ".join(f"{k}={v}" for k, v in pairs(event, arguments).items())


def pairs(event: Event, arguments: bool) -> dict[str, str]:
    """The extension: key -> escaped value."""
    facts = event.facts
    fields: dict[str, str] = {"rt": str(millis(facts["timestamp"])), "cat": value(event.type, 1023)}
    for key, (longest, fact) in {**KEYS, **(ARGUMENTS if arguments else {})}.items():
        known = facts.get(fact)
        if known is not None and known != "":
            fields[key] = value(int(known) if isinstance(known, float) else known, longest)
    known = OUTCOMES.get(facts.get("outcome") or "") or ("failure" if error_type(event) else None)
    if known:
        fields["outcome"] = known
    if event.risk is not None:
        fields["cn1"] = str(event.risk[0])
    for key, label in LABELS.items():
        if key in fields:
            fields[f"{key}Label"] = label
    return fields


def grade(event: Event) -> int:
    """0 to 10: the graver of what the event and its risk say."""
    level = event.risk[1] if event.risk else ""
    return max(SEVERITY[severity(event)], RISK.get(level, 0))


def header(text: str) -> str:
    return _whole(text).translate(_CONTROL).replace("\\", "\\\\").replace("|", "\\|")[:512]


def value(given: Any, longest: int) -> str:
    text = _whole(str(given))[:longest].translate(_IN_VALUE)
    for raw, escaped in (("\\", "\\\\"), ("|", "\\|"), ("=", "\\="), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(raw, escaped)
    return text


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
