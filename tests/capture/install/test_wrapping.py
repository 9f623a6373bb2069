"""install --wrap: hooks of others run as before, and what is wrapped is unwrapped again."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from reading import commands, read

from hookstream.capture.install import launcher
from hookstream.capture.install.command import command_line
from hookstream.capture.install.commands import (
    is_ours,
    is_plain,
    is_wrapped,
    unwrap_line,
    wrap_line,
    wrap_words,
)

pytestmark = pytest.mark.posix("hooks are not wrapped on Windows, and scripts are shell scripts")

Run = Callable[..., subprocess.CompletedProcess[str]]
COMMANDS = [
    "/opt/guard",
    "/opt/guard --strict 'a b' \"c d\"",
    '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh',
    "~/bin/check ${MODE}",
    "cat | jq -r .tool_name",
    "cd /tmp && ./guard",
    "FOO=1 /opt/guard",
    "exit 2",
    "test -f /tmp/x || exit 2",
    "echo 'it'\\''s' \"$(date)\"",
    "sh -c 'exit 3'",
    "bash -c 'a | b'",
    "a\nb",
    "guard -- wrap x -- y",
    'python3 -c "import sys; sys.exit(2)"',
    "/opt/ünïcode --fähig",
    "",
    "guard # comment",
    "guard *.py",
    "guard > /dev/null 2>&1",
    "guard;",
    "\\guard",
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("shell", ["sh", "bash", '"${SHELL:-sh}"'])
def test_a_wrapped_command_is_known_and_unwrapped_to_the_letter(command: str, shell: str) -> None:
    line = wrap_line("claude-code", "PreToolUse", command, shell)
    assert is_wrapped(line) and not is_ours(line) and not is_wrapped(command)
    assert unwrap_line(line) == command
    assert unwrap_line(command) is None


@pytest.mark.parametrize(
    "command", ["printf a", "printf a | tr a b", "X=b; printf $X", "exit 3", 'printf "$HOME"']
)
def test_it_runs_as_it_did(home: Path, command: str) -> None:
    launcher.write()
    lines = [command, wrap_line("claude-code", "PreToolUse", command)]
    env = {**os.environ, "HOME": str(home)}
    done = [
        subprocess.run(["sh", "-c", line], input=b"{}", capture_output=True, env=env, timeout=60)
        for line in lines
    ]
    assert done[0].returncode == done[1].returncode
    assert (done[0].stdout, done[0].stderr) == (done[1].stdout, done[1].stderr)


def test_hook_lines_are_ours_and_safe_where_a_failure_denies(home: Path) -> None:
    for vendor in ("claude-code", "cursor", "copilot", "gemini-cli"):
        line = command_line(vendor, "PreToolUse")
        assert is_ours(line) and not is_wrapped(line)
    broken = command_line("copilot", "preToolUse")  # no launcher was written
    done = subprocess.run(["bash", "-c", broken], input=b"{}", capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_plain_is_what_needs_no_shell() -> None:
    assert is_plain('"$CLAUDE_PROJECT_DIR"/x.sh --a')
    for command in (
        "a | b",
        "a && b",
        "A=1 b",
        "cd /x",
        "a `b`",
        "a $(b)",
        "",
        " ",
        "sh -c a",
        "a;b",
    ):
        assert not is_plain(command)


GUARDS = {
    "hooks": {
        "PreToolUse": [
            {
                "matcher": "Bash",
                "hooks": [
                    {"type": "command", "command": "/opt/guard"},
                    {"type": "http", "url": "http://localhost:1"},
                    {"type": "command", "command": "node", "args": ["x.js"]},
                    {"command": "jq -e . | grep -q x"},
                    {"type": "command", "command": "true", "args": []},
                    {"command": "Get-Date", "shell": "powershell"},
                    {"command": "[[ -f x ]]", "shell": "bash"},
                ],
            }
        ],
    }
}


def test_wrap_and_back(home: Path, run: Run) -> None:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(GUARDS, indent=4))
    before = path.read_bytes()
    assert run("install", "claude-code", "--wrap").returncode == 0
    handlers = read(path)["hooks"]["PreToolUse"][0]["hooks"]
    lines = [is_wrapped(h.get("command", "")) for h in handlers]
    assert lines == [True, False, False, True, False, False, True]
    assert handlers[6]["command"].endswith(" bash -c '[[ -f x ]]'")
    for at, original in ((2, ["node", "x.js"]), (4, ["true"])):
        words = [handlers[at]["command"], *handlers[at]["args"]]
        assert words == wrap_words("claude-code", "PreToolUse", original)
    for at in (1, 5):
        assert handlers[at] == GUARDS["hooks"]["PreToolUse"][0]["hooks"][at]
    # Wrapped stays wrapped, and once is enough.
    wrapped = path.read_bytes()
    assert "already" in run("install", "claude-code").stdout
    assert "already" in run("install", "claude-code", "--wrap").stdout
    assert path.read_bytes() == wrapped
    assert run("uninstall", "claude-code").returncode == 0
    assert path.read_bytes() == before


def test_unwrapped_too_where_the_file_was_edited(home: Path, run: Run) -> None:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(GUARDS, indent=4))
    run("install", "claude-code", "--wrap")
    path.write_text(path.read_text().replace('"matcher": "Bash"', '"matcher": "Edit"'))
    run("uninstall", "claude-code")
    wanted = json.dumps(GUARDS, indent=4).replace('"Bash"', '"Edit"')
    assert path.read_text() == wanted


def test_a_plain_install_can_be_wrapped_later(home: Path, run: Run) -> None:
    path = home / ".gemini/settings.json"
    path.parent.mkdir()
    path.write_text(
        '{"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "g | h"}]}]}}'
    )
    before = path.read_bytes()
    run("install", "gemini-cli")
    run("install", "gemini-cli", "--wrap")
    first, second = commands(read(path)["hooks"]["BeforeTool"])
    assert is_ours(first) and second.endswith("bash -c 'g | h'")
    run("uninstall", "gemini-cli")
    assert path.read_bytes() == before


def test_copilot_wraps_the_files_beside_its_own(home: Path, run: Run) -> None:
    other = home / ".copilot/hooks/policy.json"
    other.parent.mkdir(parents=True)
    other.write_text(
        '{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "/opt/g"}]}}'
    )
    before = other.read_bytes()
    run("install", "copilot")
    assert other.read_bytes() == before
    run("install", "copilot", "--wrap")
    assert is_wrapped(read(other)["hooks"]["preToolUse"][0]["bash"])
    run("uninstall", "copilot")
    assert other.read_bytes() == before
    assert [p.name for p in other.parent.iterdir()] == ["policy.json"]


def test_what_is_not_wrapped_is_told_with_the_reason(home: Path, run: Run) -> None:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(GUARDS, indent=4))
    told = [
        f"not wrapped, {path}: PreToolUse: http hook, runs no command",
        f"not wrapped, {path}: PreToolUse: runs in powershell",
    ]
    for words in (("install", "claude-code", "--wrap", "--dry-run"), ("install", "claude-code")):
        assert ("not wrapped" in run(*words).stdout) == ("--wrap" in words)
    done = run("install", "claude-code", "--wrap")
    assert [line for line in done.stdout.splitlines() if "not wrapped" in line] == told
    status = run("status", "claude-code").stdout
    assert "wrapped: 5 hooks of others" in status
    assert f"gap: not wrapped in {path}: PreToolUse: http hook, runs no command; " in status
    (agent,) = json.loads(run("status", "claude-code", "--format", "json").stdout)["agents"]
    assert (agent["files"][0]["wrapped"], len(agent["files"][0]["not_wrapped"])) == (5, 2)


def test_programs_of_copilot_are_wrapped_too(home: Path, run: Run) -> None:
    other = home / ".copilot/hooks/policy.json"
    other.parent.mkdir(parents=True)
    hooks = [{"exec": "/opt/g"}, {"exec": "node", "args": ["g.js", "--", "x"]}]
    other.write_text(json.dumps({"version": 1, "hooks": {"preToolUse": hooks}}, indent=2))
    before = other.read_bytes()
    for edited in (False, True):
        assert run("install", "copilot", "--wrap").returncode == 0
        wrapped = read(other)["hooks"]["preToolUse"]
        for one, original in zip(wrapped, (["/opt/g"], ["node", "g.js", "--", "x"]), strict=True):
            words = wrap_words("copilot", "preToolUse", original)
            assert [one["exec"], *one["args"]] == words
        if edited:
            other.write_text(other.read_text().replace('"version": 1', '"version": 2'))
        assert run("uninstall", "copilot").returncode == 0
        assert other.read_bytes() == before.replace(b'"version": 1', b'"version": 2') or (
            not edited and other.read_bytes() == before
        )
