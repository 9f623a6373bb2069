"""Two versions on one machine: upgrade, downgrade, side by side with a package from pip."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hook_runner import CLAUDE
from laptops import OLDER

from hookstream.version import __version__


def pip_hookstream(laptop, *words, status=0):
    """The installed package's command, in the laptop's home."""
    words = [str(Path(sys.executable).parent / "hookstream"), *words]
    return laptop.run(*words, status=status)


@pytest.mark.long
def test_an_upgrade_changes_no_settings_and_loses_no_event(laptop, bundle, older):
    laptop.bundle(older, "install", "--all")
    settings = laptop.claude.read_bytes()
    laptop.event(CLAUDE)
    laptop.bundle(bundle, "install", "--all")
    assert laptop.claude.read_bytes() == settings  # a running client goes on
    laptop.event({**CLAUDE, "tool_use_id": "toolu_02"})
    assert laptop.versions() == [OLDER, __version__]
    assert laptop.unpacked() == sorted([OLDER, __version__])
    laptop.bundle(bundle, "uninstall", "--all", "--purge")
    assert laptop.is_restored()
    assert not laptop.folder.exists()


@pytest.mark.slow
def test_hooks_that_run_during_an_upgrade_are_recorded(laptop, bundle, older):
    """The code of the version in use stays till the next upgrade, and the launcher is replaced
    whole."""
    laptop.bundle(older, "install", "--all")
    (line,) = laptop.lines_of("PreToolUse")
    script = f'while [ ! -e "$HOME/stop" ]; do {{ {line}; }} < "$HOME/payload.json"; echo; done'
    (laptop.path / "payload.json").write_text(json.dumps(CLAUDE))
    hooks = subprocess.Popen(
        ["sh", "-c", script], env=laptop.environment(), stdout=subprocess.PIPE, text=True
    )
    for file in (bundle, older, bundle):
        laptop.bundle(file, "install", "--all")
    (laptop.path / "stop").touch()
    ran = hooks.communicate(timeout=60)[0].count("\n")
    assert ran > 3
    assert len(laptop.events()) == ran
    assert set(laptop.versions()) == {OLDER, __version__}
    assert list(laptop.path.rglob("hook-errors")) == []


@pytest.mark.long
def test_an_older_bundle_takes_a_newer_one_out(laptop, bundle, older):
    laptop.bundle(bundle, "install", "--all")
    laptop.bundle(older, "uninstall", "--all", "--purge-log")
    assert laptop.is_restored()
    assert not laptop.folder.exists()


@pytest.mark.long
def test_a_third_version_takes_the_place_of_the_first(laptop, bundle, older):
    laptop.bundle(older, "install", "--all")
    laptop.bundle(bundle, "install", "--all")
    laptop.bundle(bundle, "install", "--all")
    assert laptop.unpacked() == [__version__]


@pytest.mark.long
def test_status_of_another_version_says_which_is_registered(laptop, bundle, older):
    laptop.bundle(older, "install", "--all")
    assert "is of another version" in laptop.bundle(bundle, "status").stdout
    assert "is of another version" not in laptop.bundle(older, "status").stdout


@pytest.mark.long
def test_a_package_and_a_bundle_take_over_from_each_other(laptop, bundle):
    pip_hookstream(laptop, "install", "--all")
    settings = laptop.claude.read_bytes()
    laptop.bundle(bundle, "install", "--all")
    assert laptop.claude.read_bytes() == settings
    laptop.event(CLAUDE)
    pip_hookstream(laptop, "install", "--all")
    assert laptop.claude.read_bytes() == settings
    laptop.event({**CLAUDE, "tool_use_id": "toolu_02"})
    assert len(laptop.events()) == 2
    pip_hookstream(laptop, "uninstall", "--all", "--purge-log")
    assert laptop.is_restored()
    assert not laptop.folder.exists()


@pytest.mark.long
def test_a_copy_does_not_install_for_another_scope(laptop, bundle):
    """Root's hooks must not run code from a user's folder."""
    laptop.bundle(bundle, "install", "--all")
    command = laptop.folder / "hookstream"
    refused = laptop.run(command, "install", "claude-code", "--scope", "managed", status=2)
    assert "run `python3 hookstream.pyz install`" in refused.stderr
