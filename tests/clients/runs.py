"""One scenario with one client: bare, with hookstream and the recorder beside it, and the same with
a collector running."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clients import installs
from clients.agents import AGENTS
from clients.agents.base import Agent, read_json, write_json
from clients.scenarios import MEDDLED, SCENARIOS, Scenario
from hookstream.bundle.build import build
from hookstream.capture.install.manifest import base_interpreter

TESTS = Path(__file__).resolve().parent.parent
HOOKSTREAM = Path(sys.executable).with_name("hookstream")
SANDBOX_LIMIT_S = 180
FILES = {
    "README.md": "# demo\n\nA small project.\n",
    "app.py": "def add(a, b):\n    return a + b\n",
    "build/out.txt": "built\n",
}


BARE, WATCHED, COLLECTED = "bare", "watched", "collected"
HOSTILE, FLOODED = "hostile", "flooded"
MEDDLER, OBSERVED = "meddler", "observed"
BUNDLED = "bundled"
# What a repository says to whoever loads its `.env`.
HOSTILE_ENV = """AGENT_HOOKS_LOG=off
XDG_CONFIG_HOME=/proc/self/cwd/.config
XDG_STATE_HOME=/proc/self/cwd/.state
XDG_CACHE_HOME=/proc/self/cwd/.cache
XDG_DATA_HOME=/proc/self/cwd/.data
HOOKSTREAM_SOCKET=/proc/self/cwd/sock
PYTHONPATH=/proc/self/cwd
"""


@dataclass
class Run:
    """What one run left behind."""

    agent: Agent
    scenario: Scenario
    home: Path
    status: int | None
    seconds: float
    requests: int
    turns_left: int
    told: dict[str, list[str]]

    @property
    def state(self) -> Path:
        return self.home / ".local/state/hookstream"

    @property
    def log(self) -> Path:
        return self.state / "log/agent-hooks.jsonl"

    @property
    def collected(self) -> Path:
        """The log of the collector, which is another one: what it did can be told from the rest."""
        return self.state / "collected.jsonl"

    @property
    def logs(self) -> list[Path]:
        return [path for path in (self.log, self.collected) if path.exists()]

    def ours(self) -> list[Path]:
        """Every file below hookstream's own folders."""
        roots = [
            self.home / below / "hookstream" for below in (".local/state", ".config", ".cache")
        ]
        return [path for root in roots for path in root.rglob("*") if path.is_file()]

    def lines(self) -> list[dict[str, Any]]:
        texts = [text for path in self.logs for text in path.read_bytes().splitlines()]
        return [json.loads(text) for text in texts]

    def places_of(self, values: list[bytes]) -> set[str]:
        """The files of the whole home that hold one of the values, by names that are the same in
        every run: what is an id or a time in them is left out."""
        found = set()
        for path in self.home.rglob("*"):
            if path.is_file() and not path.is_symlink():
                data = path.read_bytes()
                if any(value in data for value in values):
                    name = str(path.relative_to(self.home)).removesuffix("-wal")
                    found.add(re.sub(r"[0-9a-f-]{8,}\w*", "#", name))
        return found

    def recorded(self) -> list[tuple[str, dict[str, Any]]]:
        text = (self.home / ".capture/recorded.jsonl").read_text()
        records = [json.loads(line) for line in text.splitlines()]
        return [(record["event"], record["payload"]) for record in records]

    def answer(self) -> Any:
        return self.agent.answer((self.home / ".capture/stdout.txt").read_text())

    def told_steady(self) -> dict[str, list[str]]:
        """What the tools answered the model, without what differs from run to run: calls side by
        side end in any order."""
        steady = self.agent.steady
        return {lane: sorted(map(steady, texts)) for lane, texts in self.told.items()}

    def files(self) -> dict[str, bytes]:
        """The project after the run, the repository's own folder apart."""
        project = self.home / "project"
        paths = (path for path in sorted(project.rglob("*")) if path.is_file())
        inner = [(path.relative_to(project), path) for path in paths]
        return {str(name): path.read_bytes() for name, path in inner if name.parts[0] != ".git"}

    def hook_settings(self) -> str:
        """The text of every file in which this client's hooks are registered."""
        paths = [p for pattern in self.agent.hook_files for p in sorted(self.home.glob(pattern))]
        return "\n".join(path.read_text() for path in paths)

    def uninstall(self) -> None:
        """`hookstream uninstall` in the home as it was called when hookstream was installed."""
        with self.named_home() as home:
            done = hookstream(home, "uninstall", self.agent.name)
        assert done.returncode == 0, done.stderr

    @contextmanager
    def named_home(self) -> Iterator[Path]:
        """The home under the name it had in the run."""
        named = self.home.with_name("home")
        self.home.rename(named)
        try:
            yield named
        finally:
            named.rename(self.home)

    def stream(self) -> Path:
        """The log as `hookstream run` delivers it, in both standards and as Parquet."""
        folder = self.home / "stream"
        if not folder.exists():
            sinks = (f"jsonl:{folder}", f"parquet:{folder}/parquet")
            logs = [str(path) for path in self.logs]
            done = self.command("run", *logs, "--to", sinks[0], "--to", sinks[1])
            assert done.returncode == 0, done.stderr
        return folder

    def streamed(self) -> list[Path]:
        return [path for path in self.stream().rglob("*") if path.is_file()]

    def query(self, name: str) -> list[dict[str, Any]]:
        """A question's rows, which lines and Parquet must answer alike."""
        answers = []
        for folder in (self.stream(), self.stream() / "parquet"):
            done = self.command("query", name, str(folder), "--format", "json")
            assert done.returncode == 0, done.stderr
            answers.append(json.loads(done.stdout))
        assert answers[0] == answers[1]
        return answers[0]

    def command(self, *words: str, limit_s: int = 120) -> subprocess.CompletedProcess[str]:
        """A hookstream command in this run's home."""
        return hookstream(self.home, *words, limit_s=limit_s)


def hookstream(home: Path, *words: str, limit_s: int = 120) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(HOOKSTREAM), *words],
        cwd=home,
        env=own_environment(home),
        capture_output=True,
        text=True,
        timeout=limit_s,
    )


def own_environment(home: Path) -> dict[str, str]:
    """What a person's shell gives hookstream's commands."""
    return {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


@functools.cache
def scratch() -> Path:
    """The folder of all homes; its name is short, because the address of a socket is."""
    return Path(tempfile.mkdtemp(prefix="hs-clients-"))


def clean_up() -> None:
    if scratch.cache_info().currsize and os.environ.get("HOOKSTREAM_KEEP") != "1":
        shutil.rmtree(scratch(), ignore_errors=True)


def bare(client: str, scenario: str) -> Run:
    """The run without hookstream; a policy hook of the scenario stands alone."""
    return _taken(_once(client, scenario, BARE))


def watched(client: str, scenario: str) -> Run:
    """The run with hookstream installed and the recorder beside it; the policy hook is wrapped."""
    return _taken(_once(client, scenario, WATCHED))


def collected(client: str, scenario: str) -> Run:
    """As `watched`, and `hookstream serve` is running."""
    return _taken(_once(client, scenario, COLLECTED))


def hostile(client: str, scenario: str) -> Run:
    """As `watched`, in a repository whose `.env` would switch capture off or move it."""
    return _taken(_once(client, scenario, HOSTILE))


def flooded(client: str, scenario: str) -> Run:
    """As `collected`, while others hold the collector's connections."""
    return _taken(_once(client, scenario, FLOODED))


def meddled(client: str) -> Run:
    """The run with a mod that changes calls, without hookstream."""
    return _taken(_once(client, MEDDLED.name, MEDDLER))


def observed(client: str) -> Run:
    """As `meddled`, with hookstream's mod in front."""
    return _taken(_once(client, MEDDLED.name, OBSERVED))


def bundled(client: str, scenario: str) -> Run:
    """As `watched`, but installed from a bundle by a Python without packages."""
    return _taken(_once(client, scenario, BUNDLED))


@functools.cache
def _once(client: str, scenario: str, how: str) -> Run | Exception:
    """Each run is made once, and one that fails, fails every test that needs it."""
    try:
        return _run(client, scenario, how)
    except Exception as error:
        return error


def _taken(outcome: Run | Exception) -> Run:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _run(client: str, name: str, how: str) -> Run:
    agent, scenario = AGENTS[client], {**SCENARIOS, MEDDLED.name: MEDDLED}[name]
    base = scratch() / client / name
    # All runs of a scenario see the same paths; afterwards each home gets a name of its own.
    home = base / "home"
    shutil.rmtree(home, ignore_errors=True)
    project = prepare(home)
    agent.configure(home, project)
    if scenario.deny:
        agent.add_policy(home, scenario.deny)
    if how == BUNDLED:
        register_bundle(agent, home)
    elif how == OBSERVED:
        done = hookstream(home, "install", agent.name, "--mod")
        assert done.returncode == 0, done.stderr
    elif how not in (BARE, MEDDLER):
        register(agent, home)
    if how in (MEDDLER, OBSERVED):
        load_meddler(home)
    job: dict[str, Any] = {"client": client, "scenario": name}
    job |= {"home": str(home), "project": str(project)}
    if how == HOSTILE:
        (project / ".env").write_text(HOSTILE_ENV)
    if how == FLOODED:
        job["flood"] = str(home / ".local/state/hookstream/run/collector.sock")
    if how in (COLLECTED, FLOODED):
        words = [
            "serve",
            "--http",
            "off",
            "--log",
            home / ".local/state/hookstream/collected.jsonl",
        ]
        job["collector_environment"] = own_environment(home)
        job["collector"] = [str(word) for word in (HOOKSTREAM, *words)]
    (home / ".capture/job.json").write_text(json.dumps(job))
    result = enter_sandbox(home / ".capture/job.json")
    kept = base / how
    home.rename(kept)
    return Run(agent, scenario, kept, **result)


def prepare(home: Path) -> Path:
    """A home with a small git project in it."""
    project = home / "project"
    for folder in (project / "build", home / ".capture", home / ".tmp"):
        folder.mkdir(parents=True)
    for name, text in FILES.items():
        (project / name).write_text(text)
    git = ["git", "-c", "user.name=Dev", "-c", "user.email=dev@example.com"]
    git += ["-c", "init.defaultBranch=main"]
    env = {"PATH": os.environ["PATH"], "HOME": str(home)}
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "init"]):
        subprocess.run(git + words, cwd=project, check=True, env=env)
    return project


def register(agent: Agent, home: Path) -> None:
    """hookstream as a user installs it, then the recorder."""
    done = hookstream(home, "install", agent.name, "--wrap")
    assert done.returncode == 0, done.stderr
    agent.add_recorder(home, home / ".capture/recorded.jsonl")


def load_meddler(home: Path) -> None:
    """A mod of the user's that changes calls, after what the settings load already."""
    market = home / "mods"
    code = (TESTS / "clients/hooks/meddler.js").read_text()
    plugin = {"name": "meddler", "version": "1.0.0", "description": "Changes calls."}
    listed = {**plugin, "source": "./meddler"}
    write_json(
        market / ".claude-plugin/marketplace.json",
        {"name": "other", "owner": {"name": "dev"}, "plugins": [listed]},
    )
    write_json(market / "meddler/.claude-plugin/plugin.json", plugin)
    write_json(market / "meddler/hooks/hooks.json", {"modules": ["./register.js"]})
    (market / "meddler/hooks/register.js").write_text(code)
    path = home / ".claude/settings.json"
    settings = read_json(path)
    source = {"source": {"source": "directory", "path": str(market)}}
    settings.setdefault("extraKnownMarketplaces", {})["other"] = source
    settings.setdefault("enabledPlugins", {})["meddler@other"] = True
    write_json(path, settings)


def register_bundle(agent: Agent, home: Path) -> None:
    """hookstream from a bundle that is deleted then, and the recorder. The settings before and
    after the install are kept in `.capture`."""
    settings = home / agent.hook_files[0]
    (home / ".capture/before").write_bytes(settings.read_bytes())
    file = home / "hookstream.pyz"
    build(file)
    words = [base_interpreter(), str(file), "install", agent.name]
    done = subprocess.run(words, env=own_environment(home), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    file.unlink()
    (home / ".capture/installed").write_bytes(settings.read_bytes())
    agent.add_recorder(home, home / ".capture/recorded.jsonl")


def enter_sandbox(job: Path, *more: str) -> dict[str, Any]:
    """`more` are words of unshare."""
    unshare, *rest = installs.namespace()
    done = subprocess.run(
        [unshare, *more, *rest, sys.executable, "-m", "clients.sandbox", str(job)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=SANDBOX_LIMIT_S,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result
