"""Policy.Violation, Session.Abort, category and severity: only with the evidence they need."""

from __future__ import annotations

from typing import Any

from hookstream.core.event import Event, place_of
from hookstream.detect.detectors import Decisions, errors

count = iter(range(10**6))


def event(kind: str, **facts: Any) -> Event:
    n = next(count)
    base = {"event_id": f"{n:08}-0000", "tool": "t", "session_id": "s", "timestamp": "x"}
    return Event(kind, None, {**base, **facts}, "t")


def run(*events: Event) -> list[str]:
    decisions = Decisions()
    return [derived.type for one in events for derived in decisions.see(one, place_of(one.facts))]


DENY = {"action_fingerprint": "f", "call_id": "c1", "decided_by": "hook", "decision": "deny"}
RAN = {"action_fingerprint": "f", "call_id": "c2", "outcome": "ok"}


def test_a_refused_fingerprint_that_runs_later_is_a_violation() -> None:
    decisions = Decisions()
    refusal = event("Policy.Blocked", matched_rule_id="r7", **DENY)
    decisions.see(refusal, place_of(refusal.facts))
    ran = event("Action.After", **RAN)
    (found,) = decisions.see(ran, place_of(ran.facts))
    assert found.type == "Policy.Violation"
    assert found.facts["about"] == refusal.facts["event_id"]
    assert found.facts["matched_rule_id"] == "r7"


def test_it_counts_once() -> None:
    ran = [event("Action.After", **RAN), event("Action.After", **{**RAN, "call_id": "c3"})]
    assert run(event("Policy.Blocked", **DENY), *ran) == ["Policy.Violation"]


def test_an_approval_a_question_or_a_mode_change_between_is_no_violation() -> None:
    asked = event("Agent.Notification", notification_type="ToolPermission", action_fingerprint="f")
    for between in (event("Policy.Override", action_fingerprint="f"), asked):
        assert run(event("Policy.Blocked", **DENY), between, event("Action.After", **RAN)) == []
    assert (
        run(
            event("Policy.Blocked", permission_mode="default", **DENY),
            event("Action.After", permission_mode="acceptEdits", **RAN),
        )
        == []
    )


def test_a_persons_refusal_is_no_policy_to_violate() -> None:
    refusal = event("Policy.Blocked", **{**DENY, "decided_by": "user"})
    assert run(refusal, event("Action.After", **RAN)) == []


def test_another_input_is_no_violation() -> None:
    ran = event("Action.After", **{**RAN, "action_fingerprint": "g"})
    assert run(event("Policy.Blocked", **DENY), ran) == []


def test_category_and_severity_are_synthesized_only_where_no_engine_said_them() -> None:
    plain = event("Policy.Blocked", action_category="package_install", **DENY)
    said = event("Policy.Blocked", category="persistence", severity="critical", **DENY)
    for one in (plain, said):
        Decisions().fill(one)
    assert (plain.facts["category"], plain.facts["severity"]) == ("supply_chain", "warning")
    assert plain.synthesized == ["category", "severity"]
    assert (said.facts["category"], said.synthesized) == ("persistence", [])


def test_a_session_that_starts_again_over_an_unanswered_prompt_was_cut_off() -> None:
    start = event("Session.Start", start_reason="resume")
    assert run(event("Prompt.Submitted"), start) == ["Session.Abort"]
    assert run(event("Prompt.Submitted"), event("Agent.Response"), start) == []
    assert run(event("Prompt.Submitted"), event("Session.End"), start) == []


def test_a_failed_action_gives_one_derived_agent_error() -> None:
    failed = event(
        "Action.After", outcome="error", success=False, call_id="c", error_message="Exit code 1"
    )
    (found,) = errors(failed)
    assert found.type == "Agent.Error"
    assert found.facts["error_type"] == "ToolFailed"
    assert found.facts["origin_event"] == "Action.After"
    assert (found.facts["call_id"], found.facts["derived"]) == ("c", True)


def test_success_denial_and_cancelling_are_no_errors() -> None:
    for outcome in ("ok", "denied", "cancelled"):
        assert errors(event("Action.After", outcome=outcome)) == []
    assert errors(event("Action.After")) == []
