"""The bundle on a machine with only Python: a real client's events, nothing else left behind."""

import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from clients import checks, installs, runs

pytestmark = pytest.mark.clients
CLIENT = "claude-code"


def test_install_capture_ship_and_uninstall_of_a_bundle(tmp_path: Path) -> None:
    reason = installs.missing(CLIENT)
    if reason is not None:
        pytest.skip(reason)
    run = runs.bundled(CLIENT, "tools")
    checks.did_the_same(runs.bare(CLIENT, "tools"), run)
    checks.has_every_event(run)
    checks.is_in_order(run)
    ships_its_log(run, tmp_path)
    takes_itself_out_to_the_byte(run)


def own_command(home: Path, *words: str) -> str:
    """What the installed bundle's own command prints."""
    done = subprocess.run(
        [str(home / ".local/share/hookstream/hookstream"), *words],
        env=runs.own_environment(home),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def ships_its_log(run: runs.Run, folder: Path) -> None:
    """To a centre that runs the package."""
    token, machines = "t" * 32, folder / "machines"
    for file, text in (
        (folder / "token", token),
        (machines, f"laptop-1 sha256:{sha256(token.encode()).hexdigest()}\n"),
    ):
        file.write_text(text)
        file.chmod(0o600)
    words = [str(runs.HOOKSTREAM), "serve", "--http", "127.0.0.1:0", "--socket", "off"]
    words += ["--machines", str(machines), "--fleet", str(folder / "fleet")]
    with subprocess.Popen(
        words, env=runs.own_environment(folder), stderr=subprocess.PIPE, text=True
    ) as centre:
        assert centre.stderr is not None
        url = centre.stderr.readline().split()[-1]
        with run.named_home() as home:
            said = own_command(home, "ship", url, "--once", "--token-file", str(folder / "token"))
        centre.terminate()
    lines = run.log.read_bytes()
    count = len(lines.splitlines())
    assert f"delivered {count}, dropped 0" in said
    assert (folder / "fleet/laptop-1/agent-hooks.jsonl").read_bytes() == lines


def takes_itself_out_to_the_byte(run: runs.Run) -> None:
    """With the recorder taken out first, which was registered after it."""
    with run.named_home() as home:
        settings = home / ".claude/settings.json"
        settings.write_bytes((home / ".capture/installed").read_bytes())
        folder = home / ".local/share/hookstream"
        own_command(home, "uninstall", "--all", "--purge-log")
        assert settings.read_bytes() == (home / ".capture/before").read_bytes()
        assert not folder.exists()
    assert not run.state.exists()
