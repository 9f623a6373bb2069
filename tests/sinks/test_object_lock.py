"""Checkpoints in a bucket with Object Lock, on a real S3 server: a thief cannot take them back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hookstream.seal.chain import BrokenSeal
from hookstream.seal.sealed import Sealing
from hookstream.seal.verify import verify
from hookstream.sinks import SinkError
from seal.stage import Stage

from .test_buckets import KEYS, endpoint

__all__ = ["endpoint"]
boto3 = pytest.importorskip("boto3", reason="pip install 'hookstream[s3]'")
BUCKET = "seals"
RULE = {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 365}}


@pytest.fixture
def client(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEYS["access_key"])
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEYS["secret_key"])
    return boto3.client("s3", region_name="us-east-1", endpoint_url=endpoint)


@pytest.fixture
def bucket(client: Any, request: pytest.FixtureRequest) -> str:
    name = f"lock{abs(hash(request.node.name))}"
    client.create_bucket(Bucket=name, ObjectLockEnabledForBucket=True)
    client.put_object_lock_configuration(
        Bucket=name, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled", "Rule": RULE}
    )
    return name


@pytest.fixture
def stage(tmp_path: Path, endpoint: str, bucket: str) -> Stage:
    made = Stage(tmp_path)
    made.sealing = Sealing(tmp_path / "keys", (place(bucket, endpoint),))
    return made


def place(bucket: str, endpoint: str) -> str:
    return f"s3://{bucket}/seals?region=us-east-1&endpoint={endpoint}"


def versions(client: Any, bucket: str) -> list[dict[str, Any]]:
    """All versions, those that a delete marker hides too, the oldest of a key last."""
    found: list[dict[str, Any]] = client.list_object_versions(Bucket=bucket).get("Versions", [])
    return found


def downloaded(client: Any, bucket: str, folder: Path) -> Path:
    """The oldest version of each object: what came later is not what was sent."""
    for one in versions(client, bucket):
        path = folder / one["Key"]
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = client.get_object(Bucket=bucket, Key=one["Key"], VersionId=one["VersionId"])
        path.write_bytes(kept["Body"].read())
    return folder


def test_checkpoints_are_kept_as_they_were_sent(
    stage: Stage, client: Any, bucket: str, tmp_path: Path
) -> None:
    stage.write()
    against = downloaded(client, bucket, tmp_path / "b")
    (made,) = verify(stage.data, against=against, now=stage.clock.now)
    assert made.compared >= 3
    for one in versions(client, bucket):
        with pytest.raises(Exception, match="AccessDenied"):
            client.delete_object(Bucket=bucket, Key=one["Key"], VersionId=one["VersionId"])
        said = json.loads((against / one["Key"]).read_bytes())
        assert said["type"] == "seal.checkpoint"
        assert one["Key"].endswith(f"-{said['size']}.json")


def test_a_thief_with_the_buckets_key_cannot_roll_back(
    stage: Stage, client: Any, bucket: str, tmp_path: Path
) -> None:
    stage.write()
    for name in ("out", "keys"):
        shutil.copytree(tmp_path / name, tmp_path / "backup" / name)
    stage.write()
    for name in ("out", "keys"):
        shutil.rmtree(tmp_path / name)
        shutil.copytree(tmp_path / "backup" / name, tmp_path / name)
    for one in versions(client, bucket):
        client.put_object(Bucket=bucket, Key=one["Key"], Body=b"{}", ChecksumAlgorithm="SHA256")
        client.delete_object(Bucket=bucket, Key=one["Key"])  # a marker: a list shows nothing
    assert "Contents" not in client.list_objects_v2(Bucket=bucket)
    with pytest.raises(SinkError, match="older state"):
        stage.open()
    stage.sealing = Sealing(stage.sealing.keys)
    stage.write()
    with pytest.raises(BrokenSeal, match=r"rolled back|fork"):
        verify(stage.data, against=downloaded(client, bucket, tmp_path / "b"))


def test_a_bucket_that_keeps_nothing_is_not_a_second_place(
    stage: Stage, client: Any, endpoint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    client.create_bucket(Bucket="unlocked")
    stage.sealing = Sealing(stage.sealing.keys, (place("unlocked", endpoint),))
    stage.write(batches=1)
    assert "Object Lock" in capsys.readouterr().err
    assert not versions(client, "unlocked")


def test_a_bucket_that_is_not_there_is_said_and_sealing_goes_on(
    stage: Stage, endpoint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stage.sealing = Sealing(stage.sealing.keys, (place("nowhere-at-all", endpoint),))
    stage.write()
    said = capsys.readouterr().err.strip().splitlines()
    assert said and all(line.startswith("hookstream: seal: s3://nowhere-at-all/") for line in said)
    assert verify(stage.data)[0].records == 30


@pytest.mark.parametrize(
    "place", ["s3://", "s3://user:word@b/x", "s3://b/x?acl=public", "s3://b?endpoint=http://b.org"]
)
def test_addresses_that_name_no_bucket(tmp_path: Path, place: str) -> None:
    stage = Stage(tmp_path)
    stage.sealing = Sealing(tmp_path / "keys", (place,))
    with pytest.raises(SinkError, match=r"s3://BUCKET|https://"):
        stage.open()
