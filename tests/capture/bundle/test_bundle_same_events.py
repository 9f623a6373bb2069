"""The bundle's hook writes what the hook of an installed package writes, byte for byte."""

import json
import subprocess
from pathlib import Path

import pytest
from hook_runner import SAMPLES, command
from laptops import PYTHON, Laptop

from hookstream.capture.install.command import OPTIONS

NOW = "2026-11-21T02:10:10.012Z"
SECRET = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oR6"[:36]
RECORDINGS = Path(__file__).parents[3] / "samples"


def recorded() -> list[tuple[str, str, dict]]:
    """The longest payload of the samples for each client and event."""
    found = {}
    for path in sorted(RECORDINGS.glob("*/*.jsonl")):
        if not path.name.endswith(".expected.jsonl"):
            for line in path.read_text().splitlines():
                record = json.loads(line)
                payload = record.get("payload")
                if type(payload) is dict and "native_event" in record and "vendor" in record:
                    about = (record["vendor"], record["native_event"])
                    found.setdefault(about, []).append(payload)
    return [(*about, max(every, key=lambda one: len(str(one)))) for about, every in found.items()]


def written(laptop: Laptop, start: list[str], log: str, events: list) -> bytes:
    """The log of a hook program that got these payloads one after the other."""
    for vendor, event, payload in events:
        words = [*start, vendor, event, "--now", NOW, "--log", str(laptop.path / log)]
        done = subprocess.run(
            words, input=json.dumps(payload).encode(), env=laptop.environment(), check=False
        )
        assert done.returncode == 0
    assert list(laptop.path.rglob("hook-errors")) == []
    return (laptop.path / log).read_bytes()


def compared(laptop: Laptop, bundle: Path, events: list) -> list[bytes]:
    laptop.bundle(bundle, "install", "--all")
    (lib,) = (laptop.folder / "lib").iterdir()
    file = str(lib / "hookstream/capture/hook/launch.py")
    own = written(laptop, [PYTHON, *OPTIONS, file, "hook"], "bundle.jsonl", events)
    packaged = written(laptop, command(), "package.jsonl", events)
    assert own == packaged
    assert SECRET.encode() not in own
    return own.splitlines()


@pytest.mark.long
def test_of_one_event_a_client(laptop, bundle):
    vendor, event, payload = SAMPLES[0]
    secret = {**payload, "tool_input": {"command": f"curl -H 'Authorization: {SECRET}' x"}}
    events = [*SAMPLES, (vendor, event, secret)]
    assert len(compared(laptop, bundle, events)) >= len(events)


@pytest.mark.slow
def test_of_every_recorded_event(laptop, bundle):
    events = recorded()
    assert len({vendor for vendor, *_ in events}) > 8
    assert len(compared(laptop, bundle, events)) > len(events) / 2
