"""A lake of the samples opened by other readers as it is: rows and tools are those of a query."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from hookstream.lake.rows import schema, tool_in
from hookstream.queries.runner import open_stream

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake") / "lake"
    words = ["run", *(str(SAMPLES / one) for one in ("codex", "claude-code", "cursor"))]
    subprocess.run(
        [sys.executable, "-m", "hookstream", *words, "--to", f"parquet:{folder}"],
        check=True,
        capture_output=True,
    )
    return folder


def rows(lake: Path) -> list[str]:
    with open_stream(lake) as stream:
        return sorted(map(repr, stream.connection.execute("from events").fetchall()))


def tools(lake: Path) -> Counter[str]:
    """Rows a tool in the parts: an event that stands twice counts twice, as for any reader."""
    found: Counter[str] = Counter()
    for path in lake.rglob("*.parquet"):
        found[str(tool_in(path.parent.name))] += pq.read_metadata(path).num_rows
    with open_stream(lake) as stream:
        asked = stream.connection.execute("select tool, count(*) from events group by 1").fetchall()
    assert set(found) == {tool for tool, _ in asked}
    assert all(found[tool] >= count for tool, count in asked)
    return found


def test_arrow_opens_a_lake_as_it_is(lake: Path) -> None:
    # What pandas.read_parquet calls; it takes partition values for dictionaries.
    for table in (pq.read_table(lake), ds.dataset(lake, partitioning="hive").to_table()):
        assert Counter(table.column("tool").to_pylist()) == tools(lake)
        assert table.column_names.count("tool") == 1


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_data_frames_open_a_lake_as_it_is(lake: Path, name: str) -> None:
    library = pytest.importorskip(name)
    frame = library.read_parquet(lake)
    assert Counter(frame["tool"].to_list()) == tools(lake)


@pytest.mark.parametrize("every", [1, 2])
def test_parts_of_an_older_version_have_the_column_and_give_the_same_rows(
    lake: Path, tmp_path: Path, every: int
) -> None:
    old = tmp_path / "old"
    shutil.copytree(lake, old)
    at = schema().get_field_index("tool")
    for path in sorted(old.rglob("*.parquet"))[::every]:
        table = pq.ParquetFile(path).read()
        column = pa.array([tool_in(path.parent.name)] * len(table), pa.string())
        pq.write_table(table.add_column(at, schema().field("tool"), column), path)
    assert rows(old) == rows(lake)
