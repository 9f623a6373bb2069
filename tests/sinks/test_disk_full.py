"""A full file system: retry receipts, whole lines, nothing lost once there is room again."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookstream.core.errors import HookstreamError
from hookstream.queries.export import export
from hookstream.sinks import SinkError, open_sink

from .events import rendered, shell


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k,mode=0700", "tmpfs", str(folder)],
        capture_output=True,
    )
    if made.returncode:
        pytest.skip("a tmpfs cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.parametrize("kind", ["jsonl", "cloudevents", "parquet"])
def test_a_full_file_system_holds_the_stream_back_and_loses_nothing(tiny: Path, kind: str) -> None:
    filler = tiny / "filler"
    filler.write_bytes(b"x" * (200 << 10))
    out = tiny / "out"
    sink = open_sink(f"{kind}:{out}", standard="agent-hooks")
    waiting = rendered([shell(n) for n in range(120)])
    total = len(waiting)
    refused = 0
    for _ in range(20):
        receipts = sink.write(waiting[:10])
        done = sum(receipt.status == "delivered" for receipt in receipts)
        assert all(r.status in ("delivered", "retry") for r in receipts)
        waiting = waiting[done:]
        refused += done == 0
    try:
        sink.flush()
    except SinkError as error:
        refused += 1
        assert "No space" in str(error)
    assert refused
    for path in out.rglob("*.jsonl"):
        assert path.read_bytes()[-1:] in (b"", b"\n")
    filler.unlink()
    while waiting:
        assert {r.status for r in sink.write(waiting[:10])} == {"delivered"}
        waiting = waiting[10:]
    sink.close()
    assert _count(out) == total


def _count(out: Path) -> int:
    import pyarrow.parquet as pq

    lines = sum(len(path.read_bytes().splitlines()) for path in out.rglob("*.jsonl"))
    return lines + sum(pq.ParquetFile(p).metadata.num_rows for p in out.rglob("*.parquet"))


def test_an_export_to_a_full_file_system_says_so_and_leaves_nothing(tiny: Path) -> None:
    lake = tiny.parent / "lake"
    sink = open_sink(f"parquet:{lake}", standard="agent-hooks")
    sink.write(rendered([shell(0)]))
    sink.close()
    with pytest.raises(HookstreamError) as told:
        export(lake, tiny / "lake.duckdb")
    assert str(told.value) == f"{tiny}/lake.duckdb: No space left on device"
    assert not list(tiny.iterdir())
