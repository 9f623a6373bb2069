"""The scratch home that hooks run in."""

from collections.abc import Generator
from pathlib import Path

import pytest
from hook_runner import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    folder = tmp_path / "home"
    folder.mkdir()
    return Home(folder)


@pytest.fixture
def as_own_home(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """The same as this process's own home, for what install resolves."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "AGENT_HOOKS_LOG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home.path))
    return home


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A hook that got no processor within its budget has left out what it could not do in time, as
    it must: such a failure is about the machine (`pytest_runtest_protocol`)."""
    report = yield
    home = getattr(item, "funcargs", {}).get("home")
    if call.when == "call" and report.failed and isinstance(home, Home):
        report.is_too_slow |= any(one["problem"] == "out of time" for one in home.failures())
    return report
