"""A question's name may be cut short where only one begins so."""

from __future__ import annotations

import pytest

from hookstream.queries.catalog import queries, query
from hookstream.queries.errors import UnknownQuery


@pytest.mark.parametrize(
    ("given", "meant"), [("den", "denies"), ("retry", "retry_loops"), ("calls", "calls")]
)
def test_the_only_one_that_begins_so_is_meant(given: str, meant: str) -> None:
    assert query(given).name == meant


def test_of_several_all_are_named() -> None:
    begun = [name for name in queries() if name.startswith("se")]
    assert len(begun) > 1
    with pytest.raises(UnknownQuery, match=" or ".join(begun)):
        query("se")
