"""Hookstream's mod in the real client, in front of one that changes calls: it shows all of that,
and the run is the same with and without it."""

import pytest

from clients import installs, runs
from clients.runs import Run

pytestmark = pytest.mark.clients
CLIENT = "claude-code"
COLUMNS = "command requested_command outcome decision decided_by guardian guardian_scope".split()
MEDDLER = ("mod", "meddler", "marketplace")
CALLS = {
    ("echo c01 plain", None, "ok", None, None, None, None),
    ("echo c02 deny", None, "denied", "deny", *MEDDLER),
    ("echo c03 answer", None, "answered", None, *MEDDLER),
    ("echo c04 changed", "echo c04 rewrite", "ok", None, *MEDDLER),
    ("echo c05 mask", None, "ok", None, *MEDDLER),
    ("echo c06; exit 3", None, "error", None, None, None, None),
}


@pytest.fixture
def observed() -> Run:
    reason = installs.missing(CLIENT)
    if reason is not None:
        pytest.skip(reason)
    return runs.observed(CLIENT)


def test_the_run_is_the_same(observed: Run) -> None:
    meddled = runs.meddled(CLIENT)
    assert (observed.status, observed.turns_left) == (0, 0)
    assert observed.answer() == meddled.answer()
    assert observed.requests == meddled.requests
    assert observed.told_steady() == meddled.told_steady()


def test_it_shows_what_the_other_mod_did(observed: Run) -> None:
    calls = observed.query("calls")
    assert {tuple(call[name] for name in COLUMNS) for call in calls} == CALLS
    assert len(calls) == len(CALLS)
    assert all("mod" in call["witnesses"] for call in calls)
    masked = {call["command"] for call in calls if call["told_output_hash"] is not None}
    assert masked == {"echo c05 mask"}


def test_uninstall_leaves_the_other_mod(observed: Run) -> None:
    observed.uninstall()
    settings = observed.hook_settings()
    assert "meddler@other" in settings
    assert "hookstream" not in settings
