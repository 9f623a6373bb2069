"""The systemd unit: what it starts, and that systemd takes it."""

import shutil
import subprocess

import pytest

from hookstream.capture.collector.unit import unit
from hookstream.capture.install.command import interpreter


def test_words_of_the_command_survive():
    text = unit(["--log", "/srv/a b/100%/$x.jsonl"])
    line = next(line for line in text.splitlines() if line.startswith("ExecStart="))
    assert line.startswith(f"ExecStart={interpreter()} -I -m hookstream serve")
    assert line.endswith('--log "/srv/a b/100%%/$$x.jsonl"')


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_takes_it(tmp_path):
    path = tmp_path / "hookstream.service"
    path.write_text(unit())
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(path)], capture_output=True, text=True
    )
    assert str(path) not in done.stderr, done.stderr
