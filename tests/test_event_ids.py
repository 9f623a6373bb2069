"""Event ids are stable across versions: those of a release's samples are given by every later one.

`event_ids.json` holds the beginnings of the ids that 0.3.0 gave, of each sample read by itself
(`alone`) and as one of several sources that name no machine (`of_several`). To hold the ids of new
samples too, run this file with that file's path. Where an id must change, the release notes say
which and why, and the new event which id it replaces, before the old one is taken out here.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hookstream.delivery.batch import unread
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.redaction.scanner import Scanner

HERE = Path(__file__).parent
SAMPLES = HERE.parent / "samples"
HELD = HERE / "event_ids.json"
SUFFIX = ".expected.jsonl"
KEY = b"a key for tests, no secret at all"
LENGTH = 8
SOURCES = {"alone": None, "of_several": "one of several"}


def ids_of(path: Path, source: str | None, scanner: Scanner) -> list[str]:
    redactor = Redactor("hash", pseudonym_key=KEY, scanner=scanner)
    pipeline = Pipeline(redactor, lambda: "2026-11-21T12:00:00.000Z")
    if source is not None:
        pipeline.new_source(source)
    events, _ = pipeline.take_all(unread(path))
    return [str(event.facts["event_id"])[:LENGTH] for event in events]


def samples() -> dict[str, Path]:
    paths = [path for path in SAMPLES.glob("*/*.jsonl") if not path.name.endswith(SUFFIX)]
    return {path.relative_to(SAMPLES).as_posix(): path for path in sorted(paths)}


@pytest.mark.parametrize("kind", sorted(SOURCES))
def test_ids_are_those_of_earlier_releases(kind: str) -> None:
    held: dict[str, str] = json.loads(HELD.read_text())[kind]
    scanner = Scanner()
    known = samples()
    lost = {
        name: sorted(gone)
        for name, ids in held.items()
        if (gone := set(ids.split()) - set(ids_of(known[name], SOURCES[kind], scanner)))
    }
    assert lost == {}
    assert sum(len(ids.split()) for ids in held.values()) > 2000


def hold(target: Path) -> None:
    """Add what is new; what is held stays."""
    held = json.loads(target.read_text()) if target.exists() else {}
    scanner = Scanner()
    for kind, source in SOURCES.items():
        of_kind = held.setdefault(kind, {})
        for name, path in samples().items():
            ids = of_kind.get(name, "").split()
            ids += [one for one in ids_of(path, source, scanner) if one not in ids]
            of_kind[name] = " ".join(ids)
    target.write_text(json.dumps(held, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    hold(Path(sys.argv[1]))
