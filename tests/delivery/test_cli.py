"""The command line: run --follow, run --config, replay, and what waits after a one-shot run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from same_process import hookstream

from .far import Far, serving
from .stage import NOW, Within, calls_in, many, read_lines, until

pytestmark = pytest.mark.long


class Shell:
    def __init__(self, tmp: Path) -> None:
        self.env = {**os.environ, "XDG_STATE_HOME": str(tmp / "xdg"), "HOME": str(tmp)}

    def start(self, *words: str | Path) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "hookstream", *map(str, words)]
        return subprocess.Popen(
            command, env=self.env, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, *words: str | Path) -> tuple[int, str]:
        process = self.start(*words)
        said = process.communicate(timeout=60)[1]
        assert "Traceback" not in said, said
        return process.returncode, said


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(many(20)))
    return path


def arrived(folder: Path) -> list[int]:
    return calls_in(read_lines(folder / "agent-hooks.jsonl"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_follow_until_told_to_stop(
    shell: Shell, tmp_path: Path, log: Path, within: Within, number: signal.Signals
) -> None:
    out = tmp_path / "out"
    words = ("run", log, "--to", f"jsonl:{out}", "--follow", "--now", NOW)
    process = shell.start(*words, "--report", tmp_path / "report.json")
    until(lambda: arrived(out) == list(range(20)))
    with log.open("ab") as file:
        file.write(b"".join(many(5, 20)))
    until(lambda: arrived(out) == list(range(25)))
    with within(2.0):
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 0, said
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["read"] == 25
    assert report["sinks"][f"jsonl:{out}"]["delivered"] == 25


def test_a_file_of_sinks_delivers_what_is_new(shell: Shell, tmp_path: Path, log: Path) -> None:
    config = tmp_path / "hookstream.toml"
    with serving(Far()) as far:
        config.write_text(
            f"""
            sources = ["{log}"]
            [[sink]]
            name = "files"
            uri = "jsonl:{tmp_path / "out"}"
            [[sink]]
            name = "far"
            uri = "cloudevents:http://127.0.0.1:{far.port}/in"
            standard = "agent-hooks"
            mode = "batch"
            """
        )
        assert shell.run("run", "--config", config)[0] == 0
        assert len(far.ids) == 20
        with log.open("ab") as file:
            file.write(b"".join(many(3, 20)))
        assert shell.run("run", "--config", config)[0] == 0
        assert len(far.ids) == 23
    assert arrived(tmp_path / "out") == list(range(23))


def test_what_waits_is_exit_3_and_is_sent_by_the_next_run(
    shell: Shell, tmp_path: Path, log: Path
) -> None:
    config = tmp_path / "hookstream.toml"
    with serving(Far(lambda ids: 503)) as far:
        config.write_text(f'[[sink]]\nuri = "{far.plan.uri}"\nstandard = "agent-hooks"\n')
        code, said = shell.run("run", log, "--config", config, "--state", tmp_path / "state")
        assert code == 3
        assert "20 records" in said
        assert str(tmp_path / "state") in said
        far.answer = lambda ids: 200
        assert shell.run("run", log, "--config", config, "--state", tmp_path / "state")[0] == 0
        assert len(far.ids) == 20


def test_a_one_shot_run_leaves_what_was_not_taken_for_replay(
    shell: Shell, tmp_path: Path, log: Path
) -> None:
    out = tmp_path / "out"
    code, said = shell.run("run", log, "--to", f"faulty:reject=4:jsonl:{out}")
    assert code == 3
    (waiting,) = (tmp_path / "xdg" / "hookstream" / "waiting").iterdir()
    assert str(waiting) in said
    assert waiting.stat().st_mode & 0o077 == 0
    assert len(arrived(out)) == 19
    code, said = shell.run("replay", "--to", f"jsonl:{out}")
    assert (code, said) == (0, "sent 1, kept 0\n")
    assert sorted(arrived(out)) == list(range(20))
    assert not waiting.exists()


@pytest.mark.long
def test_a_dead_sink_holds_a_one_shot_run_only_once(
    shell: Shell, tmp_path: Path, log: Path, within: Within
) -> None:
    log.write_bytes(b"".join(many(1500)))
    with serving(Far(lambda ids: 503)) as far:
        sinks = ("--to", far.plan.uri, "--to", f"jsonl:{tmp_path / 'out'}")
        with within(15):
            assert shell.run("run", log, *sinks, "--standard", "agent-hooks")[0] == 3
        assert arrived(tmp_path / "out") == list(range(1500))
        far.answer = lambda ids: 200
        code, said = shell.run("replay")
        assert (code, said) == (0, "sent 1500, kept 0\n")
        assert len(set(far.ids)) == 1500


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "LOG", "--follow"], "where to?"),
        (["run", "--follow", "--to", "jsonl:out"], "nothing to read"),
        (["run", "-", "--follow", "--to", "jsonl:out"], "standard input cannot be followed"),
        (["run", "LOG", "--follow", "--to", "nowhere:x"], "no such sink"),
        (["run", "LOG"], "name a source and a sink"),
        (["run", "--config", "absent.toml"], "absent.toml: No such file"),
        (["replay", "absent"], "absent: no such file"),
        (["replay", "pyproject.toml"], "no record in these files"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(
    shell: Shell, tmp_path: Path, log: Path, words: list[str], said: str
) -> None:
    done = hookstream(*[str(log) if word == "LOG" else word for word in words], env=shell.env)
    text = done.stderr.decode()
    assert done.returncode == 2
    assert said in text
    assert len(text.splitlines()) == 1
