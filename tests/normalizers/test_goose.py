"""Goose's answers and settings, by its documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.wrap.verdicts import contract_of, judge
from hookstream.normalizers.goose.client import CLIENT
from hookstream.normalizers.goose.wording import ended


@pytest.mark.parametrize(
    ("status", "output", "errors", "decision", "failure"),
    [
        (0, "", "", None, None),
        (0, '{"decision": "allow"}', "", "allow", None),
        (0, '{"decision": "block", "reason": "no"}', "", "deny", None),
        (1, '{"decision": "block", "reason": "no"}', "", "deny", None),
        (2, "", "no", "deny", None),
        (0, '{"log": "a line"}', "", None, "garbage"),
        (1, "", "odd", None, "error"),
    ],
)
def test_answers(
    status: int, output: str, errors: str, decision: str | None, failure: str | None
) -> None:
    contract = contract_of("goose", None)
    assert contract is not None
    judged = judge(contract, "PreToolUse", status, output, errors)
    assert (judged.decision, judged.failure) == (decision, failure)


def test_a_hook_that_broke_has_its_own_reason() -> None:
    text = (
        "Tool call blocked because policy hook `guard` could not be evaluated: the hook command "
        "failed to run. That plugin is configured to block when its hook returns no decision."
    )
    end = ended(True, text)
    assert (end.decided_by, end.reason) == ("hook", "the hook command failed to run")


@pytest.mark.parametrize(
    ("user", "project", "is_off"),
    [
        ({}, {}, False),
        ({"disabledPlugins": ["hookstream"]}, {}, True),
        ({"disabledPlugins": ["hookstream"]}, {"enabledPlugins": ["hookstream"]}, False),
        ({}, {"disabledPlugins": ["hookstream"]}, True),
    ],
)
def test_settings_that_switch_the_plugin_off(
    user: dict[str, object], project: dict[str, object], is_off: bool, tmp_path: Path
) -> None:
    for folder, settings in (("home", user), ("work", project)):
        path = tmp_path / folder / ".config/goose/settings.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings), "utf-8")
    machine = InstallFolders(tmp_path / "work", {"HOME": str(tmp_path / "home")})
    assert bool(CLIENT.gaps(machine)) == is_off
