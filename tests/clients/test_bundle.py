"""The bundle on a machine with only Python: a real client's events, nothing else left behind."""

import subprocess

import pytest

from clients import checks, installs, runs

pytestmark = pytest.mark.clients
CLIENT = "claude-code"


def test_install_capture_and_uninstall_of_a_bundle() -> None:
    reason = installs.missing(CLIENT)
    if reason is not None:
        pytest.skip(reason)
    run = runs.bundled(CLIENT, "tools")
    checks.did_the_same(runs.bare(CLIENT, "tools"), run)
    checks.has_every_event(run)
    checks.is_in_order(run)
    takes_itself_out_to_the_byte(run)


def takes_itself_out_to_the_byte(run: runs.Run) -> None:
    """With the recorder taken out first, which was registered after it."""
    with run.named_home() as home:
        settings = home / ".claude/settings.json"
        settings.write_bytes((home / ".capture/installed").read_bytes())
        folder = home / ".local/share/hookstream"
        done = subprocess.run(
            [str(folder / "hookstream"), "uninstall", "--all", "--purge-log"],
            env=runs.own_environment(home),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert settings.read_bytes() == (home / ".capture/before").read_bytes()
        assert not folder.exists()
    assert not run.state.exists()
