"""Every wording of every client at every door that the client has: one answer.

A door is a payload in which a hook (of its own or of a wrapped one), a batch, a session file or
telemetry has the text of a call's end. Clients with one door are in their own tests.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers import steps as s
from hookstream.normalizers.auggie import wording as auggie_wording
from hookstream.normalizers.client import client_of
from hookstream.normalizers.codex import wording as codex_wording
from hookstream.transcripts.clients import files_of

NOW = "2026-11-29T00:00:00.000Z"
Payload = dict[str, Any]
Answer = dict[str, Any]
FACTS = "outcome decided_by decision_reason matched_rule_id exit_code error_message".split()


def answer_of(events: Any) -> Answer:
    """The end of the call that the events show."""
    ends = [e for e in events if e.type in ("Action.After", "Policy.Blocked")]
    (event,) = [e for e in ends if not e.facts.get("derived")][:1] or [None]
    assert event is not None, [e.type for e in events]
    facts = {name: event.facts.get(name) for name in FACTS}
    # The entry of a batch is a refusal once the history shows that the call never began.
    reason = event.facts.get("refusal")
    if event.type == "Policy.Blocked" or event.facts.get("decision") == "deny" or reason:
        facts |= {"outcome": "denied", "decision_reason": reason or facts["decision_reason"]}
    return facts


def seen(client: str, payload: Payload, witness: str = "hook", event: str | None = None) -> Answer:
    answers = []
    for name in ("hook", "wrap") if witness == "hook" else (witness,):
        record = Record(payload, vendor=client, native_event=event, witness=name, received_at=NOW)
        table = witness if witness == "telemetry" else "table"
        events = normalize(record, compiled(client, table), NOW)
        assert not isinstance(events, str), events
        answers.append(answer_of(events))
    assert all(answer == answers[0] for answer in answers)
    return answers[0]


def read(client: str, *values: Payload, path: str = "/s/x.jsonl") -> Answer:
    """The end that session records show."""
    reader = files_of(client).reader(path)
    steps = [step for value in values for step in reader.read(value)] + [*reader.finish()]
    events = []
    for step in steps:
        record = s.record_of(step, client, None, ("x", 0))
        if not isinstance(record, str):
            made = normalize(record, compiled(client, "transcript"), NOW)
            events += [] if isinstance(made, str) else made
    return answer_of(events)


def gemini(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    is_shell = tool == "run_shell_command" and not is_refusal
    response = {"output": text} if is_shell else {"error": text}
    status = "success" if is_shell else "error"
    part = {"functionResponse": {"id": "c", "name": tool, "response": response}}
    call = {"id": "c", "name": tool, "args": {}, "status": status, "result": [part]}
    begin = {"sessionId": "s", "projectHash": "p", "startTime": NOW}
    yield read(
        "gemini-cli", begin, {"id": "1", "timestamp": NOW, "type": "gemini", "toolCalls": [call]}
    )
    if is_shell:
        result = {"status": status, "response": {"responseParts": [part]}}
        span: Payload = {"otlp": {"signal": "span", "name": "tool_call", "phase": "end"}}
        span |= {"gen_ai_tool_name": tool, "gen_ai_output_messages": json.dumps(result)}
        yield seen("gemini-cli", span, "telemetry")
    else:
        log = {"event_name": "gemini_cli.tool_call", "function_name": tool, "session_id": "s"}
        yield seen("gemini-cli", {**log, "success": False, "error": text}, "telemetry")
    if not is_refusal:
        hook: Payload = {"hook_event_name": "AfterTool", "session_id": "s", "tool_name": tool}
        error = None if is_shell else {"message": text}
        hook |= {"tool_input": {}, "tool_response": {"llmContent": text, "error": error}}
        yield seen("gemini-cli", hook)


def qwen(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    status = "cancelled" if "did not allow" in text else "error"
    kind = "execution_denied" if is_refusal else "execution_failed"
    event = {"event.name": "qwen-code.tool_call", "function_name": tool, "call_id": "c"}
    event |= {"status": status, "error": text, "error_type": kind, "execution_status": ""}
    value = {"type": "system", "subtype": "ui_telemetry", "sessionId": "s", "timestamp": NOW}
    yield read("qwen-code", {**value, "parentUuid": None, "systemPayload": {"uiEvent": event}})
    log = {key.replace(".", "_"): field for key, field in event.items()}
    yield seen("qwen-code", {**log, "session_id": "s", "success": False}, "telemetry")
    part = {"functionResponse": {"response": {"error": text}}}
    response = {"error": text, "error_type": kind, "response_parts": [part]}
    entry = {"tool_name": tool, "tool_input": {}, "tool_use_id": "c", "status": status}
    batch = {"hook_event_name": "PostToolBatch", "session_id": "s"}
    yield seen("qwen-code", {**batch, "tool_calls": [{**entry, "tool_response": response}]})
    if not is_refusal:
        hook = {"hook_event_name": "PostToolUseFailure", "session_id": "s", "tool_name": tool}
        yield seen("qwen-code", {**hook, "tool_input": {}, "tool_use_id": "c", "error": text})


def codex(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    item = {"type": "function_call", "call_id": "c", "name": tool, "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": text}
    values = [{"type": "response_item", "timestamp": NOW, "payload": p} for p in (item, output)]
    meta = {"type": "session_meta", "timestamp": NOW, "payload": {"id": "s"}}
    yield read("codex", meta, *values)
    log = {"event_name": "codex.tool_result", "tool_name": tool, "call_id": "c", "output": text}
    is_command = tool == "exec_command" and not is_refusal
    yield seen("codex", {**log, "conversation_id": "s", "success": is_command}, "telemetry")


def copilot(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    is_shell = tool == "bash" and not is_refusal
    value = {"id": "1", "parentId": None, "timestamp": NOW}
    start = {"toolCallId": "c", "toolName": tool, "arguments": {}}
    end: Payload = {"toolCallId": "c", "success": is_shell}
    end |= {"result": {"content": text}} if is_shell else {}
    end |= {"error": {"message": text, "code": "denied" if is_refusal else "failure"}}
    yield read(
        "copilot",
        {**value, "type": "session.start", "data": {"sessionId": "s"}},
        {**value, "type": "tool.execution_start", "data": start},
        {
            **value,
            "type": "tool.execution_complete",
            "data": end
            if not is_shell
            else {key: field for key, field in end.items() if key != "error"},
        },
    )
    otlp = {"signal": "span", "name": f"execute_tool {tool}", "phase": "end", "status": 0}
    if not is_shell:
        otlp |= {"status": 2, "status_message": text}
    span: Payload = {"gen_ai_operation_name": "execute_tool", "gen_ai_tool_name": tool}
    span |= {"gen_ai_conversation_id": "s", "gen_ai_tool_call_id": "c", "otlp": otlp}
    span |= {"error_type": "denied"} if is_refusal else {}
    span |= {"gen_ai_tool_call_result": text} if is_shell else {}
    yield seen("copilot", span, "telemetry")
    hook: Payload = {"sessionId": "s", "timestamp": 1795227119562, "cwd": "/p", "toolName": tool}
    if is_shell or is_refusal:
        kind = "denied" if is_refusal else "success"
        hook |= {"toolArgs": {}, "toolResult": {"resultType": kind, "textResultForLlm": text}}
        yield seen("copilot", hook, event="postToolUse")
    else:
        yield seen("copilot", {**hook, "toolArgs": {}, "error": text}, event="postToolUseFailure")


def cline(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    output = {"error": text} if is_refusal else [{"query": "q", "error": text, "success": False}]
    hook = {"clineVersion": "3.0.65", "hookName": "PostToolUse", "taskId": "s"}
    hook |= {"tool_result": {"id": "c", "name": tool, "input": {}, "output": output}}
    yield seen("cline", hook)
    content = json.dumps(output) if is_refusal else output
    part = {"type": "tool_result", "tool_use_id": "c", "name": tool, "content": content}
    yield read(
        "cline",
        {"id": "1", "role": "user", "ts": 1795342266926, "content": [{**part, "is_error": True}]},
        path="/home/dev/.cline/data/sessions/s/s.messages.json",
    )


def opencode(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    state = {"status": "error", "input": {}, "error": text, "time": {"start": 1, "end": 2}}
    part = {"id": "p", "sessionID": "s", "messageID": "m", "type": "tool", "tool": tool}
    part |= {"callID": "c", "state": state}
    event = {"type": "message.part.updated", "properties": {"part": part}}
    yield seen("opencode", {"hook": "event", "event": event}, event="event")
    otlp = {"signal": "span", "name": "ai.toolCall", "phase": "end", "status": 2}
    span = {"ai_toolCall_name": tool, "ai_toolCall_id": "c", "session_id": "s"}
    yield seen("opencode", {**span, "otlp": {**otlp, "status_message": text}}, "telemetry")


def kimi(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    hook = {"hook_event_name": "PostToolUseFailure", "session_id": "session_s", "cwd": "/p"}
    hook |= {"client_type": "kimi_code_cli", "tool_name": tool, "tool_input": {}}
    error = {"code": "internal", "message": text}
    yield seen("kimi-code", {**hook, "tool_call_id": "c", "error": error})
    begin = {"type": "tool.call", "toolCallId": "c", "name": tool, "args": {}}
    result = {"output": text, "isError": True, "durationMs": 0 if is_refusal else 5}
    end = {"type": "tool.result", "toolCallId": "c", "result": result}
    value = {"type": "context.append_loop_event", "agentId": "main", "time": 1795537559479}
    path = "/k/session_s/agents/main/wire.jsonl"
    yield read("kimi-code", {**value, "event": begin}, {**value, "event": end}, path=path)


def pi(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    content = [{"type": "text", "text": text}]
    event = {"type": "tool_result", "toolName": tool, "toolCallId": "c", "input": {}}
    event |= {"content": content, "isError": True}
    yield seen("pi", {"hook": "tool_result", "event": event, "session": "/s", "cwd": "/p"})
    message = {"role": "toolResult", "toolCallId": "c", "toolName": tool, "content": content}
    value = {
        "type": "message",
        "id": "1",
        "timestamp": NOW,
        "message": {**message, "isError": True},
    }
    yield read("pi", value)


def openclaw(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    result = {"details": {"status": "failed"}, "content": [{"type": "text", "text": text}]}
    event = {"toolName": tool, "toolCallId": "c", "params": {}, "error": text, "result": result}
    context = {"sessionKey": "agent:main:s", "sessionId": "s"}
    yield seen("openclaw", {"hook": "after_tool_call", "event": event, "ctx": context})
    message = {"role": "toolResult", "toolCallId": "c", "toolName": tool, "isError": True}
    details = {"status": "failed", "error": text}
    value = {"type": "message", "id": "1", "timestamp": NOW}
    yield read("openclaw", {**value, "message": {**message, "details": details}})


def auggie(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    hook = {"hook_event_name": "PostToolUse", "conversation_id": "s", "tool_name": tool}
    yield seen("auggie", {**hook, "tool_input": {}, "tool_output": text, "tool_error": text})
    node = {"tool_use_id": "c", "content": text, "is_error": True, "start_time_ms": 1}
    use = {"tool_use": {"tool_use_id": "c", "tool_name": tool, "input_json": "{}"}, "type": 5}
    first = {"request_nodes": [], "response_nodes": [use]}
    sent = [{"type": 1, "tool_result_node": {**node, "duration_ms": 1}}]
    value = {"finishedAt": NOW, "sequenceId": 1}
    head = {"sessionId": "s", "agentState": {}, "rootTaskUuid": "r", "created": NOW}
    second = {"request_nodes": sent, "response_nodes": []}
    yield read("auggie", head, {**value, "exchange": first}, {**value, "exchange": second})


def claude(tool: str, is_refusal: bool, text: str) -> Iterator[Answer]:
    given = {"file_path": "/p/x", "path": "x"}
    entry = {"tool_name": tool, "tool_input": given, "tool_use_id": "c", "tool_response": text}
    batch = {"hook_event_name": "PostToolBatch", "session_id": "s", "transcript_path": "/t"}
    yield seen("claude-code", {**batch, "tool_calls": [entry]})
    value = {"sessionId": "s", "timestamp": NOW, "uuid": "u", "cwd": "/p"}
    use = {"type": "tool_use", "id": "c", "name": tool, "input": given}
    result = {"type": "tool_result", "tool_use_id": "c", "content": text, "is_error": True}
    yield read(
        "claude-code",
        {**value, "type": "assistant", "message": {"id": "m", "content": [use]}},
        {**value, "type": "user", "message": {"role": "user", "content": [result]}},
    )


DOORS: dict[str, Callable[[str, bool, str], Iterator[Answer]]] = {
    "gemini-cli": gemini,
    "qwen-code": qwen,
    "codex": codex,
    "copilot": copilot,
    "cline": cline,
    "opencode": opencode,
    "kimi-code": kimi,
    "pi": pi,
    "openclaw": openclaw,
    "auggie": auggie,
    "claude-code": claude,
}

REJECTED = 'exec_command failed: CreateProcess { message: "Rejected(\\"%s\\")" }'
# In public reports of 2026, in English and in other languages behind the first sentence.
REVIEWED = "This action was rejected due to unacceptable risk.\nReason: "
# client -> (tool, texts of refusals by who refused)
REFUSED: dict[str, tuple[str, dict[str, list[str]]]] = {
    "gemini-cli": (
        "read_file",
        {
            "hook": [
                "Tool execution blocked: no secrets here",
                "Agent execution stopped by hook: enough for today",
            ],
            "mode": ["Tool execution denied by policy.\nYou are in Plan Mode now"],
            "rule": [
                "Tool execution denied by policy.",
                'Tool execution for "ReadFile" denied by policy.',
            ],
            "client": ["Tool execution for Shell requires user confirmation, which is not"],
            "user": [
                'Tool "run" was canceled by the user',
                "[Operation Cancelled] Reason: User denied it",
            ],
        },
    ),
    "qwen-code": (
        "read_file",
        {
            "hook": ["Permission denied by hook", "the hook's own words"],
            "rule": [
                'This "x" invocation was denied by permission rules. Matching deny rule: "Read(x)"',
                'Tool "x" is disabled',
                "Qwen Code requires permission to use x, but that permission was declined",
            ],
            "client": [
                "Qwen Code requires permission to use x, which is not available",
                "This command requires approval",
                "x requires permission, but background agents cannot prompt",
            ],
            "mode": [
                'Tool blocked by plan mode: "x"',
                "Plan mode is active. x",
                "Plan mode blocked a non-read-only tool call.",
            ],
            "user": ["[Operation Cancelled] Reason: User did not allow tool call"],
        },
    ),
    "codex": (
        "exec_command",
        {
            "hook": ["Tool call blocked by PreToolUse hook: no. Tool: mcp__demo__echo"],
            "client": [
                "patch rejected: writing is blocked; rejected by user approval settings",
                REJECTED % "approval required by policy, but AskForApproval is set to Never",
                REVIEWED + "Automatic approval review failed: stream disconnected",
                REJECTED % (REVIEWED + "Automatic approval review failed: no answer"),
                REJECTED % "`bash -lc 'rm -f x'` rejected: rm -f style commands are not permitted.",
            ],
            "user": ["patch rejected by user", REJECTED % "rejected by user"],
            "classifier": [REVIEWED + "it sends keys", REJECTED % (REVIEWED + "it sends keys")],
            "rule": [REJECTED % "`/bin/bash -lc 'git push'` rejected: no pushes from agents"],
            "": [REJECTED % "a reason of a later version"],
        },
    ),
    "copilot": (
        "bash",
        {
            "hook": [
                "Denied by preToolUse hook: no",
                "The tool call failed. Denied by preToolUse hook: no",
            ],
            "user": [
                "Denied by user via preToolUse hook prompt: look",
                "The user rejected this tool call.",
                "User declined the call",
                "denied by the user",
            ],
            "rule": [
                "Permission to run this tool was denied due to the following rules: `shell(rm)`"
            ],
            "client": [
                "Permission denied because no interactive user response was available.",
                "could not request permission from user",
                "Denied by preToolUse hook (unable to ask user for confirmation): look",
            ],
            "": ["a sentence of a later version"],
        },
    ),
    "cline": (
        "read_files",
        {
            "client": [
                'Tool "read_files" requires approval',
                'Tool "read_files" approval request failed: no socket',
                "Tool execution is disabled for provider x",
            ],
            "rule": ['Tool "read_files" is disabled by policy'],
            "hook": ["Tool read_files was blocked by a runtime hook"],
            "mode": ["read_files is blocked in plan mode"],
            "user": ["The user denied this operation", 'Tool "x" was denied by user'],
        },
    ),
    "opencode": (
        "read",
        {
            "user": ["The user rejected permission to use this specific tool call."],
            "rule": [
                "The user has specified a rule which prevents you from using this specific tool "
                "call. Here are some of the relevant rules []"
            ],
        },
    ),
    "kimi-code": (
        "Bash",
        {
            "user": ['Tool "Bash" was not run because the user rejected the approval request.'],
            "rule": ['Tool "Bash" was denied by permission rule.'],
            "mode": ["Plan mode is active. You may only write to the plan"],
        },
    ),
    "openclaw": (
        "exec",
        {
            "hook": ["Tool call blocked because before_tool_call hook failed"],
            "client": [
                "Approval timed out",
                "Plugin approval required (gateway unavailable)",
                "Plugin approval request failed",
                "Exec approval registration failed: x",
            ],
            "user": ["Denied by user"],
            "rule": ["Exec denied (allowlist-miss)", "exec denied: allowlist miss"],
        },
    ),
    "auggie": (
        "view",
        {
            "user": ["Tool execution denied by user: view"],
            "rule": [
                f"Tool execution denied: view\n {words}x\n Do not attempt to run it"
                for words, who in auggie_wording.DENIERS
                if who == "rule"
            ],
            "client": [
                f"Tool execution denied: view\n {words}x"
                for words, who in auggie_wording.DENIERS
                if who == "client"
            ],
        },
    ),
    "claude-code": (
        "Bash",
        {
            "hook": [
                "PreToolUse:Bash hook error: no",
                "Hook PreToolUse:Bash denied this tool",
            ],
            "mod": [
                "Permission to use Bash denied by plugin demo: no",
                "Subagent spawn denied by a plugin: no",
            ],
            "mode": [
                "Permission to use Bash has been denied because Claude Code is running in don't",
                "Cannot call Bash while in plan mode",
                "Cannot write to /p/x while in plan mode",
            ],
            "client": [
                "Permission to use Bash has been denied. IMPORTANT: x",
                "Claude requested permissions to use Bash, but you haven't granted it yet.",
                "Claude requested permissions to write to /p/x, but you haven't granted it yet.",
                "The command requires approval for this Bash command",
                "Bash did not run. It needs the user's approval",
                "Bash was not run: its permission check failed",
                "The Bash permission check failed",
                "Claude Code could not finish the Bash permission check",
                "ls was blocked. For security, Claude Code may only list files",
                "This Bash command contains multiple operations",
                "Permission for this tool use was denied: it requires a person",
                "Permission for this command was denied by a built-in Claude Code check",
            ],
            "rule": [
                "Permission to use Bash with command x has been denied.",
                "Permission to read /p/x has been denied.",
                "Bash denied access to x",
                "<tool_use_error>x denied by your permission settings</tool_use_error>",
                "x was blocked by a deny rule",
            ],
            "classifier": [
                "Auto mode is unavailable: x, so Bash was not run",
                "Bash was not reviewed by it",
                "Only the auto-mode classifier can allow Bash: x",
                "Permission for this action was denied by it",
                "Auto mode is unavailable: x",
            ],
            "user": [
                "Permission for this tool use was denied. The tool use was rejected by it",
                "The user doesn't want to proceed with this tool use. x",
            ],
        },
    ),
}
# client -> (tool, text of a failure, exit code, message), no code and no message where it is none
FAILED: dict[str, list[tuple[str, str, int | None, str | None]]] = {
    "gemini-cli": [
        ("run_shell_command", "Output: x\nExit Code: 3\nProcess Group PGID: 1", 3, "Exit Code: 3"),
        ("run_shell_command", "Output: x\nExit Code: -1", -1, "Exit Code: -1"),
        ("run_shell_command", "Output: a\nExit Code: 3\nb\nProcess Group PGID: 1", None, None),
        ("read_file", "\n\nboom\nx", None, "boom"),
    ],
    "qwen-code": [
        ("run_shell_command", "Command: x\nExit Code: 3\nSignal: (none)", 3, "Exit Code: 3"),
        ("read_file", "\n\nboom\nx", None, "boom"),
    ],
    "codex": [
        ("exec_command", "Chunk ID: 1\nProcess exited with code 2\nOutput:\n\nx\ny", 2, "x"),
        ("exec_command", "Exit code: 4 (signal)\nWall time: 1\nOutput:\nx", 4, "x"),
        ("exec_command", f"Exit code: 0\nOutput:\n{'x' * 500}\nExit code: 5\n", 0, None),
        ("view_image", "unsupported call: view_image\nx", None, "unsupported call: view_image"),
    ],
    "copilot": [
        ("bash", "\nx\ny\n<exited with exit code 3>", 3, "x"),
        ("bash", "x\n<shellId: 1 completed with exit code 0>", 0, None),
        (
            "bash",
            "<exited with exit code 3>\n<shellId: 1 completed with exit code 0>\n",
            0,
            None,
        ),
        ("view", "\n\nboom\nx", None, "boom"),
    ],
    "cline": [
        ("run_commands", "Command exited with code 3", 3, "Command exited with code 3"),
        ("read_files", "boom\nx", None, "boom"),
    ],
    "opencode": [("read", "\nboom\nx", None, "boom")],
    "kimi-code": [
        ("Bash", "x\nCommand failed with exit code: 3.", 3, "Command failed with exit code: 3."),
        ("Read", "\nboom\nx", None, "boom"),
    ],
    "pi": [
        ("bash", "x\n\nCommand exited with code 3", 3, "Command exited with code 3"),
        ("read", "boom\nx", None, "boom"),
    ],
    "openclaw": [("exec", "\nboom\nx", None, "boom")],
    "auggie": [
        (
            "launch-process",
            "Here are the results from executing the command.\n<return-code>\n3\n</return-code>",
            3,
            "return-code 3",
        ),
        ("view", "\nboom\nx", None, "boom"),
    ],
}


@pytest.mark.parametrize(
    ("client", "tool", "who", "text"),
    [
        pytest.param(client, tool, who or None, text, id=f"{client}-{who}-{number}")
        for client, (tool, refusals) in REFUSED.items()
        for who, texts in refusals.items()
        for number, text in enumerate(texts)
    ],
)
def test_every_door_reads_a_refusal_alike(
    client: str, tool: str, who: str | None, text: str
) -> None:
    answers = list(DOORS[client](tool, True, text))
    assert len(answers) > 1
    assert all(answer == answers[0] for answer in answers), answers
    assert (answers[0]["outcome"], answers[0]["decided_by"]) == ("denied", who)
    assert answers[0]["decision_reason"]


@pytest.mark.parametrize(
    ("client", "tool", "text", "code", "message"),
    [
        pytest.param(client, *row, id=f"{client}-{row[1][:20]!r}")
        for client in FAILED
        for row in FAILED[client]
    ],
)
def test_every_door_reads_a_failure_alike(
    client: str, tool: str, text: str, code: int | None, message: str | None
) -> None:
    answers = list(DOORS[client](tool, False, text))
    assert len(answers) > 1
    outcome = "error" if message else "ok"
    for answer in answers:
        shown = answer["outcome"], answer["exit_code"], answer["error_message"]
        assert shown == (outcome, code, message)


def test_every_sentence_of_a_client_has_its_text_here() -> None:
    missing = []
    for client, (_, refusals) in REFUSED.items():
        module = import_module(f"hookstream.normalizers.{client_of(client).folder}.wording")
        texts = [text for texts in refusals.values() for text in texts]
        texts += [
            match["reason"] for text in texts if (match := codex_wording.REJECTED.match(text))
        ]
        for name in ("REFUSALS", "REJECTIONS", "NAMED", "UNNAMED", "WITHIN"):
            for sentence, *_ in getattr(module, name, ()):
                pattern = re.compile(sentence, re.DOTALL) if type(sentence) is str else sentence
                if not any(pattern.match(text) for text in texts):
                    missing.append((client, pattern.pattern))
    assert missing == []
