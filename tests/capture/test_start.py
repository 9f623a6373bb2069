"""What a hook loads, from where, and that only speed depends on it."""

import hashlib
import hmac
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
from hookstream.capture.install import command as commands
from hookstream.capture.install import launcher
from hookstream.capture.install.commands import is_ours as commands_is_ours
from hookstream.normalizers import VENDORS
from hookstream.normalizers.hook_facts import hook_facts

# Each costs milliseconds that an agent would wait for, at every event.
TOO_HEAVY = (
    "argparse asyncio collections concurrent ctypes dataclasses email enum functools "
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


def test_no_pattern_is_compiled_by_a_prepared_hook(home):
    commands.prepare("claude-code")
    home.hook("claude-code", "PreToolUse", payload=CLAUDE)
    report = "print();print(sys.modules['re'].__spec__)"
    after = probing(home, "claude-code", "PreToolUse", CLAUDE, after=report)
    assert after.strip() == "None"  # the stand-in, and not the module


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_a_damaged_image_is_made_anew(home, damage, tmp_path, monkeypatch):
    from hookstream.capture.startup import snapshot

    monkeypatch.setattr(snapshot, "folders", lambda: [str(tmp_path)])
    made = snapshot.Snapshot("claude-code")
    made.keep(("a", 0), ("program",))
    assert made.save()
    again = snapshot.Snapshot("claude-code")
    again.load()
    assert again.recall(("a", 0)) == ("program",)
    path = tmp_path / made.file
    assert path.stat().st_mode & 0o022 == 0
    path.write_bytes(path.read_bytes()[:-3] if damage is None else damage)
    again = snapshot.Snapshot("claude-code")
    again.load()
    assert again.kept == {}


def test_an_image_that_others_can_write_is_not_believed(tmp_path, monkeypatch):
    from hookstream.capture.startup import snapshot

    monkeypatch.setattr(snapshot, "folders", lambda: [str(tmp_path)])
    made = snapshot.Snapshot("claude-code")
    made.keep(("a", 0), ("program",))
    made.save()
    (tmp_path / made.file).chmod(0o666)
    again = snapshot.Snapshot("claude-code")
    again.load()
    assert again.kept == {}


def test_a_source_that_changed_is_not_taken_from_the_image(tmp_path, monkeypatch):
    from hookstream.capture.startup import snapshot

    monkeypatch.setattr(snapshot, "folders", lambda: [str(tmp_path)])
    source = tmp_path / "some_module.py"
    source.write_text("value = 1")
    made = snapshot.Snapshot("x")
    info = source.stat()
    made.modules["some_module"] = (str(source), info.st_mtime_ns, info.st_size, False, 0, 0)
    assert made.find_spec("some_module").origin == str(source)
    source.write_text("value = 22")
    assert made.find_spec("some_module") is None


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
    for path in package.rglob("*.bin"):
        path.unlink()
    assert_silent_success(run(words), b"{}")
    assert len(read_log(home.log)) == 2


def test_where_the_light_parts_fail_the_plain_ones_do(home, tmp_path):
    import shutil

    import hookstream

    package = tmp_path / "hookstream"
    ignored = shutil.ignore_patterns("__pycache__", "*.sql")
    shutil.copytree(hookstream.__path__[0], package, ignore=ignored)
    words = [word.replace(hookstream.__path__[0], str(package)) for word in command("cursor")]
    for module in ("lazy_stdlib", "snapshot"):
        (package / "capture" / "startup" / f"{module}.py").write_text(
            "raise RuntimeError('no such engine')"
        )
        result = subprocess.run(
            words,
            input=json.dumps(CURSOR).encode(),
            capture_output=True,
            env=home.environment(),
            check=False,
        )
        assert_silent_success(result, b"{}")
    assert len(read_log(home.log)) == 2


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


def test_a_package_that_an_upgrade_has_moved_is_found(home, as_own_home):
    """A virtual environment made anew with a later Python has it in another folder."""
    package = str(Path(launcher.launch_file()).parents[2]).encode()
    places = launcher.registered_folders()
    for text in (launcher.script("hook"), launcher.shell_script("hook", places)):
        moved = text.replace(package, b"/gone")
        assert_silent_success(launched(moved, home, "cursor", "stop", CURSOR), b"{}")
    assert len(read_log(home.log)) == 2


def test_both_kinds_of_launcher_name_the_same_places(home, as_own_home):
    places = launcher.registered_folders()
    for text in (launcher.script("hook"), launcher.shell_script("hook", places)):
        (home.path / "launcher").write_bytes(text)
        assert launcher.read_folders(home.path / "launcher") == places


BARE = f"{sys.base_prefix}/bin/python3"

PATTERNS = [
    (r"a|b", 0),
    (r"(?P<word>\w+)\s(?P=word)", re.I),
    (rb"\x00[\x80-\xff]+", 0),
    (r"^[^\W\d_]{2,}(?:é|ß)$", re.M | re.S),
    (r"(?i:key)\s*=\s*(['\"]?)([A-Za-z0-9+/]{20,})\1", re.A),
    (r"""(?x) a  b # comment
    c""", 0),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "flags"), PATTERNS)
def test_a_program_makes_the_pattern_that_re_makes(pattern, flags):
    import _sre

    from hookstream.capture.startup.regex_compile import make_program

    magic, full_flags, code, groups, names, by_index = make_program(pattern, int(flags))
    assert magic == _sre.MAGIC
    words = memoryview(code).cast("I").tolist()
    made = _sre.compile(pattern, full_flags, words, groups, names, by_index)
    assert made == re.compile(pattern, flags)
    assert made.groupindex == re.compile(pattern, flags).groupindex


def test_the_stand_ins_answer_as_the_modules_do(home):
    script = """
import functools, hashlib, hmac, re
out = [
 hashlib.sha256(b"abc").hexdigest(), hmac.digest(b"k", b"m", "sha256").hex(),
 hmac.digest(b"k" * 200, b"m" * 999, "sha256").hex(), re.sub("b", "x", "abab"),
 re.search("(b)(?P<n>a)", "abab")["n"], re.findall("a.", "abab"), re.split(",", "a,b"),
 bool(re.match("A", "a", flags=re.I)), bool(re.fullmatch("A", "a", re.IGNORECASE)),
 re.sub(r"(a)(x)?", r"<\\\\1\\\\2>", "abab"), re.sub("a", r"\\\\g<0>\\\\n", "abab"),
 functools.lru_cache(maxsize=1)(len)("ab"), functools.lru_cache(len)("ab"),
 functools.reduce(max, [1, 3, 2]), re.escape("a.b-\\\\ é#\\\\n"), re.escape(b"a.b"),
 re.sub(r"(a)", r"<\\\\1>", "abab", 1),
 hashlib.md5(b"").hexdigest(), hmac.new(b"k", b"m", "sha1").hexdigest(),
 re.compile("a", re.X | re.S).flags,
]
print(repr(out))
"""
    package = launcher.launch_file()
    head = f"import sys;ns={{'__name__':'launch'}};exec(open({package!r}).read(),ns);"
    head += f"ns['find_package']({package!r})"
    light = f"{head}\nfrom hookstream.capture.startup import lazy_stdlib as light\n"
    light += f"light.install('test')\n{script}"
    plain = f"import sys\n{script}"
    outs = [
        subprocess.run(
            [sys.executable, "-I", "-S", "-B", "-c", program],
            capture_output=True,
            env=home.environment(),
            check=False,
        )
        for program in (light, plain)
    ]
    assert outs[0].stderr == outs[1].stderr == b""
    assert outs[0].stdout == outs[1].stdout
    assert hashlib.sha256(b"abc").hexdigest().encode() in outs[0].stdout
    assert hmac.digest(b"k", b"m", "sha256").hex().encode() in outs[0].stdout


def test_what_is_known_early_is_what_the_clients_facts_say():
    """What must be known before anything can be loaded repeats the clients' own facts."""
    facts = {vendor: hook_facts(vendor) for vendor in VENDORS}
    answers = {vendor: one.answer for vendor, one in facts.items() if one.answer}
    for vendor, one in facts.items():
        answers |= {f"{vendor} {event}": said for event, said in one.answers.items()}
    assert answers == LAST_WORDS == ANSWERS
    assert set(client.BRIEF) == {event for one in facts.values() for event in one.budgets_ms}
    names = {name for one in facts.values() for name in (*one.environment, one.version) if name}
    # Kiro's hooks are not handed over.
    assert names - {name.decode() for name in client.NAMES} == {"USER_PROMPT"}
    assert tuple(v for v, one in facts.items() if one.first_byte_s) == client.IN_PROCESS


# The registered command line


@pytest.fixture
def installed(home, as_own_home):
    """The launchers in a scratch home."""
    launcher.write()


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


# The keyword engine


def test_the_keyword_engine_answers_as_the_python_engine_does():
    import random

    from hookstream.capture.startup.prefilter import KeywordEngine
    from hookstream.redaction.scanner import Scanner

    scanner = Scanner(engine="python")
    engine = KeywordEngine(scanner.rules)
    chance = random.Random(7)
    words = [word for rule in scanner.rules for word in rule.keywords]
    for size in [0, 1, 3, *([40] * 300)]:
        parts = [chance.choice(words)[: chance.randint(1, 40)] for _ in range(size)]
        text = "".join(chance.choice((part, part.upper(), " x", "é")) for part in parts)
        assert engine.candidates(text) == scanner.engine.candidates(text), text


def test_the_keyword_engine_bears_overlapping_and_nested_words():
    from hookstream.capture.startup.prefilter import KeywordEngine

    class One:
        def __init__(self, *keywords):
            self.keywords = keywords

    rules = (One("ab"), One("abc", "x"), One("bcd"), One("abcdef"), One(), One("("), One("a|b"))
    engine = KeywordEngine(rules)
    assert engine.candidates("zabcdz") == [0, 1, 2]
    assert engine.candidates("abcdef") == [0, 1, 2, 3]
    assert engine.candidates("ABCDE") == [0, 1, 2]
    assert engine.candidates("(x") == [1, 5]
    assert engine.candidates("a|b") == [6]
    assert engine.candidates("") == []
    assert KeywordEngine((One("q"),)).candidates("aq") == [0]
