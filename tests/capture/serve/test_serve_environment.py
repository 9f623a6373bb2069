"""What the environment may say of the log, where a collector answers: as without one."""

import pytest
from collector_runner import Collector
from hook_runner import read_log
from test_environment import hook
from test_hook import assert_silent_success

from hookstream.capture.install import launcher


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_a_collector_says_the_same(home, as_own_home, tmp_path):
    launcher.write()
    more = {"AGENT_HOOKS_LOG": str(tmp_path / "more")}
    with Collector(home) as collector:
        for env in ({}, {"AGENT_HOOKS_LOG": "off"}, more):
            assert_silent_success(hook(home, tmp_path, env))
        assert b'"taken":2' in collector.post("/health", b"", method="GET")[1].replace(b" ", b"")
        home.configure({"environment": "replace"})
        for _ in range(2):
            assert_silent_success(hook(home, tmp_path, {"AGENT_HOOKS_LOG": "off"}))
            assert_silent_success(hook(home, tmp_path, more))
    kinds = [line["event_type"] for line in read_log(home.log)]
    assert kinds.count("Action.Before") == 3
    assert kinds.count("vendor.claude-code.CaptureReplaced") == 2  # off, and another place
    assert len(read_log(tmp_path / "more")) == 3
