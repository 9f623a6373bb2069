"""The machine's policy under the user's file: what it locks a user may tighten and not loosen."""

import json
import os
import subprocess

import pytest
from hook_runner import CLAUDE, Home, program, read_log
from test_hook import assert_silent_success

from hookstream.capture.settings import read_settings
from hookstream.configuration import machine

PROMPT = {
    "session_id": "5d0c",
    "cwd": "/home/dev/project",
    "hook_event_name": "UserPromptSubmit",
    "prompt": "a prompt of many words",
}


def hook(home: Home, payload=PROMPT, owner: int | None = None, env=None, *options: str):
    uid = os.getuid() if owner is None else owner
    before = (
        "import hookstream.configuration.machine as m;"
        f"m.FOLDER={machine.FOLDER!r};m.OWNERS=({uid},)"
    )
    done = subprocess.run(
        program(before, *options, "claude-code", payload["hook_event_name"]),
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=home.environment(env),
        timeout=60,
        check=False,
    )
    assert_silent_success(done)
    return read_log(home.log) if home.log.exists() else []


def kinds(lines):
    return [line["event_type"] for line in lines]


def has_content(lines) -> bool:
    return "a prompt of many words" in json.dumps(lines)


def toml(home: Home, text: str) -> None:
    folder = home.path / ".config" / "hookstream"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(text)


def test_the_policy_stands_under_the_users_file(home, policy):
    policy('privacy = "redact"\n')
    assert has_content(hook(home))
    toml(home, 'privacy = "hash"\n')
    assert not has_content(hook(home)[1:])
    toml(home, 'privacy = "full"\n')  # nothing is locked
    assert has_content(hook(home)[2:])


def test_a_locked_setting_is_not_loosened_and_an_event_says_so_once(home, policy):
    policy('privacy = "hash"\nlocked = ["privacy"]\n')
    toml(home, 'privacy = "full"\n')
    lines = hook(home)
    assert not has_content(lines)
    assert kinds(lines) == ["vendor.claude-code.ConfigurationRefused", "Prompt.Submitted"]
    assert '"asked":"full"' in json.dumps(lines[0], separators=(",", ":"))
    assert kinds(hook(home))[2:] == ["Prompt.Submitted"]  # once a session
    other = hook(home, {**PROMPT, "session_id": "other"})
    assert kinds(other)[3:] == kinds(lines)
    problems = [one["problem"] for one in home.failures()]
    assert all(one.startswith("refused by the machine policy: privacy") for one in problems)
    assert len(problems) == 2


def test_a_locked_setting_may_be_tightened(home, policy):
    policy('privacy = "redact"\nlocked = ["privacy"]\n')
    toml(home, 'privacy = "hash"\n')
    lines = hook(home)
    assert not has_content(lines) and kinds(lines) == ["Prompt.Submitted"]


@pytest.mark.parametrize("text", ['log = "off"\n', 'log = "/dev/null/log"\n'])
def test_a_locked_log_is_added_to_and_not_moved(home, policy, text, tmp_path):
    policy('locked = ["log"]\n')
    toml(home, text)
    other = tmp_path / "other.jsonl"
    lines = hook(home, env={"AGENT_HOOKS_LOG": str(other)})
    assert "Prompt.Submitted" in kinds(lines)
    assert "Prompt.Submitted" in kinds(read_log(other))
    again = hook(home, env={"AGENT_HOOKS_LOG": "off"})
    assert kinds(again).count("Prompt.Submitted") == 2


def test_a_policy_that_others_can_write_is_ignored_and_said_to_be(home, policy):
    policy('privacy = "full"\nlocked = ["privacy"]\n', 0o666)
    lines = hook(home)
    assert not has_content(lines)
    assert kinds(lines)[0] == "vendor.claude-code.ConfigurationRefused"
    assert "others can write it" in json.dumps(lines[0])
    assert "others can write it" in home.failures()[0]["problem"]


def test_a_policy_of_another_than_root_is_ignored(home, policy):
    policy('privacy = "full"\n')
    lines = hook(home, owner=os.getuid() + 1)
    assert not has_content(lines) and "does not belong to root" in json.dumps(lines[0])


@pytest.mark.parametrize("text", ["privacy = ", "\0", "[[[", "privacy = 7\n", "# " + "x" * 300_000])
def test_a_broken_policy_stops_no_hook(home, policy, text):
    policy(text)
    toml(home, 'privacy = "redact"\n')
    assert has_content(hook(home))
    assert has_content(hook(home)[2:])  # what is kept of a broken file is as good
    assert "machine policy" in home.failures()[0]["problem"]


@pytest.mark.parametrize("kind", ["folder", "pipe", "nothing readable"])
def test_what_is_no_file_holds_nobody(home, policy, kind):
    path = policy("")
    path.unlink()
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    assert "Prompt.Submitted" in kinds(hook(home))


def test_no_variable_names_another_policy(home, policy, tmp_path, monkeypatch):
    policy('privacy = "hash"\n')
    elsewhere = tmp_path / "elsewhere" / "hookstream"
    elsewhere.mkdir(parents=True)
    (elsewhere / "config.toml").write_text('privacy = "full"\n')
    env = dict.fromkeys(
        ["XDG_CONFIG_DIRS", "PROGRAMDATA", "ProgramData", "HOOKSTREAM_CONFIG"],
        str(elsewhere.parent),
    )
    assert not has_content(hook(home, env=env))


def test_what_a_user_says_of_locks_counts_nothing(home, policy):
    policy('privacy = "hash"\n')
    toml(home, 'locked = ["privacy"]\nprivacy = "full"\n')
    assert has_content(hook(home))


def test_a_lock_without_a_value_is_the_strictest(policy):
    policy('locked = ["pseudonyms", "privacy"]\n')
    settings = read_settings()
    assert (settings.pseudonyms, settings.privacy) == ("keyed", "hash")


def test_a_lock_of_nothing_is_said(policy):
    policy('locked = ["privcy"]\n')
    assert "privcy" in (read_settings().problem or "")


@pytest.mark.parametrize(
    ("whose", "said", "scope"),
    [
        (None, [], None),
        (None, ["--scope", "everywhere"], None),
        ("user", [], "user"),
        ("user", ["--scope", "project"], "project"),
        ("user", ["--scope", "everywhere"], "user"),
        ("machine", [], "managed"),  # names no home: the one of the account that runs it
    ],
)
def test_an_event_says_whose_settings_registered_its_hook(home, whose, said, scope):
    state = str(home.path / ".local" / "state")
    own = str(home.path) if whose == "user" else ""
    places = ["--registered", own, "", state, "", str(home.log), ""] if whose else []
    done = home.hook(*places, "claude-code", "UserPromptSubmit", *said, payload=PROMPT)
    assert_silent_success(done)
    (line,) = read_log(home.log)
    (meta,) = line["metadata"].values()
    assert meta.get("capture_scope") == scope


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.posix("launchers are POSIX shell scripts")
def test_what_install_registers_says_its_scope(home, as_own_home, scope):
    from hookstream.capture.install import launcher
    from hookstream.capture.install.command import command_line
    from hookstream.capture.install.commands import is_ours

    launcher.write()
    line = command_line("claude-code", "UserPromptSubmit", scope)
    assert is_ours(line)
    done = subprocess.run(
        ["sh", "-c", line],
        input=json.dumps(PROMPT).encode(),
        capture_output=True,
        env=home.environment(),
        check=False,
    )
    assert done.returncode == 0
    (event,) = read_log(home.log)
    (own,) = event["metadata"].values()
    assert own["capture_scope"] == scope


def leaked(home: Home) -> dict:
    """The event of a hook at which a credential leaked."""
    secret = "AKIA" + "Z7Q3XW5RT2LK9MND"
    command = {"command": f"aws configure set aws_access_key_id {secret}"}
    payload = {**CLAUDE, "tool_input": command}
    return [line for line in hook(home, payload) if line["event_type"] == "Action.Before"][-1]


def fingerprints(line: dict) -> set[str]:
    (meta,) = line["metadata"].values()
    return {one["fingerprint"] if isinstance(one, dict) else one[2] for one in meta["secrets"]}


def test_one_secret_on_five_laptops_is_one_fingerprint_under_one_key(policy, tmp_path):
    homes = []
    for number in range(5):
        folder = tmp_path / f"laptop-{number}"
        folder.mkdir()
        homes.append(Home(folder))
    policy("")
    apart = [leaked(home) for home in homes]
    assert len(set.union(*map(fingerprints, apart))) == 5
    assert len({line["user"]["id"] for line in apart}) == 5
    key = tmp_path / "fleet.key"
    key.write_text("f" * 32)
    key.chmod(0o644 if os.getuid() == 0 else 0o600)  # root's may be read by all
    policy(f'pseudonym_key_file = "{key}"\nlocked = ["pseudonym_key_file"]\n')
    toml(homes[0], f'pseudonym_key_file = "{tmp_path}/own.key"\n')
    joined = [leaked(home) for home in homes]
    assert len(set.union(*map(fingerprints, joined))) == 1
    assert len({line["user"]["id"] for line in joined}) == 1
    assert not list(tmp_path.rglob("own.key"))


@pytest.mark.posix("Windows has no such modes")
def test_the_fleets_key_names_people_again(policy, tmp_path, own_home):
    from typer.testing import CliRunner

    from hookstream.capture.hook.lines import user_name
    from hookstream.cli.app import app

    folder = tmp_path / "home"
    folder.mkdir()
    key = tmp_path / "fleet.key"
    key.write_text("f" * 32)
    key.chmod(0o600)
    policy(f'pseudonym_key_file = "{key}"\n')
    line = hook(Home(folder))[-1]
    done = CliRunner().invoke(app, ["resolve", line["user"]["id"]])
    assert done.output == f"{line['user']['id']}\t{user_name()}\n"
    roster = tmp_path / "people"
    roster.write_text("carol")
    policy("")
    unknown = CliRunner().invoke(app, ["resolve", line["user"]["id"], "--roster", str(roster)])
    assert unknown.exit_code != 0  # without the key nobody is named


@pytest.mark.skipif(os.getuid() != 0, reason="a key of root's that others can write")
def test_a_fleet_key_that_others_can_write_is_not_used(policy, tmp_path, home):
    key = tmp_path / "fleet.key"
    key.write_text("f" * 32)
    key.chmod(0o666)
    policy(f'pseudonym_key_file = "{key}"\n')
    assert "Prompt.Submitted" in kinds(hook(home))
    assert "others can write it" in home.failures()[0]["problem"]
