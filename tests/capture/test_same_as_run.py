"""A line of the hook is the line `run` writes, but for what only history knows."""

import json

import pytest
from hook_runner import CLAUDE, CODEX, CURSOR, SAMPLES, read_log

from hookstream.core.records import Record, read_record
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.redaction.keys import load_key
from hookstream.redaction.scanner import Scanner
from hookstream.standards.artifacts import of_fields
from hookstream.standards.rendered import Rendered

pytestmark = pytest.mark.long

# What `hookstream run` knows of an event and the hook cannot, because it takes the events before:
# facts, and the risk and the derived events that detectors add.
HISTORY_FACTS = frozenset(
    "sequence turn_id call_id parent_session_id duplicate_of about decision decision_reason "
    "decided_by decision_evidence certainty outcome success category severity risk "
    "policy_id matched_rule_id refusal is_followup".split()
)
# What the hook knows and a recording does not.
CAPTURE_FACTS = ("machine_id", "user_id", "capture_scope")
NOW = "2026-11-21T02:10:10.012Z"
# What `hookstream run` knows of an event and the hook cannot, because it takes the events before:
# facts, and the risk and the derived events that detectors add.
HISTORY_FACTS = frozenset(
    "sequence turn_id call_id parent_session_id duplicate_of about decision decision_reason "
    "decided_by decision_evidence certainty outcome success category severity risk "
    "policy_id matched_rule_id refusal is_followup".split()
)
# What the hook knows and a recording does not.
CAPTURE_FACTS = ("machine_id", "user_id", "capture_scope")
SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6"[:36]
PROMPT = {key: value for key, value in CLAUDE.items() if not key.startswith("tool")}
RESPONSE = {key: value for key, value in CURSOR.items() if key not in ("command", "sandbox")}
STOP = {key: value for key, value in CODEX.items() if not key.startswith("tool")}
FAILED = {"error": "Exit code 2\nls: cannot access 'ä': No such file", "duration_ms": 31.5}
MORE = [
    (
        "claude-code",
        "PostToolUseFailure",
        {**CLAUDE, **FAILED, "hook_event_name": "PostToolUseFailure", "is_interrupt": False},
    ),
    (
        "claude-code",
        "UserPromptSubmit",
        {
            **PROMPT,
            "hook_event_name": "UserPromptSubmit",
            "prompt": "Grüße \U0001f600 \u2028\x7f\t",
        },
    ),
    ("claude-code", "Unheard", {**CLAUDE, "hook_event_name": "Unheard", "extra": ["é", {"a": 1}]}),
    (
        "claude-code",
        "PreToolUse",
        {**CLAUDE, "tool_input": {"command": f"curl -H 'Authorization: token {SECRET}' x"}},
    ),
    (
        "claude-code",
        "PreToolUse",
        {**CLAUDE, "tool_input": {"n": [0.1, 12345678901234567890, -0.0, 3.0, 1e22, True, None]}},
    ),
    (
        "cursor",
        "afterAgentResponse",
        {**RESPONSE, "hook_event_name": "afterAgentResponse", "text": "done", "input_tokens": 5},
    ),
    (
        "codex",
        "Stop",
        {**STOP, "hook_event_name": "Stop", "last_assistant_message": "hello"},
    ),
]


def without_history(line):
    """The line without facts of history or capture, wherever they stand."""
    line.pop("risk", None)
    line.pop("user", None)
    line.pop("parent_session_id", None)
    line.get("data", {}).pop("is_followup", None)
    meta = line["metadata"]["dev.hookstream"]
    for fact in (*HISTORY_FACTS, *CAPTURE_FACTS):
        meta.pop(fact, None)
    meta["synthesized"] = sorted(set(meta.get("synthesized", ())) - HISTORY_FACTS)
    return line


@pytest.mark.parametrize(("vendor", "event", "payload"), SAMPLES + MORE)
def test_the_hook_writes_what_run_writes(home, vendor, event, payload):
    data = json.dumps(payload).encode()
    home.hook(vendor, event, "--now", NOW, data=data)
    key = load_key(home.state / "pseudonym.key")
    pipeline = Pipeline(Redactor("hash", key, scanner=Scanner(engine="python")), lambda: NOW)
    read = read_record(data)
    record = Record(read.payload, vendor, event, NOW)
    record.marks = read.marks
    if vendor == "cursor":
        record.env = None
    events = [one for one in pipeline.take(record) if not one.facts.get("derived")]
    for one in events:  # what a command names is added where the log is read
        one.artifacts = of_fields(one)
    wanted = [without_history(json.loads(Rendered(one).agent_hooks)) for one in events]
    raw = home.log.read_bytes()
    assert raw.isascii()
    assert [without_history(line) for line in read_log(home.log)] == wanted
    assert wanted
    assert SECRET.encode() not in raw


@pytest.mark.parametrize(("vendor", "event", "payload"), SAMPLES + MORE)
def test_a_line_is_canonical_and_within_the_grammar(home, vendor, event, payload):
    from hookstream.standards.grammar import flaw
    from hookstream.standards.validate import Validator

    home.hook(vendor, event, payload=payload)
    for line in home.log.read_bytes().splitlines():
        assert flaw(line) is None
        assert list(Validator().problems(line)) == []


def test_events_too_deep_or_too_long_are_cut_and_say_so(home):
    from hookstream.standards.grammar import flaw

    deep = inner = {}
    for _ in range(61):
        inner["a"] = inner = {}
    many = {f"key{n}": "v w " * 30 for n in range(20_000)}
    wide = {"files": [f"name{n}" for n in range(200_000)]}
    for given in (deep, many, wide):
        home.hook("claude-code", "PreToolUse", payload={**CLAUDE, "tool_input": given})
    lines = home.log.read_bytes().splitlines()
    assert [flaw(line) for line in lines] == [None] * 3
    for line in lines:
        assert json.loads(line)["metadata"]["dev.hookstream"]["redacted"]


def test_an_event_too_long_for_a_line_is_cut_and_says_so():
    from hookstream.core.event import Event
    from hookstream.pipeline.bounds import line_of
    from hookstream.standards.grammar import flaw

    facts = {"event_id": "e", "timestamp": NOW, "tool": "x", "session_id": "s"}
    facts |= {"command": "a" * 700_000, "action_name": "shell"}
    event = Event("Action.Before", None, facts, "x")
    event.input = {"command": facts["command"], **{f"key{n}": "b" * 4000 for n in range(200)}}
    event.unmapped = {"more": "c" * 2_000_000}
    line = line_of(event)
    assert line.endswith(b"}\n")
    assert flaw(line[:-1]) is None
    meta = json.loads(line)["metadata"]["dev.hookstream"]
    assert "a line of" in meta["native"]["cut"]
    assert "[cut: 700000 characters]" in meta["command"]


def test_an_event_that_time_does_not_allow_to_scan_is_kept_with_digests(home):
    """The budget is found by trying: enough to read the payload, too little to scan it. Whatever
    it is, the answer goes out, the secret does not, and what status is told of the event is so."""
    text = "ls -la /some/where; " * 12_000 + SECRET
    payload = {**CURSOR, "command": text}
    told = set()
    budget_ms = 60
    for _ in range(10):
        home.log.unlink(missing_ok=True)
        (home.state / "hook-errors").unlink(missing_ok=True)
        home.configure({"budget_ms": budget_ms})
        result = home.hook("cursor", "beforeShellExecution", payload=payload)
        assert (result.returncode, result.stdout) == (0, b"{}")
        lines = read_log(home.log) if home.log.exists() else []
        # So busy that not even the grace was enough: a line without the payload.
        is_lost = [line["event_type"] for line in lines] == ["vendor.cursor.CaptureFailed"]
        lines = [] if is_lost else lines
        problems = [(one["problem"], one.get("kept")) for one in home.failures()]
        assert SECRET not in json.dumps(lines)
        # A minimal line (the event was not even read in time) has no data.
        whole = [line for line in lines if "data" in line]
        commands = [line["data"]["action"]["input"]["command"] for line in whole]
        if problems == [("out of time", True)]:
            told.add("kept")
            (command,) = commands
            assert command.startswith("[hookstream:sha256=")
            break
        if whole:  # scanned in time, or begun in a hurry: a machine fast enough always gets here
            assert problems == []
            told.add("in time")
            budget_ms = max(50, budget_ms * 2 // 3)
        else:
            assert is_lost
            told.add("lost")
            budget_ms = budget_ms * 3 // 2
    assert told & {"kept", "in time"}
