"""Options and isolation every test shares."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is slow: that says nothing of the code.
settings.register_profile("any", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="write the expected files anew")


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A name for each test's home. Not a folder that pytest numbers: for each it lists all others,
    which over thousands of tests takes longer than many of the tests."""
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture(scope="session")
def cache_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compiling the rules takes a second or two: whichever process comes first does it for all."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    cache.mkdir(mode=0o700, exist_ok=True)
    return cache


@pytest.fixture(autouse=True)
def own_home(
    request: pytest.FixtureRequest,
    homes: Iterator[Path],
    cache_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """No test reads or writes the user's own state, configuration or cache."""
    home = next(homes)
    for name, folder in (("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")):
        monkeypatch.setenv(name, str(home / folder))
    if "clients" not in request.keywords:  # which are installed in the user's cache
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache_home))
    monkeypatch.delenv("AGENT_HOOKS_LOG", raising=False)
    return home
