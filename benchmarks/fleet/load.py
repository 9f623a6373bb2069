"""A fleet on one collector, with kills and full disks in between. Prints a Markdown row, exit 1 on
a loss.

    python benchmarks/fleet/load.py [--machines 1000] [--rate 2000] [--seconds 60] [--workers 2]

Every machine has a token, a spool of its own and the sink that `hookstream ship` uses; a tenth of
them is killed now and then and goes on from an older offset, as a follower does. The collector is
`hookstream serve --machines --fleet --workers`: its workers are killed (-9), all of it is killed,
and its files may not grow for a while (EFBIG, as a full disk answers ENOSPC). At the end each
machine's file is compared with what it sent: missing, altered, out of order, and lines that came
twice.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from hashlib import sha256
from pathlib import Path

from hookstream.sinks import open_sink
from hookstream.standards.rendered import Rendered

MOST = 512
THREADS = 8
# Sent before the offset is saved: what a follower sends again after a kill.
SAVE_EACH = 3
SERVE = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"
FILLER = json.dumps({"command": "pytest -q tests/unit", "text": "lorem ipsum dolor " * 30})


def line(machine: int, number: int) -> bytes:
    """About 700 bytes, no two alike."""
    own = f'{{"machine_id":"machine-{machine:04d}","sequence":{number}}}'
    return (
        f'{{"event_id":"{machine:04d}-{number:08d}","input":{FILLER},'
        f'"metadata":{{"dev.hookstream":{own}}}}}'
    ).encode()


class Copied(Rendered):
    """A line as a shipper's spool gives it."""

    def __init__(self, data: bytes, position: int) -> None:
        self._agent_hooks = data
        self.position = position


class Machine:
    """One laptop: what it has written, sent, and saved as sent."""

    def __init__(self, number: int, url: str, linger_s: float) -> None:
        self.number = number
        self.name = f"laptop-{number:04d}"
        self.token = f"token-of-{self.name}-{number:020d}"
        self.stream = sha256(self.name.encode()).hexdigest()[:32]
        self.url = url
        self.linger_s = linger_s
        self.written = self.sent = self.saved = 0
        self.sends = self.kills = 0
        self.due = time.monotonic() + random.uniform(0, linger_s)
        self.sink = self.open()

    def open(self):
        return open_sink(
            f"hookstream:{self.url}",
            standard="agent-hooks",
            token=self.token,
            machine=self.name,
            stream=self.stream,
        )

    def send(self) -> None:
        """One request's worth; when to come again is the collector's word."""
        self.due = time.monotonic() + self.linger_s * random.uniform(0.8, 1.2)
        if self.sent == self.written:
            return
        behind = min(self.written, self.sent + MOST)
        batch = [Copied(line(self.number, n), n) for n in range(self.sent, behind)]
        receipts = self.sink.write(batch)
        taken = sum(one.status == "delivered" for one in receipts)
        self.sent += taken
        self.sends += 1
        if taken < len(batch):
            if any(one.status == "rejected" for one in receipts):
                raise SystemExit(f"refused for good: {receipts[0]}")
            self.due = time.monotonic() + max(0.5, receipts[-1].after_s) * random.uniform(1, 2)
        elif behind < self.written:
            self.due = 0.0
        if self.sends % SAVE_EACH == 0:
            self.saved = self.sent

    def kill(self) -> None:
        self.sink.close()
        self.sink = self.open()
        self.sent = self.saved
        self.kills += 1


class Centre:
    """The collector, its workers, and what is done to them."""

    def __init__(self, tmp: Path, workers: int, machines: int, linger_s: float) -> None:
        self.tmp = tmp
        self.workers = workers
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.done: dict[str, int] = {"worker killed": 0, "all killed": 0, "disk full": 0}
        self.machines = [Machine(n, self.url, linger_s) for n in range(machines)]
        credentials = tmp / "machines"
        credentials.write_text(
            "".join(
                f"{one.name} sha256:{sha256(one.token.encode()).hexdigest()}\n"
                for one in self.machines
            )
        )
        credentials.chmod(0o600)
        self.start()

    def start(self) -> None:
        words = ["serve", "--http", f"127.0.0.1:{self.port}", "--socket", "off"]
        words += ["--machines", str(self.tmp / "machines"), "--fleet", str(self.tmp / "fleet")]
        words += ["--workers", str(self.workers)]
        env = {**os.environ, "XDG_STATE_HOME": str(self.tmp / "state")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, *words], env=env, stderr=subprocess.DEVNULL
        )

    def children(self) -> list[int]:
        pid = self.process.pid
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(word) for word in text.split()]

    def trouble(self) -> None:
        """One fault, whichever it is."""
        kind = random.choices(list(self.done), (5, 2, 3))[0]
        children = self.children()
        if kind == "worker killed" and children:
            os.kill(random.choice(children), signal.SIGKILL)
        elif kind == "all killed":
            self.process.kill()
            for pid in children:
                kill(pid)
            self.process.wait()
            time.sleep(0.5)
            self.start()
        else:
            for pid in children:
                limit(pid, 4096)
            time.sleep(random.uniform(0.5, 2))
            for pid in children:
                limit(pid, resource.RLIM_INFINITY)
        self.done[kind] += 1

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def limit(pid: int, size: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def work(machines: list[Machine], is_over: threading.Event, kills: float) -> None:
    """Sends for its machines whenever they are due; `kills` a second and machine."""
    while True:
        now = time.monotonic()
        for one in machines:
            if one.due <= now:
                if random.random() < kills * one.linger_s:
                    one.kill()
                one.send()
        if is_over.is_set() and all(one.sent == one.written for one in machines):
            return
        time.sleep(0.01)


def compare(centre: Centre, kept: Path) -> dict[str, int]:
    found = dict.fromkeys(("lines", "missing", "altered", "duplicates", "unordered"), 0)
    for one in centre.machines:
        wanted = [line(one.number, n) for n in range(one.written)]
        files = sorted((kept / one.name).glob("agent-hooks*.jsonl")) if one.written else []
        lines = [got for file in files for got in file.read_bytes().splitlines()]
        known = set(wanted)
        found["lines"] += one.written
        found["missing"] += len(known - set(lines))
        found["altered"] += sum(got not in known for got in lines)
        found["duplicates"] += len(lines) - len(set(lines))
        found["unordered"] += [got for got in dict.fromkeys(lines) if got in known] != wanted
    return found


def load(tmp: Path, given: argparse.Namespace) -> int:
    centre = Centre(tmp, given.workers, given.machines, given.linger)
    is_over = threading.Event()
    threads = [
        threading.Thread(target=work, args=(centre.machines[n::THREADS], is_over, given.kills))
        for n in range(THREADS)
    ]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    next_trouble = began + given.trouble
    while (passed := time.monotonic() - began) < given.seconds:
        each = passed * given.rate / given.machines
        for one in centre.machines:
            one.written = int(each + one.number / given.machines)
        if time.monotonic() > next_trouble:
            centre.trouble()
            next_trouble = time.monotonic() + given.trouble
        time.sleep(0.1)
    written_s = time.monotonic() - began
    is_over.set()
    for thread in threads:
        thread.join(300)
    all_s = time.monotonic() - began
    centre.stop()
    found = compare(centre, tmp / "fleet")
    faults = ", ".join(f"{n} x {kind}" for kind, n in centre.done.items())
    kills = sum(one.kills for one in centre.machines)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    rate = found["lines"] / written_s
    print(
        f"| {given.machines} machines, {rate:.0f} events/s | {found['lines']} "
        f"| {found['missing']} | {found['altered']} | {found['duplicates']} "
        f"| {faults}, {kills} x shipper killed; {found['unordered']} machines out of order; "
        f"all there after {all_s:.0f} s of {written_s:.0f} s; {given.workers} workers; "
        f"at least {used.ru_utime + used.ru_stime:.0f} CPU s of the collector; "
        f"load average {os.getloadavg()[0]:.1f} |"
    )
    return int(bool(found["missing"] or found["altered"] or found["unordered"]))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--machines", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=2000, help="Events a second in all.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--trouble", type=float, default=5, help="Seconds between two faults.")
    parser.add_argument("--linger", type=float, default=5, help="Seconds between two requests.")
    parser.add_argument("--kills", type=float, default=0.002, help="A second and machine.")
    given = parser.parse_args()
    tmp = Path(tempfile.mkdtemp(prefix="fleet-"))
    try:
        return load(tmp, given)
    finally:
        shutil.rmtree(tmp, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main())
