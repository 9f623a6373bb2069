"""Session files of Claude Code as it writes them, any number and size, always the same.

python benchmarks/backfill/sessions.py HOME --sessions N --kib SIZE

The records have the fields of recorded ones; texts are source files of this repository. An answer
of several blocks is a record a block, each with the usage of the whole, as the client does it.
"""

from __future__ import annotations

import argparse
import json
import random
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
BEGIN = datetime(2026, 11, 1, 8, tzinfo=UTC)
COMMANDS = ("make test", "git status --short", "ls -la src", "npm run build", "cat README.md")
DENIED = "Permission to use Bash with command git push origin main has been denied."

Record = dict[str, Any]


class Session:
    """One session: `lines` gives its records until they are `size` bytes."""

    def __init__(self, number: int, texts: list[str]) -> None:
        self.random = random.Random(number)
        self.texts = texts
        self.id = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        # Spread over weeks and over the hours of a day.
        self.at = BEGIN + timedelta(minutes=number * 37 % 40_000)
        self.parent: str | None = None

    def lines(self, size: int) -> Iterator[bytes]:
        written = 0
        for record in self.records():
            line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
            yield line
            written += len(line)
            if written >= size and record["type"] == "user" and "toolUseResult" in record:
                return

    def records(self) -> Iterator[Record]:
        while True:
            yield self._user("please look into " + self.random.choice(self.texts)[:400])
            for _ in range(self.random.randrange(3, 12)):
                yield from self._call()
            yield from self._answer([{"type": "text", "text": self._text(600)}])

    def _text(self, most: int) -> str:
        text = self.random.choice(self.texts)
        start = self.random.randrange(max(1, len(text) - most))
        return text[start : start + self.random.randrange(most // 4, most)]

    def _record(self, kind: str, **more: Any) -> Record:
        self.at += timedelta(milliseconds=self.random.randrange(200, 9000))
        own = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
        record = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "type": kind,
            **more,
            "uuid": own,
            "timestamp": self.at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "userType": "external",
            "entrypoint": "cli",
            "cwd": "/home/dev/project",
            "sessionId": self.id,
            "version": "2.1.329",
            "gitBranch": "main",
        }
        self.parent = own
        return record

    def _user(self, text: str) -> Record:
        message = {"role": "user", "content": text}
        return self._record("user", message=message, promptId=self.id, permissionMode="default")

    def _call(self) -> Iterator[Record]:
        call = f"toolu_{self.random.getrandbits(64):016x}"
        kind = self.random.random()
        path = f"/home/dev/project/src/file{self.random.randrange(40)}.py"
        given: Record
        is_denied = False
        if kind < 0.4:
            is_denied = self.random.random() < 0.03
            command = "git push origin main" if is_denied else self.random.choice(COMMANDS)
            name, given = "Bash", {"command": command, "description": "run a command"}
        elif kind < 0.75:
            name, given = "Read", {"file_path": path}
        else:
            name = "Edit"
            given = {
                "file_path": path,
                "old_string": self._text(400),
                "new_string": self._text(900),
            }
        use = {"type": "tool_use", "id": call, "name": name, "input": given}
        blocks: list[Record] = [use]
        if self.random.random() < 0.5:
            blocks.insert(0, {"type": "text", "text": self._text(200)})
        yield from self._answer(blocks)
        body = DENIED if is_denied else self._text(6000)
        result: Record = {"type": "tool_result", "tool_use_id": call, "content": body}
        if is_denied:
            result["is_error"] = True
        more: Record = {"toolUseResult": body if name != "Bash" else {"stdout": body, "stderr": ""}}
        if is_denied:
            more = {"toolUseResult": f"Error: {body}", "toolDenialKind": "rule"}
        yield self._record("user", message={"role": "user", "content": [result]}, **more)

    def _answer(self, blocks: list[Record]) -> Iterator[Record]:
        usage = {
            "input_tokens": self.random.randrange(4, 900),
            "cache_creation_input_tokens": self.random.randrange(4000),
            "cache_read_input_tokens": self.random.randrange(90_000),
            "output_tokens": self.random.randrange(20, 2000),
            "service_tier": "standard",
        }
        answer = f"msg_{self.random.getrandbits(80):020x}"
        request = f"req_{self.random.getrandbits(80):020x}"
        for block in blocks:
            message = {
                "id": answer,
                "type": "message",
                "role": "assistant",
                "model": "claude-sonnet-4-5",
                "content": [block],
                "stop_reason": None if block["type"] == "text" and len(blocks) > 1 else "tool_use",
                "stop_sequence": None,
                "usage": usage,
            }
            yield self._record("assistant", message=message, requestId=request)


def texts() -> list[str]:
    """Sources of this repository, without lines that look like credentials on purpose."""
    folder = ROOT / "src" / "hookstream"
    found = (path for path in sorted(folder.rglob("*.py")) if "redaction" not in path.parts)
    return [text for path in found if len(text := path.read_text("utf-8")) > 2000]


def write(home: Path, sessions: int, size: int) -> int:
    """Writes the session files below a home; their bytes in all."""
    given = texts()
    total = 0
    for number in range(sessions):
        session = Session(number, given)
        folder = home / ".claude" / "projects" / f"-home-dev-project{number % 25}"
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{session.id}.jsonl").open("wb") as file:
            for line in session.lines(size):
                total += file.write(line)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--kib", type=int, default=1000)
    given = parser.parse_args()
    print(write(given.home, given.sessions, given.kib << 10))


if __name__ == "__main__":
    main()
