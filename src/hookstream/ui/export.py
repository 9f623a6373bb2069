"""A page's rows as a file: CSV, JSON or Parquet, all of them, not only the page."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from hookstream.queries.runner import Result
from hookstream.queries.terminal import render

if TYPE_CHECKING:
    from hookstream.ui.lake import Answer

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}


def exported(answer: Answer, kind: str) -> bytes:
    """The rows in one of TYPES. CSV and JSON are what `hookstream query` prints."""
    if kind == "parquet":
        return _parquet(answer)
    result = Result(answer.columns, [])
    result.rows = answer.rows
    return render(result, kind, 200).encode("utf-8", "replace")


def _parquet(answer: Answer) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = list(zip(*answer.rows, strict=True)) or [()] * len(answer.columns)
    arrays = []
    for values in columns:
        try:
            arrays.append(pa.array(values))
        except (pa.ArrowInvalid, pa.ArrowTypeError):  # mixed types of a free SELECT
            arrays.append(pa.array([None if v is None else str(v) for v in values]))
    target = io.BytesIO()
    pq.write_table(pa.table(arrays, names=answer.columns), target)
    return target.getvalue()
