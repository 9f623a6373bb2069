"""`parquet:s3://...` against a real S3 server on loopback, and other addresses Arrow knows."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from pyarrow import fs

from hookstream.sinks import SinkError, open_sink
from hookstream.standards.rendered import Rendered

from .events import rendered, shell, stream

KEYS = {"access_key": "some-" + "key", "secret_key": "some-" + "secret"}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = shutil.which("moto_server")
    if server is None:
        pytest.skip("no S3 server here: make test-buckets brings one")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [server, "-H", "127.0.0.1", "-p", str(port)],
        env={"PATH": os.environ["PATH"]},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            with suppress(OSError), urllib.request.urlopen(f"{url}/moto-api/", timeout=1):
                break
            time.sleep(0.1)
        yield url
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def bucket(endpoint: str, request: pytest.FixtureRequest) -> str:
    name = f"b{abs(hash(request.node.name))}"
    urllib.request.urlopen(urllib.request.Request(f"{endpoint}/{name}", method="PUT"), timeout=10)
    return name


def opened(endpoint: str, bucket: str, **more: Any) -> Any:
    return open_sink(
        f"parquet:s3://{bucket}/lake", endpoint=endpoint, region="us-east-1", **KEYS, **more
    )


def files(endpoint: str) -> fs.S3FileSystem:
    host = endpoint.partition("//")[2]
    return fs.S3FileSystem(endpoint_override=host, scheme="http", region="us-east-1", **KEYS)


def rows(endpoint: str, bucket: str) -> list[dict[str, Any]]:
    table = ds.dataset(f"{bucket}/lake", filesystem=files(endpoint), partitioning="hive").to_table()
    found: list[dict[str, Any]] = table.to_pylist()
    return found


def test_rows_arrive_in_a_bucket(endpoint: str, bucket: str) -> None:
    events = stream(200)
    sink = opened(endpoint, bucket, group_rows=30)
    assert {one.status for one in sink.write(rendered(events))} == {"delivered"}
    sink.close()
    found = rows(endpoint, bucket)
    assert {one["event_id"] for one in found} == {one.facts["event_id"] for one in events}
    assert {str(one["date"]) for one in found} and {one["tool"] for one in found}


def test_a_crash_and_a_rerun_give_the_same_objects(endpoint: str, bucket: str) -> None:
    events = stream(200)
    broken = opened(endpoint, bucket, group_rows=30)
    broken.write(rendered(events[:150]))  # some parts are there already; then the process is gone
    for _ in range(2):
        sink = opened(endpoint, bucket, group_rows=30)
        sink.write(rendered(events))
        sink.close()
    ids = [one["event_id"] for one in rows(endpoint, bucket)]
    assert len(ids) == len(set(ids)) == 200


def test_a_follower_sends_again_and_the_rows_stay(endpoint: str, bucket: str) -> None:
    batch = [Rendered(shell(n), position=n) for n in range(100)]
    for first, last in ((0, 60), (20, 80), (70, 100)):
        sink = opened(endpoint, bucket)
        sink.write(batch[first:last])
        sink.flush()
        sink.close()
    ids = [one["event_id"] for one in rows(endpoint, bucket)]
    assert len(ids) == len(set(ids)) == 100


def test_a_bucket_that_is_not_there_is_one_line(endpoint: str) -> None:
    sink = opened(endpoint, "nowhere-at-all")
    sink.write(rendered(stream(3)))
    with pytest.raises(SinkError, match="bucket") as found:
        sink.flush()
    assert "\n" not in str(found.value)


def test_a_dead_endpoint_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with pytest.raises(SinkError) as found:
        opened(f"http://127.0.0.1:{port}", "b")
    assert "\n" not in str(found.value)


def test_a_local_address_is_a_folder(tmp_path: Path) -> None:
    sink = open_sink(f"parquet:file://{tmp_path}/lake")
    sink.write(rendered(stream(5)))
    sink.close()
    assert list(tmp_path.rglob("lake/date=*/tool=*/part-*.parquet"))


@pytest.mark.parametrize(
    ("address", "options", "why"),
    [
        ("s3://user:pass@bucket/x", {}, "credentials"),
        ("s3://bucket/x?region=eu", {}, "options"),
        ("s3://", {}, "bucket"),
        ("ftp://host/x", {}, "not one of"),
        ("s3://bucket/x", {"endpoint": "http://far.example"}, "https only"),
        ("s3://bucket/x", {"endpoint": "far.example"}, "https://"),
        ("s3://bucket/x", {"access_key": "a"}, "secret_key"),
        ("lake", {"region": "eu"}, "s3:// only"),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path,
    address: str,
    options: dict[str, str],
    why: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SinkError, match=why):
        open_sink(f"parquet:{address}", **options)
    assert not list(tmp_path.iterdir())
