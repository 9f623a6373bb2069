"""The cost of every part grows as its input does: `benchmarks.growth` holds exponents of CPU, and
of memory where that does not depend on the input."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.growth.__main__ import Cost, Growth, exponent, home, measure
from benchmarks.growth.parts import PARTS


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home(tmp_path / "home", monkeypatch.setenv)
    folder = tmp_path / "part"
    folder.mkdir()
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", PARTS)
def test_a_part_keeps_its_law(name: str, place: Path) -> None:
    growth = measure(name, place, rounds=1)
    if growth.broken:  # a busy machine: the median of more rounds decides
        again = place.with_name("again")
        again.mkdir()
        growth = measure(name, again, rounds=3)
    assert not growth.broken, growth.row()


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_an_exponent_is_that_of_a_power(power: float) -> None:
    assert exponent({n: 3.0 * n**power for n in (5, 10, 20)}) == pytest.approx(power)


def test_a_quadratic_part_breaks_the_law_and_a_linear_one_with_a_long_start_does_not() -> None:
    name = next(iter(PARTS))

    def growth(cpu_s: dict[int, float]) -> Growth:
        return Growth(name, {n: Cost(cost, 50.0) for n, cost in cpu_s.items()})

    assert growth({n: 0.2 + 1e-4 * n * n for n in (1, 100, 200, 400)}).broken
    linear = growth({n: 5.0 + 1e-3 * n for n in (1, 100, 200, 400)})
    assert not linear.broken and linear.cpu == pytest.approx(1.0, abs=0.01)
