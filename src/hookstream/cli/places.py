"""Paths of streams: a file or folder, not an address."""

from __future__ import annotations

import re
from pathlib import Path

from hookstream.core.errors import HookstreamError
from hookstream.core.logs import say

# As a path an address has lost a slash. One letter alone is a drive.
ADDRESS = re.compile(r"(?:(?:parquet|delta):)?([a-z][a-z0-9+.-]+):/+(.*)", re.DOTALL)
SINK = re.compile(r"(?:jsonl|parquet|delta):(.+)", re.DOTALL)
COPIES = {
    "s3": "aws s3 sync {uri} FOLDER",
    "gs": "gcloud storage cp -r {uri} FOLDER",
    "abfs": "azcopy copy --recursive",
    "abfss": "azcopy copy --recursive",
    "hdfs": "hdfs dfs -get {uri} FOLDER",
}


def _fleet_key() -> bytes | None:
    from hookstream.cli.configured import fleet_key

    return fleet_key()


def stream_of(path: Path | None) -> Path:
    """The path of a stream; without one the private lake of this machine, made if it is needed."""
    if path is None:
        from hookstream.cli.own_lake import own_lake

        path, line = own_lake()
        say(f"hookstream: your own lake: {line}")
    return local(path)


def local(path: Path) -> Path:
    """The path, also of a sink as written after --to. HookstreamError, with the way out, for an
    address of a bucket: questions and compaction read files, and free SQL is locked to those."""
    from hookstream.queries.capture_log import use_key

    use_key(_fleet_key)
    if path.exists():
        return path
    sink = SINK.fullmatch(str(path))
    if sink is not None and "://" not in sink[1] and not ADDRESS.fullmatch(sink[1]):
        return Path(sink[1]).expanduser()
    match = ADDRESS.fullmatch(str(path))
    if match is None:
        return path
    scheme, rest = match[1], match[2].rpartition("@")[2]
    uri = f"{scheme}://{rest}"
    if scheme not in COPIES:
        raise HookstreamError(f"{uri}: an address; only a file or folder can be read here")
    copy = COPIES[scheme].format(uri=uri)
    raise HookstreamError(
        f"{uri}: only a folder can be read here, not a bucket; copy it to one first ({copy})"
    )
