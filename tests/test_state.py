"""`normalise` over record batches gives the rows of a plain run, wherever the log is cut, and the
state goes on in another process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookstream.core.errors import HookstreamError
from hookstream.core.sources import lines, name_of
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.lake.rows import schema
from hookstream.pipeline.state import State, StateError, normalise
from hookstream.redaction.keys import load_key

SAMPLES = Path(__file__).parents[1] / "samples"
NOW = "2026-03-01T12:00:00.000Z"
KEY = b"k" * 32


def recordings() -> list[Path]:
    # Files whose sessions no other file has: a follower of all of them is a run of each.
    found = sorted(SAMPLES.glob("*/*.jsonl"))
    return [path for path in found if not path.name.endswith(".expected.jsonl")]


def batches_of(paths: list[Path], size: int) -> list[pa.RecordBatch]:
    rows = [
        {"line": line, "source": name_of(path), "offset": offset}
        for path in paths
        for offset, line in lines(path, name_of(path))
    ]
    return [pa.RecordBatch.from_pylist(rows[n : n + size]) for n in range(0, len(rows), size)]


def plain(paths: list[Path], tmp: Path) -> list[dict[str, Any]]:
    key = tmp / "key"
    key.write_bytes(KEY.hex().encode())
    key.chmod(0o600)
    execute(
        Job(list(map(str, paths)), [f"parquet:{tmp / 'lake'}"], now=NOW, pseudonym_key_file=key)
    )
    parts = sorted((tmp / "lake").glob("date=*/tool=*/*.parquet"))
    wanted = schema().remove(schema().get_field_index("tool"))
    table = pa.concat_tables(pq.ParquetFile(path).read().cast(wanted) for path in parts)
    return sorted(table.to_pylist(), key=repr)


def rows(made: list[pa.RecordBatch]) -> list[dict[str, Any]]:
    found = [row for batch in made for row in batch.to_pylist()]
    for row in found:
        del row["tool"]
    return sorted(found, key=repr)


def through(batches: list[pa.RecordBatch], key: bytes, again: bool) -> list[pa.RecordBatch]:
    state = State(key, NOW)
    made = []
    for batch in batches:
        events, state = normalise(batch, state)
        assert events.schema == schema()
        made.append(events)
        if again:
            state = State.load(state.dump(), key, NOW, redactor=state.pipeline.privacy)
    return made


@pytest.mark.parametrize(("size", "again"), [(10_000, False), (37, True)])
def test_batches_give_the_rows_of_a_plain_run(tmp_path: Path, size: int, again: bool) -> None:
    paths = [path for path in recordings() if path.parent.name in ("claude-code", "copilot")]
    expected = plain(paths, tmp_path)
    key = load_key(tmp_path / "key")
    assert len(expected) > 300
    # One file after the other is one machine's log; with several sources a run tells machines apart
    # by file, and so does whoever fills the column `machine`.
    from hookstream.pipeline.machines import machine_of

    machines = {name_of(path): machine_of(path, list(map(str, paths))) for path in paths}
    batches = []
    for batch in batches_of(paths, size):
        names = [machines[source] for source in batch.column("source").to_pylist()]
        batches.append(batch.append_column("machine", pa.array(names, pa.string())))
    assert rows(through(batches, key, again)) == expected


@settings(max_examples=12, deadline=None)
@given(cuts=st.lists(st.integers(1, 60), min_size=1, max_size=6), again=st.booleans())
def test_where_the_batches_are_cut_changes_nothing(cuts: list[int], again: bool) -> None:
    path = SAMPLES / "claude-code" / "deny.jsonl"
    (whole,) = batches_of([path], 10_000)
    pieces, at = [], 0
    while at < len(whole):
        size = cuts[len(pieces) % len(cuts)]
        pieces.append(whole.slice(at, size))
        at += size
    assert rows(through(pieces, KEY, again)) == rows(through([whole], KEY, False))


def test_another_process_goes_on_from_the_bytes(tmp_path: Path) -> None:
    (whole,) = batches_of([SAMPLES / "claude-code" / "deny.jsonl"], 10_000)
    half = len(whole) // 2
    expected = through([whole.slice(0, half), whole.slice(half)], KEY, False)[1]
    _, state = normalise(whole.slice(0, half), State(KEY, NOW))
    (tmp_path / "state").write_bytes(state.dump())
    with pa.OSFile(str(tmp_path / "in"), "wb") as file, pa.ipc.new_file(file, whole.schema) as out:
        out.write(whole.slice(half))
    code = f"""
import pyarrow as pa
from hookstream.pipeline.state import State, normalise
state = State.load(open('state', 'rb').read(), {KEY!r}, {NOW!r})
batch = pa.ipc.open_file('in').get_batch(0)
events, _ = normalise(batch, state)
with pa.OSFile('out', 'wb') as file, pa.ipc.new_file(file, events.schema) as out:
    out.write(events)
"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=60)
    made = pa.ipc.open_file(str(tmp_path / "out")).get_batch(0)
    assert made.equals(expected)
    # Without the state the second half means something else.
    assert not made.equals(through([whole.slice(half)], KEY, False)[0])


def test_a_state_is_neither_read_nor_forged_without_its_key() -> None:
    (whole,) = batches_of([SAMPLES / "claude-code" / "deny.jsonl"], 10_000)
    _, state = normalise(whole, State(KEY, NOW))
    data = state.dump()
    commands = [row["command"] for row in normalise(whole, State(KEY, NOW))[0].to_pylist()]
    assert not any(one.encode() in data for one in commands if one)
    State.load(data, KEY, NOW)
    with pytest.raises(StateError, match="another key"):
        State.load(data, b"o" * 32, NOW)
    head, _, body = data.partition(b"\n")
    for broken in (
        data[:-1] + bytes([data[-1] ^ 1]),
        head.replace(head[-1:], b"7") + b"7\n" + body,
        data[: len(head) + 20],
    ):
        with pytest.raises(StateError):
            State.load(broken, KEY, NOW)
    for other in (b"", b"hookstream/state/1 0123 4\n" + body, b"PK\x03\x04"):
        with pytest.raises(StateError):
            State.load(other, KEY, NOW)


def test_lines_that_are_no_events_are_counted_and_give_no_row() -> None:
    batch = pa.RecordBatch.from_pydict({"line": ["{", '{"some": "thing"}', None, ""]})
    events, state = normalise(batch, State(KEY, NOW))
    assert len(events) == 0
    assert events.schema == schema()
    assert state.counts["by_rejection"] == {"not_json": 1, "unknown_vendor": 1}
    with pytest.raises(HookstreamError, match="column `line`"):
        normalise(pa.RecordBatch.from_pydict({"text": ["x"]}), state)
    with pytest.raises(HookstreamError, match="invalid time"):
        State(KEY, "yesterday")
    with pytest.raises(HookstreamError, match="16 bytes"):
        State(b"short", NOW)


EXPORTS = Path(__file__).parent / "telemetry" / "data"


@pytest.mark.parametrize("name", ["opencode-deny", "qwen-code-deny", "codex-approval-user"])
def test_what_exports_have_told_survives_a_dump(name: str) -> None:
    """An export names spans and calls of earlier ones."""
    batches = batches_of([EXPORTS / f"{name}.otlp.jsonl"], 1)
    assert len(batches) > 1
    expected = rows(through(batches, KEY, False))
    assert len(expected) > 2
    assert rows(through(batches, KEY, True)) == expected


def test_what_else_a_process_has_loaded_does_not_matter() -> None:
    given = "from hookstream.pipeline.memory import shape; print(shape())"
    more = "import hookstream.tables.update, hookstream.detect.attempts, hookstream.detect.attempts"
    made = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
        for code in (given, f"{more}\n{given}")
    }
    assert len(made) == 1
