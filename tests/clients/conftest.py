"""Every test here needs a client: it is skipped where that cannot run, and told why."""

from collections.abc import Iterator

import pytest

from clients import runs
from clients.agents import AGENTS
from clients.installs import missing


@pytest.fixture(params=list(AGENTS))
def client(request: pytest.FixtureRequest) -> str:
    """The key of a client that runs here."""
    name: str = request.param
    reason = missing(name)
    if reason is not None:
        pytest.skip(reason)
    return name


@pytest.fixture(scope="session", autouse=True)
def scratch() -> Iterator[None]:
    yield
    runs.clean_up()
