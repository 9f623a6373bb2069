"""Run the three tutorials with an installed hookstream, in an empty home, services included.

python -m tests.run_tutorials BIN    where BIN holds hookstream and a Python of that environment

The centre of the third is on loopback, its SIEM is a receiver of the event collector's protocol,
and its laptop registers hooks of a user: those of the machine need root.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.documents import DOCS, ROOT, blocks, commands
from tests.sinks.receivers import Collector, Receiver, serve

TUTORIALS = DOCS / "tutorials"
SESSIONS = ROOT / "tests" / "transcripts" / "data" / "claude-code" / "compact" / "home"
LIMIT_S = 300


class Home:
    """An empty home, and the commands of a tutorial in it."""

    def __init__(self, programs: Path, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.programs = programs.resolve()
        self.env = {"HOME": str(folder), "PATH": f"{self.programs}:/usr/bin:/bin"}

    def run(self, words: list[str], *statuses: int, data: str = "") -> str:
        done = subprocess.run(
            words, cwd=self.folder, env=self.env, input=data, capture_output=True, text=True,
            timeout=LIMIT_S,
        )  # fmt: skip
        print(f"  {done.returncode} {shlex.join(words)[:120]}", flush=True)
        assert done.returncode in (statuses or (0,)), done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def serving(self, words: list[str]) -> Iterator[subprocess.Popen[str]]:
        """A command that serves until it is stopped, and then ends well."""
        print(f"  & {shlex.join(words)[:120]}", flush=True)
        process = subprocess.Popen(
            words, cwd=self.folder, env=self.env, stdout=subprocess.PIPE, text=True
        )  # fmt: skip
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=60)

    def browse(self, words: list[str]) -> None:
        """The first page of the web application answers."""
        with self.serving([*words, "--no-browser"]) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if found := re.search(r"http://127\.0\.0\.1:\S+", line):
                    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
                    with browser.open(found[0], timeout=LIMIT_S) as answer:
                        assert answer.status == 200
                    return
            raise AssertionError("no address")


def laptop(home: Home) -> None:
    shutil.copytree(SESSIONS, home.folder, dirs_exist_ok=True)
    for path in home.folder.rglob("*"):
        path.touch()
    for words in commands(TUTORIALS / "laptop.md")[1:]:
        if words[1] == "ui":
            home.browse(words)
        else:  # status ends with 1 where it names gaps
            home.run(words, 0, *([1] if words[1] == "status" else []))


def deny(home: Home) -> None:
    (home.folder / "samples").symlink_to(ROOT / "samples")
    for words in commands(TUTORIALS / "deny.md"):
        home.browse(words) if words[1] == "ui" else home.run(words)


def splunk(home: Home) -> None:
    centre, port = home, free_port()
    certificate(centre)
    page = TUTORIALS / "splunk.md"
    lines = commands(page)
    adds = [words for words in lines if words[1] == "machines"]
    tokens = [centre.run(words).split()[-1] for words in adds]
    collector = Collector("t" * 12)
    (centre.folder / "hec-token").write_text("t" * 12)
    (centre.folder / "hec-token").chmod(0o600)
    (centre.folder / "fleet").mkdir()
    with serve(Receiver(collector)) as siem:
        (text,) = blocks(page, "toml")
        text = text.replace("https://hec.example:8088", siem.url())
        (centre.folder / "hookstream.toml").write_text(text)
        (start,) = [words for words in lines if words[1] == "serve"]
        start = [word.replace("0.0.0.0:4718", f"127.0.0.1:{port}") for word in start]
        (check,) = [words for words in lines if words[1] == "config"]
        (follow,) = [words for words in lines if words[1] == "run"]
        (bundle,) = [words for words in lines if words[1] == "bundle"]
        centre.run(check)
        with centre.serving(start), centre.serving(follow):
            centre.run(bundle)
            one = Home(home.programs, home.folder / "laptop-01")
            shipped = on_laptop(one, page, tokens[0], port)
            wait_until(lambda: len(events_of(collector)) >= shipped)
        centre.run(["hookstream", "query", "gaps", "lake"])
    print(f"  {shipped} events of a laptop arrived")


def on_laptop(home: Home, page: Path, token: str, port: int) -> int:
    """Install, one event of a hook, ship; the number of lines in the log."""
    centre = home.folder.parent
    shutil.copy(centre / "hookstream.pyz", home.folder)
    (home.folder / ".claude").mkdir()
    (home.folder / "token").write_text(token)
    (home.folder / "token").chmod(0o600)
    places = {
        "/etc/hookstream/token": "token",
        "/etc/hookstream/ca.pem": str(centre / "cert.pem"),
        "https://collector.example:4718": f"https://localhost:{port}",
        "managed": "user",
    }
    install, ship = (
        [places.get(word, word) for word in words]
        for words in commands(page)
        if words[0] == "python3"
    )
    home.run(install)
    payload = (
        '{"hook_event_name": "PreToolUse", "session_id": "s1", "transcript_path": "/t.jsonl",'
        ' "cwd": "/p", "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "c1"}'
    )
    home.run(["python3", "hookstream.pyz", "hook", "claude-code", "PreToolUse"], data=payload)
    home.run([*ship, "--once"])
    log = home.folder / ".local/state/hookstream/log/agent-hooks.jsonl"
    return len(log.read_text("utf-8").splitlines())


def events_of(collector: Collector) -> set[str]:
    return {
        event["event"]["event_id"]
        for event in collector.events
        if event["sourcetype"].endswith("agent_hooks")
    }


def wait_until(holds: object) -> None:
    until = time.monotonic() + LIMIT_S
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < until, "it did not arrive"
        time.sleep(0.1)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def certificate(home: Home) -> None:
    home.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        ]
    )


def main() -> None:
    programs = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for tutorial in (laptop, deny, splunk):
            print(tutorial.__name__, flush=True)
            tutorial(Home(programs, Path(folder) / tutorial.__name__))
    print("all three tutorials ran")


if __name__ == "__main__":
    os.environ.pop("AGENT_HOOKS_LOG", None)
    main()
