"""Retry loops exactly as documented: what opens, counts, repeats, closes and aborts one."""

from __future__ import annotations

from typing import Any

from hookstream.core.event import Event, place_of
from hookstream.core.limits import SESSIONS
from hookstream.detect.loops import KEY_LIMIT, Loops

TYPES = ("Retry.Triggered", "Retry.Loop.Detected", "Retry.Loop.Aborted")


class Script:
    """Feeds attempts to the detector and remembers what it said."""

    def __init__(self) -> None:
        self.loops = Loops()
        self.n = 0

    def event(self, kind: str, **facts: Any) -> list[Event]:
        self.n += 1
        base = {
            "event_id": f"{self.n:08}-0000-8000-8000-000000000000",
            "tool": "t",
            "session_id": "s",
            "turn_id": "turn-1",
            "timestamp": f"2026-01-01T00:{self.n // 60:02}:{self.n % 60:02}.000Z",
            "sequence": self.n,
        }
        made = Event(kind, None, {**base, **facts}, "t")
        return self.loops.see(made, place_of(made.facts))

    def call(self, outcome: str, mark: str = "f1", **facts: Any) -> list[Event]:
        call = {
            "action_fingerprint": mark,
            "action_name": "shell",
            "call_id": f"c{self.n}",
            **facts,
        }
        out = self.event("Action.Before", **call)
        if outcome == "denied":
            return out + self.event("Policy.Blocked", decision="deny", **call)
        return out + self.event("Action.After", outcome=outcome, **call)


def kinds(events: list[Event]) -> list[str]:
    return [event.type for event in events]


def test_a_second_attempt_after_a_failure_is_a_retry_and_the_third_failure_a_loop() -> None:
    script = Script()
    assert kinds(script.call("error")) == []
    assert kinds(script.call("error")) == ["Retry.Triggered"]
    third = script.call("error")
    assert kinds(third) == ["Retry.Triggered", "Retry.Loop.Detected"]
    facts = third[1].facts
    assert (facts["retry_iteration"], facts["retry_kind"], facts["action_name"]) == (
        3,
        "failing",
        "shell",
    )
    assert facts["elapsed_ms"] == 5000.0
    assert facts["derived"] is True


def test_a_loop_is_reported_again_only_when_its_failures_have_doubled() -> None:
    script = Script()
    at = [n for n in range(1, 25) if "Retry.Loop.Detected" in kinds(script.call("error"))]
    assert at == [3, 6, 12, 24]


def test_denied_attempts_make_a_loop_of_kind_denied() -> None:
    script = Script()
    out = [event for _ in range(3) for event in script.call("denied")]
    assert out[-1].facts["retry_kind"] == "denied"


def test_unknown_outcomes_are_no_failures() -> None:
    script = Script()
    assert [event for _ in range(9) for event in script.call("unknown")] == []


def test_other_turns_agents_and_inputs_are_other_loops() -> None:
    script = Script()
    for n in range(4):
        assert kinds(script.call("error", turn_id=f"turn-{n}")) == []
        assert kinds(script.call("error", agent_id=f"a{n}", turn_id="x")) == []
        assert kinds(script.call("error", mark=f"g{n}", turn_id="y")) == []


def test_a_success_with_a_new_output_closes_a_loop() -> None:
    script = Script()
    script.call("error")
    script.call("error")
    script.call("ok", output_hash="sha256:1")
    assert kinds(script.call("error")) == []
    assert kinds(script.call("error")) == ["Retry.Triggered"]


def test_unchanged_successes_count_only_from_eight() -> None:
    script = Script()
    out = [kinds(script.call("ok", output_hash="sha256:1")) for _ in range(16)]
    assert [n for n, found in enumerate(out, 1) if found] == [8, 16]


def test_polling_with_a_changing_output_is_no_loop() -> None:
    script = Script()
    assert not any(script.call("ok", output_hash=f"sha256:{n}") for n in range(40))


def test_a_loop_open_at_the_end_of_the_session_is_aborted() -> None:
    script = Script()
    for _ in range(4):
        script.call("error")
    script.call("error", mark="other")
    aborted = script.event("Session.End")
    assert kinds(aborted) == ["Retry.Loop.Aborted"]
    assert aborted[0].facts["retry_iteration"] == 4
    assert script.event("Session.End") == []


def test_a_human_prompt_closes_a_loop() -> None:
    script = Script()
    for _ in range(3):
        script.call("error")
    script.event("Prompt.Submitted")
    assert script.event("Session.End") == []


def test_tokens_consumed_counts_model_calls_since_the_first_attempt() -> None:
    script = Script()
    script.call("error")
    script.event("Model.Responded", input_tokens=100, output_tokens=5)
    script.call("error")
    script.event("Model.Responded", input_tokens=200, output_tokens=5)
    assert script.call("error")[-1].facts["tokens_consumed"] == 310


def test_batch_only_failures_count_as_attempts() -> None:
    script = Script()
    out: list[Event] = []
    for n in range(3):
        out += script.event(
            "Action.After",
            action_fingerprint="f",
            action_name="write_file",
            call_id=f"b{n}",
            outcome="error",
            reported_by="batch",
        )
    assert kinds(out)[-1] == "Retry.Loop.Detected"
    assert out[-1].facts["retry_iteration"] == 3


def test_a_call_that_is_refused_and_then_fails_is_one_failure() -> None:
    script = Script()
    found = []
    for n in range(3):
        call = {"action_fingerprint": "f", "action_name": "shell", "call_id": f"c{n}"}
        script.event("Action.Before", **call)
        blocked = script.event("Policy.Blocked", decision="deny", **call)
        found.append(kinds(blocked + script.event("Action.After", outcome="error", **call)))
    assert [("Retry.Loop.Detected" in one) for one in found] == [False, False, True]


def test_state_is_bounded() -> None:
    script = Script()
    for n in range(KEY_LIMIT + 50):
        script.call("error", mark=f"m{n}")
    assert len(script.loops.sessions["t", "s"].keys) == KEY_LIMIT
    for n in range(SESSIONS + 10):
        script.call("error", session_id=f"x{n}")
    assert SESSIONS * 15 // 16 <= len(script.loops.sessions) <= SESSIONS
    assert ("t", f"x{SESSIONS + 9}") in script.loops.sessions


def test_equal_failures_of_several_sub_agents_are_no_loop_until_one_has_three() -> None:
    script = Script()
    found = [kinds(script.call("error", agent_id="one-of-3-ab")) for _ in range(7)]
    assert found[:6] == [[]] * 6, "each of three may have failed twice"
    assert found[6] == ["Retry.Loop.Detected"]


def test_a_loop_of_one_of_several_counts_what_one_has_done_at_least() -> None:
    script = Script()
    out = [event for _ in range(5) for event in script.call("error", agent_id="one-of-2-ab")]
    assert [event.facts["retry_iteration"] for event in out] == [3]
