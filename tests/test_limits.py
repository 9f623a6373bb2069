"""Tables that forget."""

from __future__ import annotations

from hookstream.core.limits import make_room


def test_a_full_table_forgets_its_oldest_sixteenth() -> None:
    table = dict.fromkeys(range(160))
    make_room(table, 161)
    assert len(table) == 160
    make_room(table, 160)
    assert list(table) == list(range(10, 160))


def test_a_small_table_forgets_one_at_a_time() -> None:
    table = dict.fromkeys("abc")
    make_room(table, 3)
    assert list(table) == ["b", "c"]
