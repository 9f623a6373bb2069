"""A wrapped hook's Verdict to Events: the decision, and what it changed."""

from __future__ import annotations

from hashlib import sha256

from hookstream.core.changes import changed_paths
from hookstream.core.decisions import subject_of as decided_subject
from hookstream.core.event import Event
from hookstream.core.identity import uuid_of
from hookstream.normalizers.hook_facts import AFTER, GATE, NOTED, TOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.guard_answers import HookVerdict

# What a decision repeats of the event it is about.
CARRIED = tuple(
    "tool tool_version machine_id user_id session_id session_alias parent_session_id agent_id "
    "parent_agent_id agent_type turn_id call_id parent_call_id permission_mode agent_mode cwd repo "
    "dialect native_event action_name action_category action_native action_fingerprint command "
    "file_path url query mcp_server model_id".split()
)
ACTION = frozenset(
    "action_name action_category action_native action_fingerprint command file_path url query "
    "mcp_server".split()
)


class HookRun:
    """A hook's run: its command, status (minus a signal), time, and when it had ended."""

    def __init__(self, command: list[str], status: int, duration_ms: int, at: str) -> None:
        self.command = command
        self.status = status
        self.duration_ms = duration_ms
        self.at = at
        self.err = ""
        # signals the client sent us; `killed`: it ended us outright
        self.signals: tuple[int, ...] = ()
        self.killed = False


def subject_of(events: list[Event]) -> Event:
    """The event a hook was asked about: the action, else the prompt, else the first."""
    for kind in ("Action.Before", "Prompt.Submitted"):
        for event in events:
            if event.type == kind:
                return event
    for event in events:
        if "action_native" in event.facts:
            return event
    return events[0]


def decision_events(events: list[Event], answer: HookVerdict, run: HookRun) -> list[Event]:
    """The Events of an answer, none if it said nothing. `events` are the payload's own, before
    privacy."""
    if not (answer.decision or answer.failure or answer.said or answer.ignored):
        return []
    subject = subject_of(events)
    decided = [_decision(subject, answer, run)]
    rewritten = answer.ignored_input if answer.input is None else answer.input
    if rewritten is not None and answer.decision != "deny" and subject.type == "Action.Before":
        decided.append(_modification(subject, answer, run, rewritten))
    return decided


def _decision(subject: Event, answer: HookVerdict, run: HookRun) -> Event:
    refused = answer.decision == "deny" and answer.kind in (TOOL, GATE)
    kind = "Policy.Blocked" if refused else f"vendor.{subject.facts['tool']}.HookDecision"
    event = _about(subject, kind, run)
    facts = event.facts
    word = answer.decision or answer.failure or answer.said or answer.ignored or ""
    facts["event_id"] = _id("decision", subject, run, word)
    facts["decided_by"] = "hook"
    facts["guardian"] = " ".join(run.command)
    if subject.hook_point is not None:
        facts["decision_point"] = subject.hook_point
    decision = answer.decision or answer.ignored
    if answer.said == "deny" and answer.kind == AFTER:
        decision = answer.said  # what it refuses has happened already
    if decision is not None:
        facts["decision"] = decision
        if answer.decision is None or (decision == "deny" and answer.kind in (AFTER, NOTED)):
            facts["enforced"] = False
        # A status alone may be a guard's word, or a program's that could not run.
        is_status = answer.decision is None and answer.failure == "error"
        facts["certainty"] = "inferred" if is_status else "observed"
        facts["decision_evidence"] = "hook answer" if answer.failure is None else "hook failure"
    if decision is not None or answer.failure is not None:
        facts["subject"] = decided_subject(subject.type, subject.hook_point, subject.facts)
    if (answer.input is not None and answer.decision) or answer.ignored_input is not None:
        facts["modified"] = True
    if answer.reason is not None:
        facts["decision_reason"] = answer.reason
    if answer.failure is not None:
        facts["failure"] = answer.failure
        if answer.failure == "timeout":
            # The reason why the client ended the hook is unknown; that it had not answered is
            # certain.
            event.synthesized.append("failure")
    event.native = {"hook": _run_facts(answer, run)}
    return event


def _run_facts(answer: HookVerdict, run: HookRun) -> dict[str, Any]:
    """The hook's run, for metadata."""
    facts: dict[str, Any] = {"command": run.command, "duration_ms": run.duration_ms}
    if run.status >= 0:
        facts["exit_code"] = run.status
    elif not run.killed:
        facts["signal"] = -run.status
    if run.signals:
        facts["sent"] = list(run.signals)
    if answer.evidence is not None:
        facts["answer"] = answer.evidence
    if answer.failure is not None:
        facts["fails"] = answer.fails
        last = run.err.strip().rpartition("\n")[2].strip()
        if last:
            facts["stderr"] = last
    if answer.said is not None:
        facts["said"] = answer.said
    if answer.stops:
        facts["stops_agent"] = True
    return facts


def _about(subject: Event, kind: str, run: HookRun) -> Event:
    facts = {name: subject.facts[name] for name in CARRIED if name in subject.facts}
    facts["timestamp"] = facts["received_at"] = run.at
    kinds = ("Action.Before", "Action.After", "Prompt.Submitted")
    if subject.type in kinds or not ACTION & facts.keys():
        facts["about"] = subject.facts["event_id"]
    event = Event(kind, None, facts, subject.vendor)
    event.input = _copy(subject.input)
    event.content_arguments = subject.content_arguments
    event.synthesized = [name for name in subject.synthesized if name in facts]
    if "timestamp" not in event.synthesized:
        event.synthesized.append("timestamp")
    if "event_id" in event.synthesized:
        event.synthesized.remove("event_id")
    return event


def _modification(
    subject: Event, answer: HookVerdict, run: HookRun, rewritten: dict[str, Any]
) -> Event:
    """AARTS PreToolInputModification: the payload has the original, the answer what it became."""
    event = _about(subject, f"vendor.{subject.facts['tool']}.ToolInputModified", run)
    event.hook_point = "PreToolInputModification"
    facts = event.facts
    for name in ("command", "file_path", "url", "query", "action_fingerprint"):
        facts.pop(name, None)
    facts["event_id"] = _id("modified", subject, run, "")
    facts["modified"] = True
    original = _copy(subject.input) or {}
    event.input = {**original, **rewritten} if answer.merged else rewritten
    event.native = {"original_input": original}
    facts["changed_paths"] = changed_paths(original, event.input)
    facts["guardian"] = " ".join(run.command)
    return event


def _copy(value: Any) -> Any:
    """Privacy works on each Event by itself: none may share an object with another."""
    if type(value) is dict:
        return {key: _copy(below) for key, below in value.items()}
    return [_copy(below) for below in value] if type(value) is list else value


def _id(what: str, subject: Event, run: HookRun, word: str) -> str:
    """Several hooks may decide about one event: which one is part of the name."""
    command = sha256("\0".join(run.command).encode("utf-8", "surrogatepass")).hexdigest()
    return uuid_of(f"{what}\0{subject.facts['event_id']}\0{command}\0{word}")
