"""Each client's reading of an answer, row by row."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookstream.capture.wrap.verdicts import contract_of, judge
from hookstream.normalizers import VENDORS
from hookstream.normalizers.hook_facts import TOOL, hook_facts

CONTRACTS = {}
for vendor in VENDORS:
    facts = hook_facts(vendor)
    CONTRACTS |= {vendor: facts.verdicts} if facts.verdicts is not None else {}
    CONTRACTS |= {f"{vendor}/{dialect}": one for dialect, one in facts.dialects.items()}

GO = {"hookEventName": "PreToolUse"}
ALLOW = {"permissionDecision": "allow"}
DENY = {"permissionDecision": "deny", "permissionDecisionReason": "no"}


def own(**fields):
    return {"hookSpecificOutput": {**GO, **fields}}


# contract, event, status, stdout (a dict as JSON), stderr -> decision, failure, what a failure does
ROWS = [
    # Claude Code
    ("claude-code", "PreToolUse", 0, "", "", None, None, None),
    ("claude-code", "PreToolUse", 0, "looks fine", "", None, None, None),
    ("claude-code", "PreToolUse", 2, "", "", "deny", None, None),
    ("claude-code", "PreToolUse", 1, own(**DENY), "", "deny", None, None),
    ("claude-code", "PreToolUse", 1, "{}", "", None, "error", "open"),
    ("claude-code", "PreToolUse", 0, own(permissionDecision="ask"), "", "ask", None, None),
    ("claude-code", "PreToolUse", 0, own(permissionDecision="defer"), "", "ask", None, None),
    ("claude-code", "PreToolUse", 0, own(permissionDecision="maybe"), "", None, "garbage", "open"),
    ("claude-code", "PreToolUse", 0, {"continue": False}, "", "deny", None, None),
    ("claude-code", "SessionStart", 2, "", "x", None, "error", "open"),
    ("claude-code", "WorktreeCreate", 1, "", "x", "deny", "error", "closed"),
    ("claude-code", "Stop", 2, "", "go on", None, None, None),
    # Codex
    ("codex", "PreToolUse", 0, own(**DENY), "", "deny", None, None),
    ("codex", "PreToolUse", 0, own(permissionDecision="deny"), "", None, "garbage", "open"),
    ("codex", "PreToolUse", 0, own(**ALLOW), "", None, "garbage", "open"),
    (
        "codex",
        "PreToolUse",
        0,
        own(**ALLOW, updatedInput={"command": "x"}),
        "",
        "allow",
        None,
        None,
    ),
    ("codex", "PreToolUse", 0, own(permissionDecision="ask"), "", None, "garbage", "open"),
    ("codex", "PreToolUse", 0, {"continue": False}, "", None, "garbage", "open"),
    ("codex", "PreToolUse", 0, {"stray": 1}, "", None, "garbage", "open"),
    ("codex", "PreToolUse", 0, "text", "", None, None, None),
    ("codex", "PreToolUse", 2, "", "no", "deny", None, None),
    ("codex", "PreToolUse", 2, "", "", None, "garbage", "open"),
    ("codex", "PreToolUse", 3, "", "no", None, "error", "open"),
    ("codex", "PreToolUse", 0, "", json.dumps(own(**DENY)), None, None, None),
    # Gemini CLI
    ("gemini-cli", "BeforeTool", 0, {"decision": "block", "reason": "no"}, "", "deny", None, None),
    ("gemini-cli", "BeforeTool", 0, "", '{"decision": "deny"}', "deny", None, None),
    ("gemini-cli", "BeforeTool", 0, "{}", '{"decision": "deny"}', None, None, None),
    ("gemini-cli", "BeforeTool", 0, "", "text", None, None, None),
    ("gemini-cli", "BeforeTool", 1, "", "text", None, "error", "open"),
    ("gemini-cli", "BeforeTool", 3, "", "text", "deny", None, None),
    ("gemini-cli", "BeforeTool", 3, "text", "", "deny", None, None),
    ("gemini-cli", "BeforeTool", 2, "", "", None, "error", "open"),
    ("gemini-cli", "BeforeTool", 2, "{}", "", None, "error", "open"),
    ("gemini-cli", "BeforeTool", 0, "{broken", "", None, "garbage", "open"),
    ("gemini-cli", "AfterTool", 0, {"decision": "deny"}, "", None, None, None),
    # Qwen Code
    ("qwen-code", "PreToolUse", 2, "", "no", "deny", None, None),
    ("qwen-code", "PreToolUse", 0, "", json.dumps(own(**DENY)), "deny", None, None),
    ("qwen-code", "PreToolUse", 0, {"decision": "deny", "reason": "no"}, "", "deny", None, None),
    ("qwen-code", "PreToolUse", 3, "", "text", None, "error", "open"),
    # Kimi Code
    ("kimi-code", "PreToolUse", 2, "", "no", "deny", None, None),
    ("kimi-code", "PreToolUse", 0, json.dumps(own(**DENY)), "", "deny", None, None),
    ("kimi-code", "PreToolUse", 0, {"decision": "deny", "reason": "no"}, "", None, None, None),
    ("kimi-code", "PreToolUse", 0, "text", "", None, None, None),
    ("kimi-code", "PreToolUse", 3, "", "no", None, "error", "open"),
    # Mistral Vibe
    ("mistral-vibe", "pre_tool", 0, {"decision": "deny", "reason": "no"}, "", "deny", None, None),
    ("mistral-vibe", "pre_tool", 0, "", "", None, None, None),
    ("mistral-vibe", "pre_tool", 2, "", "no", None, "error", "open_unless_configured"),
    ("mistral-vibe", "pre_tool", 0, "{oops", "", None, "garbage", "open_unless_configured"),
    (
        "mistral-vibe",
        "pre_tool",
        0,
        {"hook_specific_output": {"tool_input": {"command": "ls"}}},
        "",
        "allow",
        None,
        None,
    ),
    # Cursor
    ("cursor", "preToolUse", 0, {}, "", None, None, None),
    ("cursor", "preToolUse", 0, "", "", None, "garbage", "open_unless_configured"),
    ("cursor", "preToolUse", 0, "oops", "", "deny", "garbage", "closed"),
    ("cursor", "preToolUse", 0, {"permission": "maybe"}, "", "deny", "garbage", "closed"),
    ("cursor", "afterFileEdit", 0, "oops", "", None, "garbage", "open_unless_configured"),
    ("cursor", "beforeReadFile", 0, {"permission": "ask"}, "", "deny", "garbage", "closed"),
    (
        "cursor",
        "beforeShellExecution",
        0,
        'chatter\n{"permission": "allow"}',
        "",
        "allow",
        None,
        None,
    ),
    ("cursor", "beforeShellExecution", 2, "", "no", "deny", None, None),
    ("cursor", "beforeShellExecution", 1, "", "no", None, "error", "open_unless_configured"),
    ("cursor", "beforeSubmitPrompt", 0, {"continue": False}, "", "deny", None, None),
    ("cursor", "preToolUse", 0, own(**DENY), "", None, None, None),
    ("cursor/claude-code", "preToolUse", 0, own(**DENY), "", "deny", None, None),
    ("cursor/claude-code", "preToolUse", 0, {"permission": "allow"}, "", "allow", None, None),
    # Copilot, CLI
    ("copilot", "preToolUse", 0, DENY, "", "deny", None, None),
    ("copilot", "preToolUse", 0, ALLOW, "", "allow", None, None),
    ("copilot", "preToolUse", 1, "", "", "deny", "error", "closed"),
    ("copilot", "preToolUse", 2, "", "no", "deny", None, None),
    ("copilot", "preToolUse", None, "", "", "deny", "crash", "closed"),
    ("copilot", "preToolUse", 0, "text", "", None, None, None),
    ("copilot", "permissionRequest", 0, {"behavior": "deny"}, "", "deny", None, None),
    ("copilot", "postToolUse", 1, "", "", None, "error", "open"),
    ("copilot", "UserPromptSubmit", 2, "", "no", None, "error", "open"),
    ("copilot", "UserPromptSubmit", 0, {"decision": "block"}, "", "deny", None, None),
    # Copilot, VS Code
    ("copilot/vscode", "PreToolUse", 1, "", "", None, "error", "open"),
    ("copilot/vscode", "PreToolUse", 2, "", "no", "deny", None, None),
    ("copilot/vscode", "PreToolUse", 0, own(**DENY), "", "deny", None, None),
    # Cline
    ("cline", "PreToolUse", 1, {"cancel": True, "errorMessage": "no"}, "", "deny", None, None),
    ("cline", "PreToolUse", 0, {"cancel": False}, "", None, None, None),
    ("cline", "PreToolUse", 2, "", "no", None, "error", "open"),
    ("cline", "PreToolUse", 0, "oops", "", None, "garbage", "open"),
    ("cline", "TaskStart", 0, {"cancel": True}, "", None, None, None),
    # Devin
    ("devin", "PreToolUse", 2, "", "no", "deny", None, None),
    ("devin", "PreToolUse", 0, {"decision": "block", "reason": "no"}, "", "deny", None, None),
    ("devin", "PreToolUse", 0, own(**DENY), "", None, None, None),
    ("devin", "PreToolUse", 1, "", "x", None, "error", "open"),
    ("devin", "Stop", 0, {"decision": "block"}, "", None, None, None),
    # Antigravity
    ("antigravity", "PreToolUse", 0, {"decision": ""}, "", None, None, None),
    ("antigravity", "PreToolUse", 0, {"decision": "deny"}, "", "deny", None, None),
    ("antigravity", "PreToolUse", 0, {"decision": "force_ask"}, "", "ask", None, None),
    ("antigravity", "PreToolUse", 0, {"decision": "maybe"}, "", None, "garbage", "open"),
    ("antigravity", "PreToolUse", 0, {"overwrite": {"Cwd": "/"}}, "", "allow", None, None),
    ("antigravity", "PostToolUse", 2, "", "no", None, "error", "open"),
    # Auggie
    ("auggie", "PreToolUse", 2, "", "no", "deny", None, None),
    ("auggie", "PreToolUse", 0, own(**DENY), "", "deny", None, None),
    ("auggie", "PreToolUse", 0, own(permissionDecision="ask"), "", None, None, None),
    ("auggie", "PreToolUse", 0, {"decision": "block"}, "", None, None, None),
    ("auggie", "PreToolUse", 0, {"continue": False}, "", "deny", None, None),
    ("auggie", "PreToolUse", 1, "", "x", None, "error", "open"),
    ("auggie", "PromptSubmit", 2, "", "no", None, "error", "open"),
    # Windsurf, Kiro
    ("windsurf", "pre_run_command", 2, DENY, "no", "deny", None, None),
    ("windsurf", "pre_run_command", 0, DENY, "", None, None, None),
    ("windsurf", "post_run_command", 2, "", "no", None, None, None),
    ("windsurf", "pre_run_command", 1, "", "", None, "error", "open"),
    ("kiro", "preToolUse", 2, "", "no", "deny", None, None),
    ("kiro", "agentSpawn", 2, "", "no", None, "error", "open"),
]


@pytest.mark.parametrize(
    ("name", "event", "status", "out", "err", "decision", "failure", "fails"), ROWS
)
def test_the_answer_means(name, event, status, out, err, decision, failure, fails):
    text = out if isinstance(out, str) else json.dumps(out)
    answer = judge(CONTRACTS[name], event, status, text, err)
    assert (answer.decision, answer.failure, answer.fails) == (decision, failure, fails)


def test_a_failure_is_never_an_allow():
    noise = ["", "{", "{}", "[]", "null", "oops", '{"decision": 1}', '{"permission": []}', "\x00"]
    noise += [
        '{"hookSpecificOutput": 7}',
        '{"hookSpecificOutput": {"decision": 3}}',
        '{"a": ' * 999,
    ]
    for contract in CONTRACTS.values():
        for event in (*contract.events, "Unheard"):
            for status in (None, 0, 1, 2, 3, 255):
                for text in noise:
                    answer = judge(contract, event, status, text, text)
                    assert answer.decision in (None, "deny")
                    if answer.failure is not None:
                        assert answer.fails in ("open", "closed", "open_unless_configured")


def test_reasons_are_the_hooks_own_words():
    cases = [
        ("claude-code", "PreToolUse", 2, "", "the reason\n"),
        ("cursor", "preToolUse", 0, '{"permission": "deny", "agent_message": "the reason"}', ""),
        ("gemini-cli", "BeforeTool", 3, "", "the reason"),
        ("cline", "PreToolUse", 0, '{"cancel": true, "errorMessage": "the reason"}', ""),
        ("copilot", "preToolUse", 2, "", "the reason"),
    ]
    for name, event, status, out, err in cases:
        assert judge(CONTRACTS[name], event, status, out, err).reason == "the reason"


def test_plugins_have_no_contract():
    assert contract_of("openclaw", None) is None
    assert contract_of("copilot", "vscode") is CONTRACTS["copilot/vscode"]
    assert contract_of("copilot", "camel") is CONTRACTS["copilot"]


WORDS = st.sampled_from(["allow", "deny", "ask"])
SHAPES = st.sampled_from(["permissionDecision", "decision", "permission"])


@given(
    st.sampled_from(sorted(CONTRACTS)), WORDS, SHAPES, st.booleans(), st.booleans(), st.booleans()
)
def test_no_word_of_a_guard_is_lost(name, word, shape, is_nested, is_rewriting, is_snake):
    """Whatever client it was written for: it is a decision, or a word that its client ignores."""
    contract = CONTRACTS[name]
    events = [event for event, kind in contract.events.items() if kind == TOOL]
    fields = {shape: word} | ({"updatedInput": {"command": "x"}} if is_rewriting else {})
    own_key = "hook_specific_output" if is_snake else "hookSpecificOutput"
    text = json.dumps({own_key: fields} if is_nested else fields)
    for event in events:
        answer = judge(contract, event, 0, text, "")
        assert answer.decision or answer.ignored == word, (name, event, text)
        assert not (answer.decision and answer.ignored)
        if is_rewriting and word != "deny" and answer.decision is None:
            assert answer.ignored_input == {"command": "x"}


@pytest.mark.parametrize(
    ("name", "event", "status", "out", "ignored"),
    [
        ("kimi-code", "PreToolUse", 0, own(**ALLOW), "allow"),
        ("kimi-code", "PreToolUse", 0, own(permissionDecision="ask"), "ask"),
        ("kimi-code", "PreToolUse", 0, own(updatedInput={"command": "x"}), "allow"),
        ("mistral-vibe", "pre_tool", 0, {"decision": "ask"}, "ask"),
        ("mistral-vibe", "pre_tool", 2, "", "deny"),
        ("cline", "PreToolUse", 0, {"cancel": False, "review": True}, "ask"),
        ("cline", "PreToolUse", 2, "", "deny"),
        ("codex", "PreToolUse", 0, own(permissionDecision="ask"), "ask"),
        ("kimi-code", "PreToolUse", 0, "looks fine", None),
        ("kimi-code", "PreToolUse", 3, "", None),
        ("claude-code", "SessionStart", 2, "", None),
    ],
)
def test_words_that_a_client_ignores(name, event, status, out, ignored):
    text = json.dumps(out) if isinstance(out, dict) else out
    answer = judge(CONTRACTS[name], event, status, text, "")
    assert (answer.decision, answer.ignored) == (None, ignored)
