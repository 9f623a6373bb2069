"""`parquet:`: types, partitions, names, memory and a full disk, read back by Arrow and DuckDB."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hookstream.lake.columns import COLUMNS
from hookstream.lake.rows import instants, part_schema, partition_value, tool_in
from hookstream.sinks import open_sink

from .events import rendered, rich, shell, stream

TYPES = {
    "text": "VARCHAR",
    "int": "BIGINT",
    "float": "DOUBLE",
    "flag": "BOOLEAN",
    "time": "TIMESTAMP",
    "texts": "VARCHAR[]",
    "artifacts": 'STRUCT("type" VARCHAR, "value" VARCHAR, source_field VARCHAR)[]',
    "secrets": 'STRUCT("rule" VARCHAR, path VARCHAR, fingerprint VARCHAR)[]',
}


def write(folder: Path, events: list[object], **options: object) -> None:
    sink = open_sink(f"parquet:{folder}", **options)
    assert {r.status for r in sink.write(rendered(events))} == {"delivered"}  # type: ignore[arg-type]
    sink.close()


def parts(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def query(folder: Path, sql: str) -> list[tuple[object, ...]]:
    source = f"read_parquet('{folder}/**/*.parquet', hive_partitioning=true)"
    return duckdb.sql(sql.replace("EVENTS", source)).fetchall()


def test_every_file_has_the_schema_of_the_table_and_duckdb_sees_its_types(tmp_path: Path) -> None:
    write(tmp_path, [*stream(6), *rich()])
    for name in parts(tmp_path):
        assert pq.read_schema(tmp_path / name).equals(part_schema())
    found = {name: kind for name, kind, *_ in query(tmp_path, "describe from EVENTS")}
    assert found.pop("date") == "DATE"
    plain = {name: str(kind).replace('"', "") for name, kind in found.items()}
    assert plain == {name: TYPES[kind].replace('"', "") for name, kind in COLUMNS.items()}


def test_values_come_back_as_they_were(tmp_path: Path) -> None:
    events = rich()
    write(tmp_path, events)
    rows = {row["event_id"]: row for path in parts(tmp_path) for row in _rows(tmp_path / path)}
    for item in rendered(events):
        row = rows[item.event.facts["event_id"]]
        assert row["agent_hooks"] == item.agent_hooks.decode()
        assert row["aarts"] == (None if item.aarts is None else item.aarts.decode())
        for name, kind in COLUMNS.items():
            if kind != "time" and name in item.event.facts:
                assert row[name] == item.event.facts[name], name
        assert [tuple(one.values()) for one in row["artifacts"]] == [
            artifact[:3] for artifact in item.event.artifacts
        ]
        assert [tuple(one.values()) for one in row["secrets"]] == item.event.secrets
        assert row["redactions"] == sum((item.event.redactions or {}).values())
        assert (row["risk_score"] or 0) == (item.event.risk[0] if item.event.risk else 0)


def _rows(path: Path) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = pq.ParquetFile(path).read().to_pylist()
    return [{**row, "tool": tool_in(path.parent.name)} for row in rows]


def test_the_date_is_the_day_in_utc_and_times_are_plain(tmp_path: Path) -> None:
    write(tmp_path, [shell(1, "2026-03-01T23:59:59.999Z"), shell(2, "2026-03-02T01:00:00+02:00")])
    assert query(tmp_path, "select date::text, timestamp::text from EVENTS order by 2") == [
        ("2026-03-01", "2026-03-01 23:00:00"),
        ("2026-03-01", "2026-03-01 23:59:59.999"),
    ]


def test_odd_times_cost_no_row() -> None:
    texts = [
        "2026-03-01T00:00:00.123456789Z",
        "yesterday",
        None,
        "9999-12-31T23:59:59Z",
        "0001-01-01",
    ]
    found = instants(texts)
    assert found.type == pa.timestamp("us")
    assert found.cast(pa.int64()).to_pylist() == [
        1772323200123456,
        None,
        None,
        253402300799000000,
        -62135596800000000,
    ]


def test_a_row_without_a_time_stands_in_the_null_partition(tmp_path: Path) -> None:
    event = shell(1)
    event.facts["timestamp"] = "soon"
    write(tmp_path, [event])
    assert query(tmp_path, "select date, timestamp from EVENTS") == [(None, None)]


HOSTILE = ["../../etc", "a/b", "a\\b", "..", ".", "CON", "Cursor", "cursor", "x" * 300, "é", "a=b"]
HOSTILE += ["a%2Fb", " ", "a\nb", "*", "$(id)"]


def test_no_tool_leaves_its_folder_or_shares_one(tmp_path: Path) -> None:
    events = []
    for number, tool in enumerate(HOSTILE):
        event = shell(number)
        event.facts["tool"] = tool
        events.append(event)
    out = tmp_path / "a" / "lake"
    write(out, events)
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["lake"]
    assert len(parts(out)) == len(HOSTILE)
    assert all(name.count("/") == 2 and len(name) < 255 for name in parts(out))
    assert len({name.lower() for name in parts(out)}) == len(HOSTILE)
    short = [tool for tool in HOSTILE if len(tool) <= 64]
    assert {row[0] for row in query(out, "select tool from EVENTS")} >= set(short)
    assert partition_value("") == "__HIVE_DEFAULT_PARTITION__"


def test_row_groups_are_large_and_one_a_file(tmp_path: Path) -> None:
    write(tmp_path, [shell(n) for n in range(5000)])
    (name,) = parts(tmp_path)
    meta = pq.ParquetFile(tmp_path / name).metadata
    assert (meta.num_row_groups, meta.num_rows) == (1, 5000)
    assert meta.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.long
def test_memory_is_bounded_by_cutting_the_largest_part(tmp_path: Path) -> None:
    write(tmp_path, stream(3000), held_bytes=1 << 20)
    sizes = [pq.ParquetFile(tmp_path / name).metadata.num_rows for name in parts(tmp_path)]
    assert sum(sizes) == 3000
    assert len(sizes) > 3


def test_nothing_shows_before_a_flush_and_a_crash_leaves_nothing(tmp_path: Path) -> None:
    sink = open_sink(f"parquet:{tmp_path}", group_rows=4)
    for event in stream(100):
        sink.write(rendered([event]))
    assert not [name for name in parts(tmp_path) if name.endswith(".parquet")]
    assert [name for name in parts(tmp_path) if name.endswith(".tmp")]
    sink._store.close()  # type: ignore[attr-defined]  # the process is gone
    open_sink(f"parquet:{tmp_path}").close()
    assert parts(tmp_path) == []


def test_another_run_adds_parts_of_its_own(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path, [shell(number)])
    assert len(parts(tmp_path)) == 3


def ids(folder: Path) -> list[object]:
    return [row[0] for row in query(folder, "select event_id from EVENTS order by 1")]


def test_a_run_that_comes_again_makes_the_same_files(tmp_path: Path) -> None:
    events = stream(300)
    for _ in range(2):
        write(tmp_path / "twice", events, group_rows=40)
    write(tmp_path / "once", events, group_rows=40)
    assert parts(tmp_path / "twice") == parts(tmp_path / "once")
    assert ids(tmp_path / "twice") == ids(tmp_path / "once")


def test_a_run_over_a_source_that_has_grown_replaces_the_part_it_goes_on_with(
    tmp_path: Path,
) -> None:
    for count in (50, 130, 90, 130):
        write(tmp_path, [shell(n) for n in range(count)], group_rows=40)
    found = ids(tmp_path)
    assert len(found) == len(set(found)) == 130


def test_runs_that_share_only_their_beginning_lose_nothing(tmp_path: Path) -> None:
    write(tmp_path, [shell(n) for n in (1, 2, 3)])
    write(tmp_path, [shell(n) for n in (1, 4)])
    assert set(ids(tmp_path)) == {shell(n).facts["event_id"] for n in (1, 2, 3, 4)}


@pytest.mark.parametrize(("fact", "value"), [("exit_code", 2**70), ("success", "maybe")])
def test_a_fact_of_the_wrong_type_rejects_its_record_only(
    tmp_path: Path, fact: str, value: object
) -> None:
    events = stream(3)
    events[1].facts[fact] = value
    sink = open_sink(f"parquet:{tmp_path}")
    receipts = sink.write(rendered(events))
    assert [r.status for r in receipts] == ["delivered", "rejected", "delivered"]
    sink.close()
    assert query(tmp_path, "select count(*) from EVENTS") == [(2,)]


@pytest.mark.parametrize("standard", ["agent-hooks", "aarts"])
def test_one_standard_leaves_the_other_text_null(tmp_path: Path, standard: str) -> None:
    write(tmp_path, stream(2), standard=standard)
    (row,) = query(tmp_path, "select count(agent_hooks), count(aarts) from EVENTS")
    assert row == ((2, 0) if standard == "agent-hooks" else (0, 2))


FULL = """
import json, resource, sys
sys.path[:0] = json.loads(sys.argv[2])
from hookstream.sinks import SinkError, open_sink
from sinks.events import rendered, shell
sink = open_sink(sys.argv[1], group_rows=1000)
rows = rendered([shell(n) for n in range(9000)])
limit = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, limit[1]))
print({r.status for r in sink.write(rows)} == {"delivered"})
print({r.status for r in sink.write(rendered([shell(9000)]))} == {"retry"})
try:
    sink.flush()
    print(False)
except SinkError as error:
    print("\\n" not in str(error))
resource.setrlimit(resource.RLIMIT_FSIZE, limit)
print({r.status for r in sink.write(rendered([shell(9000)]))} == {"delivered"})
sink.close()
"""


@pytest.mark.long
@pytest.mark.posix("POSIX limits")
def test_a_full_disk_costs_no_row(tmp_path: Path) -> None:
    paths = json.dumps([str(Path(__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", FULL, f"parquet:{tmp_path}", paths], capture_output=True, text=True
    )
    assert done.stdout.split() == ["True"] * 4, done.stderr
    assert query(tmp_path, "select count(*), count(distinct event_id) from EVENTS") == [
        (9001, 9001)
    ]
    assert all(name.endswith(".parquet") for name in parts(tmp_path))
