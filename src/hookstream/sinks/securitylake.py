"""`securitylake:DIR`, `securitylake:s3://bucket`: OCSF 1.9 as custom sources of AWS Security Lake.

    ext/SOURCE_CLASS/region=R/accountId=A/eventDay=YYYYMMDD/NAME.parquet

One source a class, as the service wants it; rows sorted by their time; no column of the path in the
file; a late event goes to its own day. Rows wait in memory within a bound until `flush` (every five
minutes, the least that the service advises). An object's name follows from the events that it
holds, so that a part which is written again replaces itself.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Any

from hookstream.core.errors import SinkError
from hookstream.core.jsons import loads
from hookstream.lake.stores import Store, store_at
from hookstream.sinks.base import DELIVERED, Receipt, retry
from hookstream.sinks.delivery import merged, rendering
from hookstream.sinks.formats.ocsf_columns import CLASSES, row, schema
from hookstream.sinks.formats.render import ocsf
from hookstream.sinks.kinds import (
    ARGUMENTS,
    SIGNING_KEY,
    Opening,
    SinkKind,
    SinkOption,
    local_folder,
)
from hookstream.sinks.parquet import BUCKET
from hookstream.standards.rendered import Rendered

FLUSH_S = 300.0
WAIT_S = 5.0
HELD_BYTES = 64 << 20  # of JSON text
Key = tuple[int, str]  # class, day


def open_sink(
    at: Opening,
    *,
    source: str,
    account: str | None,
    arguments: bool | None,
    signing_key_file: str | None,
    **bucket: Any,
) -> SecurityLake:
    if not account or not bucket["region"]:
        raise SinkError("securitylake: needs the options region and account")
    for name, value in (("source", source), ("account", account), ("region", bucket["region"])):
        if not value.replace("-", "").replace("_", "").isalnum() or not value.isascii():
            raise SinkError(f"securitylake: {name}: letters, digits, - and _ only")
    place = f"region={bucket['region']}/accountId={account}"
    if "://" not in at.target:
        bucket["region"] = None  # of the bucket; a folder has none
    store = store_at(at.uri, at.target, bucket, listed=False)
    return SecurityLake(at.uri, store, source, place, ocsf(arguments, signing_key_file))


class SecurityLake:
    """Rows by class and day, and the store that they go to."""

    def __init__(self, uri: str, store: Store, source: str, place: str, render: Any) -> None:
        self.uri = uri
        self._store = store
        self._source = source
        self._place = place
        self._render = render
        # class and day -> event uid -> its row
        self._rows: dict[Key, dict[str, dict[str, Any]]] = {}
        self._held = 0
        self._is_closed = False

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        if self._held >= HELD_BYTES:
            try:
                self._put()
            except SinkError as error:
                return [retry(str(error), WAIT_S)] * len(batch)
        rows, refused = rendering(batch, self._rows_of)
        for record in rows:
            for size, document in record:
                self._held += size
                day = datetime.fromtimestamp(document["time"] / 1000, UTC).strftime("%Y%m%d")
                held = self._rows.setdefault((document["class_uid"], day), {})
                held[document["metadata"]["uid"]] = document
        return merged([DELIVERED] * len(rows), refused)

    def _rows_of(self, item: Rendered) -> list[tuple[int, dict[str, Any]]]:
        """The size and the row of each document of a record."""
        return [(len(message), row(loads(message.data))) for message in self._render(item)]

    def _put(self) -> None:
        """Write an object a class and day. SinkError, and what was not written stays held."""
        import pyarrow as pa

        try:
            for key in sorted(self._rows):
                class_uid, day = key
                rows = sorted(self._rows[key].values(), key=lambda one: one["time"])
                table = pa.Table.from_pylist(rows, schema=schema(class_uid))
                kind = CLASSES[class_uid][0].lower()
                at = f"ext/{self._source}_{kind}/{self._place}/eventDay={day}"
                self._store.put(at, partial(self._name, rows), table)
                del self._rows[key]
            self._held = 0
            self._store.publish([])
        except (OSError, pa.ArrowException) as error:
            raise SinkError(f"{self.uri}: {getattr(error, 'strerror', None) or error}") from None

    @staticmethod
    def _name(rows: list[dict[str, Any]], _: str) -> str:
        ids = "\n".join(str(one["metadata"]["uid"]) for one in rows)
        return f"{rows[0]['time']}-{sha256(ids.encode()).hexdigest()[:32]}.parquet"

    def reject(self, lines: list[bytes]) -> None:
        """Ignore rejections: they are not events."""

    def flush(self) -> None:
        self._put()

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self.flush()
        finally:
            self._store.close()


KIND = SinkKind(
    name="securitylake",
    open=open_sink,
    options=(
        SinkOption("account", str, None, "AWS account, or the external id of the source."),
        SinkOption("source", str, "hookstream", "Beginning of the sources' names."),
        ARGUMENTS,
        SIGNING_KEY,
        *BUCKET,
    ),
    targets="folder, `s3://bucket`",
    delivered="the file is synced and renamed, or the object is put",
    duplicates="none within a part; a part that is written again replaces itself",
    example="""\
uri = "securitylake:security-lake"
region = "eu-central-1"
account = "123456789012"
""",
    place=local_folder,
    flush_s=FLUSH_S,
)
