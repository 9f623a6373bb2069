"""Sources that are read in turns: what belongs to one of them alone is as when it is read alone."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from hookstream.core.sources import find, unread_beside
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute

from .stage import NOW, calls_in, deliver_once, delivery, following, many, read_lines, until


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
    execute(Job([str(logs)], [f"jsonl:{tmp_path / 'single'}"], now=NOW, pseudonym_key_file=key))
    deliver_once(delivery(tmp_path, [str(logs)]))
    single = places(tmp_path / "single" / "agent-hooks.jsonl")
    assert [sequence for _, sequence in single] == [1, 2, 3, 4, 5, 1, 2, 3, 4]
    assert places(tmp_path / "out" / "agent-hooks.jsonl") == single


def test_it_is_so_where_the_files_grow_in_turns_and_after_a_restart(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    a, b = logs / "a.jsonl", logs / "b.jsonl"
    out = tmp_path / "out" / "agent-hooks.jsonl"

    def append(path: Path, number: int) -> None:
        with path.open("ab") as file:
            file.write(nameless(number))
        until(lambda: len(places(out)) == number + 1)

    for start in (0, 4):
        with following(delivery(tmp_path, [str(logs)])):
            for number, path in enumerate((a, b, a, b), start):
                append(path, number)
    got = dict(places(tmp_path / "out" / "agent-hooks.jsonl"))
    assert [got[f"toolu_{n:06d}"] for n in range(8)] == [1, 1, 2, 2, 3, 3, 4, 4]


def test_a_folder_gives_what_rotation_has_renamed_the_oldest_first(
    tmp_path: Path,
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "hooks.jsonl-20260228.gz").write_bytes(gzip.compress(b"".join(many(2))))
    (logs / "hooks.jsonl.10").write_bytes(b"".join(many(2, 2)))
    (logs / "hooks.jsonl.2").write_bytes(b"".join(many(2, 4)))
    (logs / "hooks.jsonl").write_bytes(b"".join(many(2, 6)))
    (logs / "rejected.jsonl.1").write_bytes(b"{}\n")
    key = tmp_path / "pseudonym.key"
    execute(Job([str(logs)], [f"jsonl:{tmp_path / 'single'}"], now=NOW, pseudonym_key_file=key))
    assert calls_in(read_lines(tmp_path / "single" / "agent-hooks.jsonl")) == list(range(8))
    deliver_once(delivery(tmp_path, [str(logs)]))
    assert sorted(calls_in(read_lines(tmp_path / "out" / "agent-hooks.jsonl"))) == list(range(8))


def test_what_a_file_as_a_source_leaves_unread_is_mentioned(tmp_path: Path) -> None:
    for name in ("hooks.jsonl", "hooks.jsonl.1", "other.jsonl.1"):
        (tmp_path / name).write_bytes(b"".join(many(1)))
    files = find([str(tmp_path / "hooks.jsonl")])
    assert [path.name for path in unread_beside(files)] == ["hooks.jsonl.1"]
    assert unread_beside(find([str(tmp_path)])) == []
