"""Two examples of every command, its completion, the manual, and `hookstream` alone."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.same_process import text_of

from hookstream.cli.app import COMMANDS, MODULES, commands_of
from hookstream.cli.completion import SHELLS, every_command, options_of
from hookstream.cli.examples import EXAMPLES
from hookstream.cli.manual import manual

NAMES = [name for name, _ in every_command()]

MANUAL = Path(__file__).parents[2] / "man" / "hookstream.1"


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_every_command_ends_with_two_examples(name: str) -> None:
    lines = text_of(*name.split(), "--help").stdout.rstrip().splitlines()
    shown = [line.strip() for line in lines[-3:]]
    assert shown[0] == "Examples:"
    assert [f"hookstream {line}" for line in EXAMPLES[name]] == shown[1:]
    assert shown[1] != shown[2]


def test_every_command_of_the_table_is_walked() -> None:
    assert {name.split()[0] for name in NAMES} == set(MODULES)
    assert set(EXAMPLES) == set(NAMES)


@pytest.mark.parametrize("line", sorted({line for two in EXAMPLES.values() for line in two}))
def test_an_example_is_a_command_line_that_can_be_read(line: str) -> None:
    words = shlex.split(line.partition(" | ")[0].partition(" > ")[0])
    name, rest = words[0], words[1:]
    if name == "ship":
        from hookstream.delivery.ship import read_arguments

        assert read_arguments(rest).collector.startswith("https://")
        return
    command = commands_of(MODULES[name])[name]
    if inner := getattr(command, "commands", None):
        command, rest = inner[rest[0]], rest[1:]
    command.make_context(name, rest)


def completed(script: Path, *words: str) -> set[str]:
    """What bash offers for the last of the words."""
    line = " ".join(map(shlex.quote, ("hookstream", *words)))
    run = (
        f"source {shlex.quote(str(script))}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; "
        '_hookstream; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", run], capture_output=True, text=True, timeout=30)
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_values_and_names(tmp_path: Path) -> None:
    script = tmp_path / "hookstream.bash"
    script.write_text(text_of("completion", "bash").stdout)
    assert completed(script, "") == {*MODULES, "--version", "--help"}
    assert completed(script, "det") == {"detect"}
    assert {"--rules", "--tuning", "--test"} <= completed(script, "detect", "lake", "--")
    assert completed(script, "query", "den") == {"denies"}
    assert completed(script, "query", "denies", "lake", "--format", "") == {
        "table", "json", "csv", "markdown",
    }  # fmt: skip
    assert completed(script, "install", "--scope", "") == {"user", "project", "managed"}
    assert completed(script, "install", "claude") == {"claude-code"}
    assert {"list", "add", "revoke"} <= completed(script, "machines", "")
    assert "--id" in completed(script, "machines", "add", "file", "--")
    assert completed(script, "completion", "") == {*SHELLS, "--help"}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_reads_its_completion(shell: str, tmp_path: Path) -> None:
    script = tmp_path / f"hookstream.{shell}"
    script.write_text(text_of("completion", shell).stdout)
    for name, command in every_command():
        for option in options_of(command):
            assert option.removeprefix("--") in script.read_text(), (name, option)
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run([shell, "-n", script], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_commands_options_and_values(tmp_path: Path) -> None:
    script = tmp_path / "hookstream.fish"
    script.write_text(text_of("completion", "fish").stdout)

    def offered(line: str) -> set[str]:
        run = f"source {shlex.quote(str(script))}; complete -C {shlex.quote(line)}"
        env = {**os.environ, "HOME": str(tmp_path)}
        done = subprocess.run(
            ["fish", "--no-config", "-c", run], capture_output=True, text=True, env=env, timeout=30
        )
        assert done.stderr == ""
        return {one.partition("\t")[0] for one in done.stdout.splitlines()}

    assert offered("hookstream det") == {"detect"}
    assert {"--rules", "--tuning"} <= offered("hookstream detect lake --")
    assert offered("hookstream query denies lake --format c") == {"csv"}
    assert {"list", "add", "revoke"} <= offered("hookstream machines ")


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes_commands_and_values(tmp_path: Path) -> None:
    script = tmp_path / "hookstream.zsh"
    script.write_text(text_of("completion", "zsh").stdout)
    run = (
        f"source {shlex.quote(str(script))}; print registered ${{+_comps[hookstream]}}; "
        # How zsh calls a function that was written for bash.
        "setopt ksharrays shwordsplit; COMP_WORDS=(hookstream query denies lake --format c); "
        "COMP_CWORD=5; _hookstream; print -l ${COMPREPLY[@]}"
    )
    done = subprocess.run(
        ["zsh", "-f", "-c", run], capture_output=True, text=True, timeout=30,
        env={**os.environ, "HOME": str(tmp_path), "ZDOTDIR": str(tmp_path)},
    )  # fmt: skip
    # It offers those that begin with the word itself.
    assert done.stdout.split() == ["registered", "1", "table", "json", "csv", "markdown"]


def test_an_unknown_shell_is_one_line() -> None:
    done = text_of("completion", "tcsh")
    assert done.returncode == 2 and "bash, zsh" in done.stderr and done.stderr.count("\n") == 1


def test_the_manual_names_every_command_option_and_example() -> None:
    plain = manual().replace("\\-", "-").replace("\\e", "\\")
    for name, command in every_command():
        assert f".SS hookstream {name}" in plain
        part = plain.partition(f".SS hookstream {name}")[2].partition(".SS ")[0]
        for option in options_of(command):
            assert option == "--help" or f"\\fB{option}\\fR" in part, (name, option)
        assert all(f"hookstream {line}" in part for line in EXAMPLES[name])
    for section in COMMANDS:
        assert f".SH {section.upper()} COMMANDS" in plain


def test_the_manual_of_the_wheel_is_that_of_the_commands() -> None:
    assert MANUAL.read_text("utf-8") == manual(), "make man"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_is_read_without_a_warning(tmp_path: Path) -> None:
    page = tmp_path / "hookstream.1"
    page.write_text(manual(), "utf-8")
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-K", "utf8", page], capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}


def alone(env: dict[str, str]) -> str:
    from tests.same_process import hookstream

    done = hookstream(env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_alone_it_names_what_to_do_on_a_machine_with_nothing(home: dict[str, str]) -> None:
    shown = alone(home)
    assert "no session files in the last 30 days; no capture log" in shown
    assert "hookstream install --all" in shown and "hookstream demo" in shown
    assert "hookstream ui" not in shown


def test_alone_it_finds_session_files_and_the_log(home: dict[str, str], tmp_path: Path) -> None:
    session = tmp_path / ".claude" / "projects" / "-p" / "s1.jsonl"
    session.parent.mkdir(parents=True)
    session.write_text("{}\n")
    shown = alone(home)
    assert "1 session file of claude-code" in shown
    assert "hookstream ui" in shown and "hookstream backfill" in shown
    log = tmp_path / ".local/state/hookstream/log/agent-hooks.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text("{}\n")
    shown = alone(home)
    assert "a capture log" in shown and "hookstream status" in shown and "install" not in shown


def test_a_hint_is_for_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from hookstream.cli.next_steps import hint

    hint("hookstream status")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    hint("hookstream status")
    assert capsys.readouterr().err == "next: hookstream status\n"


@pytest.mark.skipif(shutil.which("script") is None, reason="no program that gives a terminal")
def test_a_run_on_a_terminal_ends_with_the_next_command(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    program = shlex.join(
        [shutil.which("hookstream") or str(root / ".venv/bin/hookstream"), "run",
         str(root / "samples" / "codex" / "resume.jsonl"), "--to", f"jsonl:{tmp_path / 'o ut'}"]
    )  # fmt: skip
    done = subprocess.run(["script", "-qec", program, "/dev/null"], capture_output=True, timeout=60)
    assert done.stdout.decode().split("next: ")[1].strip() == (
        f"hookstream query denies '{tmp_path / 'o ut'}'"
    )
