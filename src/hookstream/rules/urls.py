"""Parts of the URLs that tools were given, as columns for rules about requests.

url_host         the host, an address without brackets
url_path         the path
url_query        what follows `?`
url_extensions   the ending of the path's last part: `exe`, `.exe`
url_targets      the URL, and what a request asks of the host: `/path?query`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hookstream.shell.addresses import url_of

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

TEXTS = ("url_host", "url_path", "url_query")
LISTS = ("url_extensions", "url_targets")


def parts(url: str) -> dict[str, Any]:
    """The columns of one URL; only the URL itself of what cannot be taken apart."""
    try:
        split = urlsplit(url)
    except ValueError:
        return {"url_targets": [url]}
    address = url_of(url)
    host = address.host if address is not None else (split.hostname or "")
    name = split.path.rpartition("/")[2]
    ending = name.rpartition(".")[2] if "." in name else ""
    asked = f"{split.path or '/'}?{split.query}" if split.query else split.path or "/"
    return {
        "url_host": host.strip("[]") or None,
        "url_path": split.path or "/",
        "url_query": split.query or None,
        "url_extensions": [ending, f".{ending}"] if ending else [],
        "url_targets": [url, asked],
    }


def fill(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Make the temporary table `url_facts` of the distinct URLs in a table."""
    import pyarrow as pa

    rows = connection.execute(
        f"select distinct url from {table} where url is not null order by 1"
    ).fetchall()
    facts = pa.Table.from_pylist([{"url": url, **parts(url)} for (url,) in rows], schema=schema())
    connection.register("url_batch", facts)
    connection.execute("create or replace temp table url_facts as from url_batch")
    connection.unregister("url_batch")


def schema() -> pa.Schema:
    """The columns of `url_facts`."""
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("url", *TEXTS)]
    return pa.schema([*texts, *((name, pa.list_(pa.string())) for name in LISTS)])
