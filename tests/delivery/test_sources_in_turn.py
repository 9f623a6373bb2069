"""Sources that are read in turns: what belongs to one of them alone is as when it is read alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hookstream.runner.options import Job
from hookstream.runner.run import execute

from .stage import NOW, deliver_once, delivery, following, read_lines, until


def nameless(number: int, name: str = "PreToolUse") -> bytes:
    """A record without a session: one is made up for it, the same in every file."""
    given: dict[str, Any] = {
        "cwd": "/home/dev/project",
        "hook_event_name": name,
        "tool_name": "Bash",
        "tool_input": {"command": f"ls /srv/{number}"},
        "tool_use_id": f"toolu_{number:06d}",
    }
    record = {"vendor": "claude-code", "received_at": NOW, "payload": given}
    return json.dumps(record).encode() + b"\n"


def places(path: Path) -> list[tuple[str, int]]:
    """(call, sequence) of every event, in a fixed order."""
    own = [one["metadata"]["dev.hookstream"] for one in read_lines(path)]
    return sorted((one["call_id"], one["sequence"]) for one in own)


def test_a_folder_has_the_sequences_of_a_single_run(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a.jsonl").write_bytes(b"".join(map(nameless, range(5))))
    (logs / "b.jsonl").write_bytes(b"".join(map(nameless, range(5, 9))))
    key = tmp_path / "pseudonym.key"
    execute(Job([str(logs)], [f"jsonl:{tmp_path / 'single'}"], now=NOW, pseudonyms=key))
    deliver_once(delivery(tmp_path, [str(logs)]))
    single = places(tmp_path / "single" / "agent-hooks.jsonl")
    assert [sequence for _, sequence in single] == [1, 2, 3, 4, 5, 1, 2, 3, 4]
    assert places(tmp_path / "out" / "agent-hooks.jsonl") == single


def test_it_is_so_where_the_files_grow_in_turns_and_after_a_restart(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    a, b = logs / "a.jsonl", logs / "b.jsonl"
    written = 0
    for _ in range(2):
        with following(delivery(tmp_path, [str(logs)])):
            for path in (a, b, a, b):
                with path.open("ab") as file:
                    file.write(nameless(written))
                written += 1
                until(lambda: len(places(tmp_path / "out" / "agent-hooks.jsonl")) == written)
    got = dict(places(tmp_path / "out" / "agent-hooks.jsonl"))
    assert [got[f"toolu_{n:06d}"] for n in range(8)] == [1, 1, 2, 2, 3, 3, 4, 4]
