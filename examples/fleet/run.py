"""A fleet on one machine, from roll-out to removal: scratch homes as laptops, one centre, one SIEM.

    python examples/fleet/run.py --laptops 20 --siem splunk:https://hec.example:8088

The laptops run the bundle by a Python without packages; the centre runs the package. Every command
is one of docs/bundle.md, docs/shipping.md and docs/sinks.md. A step that does not hold ends the run
with status 1. The token of the SIEM is read from SIEM_TOKEN.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

HOOKSTREAM = Path(sys.executable).with_name("hookstream")
# No package of this environment: a laptop has none.
PYTHON = getattr(sys, "_base_executable", sys.executable)
LIMIT_S = 300


class Broken(Exception):
    """A step did not do what it should; the text says which."""


def check(what: str, found: object, wanted: object) -> None:
    """Prints what holds. Raises Broken."""
    if found != wanted:
        raise Broken(f"{what}: {found!r}, should be {wanted!r}")
    print(f"  {what}: {found}")


def run(words: list[Any], home: Path, status: int = 0, data: str = "", **env: str) -> str:
    """The output of a command in a home. Raises Broken where it ends otherwise."""
    done = subprocess.run(
        [str(word) for word in words],
        input=data,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", **env},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if done.returncode != status:
        shown = " ".join(str(word) for word in words)
        raise Broken(f"{shown}: ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def at_once(do: Callable[[Laptop], object], laptops: Iterable[Laptop]) -> None:
    """Does it on several laptops side by side. Raises Broken."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(do, laptops))


class Laptop:
    """One scratch home with a client's settings that a user wrote."""

    def __init__(self, folder: Path, number: int) -> None:
        self.name = f"laptop-{number:02}"
        self.home = folder / self.name
        self.command = self.home / ".local/share/hookstream/hookstream"
        self.log = self.home / ".local/state/hookstream/log/agent-hooks.jsonl"
        self.settings = self.home / ".claude/settings.json"
        self.settings.parent.mkdir(parents=True)
        self.before = f'{{\n  "model": "opus",\n  "cleanupPeriodDays": {number + 10}\n}}\n'
        self.settings.write_text(self.before)
        self.token = secrets.token_hex(16)
        self.token_file = self.home / "ship.token"
        self.token_file.write_text(self.token)
        self.token_file.chmod(0o600)
        self.calls = 0

    def install(self, bundle: Path) -> None:
        run([PYTHON, bundle, "install", "--all"], self.home)

    def work(self, calls: int) -> None:
        """A session's events, by the command lines that are registered for them."""
        session = f"{self.name}-{self.calls}"
        self._event("SessionStart", session, source="startup")
        for _ in range(calls):
            self.calls += 1
            call = {"tool_name": "Bash", "tool_use_id": f"call-{self.calls}"}
            call["tool_input"] = {"command": f"make target-{self.calls}"}
            self._event("PreToolUse", session, **call)
            answer = {"stdout": "done", "stderr": "", "interrupted": False}
            self._event("PostToolUse", session, **call, tool_response=answer)
        self._event("SessionEnd", session, reason="exit")

    def _event(self, name: str, session: str, **facts: Any) -> None:
        payload = {"session_id": session, "hook_event_name": name, "cwd": "/home/dev/project"}
        payload |= {"transcript_path": "/home/dev/t.jsonl", **facts}
        for group in json.loads(self.settings.read_text())["hooks"][name]:
            for hook in group["hooks"]:
                run(["sh", "-c", hook["command"]], self.home, data=json.dumps(payload))

    def ship(self, centre: str, status: int = 0) -> str:
        words = [self.command, "ship", centre, "--once", "--token-file", self.token_file]
        return run(words, self.home, status)

    def remove(self) -> None:
        run([self.command, "uninstall", "--all", "--purge-log"], self.home)


class Centre:
    """`hookstream serve` with a credential a machine, and a follower to SIEM and lake."""

    def __init__(self, folder: Path, laptops: list[Laptop], siem: str) -> None:
        self.folder = folder
        self.fleet = folder / "fleet"
        self.lake = folder / "lake"
        self.machines = folder / "machines"
        self.config = folder / "hookstream.toml"
        folder.mkdir()
        digests = {one.name: sha256(one.token.encode()).hexdigest() for one in laptops}
        self.machines.write_text("".join(f"{n} sha256:{d}\n" for n, d in digests.items()))
        self.machines.chmod(0o600)
        token = 'token_env = "SIEM_TOKEN"\n' if os.environ.get("SIEM_TOKEN") else ""
        self.config.write_text(
            f"sources = [{json.dumps(str(self.fleet))}]\n"
            f'standard = "agent-hooks"\nstate = {json.dumps(str(folder / "state"))}\n'
            f'[[sink]]\nname = "siem"\nuri = {json.dumps(siem)}\n{token}'
            f'[[sink]]\nname = "lake"\nuri = {json.dumps(f"parquet:{self.lake}")}\n'
        )
        words = [HOOKSTREAM, "serve", "--http", "127.0.0.1:0", "--socket", "off"]
        words += ["--machines", self.machines, "--fleet", self.fleet]
        self.process = subprocess.Popen(
            [str(word) for word in words],
            env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
            stderr=subprocess.PIPE,
            text=True,
        )
        greeting = self.process.stderr.readline() if self.process.stderr else ""
        if "listening on" not in greeting:
            raise Broken(f"the centre does not run: {greeting}")
        self.url = greeting.split()[-1]

    def lines(self, laptop: Laptop) -> bytes:
        file = self.fleet / laptop.name / "agent-hooks.jsonl"
        return file.read_bytes() if file.exists() else b""

    def deliver(self) -> None:
        """What has come since the last time, to the SIEM and to the lake."""
        token = {"SIEM_TOKEN": os.environ.get("SIEM_TOKEN", "")}
        run([HOOKSTREAM, "run", "--config", self.config], self.folder, **token)

    def query(self, name: str) -> list[dict[str, Any]]:
        words = [HOOKSTREAM, "query", name, self.lake, "--format", "json"]
        rows: list[dict[str, Any]] = json.loads(run(words, self.folder))
        return rows

    def revoke(self, laptop: Laptop) -> None:
        lines = self.machines.read_text().splitlines()
        ended = [f"{one} revoked" if one.startswith(f"{laptop.name} ") else one for one in lines]
        self.machines.write_text("\n".join(ended) + "\n")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


def roll_out(laptops: list[Laptop], bundle: Path) -> None:
    def begin(laptop: Laptop) -> None:
        laptop.install(bundle)
        laptop.work(2)

    at_once(begin, laptops)
    check("laptops with hooks", sum(one.log.exists() for one in laptops), len(laptops))


def ship_all(laptops: list[Laptop], centre: Centre) -> None:
    at_once(lambda one: one.ship(centre.url), laptops)
    same = [one for one in laptops if centre.lines(one) == one.log.read_bytes()]
    check("logs at the centre, byte for byte", len(same), len(laptops))
    centre.deliver()
    sessions = {row["session_id"] for row in centre.query("sessions")}
    wanted = {json.loads(line)["session_id"] for one in laptops for line in one.log.open()}
    check("sessions missing in the lake", sorted(wanted - sessions), [])
    machines = {row["machine_id"] for row in centre.query("sessions")}
    check("machines in the lake", len(machines), len(laptops))


def upgrade(laptops: list[Laptop], bundle: Path) -> None:
    """All but the last, which is left behind."""
    installed = {one: one.settings.read_bytes() for one in laptops}
    at_once(lambda one: one.install(bundle), laptops[:-1])
    touched = [one.name for one in laptops if one.settings.read_bytes() != installed[one]]
    check("settings that the upgrade changed", touched, [])
    at_once(lambda one: one.work(1), laptops)


def skew(centre: Centre, is_other_version: bool) -> None:
    behind = [row for row in centre.query("gaps") if row["gap"] == "version_skew"]
    machines = sum(row["machines"] for row in behind)
    check("machines with an older version in `gaps`", machines, int(is_other_version))


def revoke(laptops: list[Laptop], centre: Centre) -> None:
    first, *others = laptops
    centre.revoke(first)
    before = centre.lines(first)
    at_once(lambda one: one.work(1), laptops)
    # A refused shipper goes on trying for a while; the others need not wait for it.
    with ThreadPoolExecutor(1) as pool:
        refused = pool.submit(first.ship, centre.url, 3)
        at_once(lambda one: one.ship(centre.url), others)
        check("the revoked laptop's lines wait", "lines wait in" in refused.result(), True)
    check("lines taken from it", len(centre.lines(first)) - len(before), 0)
    same = [one for one in others if centre.lines(one) == one.log.read_bytes()]
    check("the others go on", len(same), len(others))
    centre.deliver()


def remove(laptops: list[Laptop]) -> None:
    at_once(lambda one: one.remove(), laptops)
    for laptop in laptops:
        laptop.token_file.unlink()
    whole = [one for one in laptops if one.settings.read_text() == one.before]
    check("settings restored byte for byte", len(whole), len(laptops))
    left = [file for one in laptops for file in one.home.rglob("*") if file.is_file()]
    check("files left besides them", len(left) - len(laptops), 0)


def drill(folder: Path, number: int, siem: str, older: Path | None) -> None:
    """The whole story. Raises Broken."""
    laptops = [Laptop(folder, count) for count in range(1, number + 1)]
    bundle = folder / "hookstream.pyz"
    print(run([HOOKSTREAM, "bundle", bundle], folder).strip())
    centre = Centre(folder / "centre", laptops, siem or f"jsonl:{folder}/siem")
    try:
        print("roll-out")
        roll_out(laptops, older or bundle)
        print("shipping")
        ship_all(laptops, centre)
        print("upgrade")
        upgrade(laptops, bundle)
        ship_all(laptops, centre)
        skew(centre, older is not None)
        print("a lost laptop")
        revoke(laptops, centre)
        print("removal")
        remove(laptops)
    finally:
        centre.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--laptops", type=int, default=20)
    parser.add_argument("--siem", default="", help="Sink URI (default: jsonl: in the folder).")
    parser.add_argument("--older", type=Path, help="A bundle of an older version to begin with.")
    parser.add_argument("--keep", type=Path, help="A new folder for all of it, which stays.")
    given = parser.parse_args()
    folder = given.keep or Path(tempfile.mkdtemp(prefix="fleet-"))
    folder.mkdir(parents=True, exist_ok=True)
    try:
        drill(folder.resolve(), given.laptops, given.siem, given.older)
    except Broken as broken:
        print(f"FAILED: {broken}", file=sys.stderr)
        return 1
    finally:
        if given.keep is None:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"{given.laptops} laptops: rolled out, shipped, upgraded, one revoked, removed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
