"""What a hook loads, from where, and that only speed depends on it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hook_runner import ANSWERS, CLAUDE, CURSOR, SAMPLES, answer_of, command, program, read_log
from test_hook import assert_silent_success

from hookstream.capture.hook import client
from hookstream.capture.hook.failures import LAST_WORDS
from hookstream.capture.hook.in_process import LazyPattern
from hookstream.capture.install import command as commands
from hookstream.capture.install import launcher
from hookstream.capture.install.commands import is_ours as commands_is_ours
from hookstream.normalizers import VENDORS
from hookstream.normalizers.hook_facts import hook_facts

# Each costs milliseconds that an agent would wait for, at every event.
TOO_HEAVY = (
    "argparse asyncio concurrent ctypes dataclasses email "
    "hyperscan http importlib.metadata importlib.resources inspect logging multiprocessing "
    "orjson pathlib platform pydantic random re2 shutil site socket ssl string subprocess "
    "tempfile threading tomllib traceback typer typing unittest urllib uuid zipfile"
).split()


def probing(home, vendor, event, payload, after):
    """The hook's program with words of ours around it; what they print."""
    before = "import os,posix;os._exit=posix._exit=lambda status:None"
    words = program(before, vendor, event, after=after)
    result = subprocess.run(
        words,
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=home.environment(),
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.decode()


@pytest.mark.parametrize(("vendor", "event", "payload"), SAMPLES, ids=[s[0] for s in SAMPLES])
def test_the_hook_imports_nothing_heavy_and_only_its_vendors_table(home, vendor, event, payload):
    commands.prepare(vendor)  # as install does
    home.hook(vendor, event, payload=payload)
    report = "print();[print(n) for n, m in sys.modules.items() if n == '__main__' or m.__spec__]"
    loaded = set(probing(home, vendor, event, payload, after=report).splitlines()[1:])
    assert "hookstream.capture.log.append" in loaded
    heavy = loaded & set(TOO_HEAVY)
    assert not heavy
    tables = {f"hookstream.normalizers.{module}.table" for module in VENDORS.values()}
    own = {f"hookstream.normalizers.{VENDORS[vendor]}.table"}
    base = {"hookstream.normalizers.claude_code.table"}  # of tables that say how they differ
    assert (
        own
        <= loaded & tables
        <= own | (base if vendor in ("codex", "qwen-code", "devin") else set())
    )


def test_nothing_outside_the_package_and_the_standard_library_can_be_found(home):
    report = "print();print(*sys.path, *sys.modules['hookstream'].__path__, sep=chr(10))"
    places = probing(home, "claude-code", "PreToolUse", CLAUDE, after=report).splitlines()[1:]
    assert not [place for place in places if "site-packages" in place and "hookstream" not in place]


def test_a_hook_compiles_few_of_its_patterns(home):
    before = (
        "import re;real=re._compiler.compile;count=[];"
        "re._compiler.compile=lambda *a:count.append(a) or real(*a)"
    )
    report = "print();print(len(count))"
    words = program(before + ";import os,posix;os._exit=posix._exit=lambda status:None",
                    "claude-code", "PreToolUse", after=report)  # fmt: skip
    done = subprocess.run(
        words,
        input=json.dumps(CLAUDE).encode(),
        capture_output=True,
        env=home.environment(),
        check=True,
    )
    assert 0 < int(done.stdout.split()[-1]) < 100


def test_a_lazy_pattern_answers_as_the_pattern_does():
    pattern = LazyPattern(r"(a)(?P<word>\w+)", re.IGNORECASE)
    plain = re.compile(r"(a)(?P<word>\w+)", re.IGNORECASE)
    assert "_compiled" not in pattern.__dict__
    assert pattern.sub(r"<\2>", "xAbc") == plain.sub(r"<\2>", "xAbc") == "x<bc>"
    assert (pattern.flags, pattern.pattern) == (plain.flags, plain.pattern)
    assert pattern.fullmatch("ab")["word"] == "b"
    with pytest.raises(re.error):
        LazyPattern("(").search("")


def test_bytecode_cut_short_costs_no_event(home, tmp_path):
    """A full disk once cut a bytecode file; Python would refuse the module for ever."""
    import shutil

    import hookstream

    package = tmp_path / "hookstream"
    shutil.copytree(
        hookstream.__path__[0], package, ignore=shutil.ignore_patterns("__pycache__", "*.sql")
    )
    words = [word.replace(hookstream.__path__[0], str(package)) for word in command("cursor")]
    warm = [word for word in words if word != "-B"]

    def run(argv):
        return subprocess.run(
            argv,
            input=json.dumps(CURSOR).encode(),
            capture_output=True,
            env=home.environment(),
            check=False,
        )

    assert_silent_success(run(warm), b"{}")
    cut = list(package.rglob("*.pyc"))
    assert len(cut) > 20
    for path in cut:
        path.write_bytes(path.read_bytes()[:40])
    for _ in range(2):  # the second time it is made anew
        assert_silent_success(run(words), b"{}")
    assert len(read_log(home.log)) == 3
    assert sum(path.stat().st_size <= 40 for path in cut) < 10  # what only -B's absence loads


def launched(text: bytes, home, vendor: str, event: str, payload: object):
    """A launcher with that text, run as a client runs it."""
    script = Path(launcher.path("hook"))
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_bytes(text)
    script.chmod(0o755)
    return subprocess.run(
        ["sh", "-c", commands.command_line(vendor, event)],
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=home.environment(),
        check=False,
    )


@pytest.mark.parametrize(("vendor", "event", "payload"), SAMPLES, ids=[s[0] for s in SAMPLES])
@pytest.mark.parametrize("shell", [False, True], ids=["python", "sh"])
@pytest.mark.posix("launchers are POSIX shell scripts")
def test_what_is_gone_blocks_nothing(home, as_own_home, vendor, event, payload, shell, monkeypatch):
    """The package, the interpreter, or the launcher itself: each line says what lets the agent go
    on, and nothing else."""
    if shell:
        monkeypatch.setattr(launcher, "SHEBANG", re.compile("none"))
    text = launcher.script("hook")
    assert text.startswith(b"#!/bin/sh") == shell
    said = answer_of(vendor, event)
    python = launcher.interpreter().encode()
    # An interpreter whose site packages do not hold the package either.
    package = str(Path(launcher.launch_file()).parents[2]).encode()
    bare = text.replace(python, BARE.encode()).replace(package, b"/gone")
    for damaged in (bare, text.replace(python, b"/gone/python3")):
        done = launched(damaged, home, vendor, event, payload)
        assert (done.returncode, done.stdout.rstrip(b"\n"), done.stderr) == (0, said, b"")
    Path(launcher.path("hook")).unlink()
    line = commands.command_line(vendor, event)
    done = subprocess.run(["sh", "-c", line], input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout.rstrip(b"\n"), done.stderr) == (0, said, b"")


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_a_package_that_an_upgrade_has_moved_is_found(home, as_own_home):
    """A virtual environment made anew with a later Python has it in another folder."""
    package = str(Path(launcher.launch_file()).parents[2]).encode()
    places = launcher.registered_folders()
    for text in (launcher.script("hook"), launcher.shell_script("hook", places)):
        moved = text.replace(package, b"/gone")
        assert_silent_success(launched(moved, home, "cursor", "stop", CURSOR), b"{}")
    assert len(read_log(home.log)) == 2


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_both_kinds_of_launcher_name_the_same_places(home, as_own_home):
    places = launcher.registered_folders()
    for text in (launcher.script("hook"), launcher.shell_script("hook", places)):
        (home.path / "launcher").write_bytes(text)
        assert launcher.read_folders(home.path / "launcher") == places


BARE = f"{sys.base_prefix}/bin/python3"


def test_what_is_known_early_is_what_the_clients_facts_say():
    """What must be known before anything can be loaded repeats the clients' own facts."""
    facts = {vendor: hook_facts(vendor) for vendor in VENDORS}
    answers = {vendor: one.answer for vendor, one in facts.items() if one.answer}
    for vendor, one in facts.items():
        answers |= {f"{vendor} {event}": said for event, said in one.answers.items()}
    assert answers == LAST_WORDS == ANSWERS
    assert set(client.BRIEF) == {event for one in facts.values() for event in one.budgets_ms}
    names = {name for one in facts.values() for name in (*one.environment, one.version) if name}
    # A hook with a payload there is not handed over.
    payloads = {one.payload_variable for one in facts.values() if one.payload_variable}
    assert names - {name.decode() for name in client.NAMES} == payloads
    assert {name.decode() for name in client.PAYLOADS} == payloads


# The registered command line


@pytest.fixture
def installed(home, as_own_home):
    """The launchers in a scratch home."""
    launcher.write()


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_the_command_line_is_absolute_short_and_works(home, installed):
    line = commands.command_line("claude-code", "PreToolUse")
    assert line == f"{home.path}/.local/share/hookstream/hookstream-hook claude-code PreToolUse " \
        "2>/dev/null || :"  # fmt: skip
    for shell in ("sh", "bash"):
        done = subprocess.run(
            [shell, "-c", line],
            input=json.dumps(CLAUDE).encode(),
            capture_output=True,
            env=home.environment(),
            check=False,
        )
        assert_silent_success(done)
    assert len(read_log(home.log)) == 2


def test_a_home_with_blanks_and_quotes_is_quoted(home, as_own_home, monkeypatch):
    odd = home.path / 'o\'dd "home" $x'
    odd.mkdir()
    monkeypatch.setenv("HOME", str(odd))
    launcher.write()
    line = commands.command_line("claude-code", "PreToolUse")
    subprocess.run(["sh", "-c", line], input=json.dumps(CLAUDE).encode(), check=True)
    assert len(read_log(odd / ".local/state/hookstream/log/agent-hooks.jsonl")) == 1
    assert commands_is_ours(line)


def test_a_here_document_reaches_the_hook(home, installed):
    """Cursor's older delivery: the payload as a here-document behind the command line."""
    line = commands.command_line("cursor", "beforeShellExecution")
    script = f"{line} <<'CURSOR_HOOK_EOF'\n{json.dumps(CURSOR)}\nCURSOR_HOOK_EOF\n"
    result = subprocess.run(
        ["sh", "-c", script], capture_output=True, env=home.environment(), check=False
    )
    assert_silent_success(result, b"{}")
    assert len(read_log(home.log)) == 1


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_hook_command_prints_that_line(home, as_own_home):
    result = subprocess.run(
        [sys.executable, "-m", "hookstream", "hook", "--command", "copilot", "preToolUse"],
        capture_output=True,
        env=home.environment(),
        check=False,
    )
    assert Path(launcher.path("hook")).exists()
    assert result.stdout.decode() == commands.command_line("copilot", "preToolUse") + "\n"
    assert result.returncode == 0


@pytest.mark.parametrize("argv", [[], ["nobody"], ["cursor", "stop", "more"]])
def test_hook_command_for_nobody_is_wrong_usage(argv):
    result = subprocess.run(
        [sys.executable, "-m", "hookstream", "hook", "--command", *argv],
        capture_output=True,
        check=False,
    )
    assert result.returncode == 2
    assert result.stdout == b""
    assert b"VENDOR" in result.stderr


def test_the_console_script_is_the_same_program(home):
    result = subprocess.run(
        [sys.executable, "-m", "hookstream", "hook", "cursor", "beforeShellExecution"],
        input=json.dumps(CURSOR).encode(),
        capture_output=True,
        env=home.environment(),
        check=False,
    )
    assert_silent_success(result, b"{}")
    assert len(read_log(home.log)) == 1
