"""Options and isolation every test shares."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

ATTEMPTS = 5
FILES = pytest.StashKey[set[str]]()

# A busy machine is slow: that says nothing of the code.
settings.register_profile("any", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any")


def sees_windows() -> bool:
    """Return whether hookstream's modules see Windows: there, and in `make test-windows`."""
    from hookstream.core import folders

    return folders.os.name == "nt"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test of what only POSIX systems have says so: `@pytest.mark.posix("reason")`."""
    for mark in item.iter_markers("posix"):
        if sees_windows():
            pytest.skip(mark.args[0])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="write the expected files anew")


def pytest_configure() -> None:
    """A run in the background ignores Ctrl-C, and so would every program that a test starts."""
    for name, handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """`-n auto`: more than there are processors, for a good part of the time goes into waiting for
    disks, for processes that start and for clocks."""
    allowed = getattr(os, "sched_getaffinity", None)
    processors = len(allowed(0)) if allowed else os.cpu_count() or 1
    return processors + min(processors, 4)


class TooSlow(AssertionError):
    """A claim about time that did not hold, by the clock on the wall."""


@pytest.fixture
def within() -> Callable[[float], AbstractContextManager[None]]:
    """`with within(2.0):` claims that the block takes less, in seconds. Others may use the machine
    at that moment: the quickest of ATTEMPTS counts, each in a home of its own."""

    @contextmanager
    def clocked(seconds: float) -> Iterator[None]:
        began = time.monotonic()
        yield
        took = time.monotonic() - began
        if took >= seconds:
            raise TooSlow(f"{took:.2f} s and not {seconds} s")

    return clocked


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    report.is_too_slow = call.excinfo is not None and call.excinfo.errisinstance(TooSlow)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Runs a test again that was too slow by the clock, and for no other failure."""
    if not {"within", "home"} & set(getattr(item, "fixturenames", ())):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for attempt in range(ATTEMPTS):
        time.sleep(attempt)
        item._initrequest()  # type: ignore[attr-defined]
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = [report for report in reports if report.failed]
        if not failed or not all(report.is_too_slow for report in failed):
            break
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


WATCHED = [
    getattr(signal, name)
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGALRM", "SIGCHLD", "SIGUSR1")
    if hasattr(signal, name)
]
# What multiprocessing keeps for the next pool, and the workers of a pool that a module shares: they
# end with this process.
KEPT = (b"resource_tracker", b"forkserver", b"spawn_main")


def children() -> set[int]:
    """The running processes that this one started; empty where /proc does not say."""
    found = set()
    for file in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found |= {int(word) for word in file.read_text().split()}
    return {one for one in found if is_running(one)}


def is_running(process: int) -> bool:
    with suppress(OSError, IndexError):
        place = Path("/proc", str(process))
        state = place.joinpath("stat").read_text().rpartition(")")[2].split()[0]
        line = place.joinpath("cmdline").read_bytes()
        return state != "Z" and not any(word in line for word in KEPT)
    return False


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """No test leaves a signal handler, a working folder or a process to the next."""
    handlers = {number: signal.getsignal(number) for number in WATCHED}
    folder, before = os.getcwd(), children()
    yield
    left = {number: signal.getsignal(number) for number in WATCHED}
    assert left == handlers, "the test leaves a signal handler"
    assert os.getcwd() == folder, "the test leaves another working folder"
    until = time.monotonic() + 5.0
    while (more := children() - before) and time.monotonic() < until:
        time.sleep(0.05)
    assert not more, f"the test leaves processes: {[command_of(one) for one in more]}"


def command_of(process: int) -> str:
    with suppress(OSError):
        return Path("/proc", str(process), "cmdline").read_bytes().replace(b"\0", b" ").decode()
    return str(process)


def pytest_sessionstart(session: pytest.Session) -> None:
    session.config.stash[FILES] = unknown_files(session.config.rootpath)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run whose tests left a file in the checkout, other than those that it was to write."""
    if hasattr(session.config, "workerinput") or session.config.getoption("--regenerate"):
        return
    more = unknown_files(session.config.rootpath) - session.config.stash[FILES]
    if more:
        print(f"\ntests left files in the checkout: {', '.join(sorted(more)[:5])}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def unknown_files(root: Path) -> set[str]:
    """Files that git neither knows nor ignores."""
    words = ["git", "ls-files", "--others", "--exclude-standard"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True)
    return set(done.stdout.splitlines())


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


def move(
    patch: pytest.MonkeyPatch, request: pytest.FixtureRequest, home: Path, cache_home: Path
) -> None:
    for name, folder in (("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")):
        patch.setenv(name, str(home / folder))
    if "clients" not in request.keywords:  # which are installed in the user's cache
        patch.setenv("XDG_CACHE_HOME", str(cache_home))
    patch.delenv("AGENT_HOOKS_LOG", raising=False)


@pytest.fixture(scope="module", autouse=True)
def home_of_module(
    request: pytest.FixtureRequest, homes: Iterator[Path], cache_home: Path
) -> Iterator[None]:
    """What a module makes for all its tests does not touch the user's own either."""
    with pytest.MonkeyPatch.context() as patch:
        move(patch, request, next(homes), cache_home)
        yield


@pytest.fixture(autouse=True)
def own_home(
    request: pytest.FixtureRequest,
    homes: Iterator[Path],
    cache_home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """No test reads or writes the user's own state, configuration or cache."""
    home = next(homes)
    move(monkeypatch, request, home, cache_home)
    return home


@pytest.fixture
def policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes the policy of a machine whose administrator is who runs the tests."""
    folder = tmp_path / "etc"
    folder.mkdir()
    monkeypatch.setattr("hookstream.configuration.machine.FOLDER", str(folder))
    monkeypatch.setattr("hookstream.configuration.machine.OWNERS", (os.getuid(),))

    def write(text: str, mode: int = 0o644) -> Path:
        path = folder / "config.toml"
        path.write_text(text)
        path.chmod(mode)
        return path

    return write
