"""The documents name what exists, every command in them can be read, and those of the guides run.

Tutorials, the pages of how-to/, README, docs/rules.md's first rule, docs/sinks.md and
docs/adding-a-vendor.md have tests of their own."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.documents import DOCS, ROOT, blocks, commands, console_is_real, serves
from tests.same_process import hookstream

from hookstream.capture.install import homes, launcher
from hookstream.cli.app import MODULES, commands_of
from hookstream.cli.completion import every_command
from hookstream.core.event import EVENT_TYPES
from hookstream.delivery.ship import parser, read_arguments
from hookstream.integrations.alerts import load_alerts
from hookstream.tables.relations import sources

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted(DOCS.rglob("*.md")),
]
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
# Options of other programs.
FOREIGN = {
    *("--bare", "--disable", "--no-extensions", "--plugin-dir", "--safe-mode"),  # clients
    *("--check", "--version-id", "--dangerously-", "--mirror", "--no-verify", "--yolo"),
    "--password",
}
# Names that a page makes up as an example, and decisions' names of what was left out.
EXAMPLES = {"slow_tools", "before_tool", "push_to_main", "cookie_jar", "encode_logs"}


def shown(page: Path) -> list[list[str]]:
    """Each command of hookstream in the page's shell blocks and consoles."""
    consoles = "\n".join(blocks(page, "console"))
    lines = re.findall(r"^\$ (hookstream .*?)(?: > .*)?$", consoles, re.MULTILINE)
    found = [*commands(page), *(shlex.split(line) for line in lines)]
    return [words for words in found if words[0] == "hookstream"]


def read(words: list[str]) -> None:
    """Read a command line as the program does. Raises what the program reports."""
    name, rest = words[0], words[1:]
    if name == "ship":
        read_arguments(rest)
        return
    command = commands_of(MODULES[name])[name]
    if inner := getattr(command, "commands", None):
        command, rest = inner[rest[0]], rest[1:]
    command.make_context(name, rest)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_can_be_read(page: Path) -> None:
    for _, *words in shown(page):
        if words[0] != "hook":
            read(words)


def test_commands_are_in_blocks_of_their_kind() -> None:
    """An indented block is read by no test."""
    for page in PAGES:
        text = re.sub(r"^( *)```.*?^\1```", "", page.read_text("utf-8"), flags=re.M | re.S)
        loose = re.findall(r"^ {4,}(hookstream .*)$", text, re.MULTILINE)
        assert loose == [], page.name


def words_of_the_code() -> set[str]:
    """Every name in the sources, the examples and the benchmarks, and the names of their files."""
    found: set[str] = set()
    for folder in ("src", "examples", "benchmarks"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".sql", ".toml", ".json", ".yml", ".js", ".mjs", ".conf"):
                found.add(path.stem.removesuffix(".cases"))
                found |= set(re.findall(r"[A-Za-z_]\w*", path.read_text("utf-8", "replace")))
    return found | {path.stem for path in DOCS.rglob("*.py")}


def test_every_name_exists() -> None:
    """Columns, options of files, settings, questions, rules: what is written like_this."""
    known = words_of_the_code() | EXAMPLES
    # NAME_env and NAME_file give any credential.
    known |= {f"{name}_{form}" for name in ("path", "token") for form in ("env", "file")}
    unknown = {}
    for page in PAGES:
        for span in SPAN.findall(page.read_text("utf-8")):
            for name in re.findall(r"(?<![\w.$/-])[a-z]+(?:_[a-z0-9]+)+(?![\w(])", span):
                if name not in known:
                    unknown[name] = page.name
    assert unknown == {}


def test_every_option_exists() -> None:
    known = {"--help", "--version", *FOREIGN, *parser()._option_string_actions}
    for _, command in every_command():
        known |= {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    programs = [ROOT / "tests" / "conftest.py", *(ROOT / "benchmarks").rglob("*.py")]
    programs += [ROOT / "src" / "hookstream" / "integrations" / "spark.py"]
    for path in programs:
        known |= set(OPTION.findall(path.read_text("utf-8")))
    unknown = {
        name: page.name
        for page in PAGES
        for name in OPTION.findall(page.read_text("utf-8"))
        if name not in known
    }
    assert unknown == {}


def test_every_file_target_and_module_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    missing = {}
    for page in PAGES:
        text = page.read_text("utf-8")
        for span in [*SPAN.findall(text), *blocks(page, "sh")]:
            for name in re.findall(r"\bmake ([a-z][a-z-]*)", span):
                if name not in targets:
                    missing[f"make {name}"] = page.name
            for name in re.findall(r"python -m (hookstream[\w.]*)", span):
                path = ROOT / "src" / name.replace(".", "/")
                if not (path.with_suffix(".py").exists() or (path / "__main__.py").exists()):
                    missing[name] = page.name
            for name in re.findall(r"\b(?:docs|src|tests|examples|benchmarks)/[\w./*-]+", span):
                if not re.search("acme|NAME", name) and not list(ROOT.glob(name.rstrip("/."))):
                    missing[name] = page.name
    assert missing == {}


def test_every_event_type_exists() -> None:
    families = {kind.partition(".")[0] for kind in EVENT_TYPES}
    unknown = {}
    for page in PAGES:
        for span in SPAN.findall(page.read_text("utf-8")):
            for name in re.findall(r"\b([A-Z]\w+\.[A-Z]\w+(?:\.[A-Z]\w+)?)\b", span):
                if name.partition(".")[0] in families and name not in EVENT_TYPES:
                    unknown[name] = page.name
    assert unknown == {}


def test_the_older_configuration_file_is_named_as_such() -> None:
    for page in PAGES:
        for line in page.read_text("utf-8").splitlines():
            if re.search(r"(?<![\w/.-])config\.json", line):
                is_older = "earlier versions" in line or "config.toml" in line
                assert is_older or "Copilot" in line, f"{page.name}: {line}"


def test_the_help_and_the_meanings_point_to_pages_that_exist() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        for name in re.findall(r"\bdocs/[\w/-]+\.md", path.read_text("utf-8")):
            assert (ROOT / name).exists(), f"{path.name}: {name}"
        # Of a document that was never part of the project.
        assert not re.search(r"\bdesign (?:section )?\d", path.read_text("utf-8")), path


def test_the_question_of_its_guide_gives_the_rows_that_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    page = DOCS / "adding-a-question.md"
    (text,) = blocks(page, "sql")
    (tmp_path / "questions").mkdir()
    (tmp_path / "questions" / "slow_tools.sql").write_text(text)
    monkeypatch.setenv("HOOKSTREAM_QUESTIONS", str(tmp_path / "questions"))
    console_is_real(page, tmp_path, regenerate=request.config.getoption("--regenerate"))
    names = re.findall(r"^\| `(derived|spanned|base)\.", page.read_text("utf-8"), re.MULTILINE)
    assert names == ["derived", "spanned", "base"]
    relations = set(re.findall(r"`(\w+)`", page.read_text("utf-8").partition("The relations")[2]))
    assert {"calls", "denies", "asks", "coverage", "usage", "capture"} <= relations & {*sources()}


# The pages whose commands run here, one after the other.
RUN = ("capture", "fleet", "retention", "rules", "seal", "session-files", "telemetry")
# What is not run: a service, a broker, a project of Spark, a bundle of its own suite.
READ = (
    "adding-a-question",
    "adding-a-vendor",
    "bundle",
    "index",
    "scale",
    "shipping",
    "sinks",
    "ui",
    "README",
)


def test_every_page_with_commands_is_run_or_read() -> None:
    pages = {page.stem for page in PAGES if page.parent in (DOCS, ROOT) and shown(page)}
    assert pages == {*RUN, *READ}


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with session files, a log, a lake and what else the pages name."""
    home = tmp_path / "home"
    shutil.copytree(ROOT / "tests/transcripts/data/claude-code/compact/home", home)
    for path in home.rglob("*"):
        path.touch()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.delenv("XDG_CONFIG_HOME")
    log = home / ".local" / "state" / "hookstream" / "log"
    log.mkdir(parents=True)
    shutil.copy(ROOT / "samples" / "codex" / "tools.jsonl", log / "agent-hooks.jsonl")
    telemetry = sorted((ROOT / "tests" / "telemetry" / "data").rglob("*.jsonl"))[0]
    for place in ("otlp.jsonl", "folder-of-everything/otlp.jsonl"):
        (home / place).parent.mkdir(exist_ok=True)
        shutil.copy(telemetry, home / place)
    (log.parent / "telemetry").mkdir()
    shutil.copy(telemetry, log.parent / "telemetry" / "outfile.jsonl")
    (home / "samples").symlink_to(ROOT / "samples")
    root = tmp_path / "root"
    root.mkdir()
    monkeypatch.setattr(homes, "ROOT", root)
    monkeypatch.setattr(launcher, "MANAGED", root / "usr" / "local" / "lib" / "hookstream")
    monkeypatch.chdir(home)
    return home


def prepare(page: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that a page's commands read."""
    sealed = ["--seal"] if page.stem == "retention" else []
    done = hookstream("run", "samples/codex", "--to", "parquet:lake", *sealed, cwd=home)
    assert done.returncode == 0
    if page.stem == "rules":
        rule, cases = blocks(page, "yaml")[:2]
        (home / "mine").mkdir()
        (home / "mine" / "push_to_main.yml").write_text(rule)
        (home / "mine" / "push_to_main.cases.yml").write_text(cases)
        tuning, alerts = blocks(page, "toml")
        (home / "tuning.toml").write_text(tuning)
        (home / "alerts.toml").write_text(alerts)
        monkeypatch.setenv("SLACK_PATH", "/x")
        assert len(load_alerts(home / "alerts.toml")) == 3
    if page.stem == "retention":
        for line in re.findall(r"^openssl .*$", page.read_text("utf-8"), re.MULTILINE):
            subprocess.run(["bash", "-c", line], cwd=home, check=True)
        config = 'sources = ["~/.local/state/hookstream/log"]\n[[sink]]\nuri = "jsonl:out"\n'
        (home / "config.toml").write_text(config)
        assert hookstream("run", "--config", "config.toml", cwd=home).returncode == 0


# Folders of the pages that are outside of the home.
ELSEWHERE = re.compile("^(file:)?/(?:mnt/other|etc/hookstream)")
SLOW = [pytest.param(name, marks=pytest.mark.long) if name == "rules" else name for name in RUN]


@pytest.mark.parametrize("name", SLOW)
def test_the_commands_of_a_page_run(
    name: str, machine: Path, policy: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = DOCS / f"{name}.md"
    prepare(page, machine, monkeypatch)
    ran = 0
    for _, *words in shown(page):
        words = [
            re.sub("^(file:)?/(mnt/other|etc/hookstream)", rf"\1{machine}", one) for one in words
        ]
        if words[0] == "run" and "--follow" in words:
            words.remove("--follow")  # what a follower would deliver, once
        if serves(words) or "alerts.toml" in words:  # the chat is not here
            continue
        done = hookstream(*words, cwd=machine)
        wanted = (0, 4) if "--fail-on-rows" in words else (0,)
        assert done.returncode in wanted, f"{words}: {done.stderr.decode()}"
        ran += 1
    assert ran > 0
