"""Whole runs over samples full of secrets: nothing of them in any file, report or message.

The default run takes one place of 41, `-m slow` every place with nine kinds in turn.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from canaries import CANARIES, broken, leaks, lines

import same_process
from hookstream.core.folders import cache_folder
from hookstream.redaction import Redactor
from hookstream.redaction.cache import SUFFIX

pytestmark = pytest.mark.long

MODES = ("hash", "redact", "full")
PARTS = 41  # of the places one part a test, together with another kind at each
# Where a fault costs a record, and where it ends the run.
CRASHES = {
    "sessions": """
from hookstream.sessions import Sessions
def crash(self, event):
    raise ValueError(f"cannot read {event.facts} {event.unmapped}")
Sessions.complete = crash
""",
    "drive": """
from hookstream.delivery.batch import FanOut
def crash(self, batch):
    raise ValueError(f"cannot write {[item.event for item in batch]}")
FanOut.write = crash
""",
}


def below(home: Path) -> dict[str, str]:
    """Surroundings with every place of ours below `home`; the rules lie there compiled."""
    places = {name: home / name.lower() for name in ("TMPDIR", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    for place in places.values():
        place.mkdir(exist_ok=True)
    for made in compiled().glob("*" + SUFFIX):
        (places["XDG_CACHE_HOME"] / "hookstream").mkdir(mode=0o700, exist_ok=True)
        shutil.copy2(made, places["XDG_CACHE_HOME"] / "hookstream")
    return {**os.environ, **{name: str(place) for name, place in places.items()}, "HOME": str(home)}


@cache
def compiled() -> Path:
    """The folder of compiled rules that all tests share, with those of a run in it."""
    Redactor("hash", pseudonym_key=bytes(32))
    return Path(cache_folder() or "")


def hookstream(
    home: Path, *arguments: str, crash: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The command line with all its places below `home`, so that nothing is written elsewhere."""
    if crash:
        (home / "site").mkdir(exist_ok=True)
        (home / "site" / "sitecustomize.py").write_text(CRASHES[crash])
    environment = below(home)
    if crash:
        environment["PYTHONPATH"] = str(home / "site")
    return subprocess.run(
        [sys.executable, "-m", "hookstream", *arguments], capture_output=True, env=environment
    )


def asked(home: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The same in this process: enough where only the command line and its files are wrong."""
    return same_process.hookstream(*arguments, env=below(home))


def written(home: Path) -> dict[str, str]:
    """The text of every file below `home`, Parquet decoded, but the inputs."""
    import pyarrow.parquet as parquet

    texts: dict[str, str] = {}
    for path in home.rglob("*"):
        if not path.is_file() or path.name.startswith("input") or path.suffix == ".hsdb":
            continue
        data = path.read_bytes().decode("utf-8", "replace")
        if path.suffix == ".parquet":
            data += str(parquet.read_table(path).to_pylist())
        texts[str(path.relative_to(home))] = data
    return texts


def check(
    home: Path, ran: subprocess.CompletedProcess[bytes], kept: frozenset[str] = frozenset()
) -> dict[str, str]:
    texts = written(home)
    texts["stdout"] = ran.stdout.decode("utf-8", "replace")
    texts["stderr"] = ran.stderr.decode("utf-8", "replace")
    for name, text in texts.items():
        assert set(leaks(text)) <= kept, (name, leaks(text))
    return texts


def plant(home: Path, part: int = 0, parts: int = PARTS, turn: int = 0) -> Path:
    source = home / "input.jsonl"
    with source.open("wb") as file:
        for line in lines(part, parts, turn):
            file.write(line.encode("utf-8", "surrogatepass") + b"\n")
        for refused in broken():
            file.write(refused + b"\n")
    return source


def run_all_sinks(home: Path, source: Path, mode: str) -> dict[str, str]:
    ran = hookstream(
        home,
        *("run", str(source), "--privacy", mode, "--report", str(home / "report.json")),
        *("--to", f"jsonl:{home / 'lines'}", "--to", f"parquet:{home / 'lake'}"),
        *("--to", f"cloudevents:{home / 'ce'}"),
    )
    assert ran.returncode == 0, ran.stderr.decode()[-400:]
    # Full mode keeps who it was, and an address may be what a user is called.
    texts = check(home, ran, frozenset({"email"} if mode == "full" else ()))
    assert len(texts) > 6 and "report.json" in texts
    return texts


@pytest.mark.parametrize(
    "mode", ["hash", *(pytest.param(mode, marks=pytest.mark.slow) for mode in ("redact", "full"))]
)
def test_nothing_leaks_from_a_run_into_all_file_sinks(tmp_path: Path, mode: str) -> None:
    texts = run_all_sinks(tmp_path, plant(tmp_path, part=MODES.index(mode)), mode)
    assert "[REDACTED:" in texts["lines/agent-hooks.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(0, 33, 11))
@pytest.mark.parametrize("mode", MODES)
def test_nothing_leaks_from_any_place(tmp_path: Path, mode: str, turn: int) -> None:
    run_all_sinks(tmp_path, plant(tmp_path, 0, 1, turn + MODES.index(mode) * 4), mode)


def test_nothing_leaks_from_a_delivery_with_its_spool_and_checkpoints(tmp_path: Path) -> None:
    source = plant(tmp_path, part=3)
    settings = tmp_path / "delivery.toml"
    settings.write_text(
        f'sources = ["{source}"]\nstate = "{tmp_path / "state"}"\n'
        f'[[sink]]\nname = "good"\nuri = "jsonl:{tmp_path / "good"}"\n'
        f'[[sink]]\nname = "bad"\nuri = "faulty:reject,reject,reject:jsonl:{tmp_path / "bad"}"\n'
    )
    ran = hookstream(tmp_path, "run", "--config", str(settings))
    texts = check(tmp_path, ran)
    assert any(name.startswith("state/") for name in texts)


@pytest.mark.parametrize("crash", CRASHES)
def test_nothing_leaks_where_the_program_crashes(tmp_path: Path, crash: str) -> None:
    """The message of the exception holds a payload with all canaries."""
    payload = {"hook_event_name": "Stop", "session_id": "s", "x": [c for c, _ in CANARIES.values()]}
    sources = [str(tmp_path / name) for name in ("input-a.jsonl", "input-b.jsonl")]
    for name in sources:
        Path(name).write_text(json.dumps(payload) + "\n")
    for workers in ("1", "2"):
        ran = hookstream(
            tmp_path,
            *("run", *sources, "--vendor", "claude-code", "--workers", workers),
            *("--to", f"jsonl:{tmp_path / 'crashed'}"),
            crash=crash,
        )
        if crash == "drive":
            assert ran.returncode == 70 and b"internal error: ValueError in" in ran.stderr
        else:
            rejected = (tmp_path / "crashed" / "rejected.jsonl").read_text()
            # Each line is rejected, so nothing could be read: an error of the user's to see.
            assert ran.returncode == 2 and "internal: ValueError" in rejected
        check(tmp_path, ran)


def test_nothing_leaks_from_wrong_command_lines_and_files(tmp_path: Path) -> None:
    source = plant(tmp_path)
    out = f"jsonl:{tmp_path / 'out'}"
    for arguments in (
        ("validate", str(source)),
        ("query", "secrets", str(source)),
        ("query", "select * from events", str(source)),
        ("run", str(tmp_path / "none"), "--to", out),
        ("run", str(source), "--to", out, "--allow", str(source)),
        ("run", str(source), "--to", out, "--hash-key-file", str(source)),
        ("run", "--config", str(source)),
    ):
        check(tmp_path, asked(tmp_path, *arguments))
