"""Inputs of any size, always the same: hook records, rule files, lakes, requests to a collector."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import duckdb

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"
PACK = ROOT / "src" / "hookstream" / "rules" / "pack"
CALLS = ("PreToolUse", "PostToolUse")

# Every session `copies` times in `longer`-fold length, over `days`; of copies below `cut` only the
# first event, or (`late`) all but that.
COPY = """
copy (
    select * exclude (n, number, date) replace (
        uuid_of(event_id, n) as event_id,
        uuid_of(session_id, n // {longer}) as session_id,
        uuid_of(parent_session_id, n // {longer}) as parent_session_id,
        uuid_of(about, n) as about,
        uuid_of(duplicate_of, n) as duplicate_of,
        uuid_of(call_id, n) as call_id,
        uuid_of(turn_id, n) as turn_id,
        'user-' || (n // {longer} % 50) as user_id,
        sequence + n % {longer} * 10000 as sequence,
        "timestamp" + to_days(cast(n // {longer} % {days} as integer))
            + to_seconds(n % {longer} * 60) as "timestamp"
    ), strftime(date '2026-11-01' + cast(n // {longer} % {days} as integer), '%Y-%m-%d') as date
    from (
        select e.*, r.n, row_number() over (
            partition by e.tool, e.session_id, r.n order by e.sequence, e.event_id
        ) as number
        from seed as e, range({first}, {last}) as r(n)
    )
    where {which}
) to '{target}' (
    format parquet, partition_by (date, tool), compression zstd, overwrite_or_ignore,
    filename_pattern '{name}-{{i}}'
)
"""
UUID = "create macro uuid_of(id, n) as md5(id || n)::uuid::varchar"
# The samples as rows, on one day.
SEED = """
create table seed as select * replace (
    timestamp '2026-11-01' + ("timestamp" - date_trunc('day', "timestamp")) as "timestamp"
) from read_parquet('{source}/**/*.parquet', hive_partitioning = true)
"""


def hook_records(path: Path, sessions: int, calls: int, first: int = 0) -> None:
    """Records of hooks: sessions of so many calls, no two alike."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for session in range(first, first + sessions):
            for call in range(calls):
                for name in CALLS:
                    file.write(_hook_record(f"s{session}", call, name) + "\n")


def _hook_record(session: str, call: int, name: str) -> str:
    payload: dict[str, object] = {
        "session_id": session,
        "hook_event_name": name,
        "transcript_path": f"/home/dev/.claude/projects/p/{session}.jsonl",
        "cwd": "/home/dev/project",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_use_id": f"toolu_{session}_{call}",
        "tool_input": {"command": f"make target-{call} --jobs 4"},
    }
    if name == "PostToolUse":
        payload["tool_response"] = {"stdout": f"built target {call} of {session}\n" * 8}
    return json.dumps({"vendor": "claude-code", "payload": payload})


def sample_records(path: Path, copies: int) -> None:
    """The lines of the samples, each copy as sessions of its own."""
    from benchmarks.throughput import IDENTIFIER, sources

    lines = [line for file in sources([]) for line in file.read_bytes().split(b"\n") if line]
    with path.open("wb") as file:
        for copy in range(copies):
            mark = rb"\g<0>" + f"{copy:04x}-".encode()
            file.writelines(IDENTIFIER.sub(mark, line) + b"\n" for line in lines)


def lake(folder: Path, copies: int, days: int = 4, longer: int = 1, cut: int = 0) -> Path:
    """The samples' sessions as a lake of the `parquet:` sink."""
    place = folder / "lake"
    place.mkdir()
    which = f"n >= {cut} or number = 1"
    with _seeded(folder) as connection:
        connection.execute(
            COPY.format(
                longer=longer, days=days, first=0, last=copies, which=which,
                target=place, name="part",
            )
        )  # fmt: skip
    return place


def late(folder: Path, copies: int) -> None:
    """Add the rest of the sessions that were cut, of so many copies."""
    with _seeded(folder) as connection:
        connection.execute(
            COPY.format(
                longer=1, days=1, first=0, last=copies, which="number > 1",
                target=folder / "lake", name="late",
            )
        )  # fmt: skip


def _seeded(folder: Path) -> duckdb.DuckDBPyConnection:
    seed = folder.parent / "seed"
    if not seed.exists():
        command("run", str(SAMPLES), "--to", f"parquet:{seed}")
    connection = duckdb.connect(config={"threads": "1"})
    connection.execute(UUID)
    connection.execute(SEED.format(source=seed))
    return connection


def rules(folder: Path, count: int) -> None:
    """Copies of one shipped rule under other ids."""
    folder.mkdir()
    head, _, tail = (PACK / "call_backup_removed.yml").read_text().partition("\nid: ")
    rest = tail.partition("\n")[2]
    for number in range(count):
        rule = f"{head}\nid: 00000000-0000-4000-8000-{number:012d}\n{rest}"
        (folder / f"rule_{number}.yml").write_text(rule)


def command(*words: str) -> None:
    """Run a command of hookstream in a process."""
    subprocess.run(
        [sys.executable, "-m", "hookstream", *words],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
