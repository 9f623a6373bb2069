"""Made-up sessions of Claude Code in the shape of its recorded payloads."""

from __future__ import annotations

import datetime as dt
import json
import random
import uuid

HOSTS = [
    "packages.example.org", "index.example.org", "github.com", "api.github.com",
    "docs.python.org", "crates.example.org", "artifactory.corp.example", "jira.corp.example",
    "api.openai.com",
]  # fmt: skip
MCP_SERVERS = ["github", "jira", "playwright", "postgres-dev", "sentry"]
MODELS = ["claude-opus-4-8", "claude-sonnet-5", "claude-haiku-4-5"]
WORDS = "order user cart price token cache queue index page graph route model view store".split()


def iso(when: float) -> str:
    """Epoch seconds as RFC 3339 with milliseconds."""
    return dt.datetime.fromtimestamp(when, dt.UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


class Session:
    """A session that begins at `start` (epoch seconds); `records` are (time, capture record)."""

    def __init__(self, rng: random.Random, start: float, home: str, repo: str) -> None:
        self.rng, self.now, self.cwd = rng, start, f"{home}/{repo}"
        self.session_id = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        self.prompt_id = ""
        self.calls = 0
        self.records: list[tuple[float, str]] = []
        self.transcript = f"{home}/.claude/projects/-{repo}/{self.session_id}.jsonl"
        self.hook("SessionStart", source="startup", model=rng.choice(MODELS))

    def hook(self, event: str, wait_s: float | None = None, **more: object) -> None:
        """One hook call, `wait_s` after the last."""
        self.now += self.rng.uniform(0.2, 6) if wait_s is None else wait_s
        payload = {
            "session_id": self.session_id, "transcript_path": self.transcript, "cwd": self.cwd,
            "hook_event_name": event, **more,
        }  # fmt: skip
        if self.prompt_id:
            payload |= {"prompt_id": self.prompt_id, "permission_mode": "default"}
        record = {
            "vendor": "claude-code", "client_version": "2.1.329", "native_event": event,
            "received_at": iso(self.now), "payload": payload,
        }  # fmt: skip
        self.records.append((self.now, json.dumps(record)))

    def prompt(self, text: str) -> None:
        self.prompt_id = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        self.hook("UserPromptSubmit", prompt=text)

    def call(
        self, tool: str, tool_input: dict[str, object], result: object = "", denied: str = "",
        failed: str = "", **more: object,
    ) -> None:  # fmt: skip
        """A tool call: `denied` and `failed` are the words of a refusal or an error."""
        self.calls += 1
        about = {
            "tool_name": tool, "tool_input": tool_input,
            "tool_use_id": f"toolu_{self.session_id[:8]}_{self.calls:04d}", **more,
        }  # fmt: skip
        self.hook("PreToolUse", **about)
        answer = denied or failed or result
        if failed:
            self.hook("PostToolUseFailure", 0.3, **about, error=failed, is_interrupt=False)
        elif not denied:
            shell = {"stdout": result, "stderr": "", "interrupted": False, "isImage": False}
            response = result if isinstance(result, dict) else shell
            duration_ms = self.rng.randrange(5, 4000)
            self.hook("PostToolUse", **about, duration_ms=duration_ms, tool_response=response)
        text = answer if isinstance(answer, str) else json.dumps(answer)
        entry = {name: about[name] for name in ("tool_name", "tool_input", "tool_use_id")}
        self.hook("PostToolBatch", 0.05, tool_calls=[entry | {"tool_response": text}])

    def bash(self, command: str, result: str = "", denied: str = "", failed: str = "") -> None:
        given: dict[str, object] = {"command": command, "description": "run it"}
        self.call("Bash", given, result, denied, failed)

    def work(self, calls: int) -> None:
        """A turn of plain work: reads, edits, tests, searches."""
        rng, word = self.rng, self.rng.choice(WORDS)
        self.prompt(f"Please fix the {word} test in module {rng.randrange(10000)}.")
        for _ in range(calls):
            self._step(rng.choice(WORDS), rng.randrange(400), rng.random())
        self.hook("Stop", stop_hook_active=False, last_assistant_message=f"Done with {word}.")

    def _step(self, word: str, number: int, kind: float) -> None:
        path = f"{self.cwd}/src/{word}_{number}.py"
        if kind < 0.3:
            content = f"def {word}_{number}():\n    return {number}\n" * 12
            file = {"filePath": path, "content": content}
            self.call("Read", {"file_path": path}, {"type": "text", "file": file})
        elif kind < 0.5:
            change = {"old_string": f"return {number}", "new_string": f"return {number + 1}"}
            self.call("Edit", {"file_path": path, **change}, {"filePath": path})
        elif kind < 0.8:
            self._shell(word, number)
        elif kind < 0.9:
            server = self.rng.choice(MCP_SERVERS)
            asked: dict[str, object] = {"query": f"{word} {number}"}
            about = {"name": server, "source": "user"}
            self.call(f"mcp__{server}__search", asked, {"content": word}, mcp_server=about)
        else:
            found = {"mode": "content", "numLines": number}
            self.call("Grep", {"pattern": word, "path": "src"}, found)

    def _shell(self, word: str, number: int) -> None:
        rng = self.rng
        command = rng.choice(
            (
                f"pytest -q tests/test_{word}.py",
                f"rg -n {word} src | head -{number}",
                "git status --short",
                f"git diff src/{word}_{number}.py",
                "make lint",
                f"npm test -- {word}",
                f"curl -s https://{rng.choice(HOSTS)}/{word}",
            )
        )
        if rng.random() < 0.06:
            self.bash(command, failed="Exit code 1\nFAILED")
        else:
            self.bash(command, f"{number} passed in {number / 100:.2f}s")

    def end(self) -> list[tuple[float, str]]:
        """The session's records, ended."""
        self.hook("SessionEnd", reason="other")
        return self.records
