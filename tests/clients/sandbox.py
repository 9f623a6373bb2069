"""The inner half of a run: `python -m clients.sandbox JOB.json` inside the new namespace.

The job names the client, the scenario, the home and the project, and the words of a collector that
runs meanwhile; the result is one line of JSON. It may also name mounts (in a namespace of
its own), a command to run before the client, the client's arguments and
variables beside its own.
"""

import fcntl
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clients import installs
from clients.agents import AGENTS
from clients.model.script import Script
from clients.model.server import ModelServer
from clients.scenarios import MEDDLED, SCENARIOS

LIMIT_S = 120
STRAGGLERS_S = 30
SIOCSIFFLAGS, IFF_UP = 0x8914, 0x1


def loopback_only() -> None:
    """Brings loopback up and makes sure that there is nothing else."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", IFF_UP))
    lines = Path("/proc/self/net/dev").read_text().splitlines()
    names = {line.split(":")[0].strip() for line in lines if ":" in line}
    if names != {"lo"}:
        sys.exit(f"refusing to run: this namespace has more than loopback: {sorted(names)}")


@contextmanager
def collector(job: dict[str, Any]) -> Iterator[int]:
    """`hookstream serve`, and its process id; none, 0."""
    if "collector" not in job:
        yield 0
        return
    with subprocess.Popen(
        job["collector"], env=job["collector_environment"], stderr=subprocess.PIPE, text=True
    ) as serving:
        assert serving.stderr is not None
        greeting = serving.stderr.readline()
        if not greeting.startswith("listening on unix:"):
            sys.exit(f"the collector does not run: {greeting}{serving.stderr.read()}")
        with flood(job.get("flood")):
            yield serving.pid
        serving.terminate()
        if serving.wait(STRAGGLERS_S):
            sys.exit(f"the collector ended with {serving.returncode}: {serving.stderr.read()}")


@contextmanager
def flood(path: str | None) -> Iterator[None]:
    """Holds hundreds of connections of the collector's socket, and opens new ones all the time."""
    ended = threading.Event()

    def hold() -> None:
        held: list[socket.socket] = []
        while not ended.is_set():
            line = socket.socket(socket.AF_UNIX)
            line.settimeout(1)
            held.append(line)
            try:
                line.connect(path or "")
                line.sendall(random.choice((b"", b"H", b"H\0\0\0\x051\0001\0x", os.urandom(99))))
            except OSError:
                time.sleep(0.01)
            if len(held) > 200:
                held.pop(0).close()

    threads = [threading.Thread(target=hold) for _ in range(2 if path else 0)]
    for thread in threads:
        thread.start()
    yield
    ended.set()
    for thread in threads:
        thread.join()


def wait_for_stragglers(besides: int) -> None:
    """Hooks may outlive their client. As process 1 of the namespace we see all that is left."""
    known = {"1", str(besides)}
    end = time.monotonic() + STRAGGLERS_S
    while time.monotonic() < end:
        try:
            while (ended := os.waitpid(-1, os.WNOHANG)[0]) not in (0, besides):
                pass
            if ended:
                sys.exit("the collector has ended by itself")
        except ChildProcessError:
            pass
        left = {name for name in os.listdir("/proc") if name.isdigit()} - known
        if os.getpid() != 1 or not left:
            return
        time.sleep(0.02)


def run(job: dict[str, Any], besides: int) -> dict[str, object]:
    agent, scenario = AGENTS[job["client"]], {**SCENARIOS, MEDDLED.name: MEDDLED}[job["scenario"]]
    home, project = Path(job["home"]), Path(job["project"])
    script = Script(scenario.prompt, agent.lanes(scenario, project))
    ModelServer(script)
    arguments = job.get("arguments") or agent.arguments(scenario.prompt)
    words = installs.program(agent.name) + arguments
    started = time.monotonic()
    with (
        open(home / ".capture/stdout.txt", "wb") as stdout,
        open(home / ".capture/stderr.txt", "wb") as stderr,
    ):
        process = subprocess.Popen(
            words,
            cwd=project,
            env={**agent.environment(home), **job.get("environment", {})},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        try:
            status: int | None = process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            status = None
    seconds = time.monotonic() - started
    wait_for_stragglers(besides)
    return {
        "status": status,
        "seconds": round(seconds, 2),
        "requests": script.requests,
        "turns_left": script.turns_left(),
        "told": script.told,
    }


def set_the_machine_up(job: dict[str, Any]) -> None:
    """Mounts, and what an administrator does before the client starts."""
    for words in job.get("mounts", ()):
        subprocess.run(["mount", *words], check=True)
    if "before" in job:
        done = subprocess.run(
            job["before"], env=job["before_environment"], capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(done.stdout + done.stderr)


if __name__ == "__main__":
    loopback_only()
    wanted = json.loads(Path(sys.argv[1]).read_text())
    set_the_machine_up(wanted)
    with collector(wanted) as serving:
        result = run(wanted, serving)
    print(json.dumps(result), flush=True)
