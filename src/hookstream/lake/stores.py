"""Storage of Parquet parts: a local folder, or a bucket through Arrow's file systems.

In a folder a part is written under a temporary name, synced, and renamed by `publish`. A bucket
has no rename and shows an object only when it is complete: there a part is put under its own name.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from hookstream.core.errors import SinkError
from hookstream.core.files import Folder, create, make_private, sync, sync_folder
from hookstream.core.jsons import JsonObject
from hookstream.core.loopback import is_loopback
from hookstream.lake.staged import finish

# Long texts that never repeat: a dictionary of them is thrown away anyway.
_PLAIN = ("event_id", "agent_hooks", "aarts")
SCHEMES = ("s3", "gs", "abfs", "abfss", "hdfs", "file", "mock")
TRIES = 3
TIMEOUT_S = 20.0


# Of a lake, and of Security Lake's layout.
DRAFTS = ("date=*/tool=*/part-*.tmp", "ext/*/region=*/accountId=*/eventDay=*/*.parquet.tmp")


class FolderStore:
    """DIR/date=D/tool=T/NAME; one writer at a time."""

    def __init__(self, target: str) -> None:
        self._folder = Folder(target)
        self.path = self._folder.path
        self._finished: list[tuple[Path, Path]] = []
        try:
            finish(self.path)
            for pattern in DRAFTS:
                for path in self.path.glob(pattern):
                    path.unlink()  # what a crash left half written
        except OSError as error:
            self.close()
            raise SinkError(f"{target}: {error.strerror or error}") from None

    def keys(self) -> list[str]:
        return [path.relative_to(self.path).as_posix() for path in self.path.glob("date=*/tool=*")]

    def names(self, key: str) -> list[str]:
        return sorted(path.name for path in (self.path / key).glob("part-*.parquet"))

    def ids(self, key: str, name: str) -> list[str]:
        return ids_in(str(self.path / key / name))

    def texts(self, key: str, name: str) -> dict[str, str | None]:
        return texts_in(str(self.path / key / name))

    def put(self, key: str, name: Callable[[str], str], table: Any) -> str:
        """Write a part that `publish` will show, under the name for the digest of its bytes."""
        folder = self.path / key
        make_private(folder)
        draft = folder / f"part-{os.urandom(6).hex()}.parquet.tmp"
        write_file(draft, lambda file: write_table(table, file))
        with draft.open("rb") as file:
            path = folder / name(file_digest(file, "sha256").hexdigest())
        temporary = path.with_suffix(".parquet.tmp")
        draft.replace(temporary)
        self._finished.append((temporary, path))
        return path.name

    def publish(self, replaced: list[tuple[str, str]]) -> None:
        """Show what was put, and remove the parts (key, name) that it replaces. OSError, and then
        it may be called again."""
        self._rename()
        self._drop(replaced)

    def _rename(self) -> None:
        folders = {path.parent for _, path in self._finished}
        for temporary, path in self._finished:
            if temporary.exists():  # not yet renamed by a flush that broke off
                # As old as it is in its place: a seal's checkpoint may have come since it was put.
                os.utime(temporary)
                temporary.rename(path)
        for folder in sorted(folders | {folder.parent for folder in folders}):
            sync_folder(folder)
        if folders:
            sync_folder(self.path)
        self._finished = []

    def _drop(self, replaced: list[tuple[str, str]]) -> None:
        for key, name in replaced:
            (self.path / key / name).unlink(missing_ok=True)

    def close(self) -> None:
        self._folder.close()


class BucketStore:
    """The same names under an address such as s3://bucket/prefix; the caller ensures that one
    process at a time writes there. One that only puts is not `listed`: a bucket may be others',
    too."""

    def __init__(self, files: Any, root: str, uri: str, listed: bool = True) -> None:
        self._files = files
        self._root = root.rstrip("/")
        self._names: dict[str, set[str]] = {}
        if listed:
            self._list(uri)

    def _list(self, uri: str) -> None:
        from pyarrow.fs import FileSelector

        try:
            selector = FileSelector(self._root, allow_not_found=True, recursive=True)
            for info in self._files.get_file_info(selector):
                key, _, name = info.path[len(self._root) :].strip("/").rpartition("/")
                if info.is_file and name.endswith(".parquet"):
                    self._names.setdefault(key, set()).add(name)
        except OSError as error:
            raise SinkError(f"{uri}: {said(error)}") from None

    def keys(self) -> list[str]:
        return list(self._names)

    def names(self, key: str) -> list[str]:
        return sorted(self._names.get(key, ()))

    def ids(self, key: str, name: str) -> list[str]:
        return ids_in(f"{self._root}/{key}/{name}", self._files)

    def texts(self, key: str, name: str) -> dict[str, str | None]:
        return texts_in(f"{self._root}/{key}/{name}", self._files)

    def put(self, key: str, name: Callable[[str], str], table: Any) -> str:
        """Write a part under the name for the digest of its bytes."""
        import pyarrow as pa

        buffer = pa.BufferOutputStream()
        write_table(table, buffer)
        whole = buffer.getvalue()
        part = name(sha256(whole).hexdigest())
        # A bucket has no folders; file systems that have need them.
        if self._files.type_name not in ("s3", "gcs"):
            self._files.create_dir(f"{self._root}/{key}", recursive=True)
        try:
            with self._files.open_output_stream(f"{self._root}/{key}/{part}") as stream:
                stream.write(whole)
        except OSError as error:
            raise OSError(error.errno, said(error)) from None
        self._names.setdefault(key, set()).add(part)
        return part

    def publish(self, replaced: list[tuple[str, str]]) -> None:
        """Remove replaced parts; the new ones are there."""
        for key, name in replaced:
            if name in self._names[key]:
                self._files.delete_file(f"{self._root}/{key}/{name}")
                self._names[key].discard(name)

    def close(self) -> None: ...


Store = FolderStore | BucketStore


def store_at(uri: str, target: str, options: JsonObject, listed: bool = True) -> Store:
    """Open the store of a target, its parts `listed`. SinkError says in one line what is wrong."""
    scheme, mark, rest = target.partition("://")
    given = [name for name, value in options.items() if value is not None]
    if not mark or scheme == "file":
        if given:
            raise SinkError(f"parquet: {given[0]} is for s3:// only")
        return FolderStore(rest if mark else target)
    if scheme not in SCHEMES:
        text = ", ".join(f"{name}://" for name in SCHEMES if name != "mock")
        raise SinkError(f"parquet: {scheme}:// is not one of {text}, nor a folder")
    parts = urlsplit(target)
    if parts.username or parts.password or parts.query or "@" in parts.netloc:
        raise SinkError("parquet: neither credentials nor options belong in an address")
    if not parts.netloc and scheme != "mock":
        raise SinkError(f"parquet: {scheme}:// and a bucket behind it")
    if given and scheme != "s3":
        raise SinkError(f"parquet: {given[0]} is for s3:// only")
    return BucketStore(*_files(uri, target, scheme, options), uri, listed)


def _files(uri: str, target: str, scheme: str, options: JsonObject) -> tuple[Any, str]:
    try:
        if scheme == "s3":
            return _s3(uri, options), target.removeprefix("s3://")
        from pyarrow.fs import FileSystem

        files: tuple[Any, str] = FileSystem.from_uri(target)
        return files
    except ImportError:
        raise SinkError(f"{uri}: this build of pyarrow has no {scheme}://") from None
    except (OSError, ValueError) as error:
        raise SinkError(f"{uri}: {said(error)}") from None


def _s3(uri: str, options: JsonObject) -> Any:
    """Credentials come as options, else as everywhere: AWS_* variables, profile, role."""
    from pyarrow import fs

    given = {name: value for name, value in options.items() if value is not None}
    endpoint = given.pop("endpoint", None)
    if endpoint is not None:
        parts = urlsplit(endpoint)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise SinkError(f"{uri}: endpoint: begins with https:// and a host")
        if parts.scheme == "http" and not is_loopback(parts.hostname):
            raise SinkError(f"{uri}: endpoint: credentials go out over https only")
        given["endpoint_override"] = parts.netloc
        given["scheme"] = parts.scheme
    if "access_key" in given and "secret_key" not in given:
        raise SinkError(f"{uri}: access_key needs a secret_key")
    return fs.S3FileSystem(
        **given,
        allow_delayed_open=True,  # a small part is one request, not a multipart upload
        connect_timeout=TIMEOUT_S / 2,
        request_timeout=TIMEOUT_S,
        retry_strategy=fs.AwsStandardS3RetryStrategy(max_attempts=TRIES),
    )


def said(error: Exception) -> str:
    """One line of an Arrow error."""
    return " ".join(str(getattr(error, "strerror", None) or error).split())[:200]


def ids_in(path: str, files: Any = None) -> list[str]:
    """The event ids of a part, in order; none if it is not a part. FileNotFoundError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, filesystem=files) as part:
            ids: list[str] = part.read(["event_id"]).column(0).to_pylist()
            return ids
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError, KeyError):
        return []


def texts_in(path: str, files: Any = None) -> dict[str, str | None]:
    """event id -> Agent Hooks text of a part; none if it is not a part. FileNotFoundError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, filesystem=files) as part:
            columns = part.read(["event_id", "agent_hooks"]).columns
            return dict(zip(*(column.to_pylist() for column in columns), strict=True))
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError, KeyError):
        return {}


def write_table(table: Any, file: Any) -> None:
    """Write a table as one row group."""
    import pyarrow.parquet as pq

    pq.write_table(table, file, row_group_size=len(table), **writing(table.column_names))


def writing(names: list[str]) -> JsonObject:
    """Options of writing parts."""
    return {
        "compression": "zstd",
        "use_dictionary": [name for name in names if name not in _PLAIN],
    }


def write_file(path: Path, write: Callable[[Any], None]) -> None:
    """Create a new file, synced. On OSError no file is left."""
    fd = create(path)
    try:
        with os.fdopen(fd, "wb") as file:
            write(file)
            file.flush()
            sync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
