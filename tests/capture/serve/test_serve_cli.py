"""The command line of the collector."""

import os
import signal
import subprocess
import sys

import pytest
from collector_runner import served


def hookstream(home, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hookstream", "serve", *words],
        env=served(home),
        capture_output=True,
        text=True,
        timeout=30,
    )


def test_the_unit(home):
    done = hookstream(home, "--print-unit", "--http", "off")
    assert done.returncode == 0
    assert "\n[Service]\n" in done.stdout
    assert "serve --http off\n" in done.stdout
    assert not home.state.exists()


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--http", "192.0.2.1:80"), "needs --tls-cert"),
        (("--http", "nonsense"), "not a HOST:PORT"),
        (("--http", "127.0.0.1:0", "--token-file", "/nonexistent"), "/nonexistent"),
        (("--http", "off", "--socket", "/tmp/" + "x" * 120), "longer than 107 bytes"),
        (("--http", "off", "--socket", "/tmp/collector.sock"), "must be yours alone"),
    ],
)
def test_wrong_usage_is_one_line_and_2(home, words, said):
    done = hookstream(home, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_it_starts_and_ends(home):
    with subprocess.Popen(
        [sys.executable, "-m", "hookstream", "serve", "--http", "127.0.0.1:0"],
        env={**served(home), "PYTHONUNBUFFERED": "1"},
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert "listening on unix:" in running.stderr.readline()
        os.kill(running.pid, signal.SIGTERM)
        assert running.wait(30) == 0
        assert running.stderr.read() == ""
