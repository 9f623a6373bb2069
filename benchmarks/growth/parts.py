"""The parts whose growth is measured: each with a maker of an input of size n, and the work."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from benchmarks.growth import inputs
from benchmarks.growth.inputs import command


@dataclass(frozen=True)
class Part:
    """`make` fills a folder with an input of size n, `work` is what is measured over it; `size` is
    the smallest of the three n. `flat`: its memory does not depend on n by design."""

    unit: str
    size: int
    make: Callable[[Path, int], object]
    work: Callable[[Path], object]
    flat: bool = False


def hookstream(*words: object) -> None:
    """Run a command in this process; its output is not part of the work."""
    from hookstream.cli import command as run

    sys.argv = ["hookstream", *map(str, words)]
    with Path("/dev/null").open("w") as nowhere, redirect_stdout(nowhere):
        try:
            code = run()
        except SystemExit as end:
            code = end.code
    if code:
        raise RuntimeError(f"{sys.argv} ended with {code}")


def run(folder: Path) -> None:
    hookstream("run", folder / "in.jsonl", "--to", f"jsonl:{folder / 'out'}")


def follow(folder: Path) -> None:
    """What a follower does until all is delivered."""
    config = folder / "run.toml"
    config.write_text(f'[[sink]]\nuri = "jsonl:{folder / "out"}"\n')
    hookstream("run", folder / "logs", "--config", config, "--state", folder / "state")


def many_logs(folder: Path, files: int) -> None:
    for number in range(files):
        inputs.hook_records(folder / "logs" / f"{number:06}.jsonl", 1, 2, first=number)


def rotated_logs(folder: Path, files: int) -> None:
    """Logs in folders of a hundred."""
    for number in range(files):
        place = folder / "logs" / f"machine-{number // 100:04}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"hooks-{number % 100}.jsonl").write_text(f'{{"session_id": "s{number}"}}\n')


def discover(folder: Path) -> None:
    """Look at all files, rotate one in ten, and look again."""
    from hookstream.delivery.discovery import Discovery

    logs = folder / "logs"
    found = Discovery([str(logs)])
    for turn in range(4):
        found.scan()
        for tail in found.tails:
            tail.open()
            for _ in tail.chunks():
                pass
            tail.close()
        for path in sorted(logs.rglob("hooks-?0.jsonl")):
            path.rename(path.with_name(f"{path.stem}.{turn + 1}.jsonl"))
            path.write_text(f'{{"session_id": "{path.parent.name}-{path.stem}-{turn}"}}\n')


def shipped(folder: Path, machines: int) -> None:
    (folder / "machines").write_text("\n")
    (folder / "machines").chmod(0o600)
    (folder / "count").write_text(str(machines))


def take_in(folder: Path) -> None:
    """Take four requests of each machine, whose lines name it."""
    from hookstream.capture.collector.fleet.intake import Intake
    from hookstream.capture.collector.fleet.senders import Identity, Senders
    from hookstream.capture.collector.http_messages import HttpRequest

    senders = Senders(str(folder / "machines"), lambda text: None, None)
    intake = Intake(str(folder / "fleet"), senders, lambda text: None)
    for turn in range(4):
        for machine in range(int((folder / "count").read_text())):
            request = HttpRequest("POST", "/ship", {})
            request.headers = {
                "content-encoding": "gzip",
                "hookstream-stream": f"{machine:032x}",
                "hookstream-records": f"{turn * 8}-{turn * 8 + 7}",
            }
            request.body = gzip.compress(
                b"".join(_shipped_line(machine, turn * 8 + at) + b"\n" for at in range(8))
            )
            request.sender = Identity(f"laptop-{machine}", b"")  # type: ignore[arg-type]
            intake.admit(request.sender)
            if intake.answer(request).status != 200:
                raise RuntimeError("a request was not taken")


def _shipped_line(machine: int, at: int) -> bytes:
    own = {"machine_id": f"machine-{machine:016x}", "sequence": at}
    event = {"event_id": f"{machine}-{at}", "event_type": "Session.Start"}
    return json.dumps({**event, "metadata": {"dev.hookstream": own}}).encode()


def tables(folder: Path) -> None:
    hookstream("tables", folder / "lake")


def touched(folder: Path, copies: int) -> None:
    inputs.lake(folder, 24, cut=16)
    command("tables", str(folder / "lake"))
    inputs.late(folder, copies)


def small_files(folder: Path, files: int) -> None:
    """A lake of so many equal files in each of two partitions, with the names that a run gives."""
    place = inputs.lake(folder, 1, days=1)
    for tool in place.glob("date=*/tool=*"):
        (part,) = tool.iterdir()
        if tool.name not in ("tool=codex", "tool=claude-code"):
            shutil.rmtree(tool)
            continue
        for number in range(files):
            shutil.copyfile(part, tool / f"part-{number:05}-{number:012x}-{number:012x}.parquet")
        part.unlink()


def compact(folder: Path) -> None:
    hookstream("compact", folder / "lake")


def remove_user(folder: Path) -> None:
    hookstream("retain", folder / "lake", "--user", "user-0")


def sealed(folder: Path, copies: int) -> None:
    inputs.sample_records(folder / "in.jsonl", copies)
    command("run", str(folder / "in.jsonl"), "--to", f"jsonl:{folder / 'out'}", "--seal")


def verify(folder: Path) -> None:
    hookstream("verify", folder / "out")


def lines(folder: Path, copies: int) -> None:
    inputs.sample_records(folder / "in.jsonl", copies)
    command("run", str(folder / "in.jsonl"), "--to", f"jsonl:{folder / 'out'}")


def seal(folder: Path) -> None:
    """Write lines as a follower hands them over, 250 at a time, each batch sealed."""
    from benchmarks.delivery.seal import write

    with (folder / "out" / "agent-hooks.jsonl").open("rb") as given:
        rows = (line.rstrip(b"\n") for line in given)
        write(f"jsonl:{folder / 'sealed'}", rows, folder / "keys", 250)


def own_rules(folder: Path, count: int) -> None:
    inputs.lake(folder, 2)
    inputs.rules(folder / "rules", count)


def detect(folder: Path) -> None:
    hookstream("detect", folder / "lake", "--format", "json")


def detect_own(folder: Path) -> None:
    hookstream("detect", folder / "lake", "--rules", folder / "rules", "--format", "json")


def browsable(folder: Path, copies: int) -> None:
    inputs.lake(folder, copies)
    command("tables", str(folder / "lake"))


def visit(folder: Path) -> None:
    """Ask for every page of the web application."""
    from benchmarks.ui import browser

    from hookstream.ui.lake import BrowsedLake
    from hookstream.ui.pages import PAGES, page_of

    client = browser(BrowsedLake(folder / "lake"))
    for page in ["", "search?q=curl", *(key for key in PAGES if page_of(key))]:
        if client.get(f"/{page}").status_code != 200:
            raise RuntimeError(f"/{page} failed")


def session_files(folder: Path, files: int) -> None:
    from benchmarks.backfill.sessions import write

    write(folder / "home", files, 20_000)


def backfill(folder: Path) -> None:
    words = ("--home", folder / "home", "--since", "all", "--workers", 1)
    hookstream("backfill", "claude-code", *words, "--to", f"jsonl:{folder / 'out'}")


def _records(folder: Path, copies: int) -> None:
    inputs.sample_records(folder / "in.jsonl", copies)


def _long_sessions(folder: Path, calls: int) -> None:
    inputs.hook_records(folder / "in.jsonl", 20, calls)


def _long_log(folder: Path, calls: int) -> None:
    inputs.hook_records(folder / "logs" / "one.jsonl", 3, calls)


def _lake(**more: int) -> Callable[[Path, int], object]:
    return lambda folder, copies: inputs.lake(folder, copies, **more)


PARTS = {
    "run, sessions": Part("copies of the samples", 4, _records, run),
    "run, records per session": Part("calls", 200, _long_sessions, run, flat=True),
    "follow, files": Part("files", 500, many_logs, follow),
    "follow, lines per file": Part("calls", 2000, _long_log, follow, flat=True),
    "discovery, files": Part("files", 1000, rotated_logs, discover),
    "intake, machines": Part("machines", 250, shipped, take_in),
    "tables, sessions": Part("copies of the samples", 8, _lake(), tables),
    "tables, events per session": Part(
        "times as long",
        8,
        lambda folder, times: inputs.lake(folder, times, longer=times),
        tables,
    ),
    "tables, parts": Part("days", 8, lambda f, days: inputs.lake(f, 40, days=days), tables),
    "refresh, touched sessions": Part("copies of the samples", 4, touched, tables),
    "compact, parts": Part("files per partition", 75, small_files, compact, flat=True),
    "retain, events": Part("copies of the samples", 8, _lake(), remove_user, flat=True),
    "seal, lines": Part("copies of the samples", 12, lines, seal, flat=True),
    "verify, lines": Part("copies of the samples", 12, sealed, verify),
    "detect, events": Part("copies of the samples", 8, _lake(), detect),
    "detect, rules": Part("rules", 50, own_rules, detect_own),
    "pages, events": Part("copies of the samples", 8, browsable, visit),
    "backfill, files": Part("files", 100, session_files, backfill, flat=True),
}
