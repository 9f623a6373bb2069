"""Every test here needs a client: it is skipped where that cannot run, and told why."""

from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("clients.checks")

from clients import runs  # noqa: E402
from clients.agents import AGENTS  # noqa: E402
from clients.installs import missing  # noqa: E402


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
