"""The Parquet layout of Security Lake, read back: paths, schemas, order, and every field."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyarrow.fs import LocalFileSystem

from hookstream.lake.stores import BucketStore
from hookstream.sinks import SinkError, open_sink, securitylake
from hookstream.sinks.formats.ocsf import mode_change, ocsf
from hookstream.sinks.formats.ocsf_columns import CLASSES, row, schema
from hookstream.standards.agent_hooks_reader import read_agent_hooks

from .events import rendered, rich, stream
from .ocsf_schema import flaws

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
PATH = re.compile(
    r"ext/hookstream_([a-z_]+)/region=eu-1/accountId=123/eventDay=\d{8}/[\w-]+\.parquet"
)


def written(folder: Path, *batches: list[Any], **options: Any) -> dict[str, list[dict[str, Any]]]:
    """Rows by the object that they are in."""
    sink = open_sink(f"securitylake:{folder}", region="eu-1", account="123", **options)
    for batch in batches:
        assert {receipt.status for receipt in sink.write(batch)} == {"delivered"}
        sink.flush()
    sink.close()
    return {
        path.relative_to(folder).as_posix(): pq.read_table(path, partitioning=None).to_pylist()
        for path in folder.rglob("*.parquet")
    }


def whole(value: Any) -> Any:
    """A row without what is not there, as a document."""
    if isinstance(value, dict):
        kept = {name: whole(inner) for name, inner in value.items() if inner is not None}
        return {name: inner for name, inner in kept.items() if inner != {}}
    return [whole(one) for one in value] if isinstance(value, list) else value


def test_objects_are_named_and_sorted_as_the_service_wants_them(tmp_path: Path) -> None:
    objects = written(tmp_path, rendered(rich()), rendered(stream(40)))
    classes = defaultdict(set)
    for name, rows in objects.items():
        found = PATH.fullmatch(name)
        assert found, name
        classes[found[1]] |= {one["class_uid"] for one in rows}
        times = [one["time"] for one in rows]
        assert times == sorted(times)
    assert len(classes) > 2 and all(len(uids) == 1 for uids in classes.values())


def test_a_class_has_one_schema_whatever_a_batch_holds(tmp_path: Path) -> None:
    written(tmp_path, rendered(rich()), rendered(stream(4)))
    for path in tmp_path.rglob("*.parquet"):
        made = pq.ParquetFile(path).schema_arrow
        uid = pq.read_table(path, columns=["class_uid"], partitioning=None)[0][0].as_py()
        assert made.equals(schema(uid)) and made.names[0] == "time"


def test_a_long_backfill_is_written_in_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(securitylake, "HELD_BYTES", 20_000)
    sink = open_sink(f"securitylake:{tmp_path}", region="eu-1", account="123")
    for at in range(0, 120, 10):
        sink.write(rendered(stream(at + 10, at)))
    held = sum(map(len, sink._rows.values()))
    assert 0 < held < 60
    sink.close()
    rows = sum(pq.ParquetFile(path).metadata.num_rows for path in tmp_path.rglob("*.parquet"))
    assert rows == 120


def test_a_bucket_of_many_sources_is_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(BucketStore, "_list", lambda self, uri: asked.append(uri))
    BucketStore(LocalFileSystem(), str(tmp_path), "x", listed=False)
    assert asked == []
    BucketStore(LocalFileSystem(), str(tmp_path), "x")
    assert asked == ["x"]


def test_a_part_that_is_written_again_replaces_itself(tmp_path: Path) -> None:
    events = rendered(stream(12))
    assert written(tmp_path, events) == written(tmp_path, events)


def test_what_a_crash_left_half_written_goes(tmp_path: Path) -> None:
    events = rendered(stream(12))
    objects = written(tmp_path, events)
    draft = (tmp_path / min(objects)).with_suffix(".parquet.tmp")
    draft.write_bytes(b"PAR1")
    assert written(tmp_path, events) == objects
    assert not draft.exists()


def test_rows_read_back_are_valid_and_have_every_field(tmp_path: Path) -> None:
    events = [
        read_agent_hooks(value["agent_hooks"])
        for path in sorted(SAMPLES.glob("*/*.expected.jsonl"))
        for line in path.read_text("utf-8").splitlines()
        if "agent_hooks" in (value := json.loads(line))
    ]
    documents = [ocsf(event) for event in [*events, *rich()]]
    documents += [mode_change(e) for e in events if e.facts.get("permission_mode")]
    assert len(documents) > 500 and {one["class_uid"] for one in documents} == set(CLASSES)
    for document in documents:
        fitted = row(document)
        again = {**whole(fitted), "unmapped": json.loads(fitted["unmapped"])}
        assert flaws(again) == []
        assert again == whole(document) | {"unmapped": document["unmapped"]}


def test_what_the_schema_has_not_is_kept_beside() -> None:
    document = ocsf(rich()[0])
    document["device"]["colour"] = "red"
    document["severity_id"] = "odd"
    kept = json.loads(row(document)["unmapped"])
    assert kept["device.colour"] == "red" and kept["severity_id"] == "odd"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"account": "1"}, "region and account"),
        ({"region": "eu-1"}, "region and account"),
        ({"region": "eu-1", "account": "../x"}, "account: letters"),
    ],
)
def test_a_wrong_place_is_named(tmp_path: Path, options: dict[str, str], reason: str) -> None:
    with pytest.raises(SinkError, match=reason):
        open_sink(f"securitylake:{tmp_path}", **options)
