"""A collector of its own in a scratch home, and the hooks, posts and messages it gets."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from hookstream.capture.install.command import words

SERVE = (
    "from hookstream.capture.collector.serve import Options, serve; serve(Options(**{options!r}))"
)


def served(home, env: dict[str, str] | None = None) -> dict[str, str]:
    """A collector's surroundings: it finds the rules compiled, which else takes it a second."""
    return {"XDG_CACHE_HOME": os.environ["XDG_CACHE_HOME"], **home.environment(env)}


class Collector:
    """Started on entering, ended on leaving."""

    def __init__(self, home, env: dict[str, str] | None = None, **options: object) -> None:
        self.home = home
        self.env = served(home, env)
        self.options = {"http": "127.0.0.1:0", **options}
        self.socket = home.state / "run" / "collector.sock"

    def __enter__(self) -> "Collector":
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE.format(options=self.options)],
            env=self.env,
            stderr=subprocess.PIPE,
            text=True,
        )
        # What it finds wrong when it starts is logged first.
        self.said: list[str] = []
        while "listening on" not in (line := self.process.stderr.readline()):
            assert line, self.said
            self.said.append(line)
        self.greeting = line
        self.url = self.greeting.split()[-1]
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(10)
        self.process.stderr.close()

    @property
    def token(self) -> str:
        return (self.home.state / "collector.token").read_text().strip()

    def post(self, path: str, body: object, method: str = "POST", **headers: str):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, data, given, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as reply:
                return reply.status, reply.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def aos(self, message: object):
        status, body = self.post("/aos", message)
        assert status in (200, 204)
        return json.loads(body) if body else None


def forward(home, *argv: str, payload: object = b"", env: dict[str, str] | None = None, **options):
    """A hook registered with the forwarder."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return subprocess.run(
        [*words(argv[0]), *argv[1:]],
        input=data,
        capture_output=True,
        env=home.environment(env),
        timeout=60,
        check=False,
        **options,
    )


def log_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def memory(collector: Collector) -> int:
    """The most that the collector ever held, in bytes; 0 where nobody says."""
    status = Path(f"/proc/{collector.process.pid}/status")
    if not status.exists():
        return 0
    found = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
    return int(found[0].split()[1]) * 1024
