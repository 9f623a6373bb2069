"""`uninstall --purge` leaves nothing of hookstream's but what the user has to decide on."""

import json
import subprocess

import pytest
from hook_runner import CLAUDE, Home, command

from hookstream.capture.install import registration
from hookstream.core.errors import HookstreamError

SETTINGS = '{\n  "model": "opus"\n}\n'


@pytest.fixture
def used(as_own_home: Home) -> Home:
    """A home with a client, hooks installed, an event captured and an error recorded."""
    folder = as_own_home.path / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text(SETTINGS)
    assert registration.install(["claude-code"], every=False) == 0
    line = json.loads((folder / "settings.json").read_text())["hooks"]["PreToolUse"][0]["hooks"][0]
    for data in (json.dumps(CLAUDE).encode(), b"{"):
        words = ["sh", "-c", line["command"]]
        subprocess.run(words, input=data, env=as_own_home.environment(), check=True)
    assert as_own_home.log.exists()
    assert as_own_home.failures()
    return as_own_home


def files(home: Home) -> set[str]:
    return {str(path.relative_to(home.path)) for path in home.path.rglob("*") if path.is_file()}


def test_uninstall_keeps_log_key_and_errors(used: Home):
    assert registration.uninstall(None, every=True) == 0
    assert files(used) >= {
        ".claude/settings.json",
        ".local/state/hookstream/log/agent-hooks.jsonl",
        ".local/state/hookstream/pseudonym.key",
        ".local/state/hookstream/hook-errors",
    }


def test_purge_keeps_the_log_and_the_key_it_is_read_with(used: Home, capsys):
    assert registration.uninstall(None, every=True, purge=True) == 0
    assert files(used) == {
        ".claude/settings.json",
        ".local/state/hookstream/log/agent-hooks.jsonl",
        ".local/state/hookstream/pseudonym.key",
    }
    assert (used.path / ".claude/settings.json").read_text() == SETTINGS
    printed = capsys.readouterr().out
    assert f"left: {used.state}/log; --purge-log removes it" in printed


def test_purge_log_leaves_the_home_as_it_was(used: Home):
    assert registration.uninstall(None, every=True, purge_log=True) == 0
    assert files(used) == {".claude/settings.json"}
    assert not (used.path / ".local" / "share" / "hookstream").exists()
    assert not used.state.exists()


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_a_log_in_a_place_of_the_users_own_and_the_configuration_stay(
    as_own_home: Home, monkeypatch, capsys
):
    log = as_own_home.path / "audit.jsonl"
    monkeypatch.setenv("AGENT_HOOKS_LOG", str(log))
    as_own_home.configure({"privacy": "redact"})
    registration.install(["claude-code"], every=False)
    subprocess.run(
        command("claude-code", "PreToolUse"),
        input=json.dumps(CLAUDE).encode(),
        env=as_own_home.environment({"AGENT_HOOKS_LOG": str(log)}),
        check=True,
    )
    assert registration.uninstall(None, every=True, purge_log=True) == 0
    assert files(as_own_home) == {"audit.jsonl", ".config/hookstream/config.json"}
    assert f"left: {log}\n" in capsys.readouterr().out


def test_nothing_is_purged_where_hooks_stay_registered(used: Home, monkeypatch):
    project = used.path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    registration.install(["claude-code"], every=False, scope="project")
    with pytest.raises(HookstreamError, match=r"still installed in .*project/\.claude"):
        registration.uninstall(None, every=True, purge_log=True)
    assert used.log.exists()


def test_purge_is_for_all_clients(used: Home):
    with pytest.raises(HookstreamError, match="--all"):
        registration.uninstall(["claude-code"], every=False, purge=True)


def test_a_copy_of_an_edited_file_stays(used: Home, capsys):
    settings = used.path / ".claude/settings.json"
    settings.write_text(settings.read_text().replace("opus", "sonnet"))
    assert registration.uninstall(None, every=True, purge_log=True) == 0
    assert settings.read_text() == SETTINGS.replace("opus", "sonnet")
    (copy,) = (used.state / "backups").iterdir()
    assert f"a copy lies at {copy}" in capsys.readouterr().out
