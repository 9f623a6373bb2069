"""A machine that has Python alone, and a bundle run on it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import hookstream
from hookstream.capture.install.manifest import base_interpreter

SOURCES = Path(hookstream.__file__).parent
OLDER = "0.1.9"
PYTHON = base_interpreter()
SETTINGS = '{\n  "model": "opus"\n}\n'


class Laptop:
    """A scratch home, and a bundle run in it with nothing of this environment's packages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state = path / ".local/state/hookstream"
        self.folder = path / ".local/share/hookstream"
        self.log = self.state / "log/agent-hooks.jsonl"
        self.claude = path / ".claude/settings.json"
        self.claude.parent.mkdir(parents=True)
        self.claude.write_text(SETTINGS)

    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.path), "PATH": "/usr/bin:/bin"}

    def run(
        self, *words: str | Path, data: bytes = b"", status: int = 0
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [str(word) for word in words],
            input=data.decode(),
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def bundle(self, file: Path, *words: str, **options) -> subprocess.CompletedProcess[str]:
        return self.run(PYTHON, file, *words, **options)

    def lines_of(self, event: str) -> list[str]:
        """The commands that Claude Code runs for an event."""
        hooks = json.loads(self.claude.read_text())["hooks"][event]
        return [hook["command"] for group in hooks for hook in group["hooks"]]

    def event(self, payload: dict) -> subprocess.CompletedProcess[str]:
        (line,) = self.lines_of(payload["hook_event_name"])
        return self.run("sh", "-c", line, data=json.dumps(payload).encode())

    def events(self) -> list[dict]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def versions(self) -> list[str]:
        """The version that each event says of its writer."""
        own = (event["metadata"]["dev.hookstream"] for event in self.events())
        return [one["hookstream_version"] for one in own]

    def unpacked(self) -> list[str]:
        return sorted(path.name.partition("-")[0] for path in (self.folder / "lib").iterdir())

    def is_restored(self) -> bool:
        return self.claude.read_text() == SETTINGS


def pythons() -> dict[str, bool]:
    """Path -> whether a bundle is for it, of each Python of this machine, one a minor version."""
    named = [
        shutil.which(f"python3.{minor}", path="/usr/bin:/usr/local/bin") for minor in range(30)
    ]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [path for path in (*named, *map(str, pyenv.glob("*/bin/python"))) if path]
    versions = {}
    for path in found:
        words = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        version = subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()
        versions[version] = path
    return {
        path: tuple(map(int, version.split("."))) >= (3, 11)
        for version, path in sorted(versions.items())
        if version
    }
