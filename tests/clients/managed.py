"""Managed hooks on a machine, and a user who does not want them.

The machine's folders are covered in a mount namespace of the run: nothing stays behind. The
user's home is scratch, also in the password file: hooks of the machine go by that, not by HOME.
"""

import functools
import json
import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clients import runs
from clients.agents import AGENTS
from clients.agents.base import read_json, write_json
from clients.scenarios import SCENARIOS

COVERED = ("/etc", "/usr/local/lib")
SCENARIO = "tools"


@dataclass
class Evasion:
    """How a user starts a client: files, arguments and variables of his own; `masks` are folders
    of the machine that he has hidden behind empty ones."""

    settings: Callable[[Path], None] = lambda home: None
    more: list[str] = field(default_factory=list)
    without: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    masks: tuple[str, ...] = ()


def setting(below: str, **values: Any) -> Callable[[Path], None]:
    """Values in a JSON file of the home."""

    def write(home: Path) -> None:
        path = home / below
        write_json(path, {**read_json(path), **values})

    return write


def both(*steps: Callable[[Path], None]) -> Callable[[Path], None]:
    def write(home: Path) -> None:
        for step in steps:
            step(home)

    return write


def codex_off(home: Path) -> None:
    (home / ".codex/config.toml").write_text("[features]\nhooks = false\n")


# The client's own switches, all at once.
SWITCHES = {
    "claude-code": Evasion(
        both(
            setting(".claude/settings.json", disableAllHooks=True),
            setting("project/.claude/settings.json", disableAllHooks=True),
        )
    ),
    "codex": Evasion(
        codex_off,
        more=["-c", "features.hooks=false", "--disable", "hooks"],
        without=("--dangerously-bypass-hook-trust",),
    ),
    "copilot": Evasion(
        both(
            setting(".copilot/settings.json", disableAllHooks=True),
            setting(".copilot/config.json", disableAllHooks=True),
            setting("project/.github/copilot/settings.json", disableAllHooks=True),
        )
    ),
    "gemini-cli": Evasion(
        both(
            setting(".gemini/settings.json", hooksConfig={"enabled": False}),
            setting(
                "project/.gemini/settings.json",
                hooksConfig={"enabled": False, "disabled": ["hookstream"]},
            ),
        )
    ),
    "qwen-code": Evasion(
        both(
            setting(".qwen/settings.json", disableAllHooks=True),
            setting("project/.qwen/settings.json", disableAllHooks=True),
        )
    ),
}
# What does take the machine's hooks away.
EVASIONS = {
    "claude-code": Evasion(masks=("/etc/claude-code",)),
    "codex": Evasion(masks=("/etc/codex",)),
    "copilot": Evasion(masks=("/etc/github-copilot",)),
    "gemini-cli": Evasion(environment={"GEMINI_CLI_SYSTEM_SETTINGS_PATH": "/nonexistent"}),
    "qwen-code": Evasion(environment={"QWEN_CODE_SYSTEM_SETTINGS_PATH": "/nonexistent"}),
}
BARE = Evasion(more=["--bare"])


class Machine:
    """One user's home on a machine with managed hooks; every run goes on where the last ended."""

    def __init__(self, client: str) -> None:
        self.agent = AGENTS[client]
        self.base = runs.scratch() / client / "managed"
        self.home = self.base / "home"
        self.project = runs.prepare(self.home)
        self.agent.configure(self.home, self.project)
        for folder in (*COVERED, "/empty"):
            for part in ("upper", "work"):
                self.over(folder, part).mkdir(parents=True)
        users = Path("/etc/passwd").read_text().splitlines(keepends=True)
        own = [
            f"root:x:0:0:root:{self.home}:/bin/sh\n" if u.startswith("root:") else u for u in users
        ]
        (self.over("/etc", "upper") / "passwd").write_text("".join(own))
        self.is_installed = False

    def over(self, folder: str, part: str) -> Path:
        """Where the changes to a folder of the machine are kept between runs."""
        return self.base / "machine" / folder.strip("/").replace("/", "-") / part

    def cover(self, folder: str) -> list[str]:
        """Words of mount that lay the changes over a folder."""
        upper, work = self.over(folder, "upper"), self.over(folder, "work")
        options = f"lowerdir={folder},upperdir={upper},workdir={work}"
        return ["-t", "overlay", "overlay", "-o", options, folder]

    def run(self, how: Evasion) -> dict[str, Any]:
        """One scenario, from the same state of the project; the sandbox's result."""
        scenario = SCENARIOS[SCENARIO]
        subprocess.run(["git", "checkout", "-q", "."], cwd=self.project, check=True)
        subprocess.run(["git", "clean", "-qfd"], cwd=self.project, check=True)
        how.settings(self.home)
        empty = str(self.over("/empty", "upper"))
        job: dict[str, Any] = {
            "client": self.agent.name,
            "scenario": SCENARIO,
            "home": str(self.home),
            "project": str(self.project),
            "mounts": [
                *map(self.cover, COVERED),
                *(["--bind", empty, mask] for mask in how.masks),
            ],
            "arguments": self.arguments(scenario.prompt, how),
            "environment": how.environment,
        }
        if not self.is_installed:
            install = [runs.HOOKSTREAM, "install", self.agent.name, "--scope", "managed"]
            job["before"] = [str(word) for word in install]
            job["before_environment"] = runs.own_environment(self.home)
            self.is_installed = True
        (self.home / ".capture/job.json").write_text(json.dumps(job))
        return runs.enter_sandbox(self.home / ".capture/job.json", "-m")

    def arguments(self, prompt: str, how: Evasion) -> list[str]:
        words = [word for word in self.agent.arguments(prompt) if word not in how.without]
        at = words.index(prompt)
        at -= words[at - 1] == "-p"
        return [*words[:at], *how.more, *words[at:]]

    def lines(self) -> list[dict[str, Any]]:
        """What the hooks of all runs have written, as our own part of each line."""
        log = self.home / ".local/state/hookstream/log/agent-hooks.jsonl"
        texts = log.read_bytes().splitlines() if log.exists() else []
        return [json.loads(text)["metadata"]["dev.hookstream"] for text in texts]

    def ask(self, question: str) -> list[dict[str, Any]]:
        """A question over a lake of the hooks' log and of the client's session files."""
        lake = self.home / "lake"
        if not lake.exists():
            log = self.home / ".local/state/hookstream/log"
            self.command("run", str(log), "--to", f"parquet:{lake}")
            words = ["backfill", self.agent.name, "--since", "all"]
            self.command(*words, "--to", f"parquet:{lake}")
        answer = self.command("query", question, str(lake), "--format", "json")
        rows: list[dict[str, Any]] = json.loads(answer)
        return rows

    def command(self, *words: str) -> str:
        done = runs.hookstream(self.home, *words)
        assert done.returncode == 0, done.stderr
        return done.stdout


@functools.cache
def cannot_cover() -> str | None:
    """Why the machine's folders cannot be covered here, tried and not guessed."""
    if os.geteuid() != 0:
        return "an administrator's install needs root"
    base = runs.scratch() / "overlay"
    for part in ("upper", "work"):
        (base / part).mkdir(parents=True)
    options = f"lowerdir=/etc,upperdir={base}/upper,workdir={base}/work"
    words = ["unshare", "-m", "mount", "-t", "overlay", "overlay", "-o", options, "/etc"]
    tried = subprocess.run(words, capture_output=True, text=True)
    return f"no overlay can be mounted here: {tried.stderr}" if tried.returncode else None
