"""One thing is counted once, whatever repeats it."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hookstream.core.event import Event

sys.path.insert(0, str(Path(__file__).parents[1] / "transcripts"))
from homes import DATA, Told, home_of

pytestmark = pytest.mark.long

# Clients of which a copy may hold any run of records.
CLIENTS = tuple(
    "claude-code codex copilot droid gemini-cli kimi-code mistral-vibe pi qwen-code".split()
)
RECORD_IDS = ("id", "uuid", "parentId", "parentUuid", "logicalParentUuid", "messageId")
# What is counted of an event.
KINDS = {
    "Prompt.Submitted": "prompts",
    "Action.Before": "calls",
    "Action.After": "ends",
    "Policy.Blocked": "ends",
    "Model.Responded": "answers",
}


def renamed(value: Any) -> Any:
    return str(uuid5(NAMESPACE_URL, value)) if type(value) is str else value


def copied(line: str, session: str) -> str:
    """A record as a copy has it: with another id, in another session."""
    record = json.loads(line)
    for name in RECORD_IDS:
        if name in record:
            record[name] = renamed(record[name])
    for tree in (record, record.get("payload"), record.get("data")):
        for name in tree if type(tree) is dict else ():
            if tree[name] == session:
                tree[name] = renamed(session)
    return json.dumps(record)


def counted(home: Path) -> Counter[str]:
    """What the session files of a home say happened, and the tokens of it."""
    events: dict[str, Event] = {}
    for event in Told([home]).once():
        if event.type in KINDS and "duplicate_of" not in event.facts:
            events[event.facts["event_id"]] = event
    counts: Counter[str] = Counter()
    for event in events.values():
        counts[KINDS[event.type]] += 1
        for name in ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"):
            counts[name] += event.facts.get(name) or 0 if event.type == "Model.Responded" else 0
    return counts


def files_of(home: Path) -> list[Path]:
    return sorted(
        path for path in home.rglob("*.jsonl") if path.stat().st_size and "history" not in path.name
    )


def session_of(path: Path, home: Path) -> str:
    """The longest word of the path that its records have too: the session."""
    text = path.read_text("utf-8")
    words = str(path.relative_to(home).with_suffix("")).replace("/", " ").replace("_", " ").split()
    words += [word[-36:] for word in words if len(word) > 36]
    return max((word for word in words if f'"{word}"' in text), key=len, default=path.stem)


def written(path: Path, home: Path, begin: int, end: int) -> Path:
    """A file that repeats a run of records of another one, after its first line."""
    lines = path.read_text("utf-8").splitlines()
    session = session_of(path, home)
    given_lines = lines[begin:end] if begin == 0 else [lines[0], *lines[begin:end]]
    text = str(path.relative_to(home)).replace(session, renamed(session))
    copy = home / text
    if copy == path:
        copy = path.with_name(f"{renamed(path.stem)}.jsonl")
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text("\n".join(copied(line, session) for line in given_lines) + "\n", "utf-8")
    return copy


CASES = [
    scenario
    for scenario in sorted(
        f"{one.parent.parent.name}/{one.parent.name}" for one in DATA.glob("*/*/home")
    )
    if scenario.startswith(CLIENTS) and any((DATA / scenario / "home").rglob("*.jsonl"))
]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_run_of_records_in_another_file_changes_no_count(data: st.DataObject) -> None:
    scenario = data.draw(st.sampled_from(CASES))
    with tempfile.TemporaryDirectory() as folder:
        home = home_of(scenario, Path(folder))
        before = counted(home)
        path = data.draw(st.sampled_from(files_of(home)))
        size = len(path.read_text("utf-8").splitlines())
        begin = data.draw(st.integers(0, size - 1))
        end = data.draw(st.integers(begin + 1, size))
        copy = written(path, home, begin, end)
        # A session's totals in a file with a part of it look like those of a session of its own.
        assume('"session.shutdown"' not in copy.read_text("utf-8") or end - begin == size)
        if scenario.startswith("qwen-code"):
            # An answer without the telemetry that names it, alone: nothing shows which one it is.
            text = copy.read_text("utf-8")
            assume('"usageMetadata"' not in text or "ui_telemetry" in text)
        assert counted(home) == before


IDS = re.compile(r"(?:call|toolu|chatcmpl|msg|req)[_-][0-9A-Za-z]{4,}")
TIMES = re.compile(r"(?<![0-9])1795(\d{6}(?:\d{3})?)(?![0-9])")
NAMES = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|turn-[0-9a-f]{32}")
COUNTING = ("call_{}", "functions.shell:{}", "chatcmpl-tool-{:06}", "msg_{:020}")


def other_session(text: str) -> str:
    """The text as of another session, some weeks before, with its own random ids and times."""
    text = NAMES.sub(
        lambda match: (
            match[0][:-32] + renamed(match[0]).replace("-", "")
            if match[0].startswith("turn")
            else renamed(match[0])
        ),
        text,
    )
    return TIMES.sub(r"1792\1", text.replace("2026-11-", "2026-10-"))


@pytest.mark.parametrize("form", COUNTING)
@pytest.mark.parametrize("client", CLIENTS)
def test_sessions_whose_gateway_counts_calls_share_none(
    client: str, form: str, tmp_path: Path
) -> None:
    """`functions.shell:0` is the first call of each session."""
    scenario = next(one for one in CASES if one.startswith(client))
    home = home_of(scenario, tmp_path)
    ids: dict[str, str] = {}
    for path in files_of(home):
        counting = IDS.sub(
            lambda match: ids.setdefault(match[0], form.format(len(ids))), path.read_text("utf-8")
        )
        path.write_text(counting, "utf-8")
    alone = counted(home)
    for path in files_of(home):
        session = session_of(path, home)
        place = other_session(str(path.relative_to(home))).replace(session, renamed(session))
        copy = home / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(other_session(path.read_text("utf-8")).replace(session, renamed(session)))
    assert counted(home) == Counter({name: 2 * count for name, count in alone.items()})
