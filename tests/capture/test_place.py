"""Where the log is: argument, environment, configuration, default place."""

import json
import os

import pytest
from hook_runner import CLAUDE, read_log
from test_hook import assert_silent_success

from hookstream.capture.log import place
from hookstream.capture.settings import read_settings
from hookstream.core import folders


def hook(home, *argv, **options):
    assert_silent_success(home.hook("claude-code", "PreToolUse", *argv, payload=CLAUDE, **options))


def test_unset_means_the_default_place(home):
    hook(home)
    assert len(read_log(home.log)) == 1


@pytest.mark.parametrize("value", ["*", "", " "])
def test_a_star_means_the_default_place(home, value):
    hook(home, env={"AGENT_HOOKS_LOG": value})
    assert len(read_log(home.log)) == 1


def test_a_file_is_that_file(home):
    hook(home, env={"AGENT_HOOKS_LOG": str(home.path / "some.log")})
    assert len(read_log(home.path / "some.log")) == 1
    assert not home.log.exists()


def test_a_missing_folder_is_made(home):
    hook(home, env={"AGENT_HOOKS_LOG": str(home.path / "a" / "b" / "c.jsonl")})
    assert len(read_log(home.path / "a" / "b" / "c.jsonl")) == 1


@pytest.mark.parametrize("ending", ["", "/"])
def test_a_folder_holds_the_log(home, ending):
    folder = home.path / "logs"
    if not ending:
        folder.mkdir()
    hook(home, env={"AGENT_HOOKS_LOG": f"{folder}{ending}"})
    assert len(read_log(folder / "agent-hooks.jsonl")) == 1


def test_a_tilde_is_the_home(home):
    hook(home, env={"AGENT_HOOKS_LOG": "~/x.jsonl"})
    assert len(read_log(home.path / "x.jsonl")) == 1


def test_a_relative_path_is_below_the_working_folder(home, tmp_path):
    hook(home, env={"AGENT_HOOKS_LOG": "out.jsonl"}, cwd=tmp_path)
    assert len(read_log(tmp_path / "out.jsonl")) == 1


@pytest.mark.parametrize("value", ["off", "none", "0", "False"])
def test_off_captures_nothing_and_answers(home, value):
    hook(home, env={"AGENT_HOOKS_LOG": value})
    assert not home.log.exists()
    assert home.failures() == []


def test_precedence_is_argument_environment_configuration_default(home):
    home.configure({"hooks": [{"event": "*", "log": str(home.path / "config.jsonl")}]})
    hook(home)
    hook(home, env={"AGENT_HOOKS_LOG": str(home.path / "environment.jsonl")})
    both = {"env": {"AGENT_HOOKS_LOG": str(home.path / "environment.jsonl")}}
    hook(home, "--log", str(home.path / "argument.jsonl"), **both)
    names = ("config.jsonl", "environment.jsonl", "argument.jsonl")
    assert [len(read_log(home.path / name)) for name in names] == [1, 1, 1]
    assert not home.log.exists()


@pytest.mark.parametrize("is_list", [False, True])
@pytest.mark.parametrize("key", ["output", "log"])
def test_the_wildcard_of_the_document_names_the_file(home, key, is_list):
    entry = {"event": "*", key: str(home.path / "stream.jsonl")}
    home.configure({"hooks": [entry] if is_list else entry})
    hook(home)
    assert len(read_log(home.path / "stream.jsonl")) == 1
    assert not home.log.exists()
    assert home.failures() == []


def test_the_configuration_can_turn_it_off(home):
    home.configure({"hooks": [{"event": "*", "log": False}]})
    hook(home)
    assert not home.log.exists()


def test_xdg_folders_are_honoured_and_relative_ones_ignored(home, monkeypatch):
    state = home.path / "elsewhere"
    hook(home, env={"XDG_STATE_HOME": str(state)})
    assert len(read_log(state / "hookstream" / "log" / "agent-hooks.jsonl")) == 1
    monkeypatch.chdir(home.path)
    hook(home, env={"XDG_STATE_HOME": "relative", "XDG_CONFIG_HOME": "a", "XDG_CACHE_HOME": "b"})
    assert len(read_log(home.log)) == 1
    # Nothing of ours lands in the folder that the agent works in.
    assert sorted(path.name for path in home.path.iterdir()) == [".local", "elsewhere"]


@pytest.mark.posix("Windows has no password database")
def test_without_home_the_password_database_knows(monkeypatch):
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("USERPROFILE", raising=False)
    import pwd

    assert folders.home() == pwd.getpwuid(os.getuid()).pw_dir


def test_the_default_place_rotates_and_a_named_file_does_not():
    from hookstream.capture.log.append import log_for
    from hookstream.capture.settings import ROTATE_BYTES, CaptureSettings

    assert log_for(place.LogTarget("x", named=True), CaptureSettings()).rotate_bytes == 0
    assert (
        log_for(place.LogTarget("x", named=False), CaptureSettings()).rotate_bytes == ROTATE_BYTES
    )


def configured(tmp_path, monkeypatch, text):
    """The user's file, where `read_settings` looks for it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "hookstream").mkdir()
    (tmp_path / "hookstream" / "config.json").write_bytes(text)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([], "not an object"),
        ({"sync": "sometimes"}, "sync"),
        ({"privacy": "none"}, "privacy"),
        ({"rotate_bytes": -1}, "rotate_bytes"),
        ({"budget_ms": True}, "budget_ms"),
        ({"hooks": [{"event": "Action.Before"}]}, "hooks"),
        ({"hooks": "all"}, "hooks"),
    ],
)
def test_what_is_wrong_in_the_configuration_is_told(tmp_path, monkeypatch, value, problem):
    configured(tmp_path, monkeypatch, json.dumps(value).encode())
    settings = read_settings()
    assert problem in settings.problem
    assert (settings.sync, settings.privacy, settings.log) == ("fdatasync", "hash", None)


def test_a_configuration_with_a_byte_order_mark_is_read(tmp_path, monkeypatch):
    configured(tmp_path, monkeypatch, b'\xef\xbb\xbf{"sync": "full", "keep": 3}')
    settings = read_settings()
    assert (settings.sync, settings.keep, settings.problem) == ("full", 3, None)


def test_privacy_follows_the_configuration(home):
    prompt = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "what was said"}
    for mode, there in (("hash", False), ("redact", True)):
        home.configure({"privacy": mode})
        home.hook("claude-code", "UserPromptSubmit", payload=prompt)
        assert ("what was said" in home.log.read_text()) is there


def test_prompts_are_keyed_where_a_key_is_configured(home):
    key = home.path / "digest.key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o600)
    home.configure({"digest_key": str(key)})
    prompt = {**CLAUDE, "hook_event_name": "UserPromptSubmit", "prompt": "what was said"}
    home.hook("claude-code", "UserPromptSubmit", payload=prompt)
    (line,) = read_log(home.log)
    assert line["data"]["prompt_hash"].startswith("hmac-sha256:")


def test_people_and_machines_are_pseudonyms_under_a_private_key(home):
    hook(home)
    hook(home)
    key = home.state / "pseudonym.key"
    assert key.stat().st_mode & 0o777 == 0o600
    first, second = read_log(home.log)
    assert first["user"] == second["user"]
    assert first["user"]["id"].startswith("user-")
    assert first["metadata"]["dev.hookstream"]["machine_id"].startswith("machine-")
    assert os.uname().nodename not in home.log.read_text()
