"""Real payloads beside what they must give: every sample, through the whole house.

`pytest tests/test_golden.py --regenerate` writes the expected files anew; read the diff.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from hookstream.core.sources import head_of
from hookstream.delivery.batch import unread
from hookstream.normalizers import VENDORS
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.redaction.scanner import Scanner
from hookstream.standards.aarts import aarts
from hookstream.standards.agent_hooks import agent_hooks
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.rendered import Rendered
from hookstream.standards.validate import Validator
from hookstream.version import __version__

SAMPLES = Path(__file__).parent.parent / "samples"
# Lines that tell no story: one of each event, field, tool and word that no recording has.
WRITTEN = Path(__file__).parent / "written"
SUFFIX = ".expected.jsonl"
FILES = sorted(path for folder in (SAMPLES, WRITTEN) for path in folder.rglob("*.jsonl"))
PAYLOADS = [path for path in FILES if not path.name.endswith(SUFFIX)]
NOW = "2026-11-21T12:00:00.000Z"
KEY = b"a key for tests, no secret at all"


@cache
def scanner() -> Scanner:
    """One for all: to load the compiled rules takes longer than to read a sample."""
    return Scanner()


@cache
def validator() -> Validator:
    """One for all too: to make the schemas ready takes longer than to read a sample."""
    return Validator()


def pipeline(mode: str = "hash") -> Pipeline:
    return Pipeline(Redactor(mode, pseudonym_key=KEY, scanner=scanner()), lambda: NOW)


def given(path: Path, mode: str = "hash") -> tuple[list[Rendered], Pipeline]:
    line = pipeline(mode)
    line.new_source(head=lambda: head_of(path))  # as a run reads it
    events, rejections = line.take_all(unread(path))
    assert not rejections, [rejection.record() for rejection in rejections]
    return [Rendered(event) for event in events], line


def expected_of(path: Path) -> Path:
    return path.with_name(path.stem + SUFFIX)


def lines(path: Path) -> list[str]:
    rendered, line = given(path)
    out = []
    for one in rendered:
        wrapper = one.aarts
        out.append(
            f'{{"agent_hooks":{versionless(one.agent_hooks)},'
            f'"aarts":{versionless(wrapper) if wrapper else "null"}}}'
        )
    report = line.tally.report(0.0, {})
    keys = ("read", "produced", "events", "ignored", "unknown_events", "unmapped_fields")
    out.append(json.dumps({"report": {key: report[key] for key in keys}}, sort_keys=True))
    return out


def versionless(line: bytes) -> str:
    """The line without the version of hookstream, which a release changes and nothing else."""
    stamp = f'"hookstream_version":"{__version__}"'
    text = line.decode()
    assert text.count(stamp) == 1
    return text.replace(f"{stamp},", "").replace(f",{stamp}", "")


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_sample_gives_what_is_written_beside_it(
    path: Path, request: pytest.FixtureRequest
) -> None:
    made = lines(path)
    expected = expected_of(path)
    if request.config.getoption("--regenerate"):
        expected.write_text("\n".join(made) + "\n", "utf-8")
    wanted = expected.read_text("utf-8").splitlines()
    for number, (have, want) in enumerate(zip(made, wanted, strict=False), 1):
        assert json.loads(have) == json.loads(want), f"{expected.name}:{number}"
    assert len(made) == len(wanted)


def test_no_expected_file_is_an_orphan_and_every_vendor_has_samples() -> None:
    orphans = {*FILES} - {*PAYLOADS} - {expected_of(path) for path in PAYLOADS}
    assert not orphans
    assert {path.parent.name for path in PAYLOADS} == {*VENDORS, "agent-hooks", "aarts"}


def test_a_row_of_the_sources_says_where_each_folder_of_samples_comes_from() -> None:
    rows = re.findall(
        r"^\| ([\w/-]+) \|", (SAMPLES / "SOURCES.md").read_text("utf-8"), re.MULTILINE
    )
    folders = {p.parent.relative_to(SAMPLES).as_posix() for p in SAMPLES.rglob("*.jsonl")}
    assert sorted({*rows} - {"folder"}) == sorted(folders)


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_what_is_written_validates_and_reads_back_as_the_same_event(path: Path) -> None:
    for one in given(path)[0]:
        assert validator().problems(one.agent_hooks) == []
        again = read_agent_hooks(json.loads(one.agent_hooks))
        assert agent_hooks(again) == agent_hooks(one.event)
        assert aarts(again) == aarts(one.event)
        if one.aarts is not None:
            assert validator().problems(one.aarts) == []


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_scores_fingerprints_and_hook_points_are_equal_in_every_mode(path: Path) -> None:
    def facts(mode: str) -> list[object]:
        return [
            (
                one.event.type,
                one.event.hook_point,
                one.event.risk,
                one.event.facts.get("action_fingerprint"),
                one.event.redactions,
            )
            for one in given(path, mode)[0]
        ]

    assert facts("hash") == facts("redact") == facts("full")


@pytest.mark.parametrize("path", PAYLOADS, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_without_the_vendor_key_detection_gives_the_same_events(path: Path, tmp_path: Path) -> None:
    """Ids may differ where only the source names an event: it is another file."""
    bare = tmp_path / path.name
    with bare.open("w", encoding="utf-8") as file:
        for text in path.read_text("utf-8").splitlines():
            record = json.loads(text)
            record.pop("vendor", None)
            file.write(json.dumps(record) + "\n")

    def told(at: Path) -> list[tuple[str, str, str]]:
        return [
            (one.event.vendor, one.event.type, one.event.facts["native_event"])
            for one in given(at)[0]
        ]

    assert told(bare) == told(path)
