"""Runs the hook as an agent does: its registered command line, in a home of its own."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

from hookstream.capture.install.command import direct

CLAUDE = {
    "session_id": "5d0c",
    "transcript_path": "/home/dev/.claude/projects/p/5d0c.jsonl",
    "cwd": "/home/dev/project",
    "prompt_id": "p-1",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls -la", "description": "List files"},
    "tool_use_id": "toolu_01",
}
CURSOR = {
    "conversation_id": "c-1",
    "generation_id": "g-1",
    "model": "default",
    "command": "ls",
    "cwd": "/home/dev/project",
    "sandbox": False,
    "session_id": "c-1",
    "hook_event_name": "beforeShellExecution",
    "cursor_version": "1.0.0",
    "workspace_roots": ["/home/dev/project"],
    "user_email": None,
    "transcript_path": None,
}
CLINE = {
    "clineVersion": "",
    "hookName": "tool_call",
    "timestamp": "2026-11-21T02:10:10.012Z",
    "taskId": "conv_1",
    "sessionContext": {"rootSessionId": "conv_1"},
    "workspaceRoots": ["/home/dev/project"],
    "userId": "unknown",
    "agent_id": "agent_1",
    "parent_agent_id": None,
    "iteration": 1,
    "tool_call": {"id": "call_1", "name": "run_commands", "input": {"commands": ["ls"]}},
    "preToolUse": {"toolName": "run_commands", "parameters": {"commands": '["ls"]'}},
}
GEMINI = {
    "session_id": "6a1b",
    "transcript_path": "/home/dev/.gemini/tmp/p/chats/s.jsonl",
    "cwd": "/home/dev/project",
    "hook_event_name": "BeforeTool",
    "timestamp": "2026-11-21T02:10:10.012Z",
    "tool_name": "run_shell_command",
    "tool_input": {"command": "ls"},
}
QWEN = {
    "session_id": "7c2d",
    "transcript_path": "/home/dev/.qwen/projects/p/chats/s.jsonl",
    "cwd": "/home/dev/project",
    "hook_event_name": "PreToolUse",
    "timestamp": "2026-11-21T02:10:10.012Z",
    "permission_mode": "yolo",
    "tool_name": "run_shell_command",
    "tool_input": {"command": "ls", "is_background": False},
    "tool_use_id": "toolu_1",
    "tool_call_id": "call_1",
}
CODEX = {
    "session_id": "019a",
    "turn_id": "019b",
    "transcript_path": "/home/dev/.codex/sessions/r.jsonl",
    "cwd": "/home/dev/project",
    "hook_event_name": "PreToolUse",
    "model": "gpt-5",
    "permission_mode": "default",
    "tool_name": "Bash",
    "tool_input": {"command": "ls"},
    "tool_use_id": "call_1",
}
NOTIFY = {
    "type": "agent-turn-complete",
    "thread-id": "019a",
    "turn-id": "019b",
    "cwd": "/home/dev/project",
    "client": "codex_exec",
    "input-messages": ["say hello"],
    "last-assistant-message": "hello",
}
COPILOT = {
    "sessionId": "8e3f",
    "timestamp": 1795227010012,
    "cwd": "/home/dev/project",
    "toolName": "bash",
    "toolArgs": '{"command": "ls", "description": "list"}',
}
WINDSURF = {
    "agent_action_name": "pre_run_command",
    "trajectory_id": "t-1",
    "execution_id": "e-1",
    "timestamp": "2026-11-21T02:10:10.012Z",
    "tool_info": {"command_line": "ls", "cwd": "/home/dev/project"},
}
KIRO = {
    "hook_event_name": "preToolUse",
    "cwd": "/home/dev/project",
    "session_id": "s-1",
    "tool_name": "execute_bash",
    "tool_input": {"command": "ls"},
}
DEVIN = {
    "hook_event_name": "PreToolUse",
    "tool_name": "exec",
    "tool_input": {"command": "ls"},
    "tool_use_id": "exec_0",
    "session_id": "calm-otter",
    "prompt_id": "p-1",
}
ANTIGRAVITY = {
    "conversationId": "c-1",
    "workspacePaths": ["/home/dev/project"],
    "transcriptPath": "/home/dev/.gemini/antigravity-cli/t.jsonl",
    "artifactDirectoryPath": "/home/dev/.gemini/antigravity-cli/c-1",
    "toolCall": {"name": "run_command", "args": {"CommandLine": "ls"}},
    "stepIdx": 3,
}
AUGGIE = {
    "hook_event_name": "PreToolUse",
    "conversation_id": "c-1",
    "workspace_roots": ["/home/dev/project"],
    "tool_name": "launch-process",
    "tool_input": {"command": "ls", "cwd": "/home/dev/project"},
    "tool_output": "[undefined]",
    "tool_error": None,
    "is_mcp_tool": False,
}
# vendor, event as registered, payload
SAMPLES = [
    ("claude-code", "PreToolUse", CLAUDE),
    ("cursor", "beforeShellExecution", CURSOR),
    ("cline", "PreToolUse", CLINE),
    ("gemini-cli", "BeforeTool", GEMINI),
    ("qwen-code", "PreToolUse", QWEN),
    ("codex", "PreToolUse", CODEX),
    ("copilot", "preToolUse", COPILOT),
    ("windsurf", "pre_run_command", WINDSURF),
    ("kiro", "preToolUse", KIRO),
    ("devin", "PreToolUse", DEVIN),
    ("antigravity", "PreToolUse", ANTIGRAVITY),
    ("auggie", "PreToolUse", AUGGIE),
]
# By client, or by client and event.
ANSWERS = {
    "cursor": b"{}",
    "cline": b'{"cancel": false}',
    "antigravity": b"{}",
    "antigravity PreToolUse": b'{"decision": ""}',
    "antigravity Stop": b'{"decision": ""}',
}


def answer_of(vendor: str, event: str) -> bytes:
    """What an observer says to a client at an event."""
    return ANSWERS.get(f"{vendor} {event}", ANSWERS.get(vendor, b""))


class Home:
    """A scratch home folder and the hook run in it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state = path / ".local" / "state" / "hookstream"
        self.log = self.state / "log" / "agent-hooks.jsonl"

    def environment(self, env: dict[str, str] | None = None) -> dict[str, str]:
        return {"HOME": str(self.path), "PATH": os.environ["PATH"], **(env or {})}

    def hook(
        self,
        *argv: str,
        payload: object = None,
        data: bytes | None = None,
        env: dict[str, str] | None = None,
        **options: object,
    ) -> subprocess.CompletedProcess[bytes]:
        if data is None:
            data = b"" if payload is None else json.dumps(payload).encode()
        return subprocess.run(
            command(*argv),
            input=data,
            capture_output=True,
            env=self.environment(env),
            timeout=60,
            check=False,
            **options,
        )

    def configure(self, value: object) -> None:
        folder = self.path / ".config" / "hookstream"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text(json.dumps(value))

    def failures(self) -> list[dict[str, str]]:
        found = []
        for path in sorted(self.path.rglob("hook-errors")):
            found += [json.loads(line) for line in path.read_text().splitlines()]
        return found


def hook_is_up(pid: int) -> None:
    """Waits till the process ignores SIGTERM, which is among the first things a hook does."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        status = Path(f"/proc/{pid}/status")
        if not status.exists():  # no Linux
            time.sleep(1)
            return
        ignored = status.read_text().partition("SigIgn:")[2].split()[0]
        if int(ignored, 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.01)
    raise AssertionError("the hook did not come up")


def command(*argv: str) -> list[str]:
    """The hook program without its launcher: the environment says where its folders are."""
    return direct("hook", list(argv))


def wrap_command(vendor: str, event: str | None, words: list[str]) -> list[str]:
    """The wrap program without its launcher."""
    return direct("wrap", [vendor, *([event] if event else []), "--", *words])


def program(before: str, *argv: str, after: str = "") -> list[str]:
    """The hook program as `command` gives it, with code of the test's around it."""
    *options, file, name = direct("hook", [])
    code = (
        f"import sys;sys.argv[1:1]=[{name!r}];"
        f"ns={{'__name__':'launch','__file__':{file!r}}};"
        f"exec(compile(open({file!r}).read(),{file!r},'exec'),ns);"
        f"ns['find_package']({file!r});{before.rstrip(';')};ns['run'](sys.argv[1:]);{after}"
    )
    return [*options, "-c", code, *argv]


def read_log(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]
