"""Sessions that were never there, prompts and answers that no person gave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.otlp.records import NO_SESSION
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream

OWN = "5b0f6f0e-7f0b-4c55-9d0e-0f4a3f8f1b11"
THROWN_AWAY = "e206b867-1111-4222-8333-944455556666"
Rows = list[dict[str, Any]]


def ask_all(tmp_path: Path, lines: list[dict[str, Any]], *names: str) -> dict[str, Rows]:
    source = tmp_path / "in" / "lines.jsonl"
    source.parent.mkdir(exist_ok=True)
    source.write_text("".join(json.dumps(line) + "\n" for line in lines))
    lake = tmp_path / "lake"
    execute(Job([str(source)], [f"parquet:{lake}"], now="2026-12-01T00:00:00Z", machine="box"))
    with open_stream(lake) as stream:
        return {name: objects(ask(stream, name)) for name in names}


def log(name: str, session: str, second: int, **more: str) -> dict[str, Any]:
    """A line of Claude Code's telemetry."""
    held = {"event.name": name, "session.id": session, **more}
    record = {
        "timeUnixNano": str((1_795_532_000 + second) * 10**9),
        "attributes": [{"key": key, "value": {"stringValue": one}} for key, one in held.items()],
        "body": {"stringValue": f"claude_code.{name}"},
    }
    scope = {"scope": {"name": "com.anthropic.claude_code.events"}, "logRecords": [record]}
    return {"resourceLogs": [{"resource": {}, "scopeLogs": [scope]}]}


def test_an_id_that_a_client_throws_away_before_it_resumes_is_not_a_session(
    tmp_path: Path,
) -> None:
    connected = {"server_name": "demo", "status": "connected", "transport_type": "stdio"}
    lines = [
        {
            "vendor": "claude-code",
            "received_at": "2026-11-24T14:00:00Z",
            "payload": {
                "hook_event_name": name,
                "session_id": OWN,
                "transcript_path": "/t",
                "cwd": "/w",
                **more,
            },
        }
        for name, more in (
            ("SessionStart", {"source": "startup"}),
            ("UserPromptSubmit", {"prompt": "Go on."}),
            ("SessionEnd", {"reason": "exit"}),
        )
    ]
    lines.append(log("mcp_server_connection", THROWN_AWAY, 10, **connected))
    lines.append(log("user_prompt", OWN, 11, prompt="Go on.", prompt_length="6"))
    found = ask_all(tmp_path, lines, "sessions", "gaps")
    assert [one["session_id"] for one in found["sessions"]] == [OWN]
    gaps = {gap["gap"] for gap in found["gaps"]}
    assert gaps.isdisjoint({"no_session_start", "no_session_end", "sessions_without_hooks"})


def plugin_error(trace: str, span: str) -> dict[str, Any]:
    return {
        "traceId": trace,
        "spanId": span,
        "name": "Plugin.trigger",
        "startTimeUnixNano": "1795532000000000000",
        "endTimeUnixNano": "1795532000100000000",
        "status": {"code": 2, "message": "refused by policy"},
        "attributes": [],
    }


def exported(*spans: dict[str, Any]) -> dict[str, Any]:
    scope = {"scope": {"name": "opencode"}, "spans": list(spans)}
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [scope]}]}


def test_a_span_waits_for_the_session_that_its_trace_names_later() -> None:
    from hookstream.core.records import Record, read_record
    from hookstream.otlp.records import Telemetry

    telemetry = Telemetry()
    trace = "ab" * 16

    def made(export: dict[str, Any]) -> list[Any]:
        record = read_record(json.dumps(export).encode())
        assert isinstance(record, Record)
        return telemetry.records(record)

    assert made(exported(plugin_error(trace, "01" * 8))) == [NO_SESSION]
    named = {
        **plugin_error(trace, "02" * 8),
        "name": "Tool.execute",
        "status": {"code": 1},
        "attributes": [
            {"key": "session.id", "value": {"stringValue": "ses_1"}},
            {"key": "tool.name", "value": {"stringValue": "bash"}},
            {"key": "tool.call_id", "value": {"stringValue": "call_1"}},
        ],
    }
    records = [one for one in made(exported(named)) if isinstance(one, Record)]
    held = [one for one in records if one.payload["otlp"]["name"] == "Plugin.trigger"]
    assert held
    assert all(one.payload["otlp"]["trace_session"] == "ses_1" for one in held)


def event(name: str, at: str, properties: dict[str, Any]) -> dict[str, Any]:
    payload = {"event": {"id": f"evt_{name}_{at}", "type": name, "properties": properties}}
    return {"vendor": "opencode", "native_event": name, "received_at": at, "payload": payload}


def asked_and_refused(replied_at: str) -> list[dict[str, Any]]:
    """A call, the question whether it may repeat itself (no call id), and the answer."""
    given = {"command": "echo same >> same.log"}
    before = {
        "vendor": "opencode",
        "native_event": "tool.execute.before",
        "received_at": "2026-11-24T15:00:00.000Z",
        "payload": {
            "input": {"tool": "bash", "sessionID": "ses_1", "callID": "call_1"},
            "output": {"args": given},
        },
    }
    question = {
        "id": "per_1fbdd8a63001aioRrnBOc5QnFW",
        "sessionID": "ses_1",
        "permission": "doom_loop",
        "patterns": ["bash"],
        "metadata": {"tool": "bash", "input": given},
    }
    reply = {"sessionID": "ses_1", "requestID": question["id"], "reply": "reject"}
    return [
        before,
        event("permission.asked", "2026-11-24T15:00:01.000Z", question),
        event("permission.replied", replied_at, reply),
    ]


def test_a_question_without_a_call_id_belongs_to_its_call(tmp_path: Path) -> None:
    found = ask_all(tmp_path, asked_and_refused("2026-11-24T15:00:09.000Z"), "calls", "denies")
    (call,) = found["calls"]
    assert (call["call_id"], call["outcome"]) == ("call_1", "denied")
    (deny,) = found["denies"]
    assert (deny["command"], deny["decided_by"]) == ("echo same >> same.log", "user")


def test_an_answer_sooner_than_a_person_gives_one_is_the_clients(tmp_path: Path) -> None:
    found = ask_all(tmp_path, asked_and_refused("2026-11-24T15:00:01.004Z"), "denies")
    (deny,) = found["denies"]
    assert deny["decided_by"] == "client"


def test_a_sub_agent_whose_start_failed_belongs_to_the_session_that_wanted_it(
    tmp_path: Path,
) -> None:
    """Its session has an end and nothing else, and that comes before the call's own."""
    own, child = "agent:main:run", "agent:main:subagent:09473f3e-cbac-4ace-8a13-885d459ce44a"
    call = {"toolName": "sessions_spawn", "params": {"task": "look"}, "toolCallId": "call_1"}
    failed = {"status": "error", "error": "no runtime", "childSessionKey": child}
    result = {"content": [{"type": "text", "text": json.dumps(failed)}], "details": failed}
    payloads = (
        ("session_start", {"sessionId": "s1"}, own),
        ("before_tool_call", call, own),
        ("session_end", {"sessionId": "s2", "messageCount": 0, "reason": "deleted"}, child),
        ("after_tool_call", {**call, "result": result, "error": "no runtime"}, own),
        ("session_end", {"sessionId": "s1", "messageCount": 2, "reason": "idle"}, own),
    )
    lines = [
        {
            "vendor": "openclaw",
            "native_event": hook,
            "received_at": f"2026-11-24T14:00:0{n}Z",
            "payload": {
                "hook": hook,
                "event": {**event, "sessionKey": key},
                "ctx": {"sessionKey": key, "agentId": "main"},
            },
        }
        for n, (hook, event, key) in enumerate(payloads)
    ]
    found = ask_all(tmp_path, lines, "sessions", "gaps")
    parents = {one["session_id"]: one["parent_session_id"] for one in found["sessions"]}
    assert parents == {own: None, child: own}
    assert found["gaps"] == []
