"""List prices of the models in a lake, a row each, for the cost of tokens in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

NAME = "model_prices"
# A price is asked for so few tokens that no long-context tier applies.
TOKENS = 1000


def fill(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the temporary table `model_prices`: tool, model_id and USD a token for input, output
    and cache_read. Models without a known price have no row."""
    from hookstream.transcripts.prices import Prices

    prices = Prices()
    connection.execute(
        f"create or replace temp table {NAME} (tool varchar, model_id varchar, "
        "input_usd double, output_usd double, cache_read_usd double)"
    )
    models = connection.execute(
        "select distinct tool, model_id from whole.events where model_id is not null"
    ).fetchall()
    for tool, model in models:
        kinds = ((TOKENS, 0, 0, 0), (0, TOKENS, 0, 0), (TOKENS, 0, TOKENS, 0))
        given, written, cached = (prices.cost(tool, model, kind) for kind in kinds)
        if given is None or written is None or cached is None:
            continue
        # Where input includes what came from the cache, that is a discount.
        read = cached - given
        connection.execute(
            f"insert into {NAME} values (?, ?, ?, ?, ?)",
            [tool, model, given / TOKENS, written / TOKENS, read / TOKENS],
        )
