"""Hosts of the URLs that tools were given, as the one reader of commands names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


def hosts_of(connection: duckdb.DuckDBPyConnection, rows_of: str) -> pa.Table:
    """Distinct `url` of a relation, with its `host`, of those that name one."""
    import pyarrow as pa

    from hookstream.shell.addresses import url_of

    rows = connection.execute(
        f"select distinct url from {rows_of} where url is not null order by 1"
    ).fetchall()
    known = [(text, address.host) for (text,) in rows if (address := url_of(text)) is not None]
    texts, hosts = zip(*known, strict=True) if known else ((), ())
    return pa.table({"url": pa.array(texts, pa.string()), "host": pa.array(hosts, pa.string())})
