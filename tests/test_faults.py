"""A fault of ours costs one record, in whatever stage it comes up: counted, named, and the others
are what they would have been; in a batch, record by record, with workers and in a delivery."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from delivery.session import mixed
from delivery.stage import NOW, deliver_once, delivery
from hookstream.core.records import read_record
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.detect.detectors import Detectors
from hookstream.pipeline import stages as lintel
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.sessions import Sessions
from hookstream.standards import rendered

MARK = "ls /srv/marked"
FAULTS: dict[str, tuple[Any, str]] = {
    "reading": (lintel, "read_record"),
    "tables": (lintel, "normalize"),
    "sessions": (Sessions, "complete"),
    "privacy": (Redactor, "redact_event"),
    "artifacts": (lintel, "extract"),
    "detectors": (Detectors, "see"),
    "agent-hooks": (rendered, "agent_hooks"),
    "aarts": (rendered, "aarts"),
}


class Ours(Exception):
    """No message of it may be seen anywhere: it could hold a payload."""


def text_of(given: Any) -> str:
    if isinstance(given, bytes):
        return given.decode()
    if hasattr(given, "payload"):
        return json.dumps(given.payload)
    return json.dumps([given.facts, given.input])


def with_fault(stage: str, late: bool = False) -> tuple[Any, str, Callable[..., Any]]:
    """Owner, name and a function in the place of a stage's that fails at the marked record, before
    the stage has worked on it or behind that."""
    owner, name = FAULTS[stage]
    real: Callable[..., Any] = getattr(owner, name)

    def faulty(*given: Any, **options: Any) -> Any:
        about = given[1] if isinstance(owner, type) else given[0]
        is_marked = MARK in text_of(about)
        made = real(*given, **options) if late or not is_marked else None
        if is_marked:
            raise Ours(MARK)
        return made

    return owner, name, faulty


def inject(monkeypatch: pytest.MonkeyPatch, stage: str, late: bool = False) -> None:
    monkeypatch.setattr(*with_fault(stage, late))


def inject_in_workers(monkeypatch: pytest.MonkeyPatch, stage: str, folder: Path) -> None:
    """Workers start anew: what their Python imports first puts the fault into them."""
    (folder / "sitecustomize.py").write_text(
        f"import sys\nsys.path[:] = {sys.path}\nfrom tests import test_faults\n"
        f"setattr(*test_faults.with_fault({stage!r}))\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(folder))


def lines() -> list[bytes]:
    """Sessions in which much depends on what came before; one call in the middle is marked."""
    given = mixed(4)
    at = next(n for n in range(len(given) // 3, len(given)) if b'"PreToolUse"' in given[n])
    given[at] = given[at].replace(b'"command": "make test"', f'"command": "{MARK}"'.encode())
    assert sum(MARK.encode() in line for line in given) == 1
    return given


def fresh() -> Pipeline:
    return Pipeline(Redactor("redact", pseudonym_key=bytes(16)), lambda: NOW)


def told(made: list[Any]) -> list[Any]:
    """What became of each record, as bytes."""
    return [
        [(item.agent_hooks, item.aarts) for item in one]
        if isinstance(one, list)
        else one.record()
        if isinstance(one, lintel.Rejection)
        else one
        for one in made
    ]


@pytest.mark.parametrize("late", [False, True], ids=["before", "behind"])
@pytest.mark.parametrize("stage", FAULTS)
def test_a_batch_is_what_its_records_are_one_by_one(
    monkeypatch: pytest.MonkeyPatch, stage: str, late: bool
) -> None:
    """So no stage has seen a record twice, none in another order, and none behind its fault."""
    inject(monkeypatch, stage, late)
    given = [(line, "s", n) for n, line in enumerate(lines())]
    together, apart = fresh(), fresh()
    made = told(together.outcomes(given, "both"))
    assert made == [told(apart.outcomes([one], "both"))[0] for one in given]
    assert [one["reason"] for one in made if isinstance(one, dict)] == ["internal: Ours"]
    assert together.tally.report(0, {}) == apart.tally.report(0, {})
    report = together.tally.report(0, {})
    assert report["read"] == report["produced"] + sum(report["ignored"].values()) + 1
    assert report["by_rejection"] == {"internal: Ours": 1}
    events = [one for one in made if isinstance(one, list) for _ in one]
    assert report["events"] == len(events)
    assert MARK not in repr([one for one in made if isinstance(one, dict)])


@pytest.mark.parametrize("stage", ["artifacts", "agent-hooks", "aarts"])
def test_the_others_are_what_they_would_have_been(
    monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    """A call of its own changes nothing of others in these stages: they are the same, byte for
    byte, and sequences leave the gap that the lost one has made."""
    given = [(line, "s", n) for n, line in enumerate(lines())]
    lost = next(n for n, (line, _, _) in enumerate(given) if MARK.encode() in line)
    whole = told(fresh().outcomes(given, "both"))
    inject(monkeypatch, stage)
    made = told(fresh().outcomes(given, "both"))
    same = [n for n in range(len(given)) if made[n] == whole[n]]
    ours = whole[lost][0][0].split(b'"session_id":"')[1][:6]
    for n in set(range(len(given))) - set(same) - {lost}:
        assert n > lost and ours in made[n][0][0]  # its own session, its own loop
    if stage != "artifacts":
        assert same == [n for n in range(len(given)) if n != lost]


def test_every_record_may_be_faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Redactor, "redact_event", lambda self, event: [][0])
    line = fresh()
    made = line.outcomes([(one, "s", n) for n, one in enumerate(lines())], "both")
    assert {one.reason for one in made} == {"internal: IndexError"}
    assert line.tally.rejected == line.tally.read == len(made) and line.tally.events == 0


def test_memory_that_is_out_is_no_record_s_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(self: Any, event: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(Detectors, "see", no_room)
    with pytest.raises(MemoryError):
        fresh().take(read_record(lines()[0]))  # type: ignore[arg-type]


def written(folder: Path) -> dict[str, bytes]:
    names = ("agent-hooks.jsonl", "aarts.jsonl", "rejected.jsonl")
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


@pytest.mark.long
@pytest.mark.parametrize("stage", FAULTS)
def test_run_workers_and_delivery_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    inject(monkeypatch, stage)
    (tmp_path / "in").mkdir()
    sources = []
    for name in ("a", "b"):
        path = tmp_path / "in" / f"{name}.jsonl"
        text = b"".join(one if one.endswith(b"\n") else one + b"\n" for one in lines())
        path.write_bytes(text.replace(b'"session_id": "', b'"session_id": "' + name.encode()))
        sources.append(str(path))
    key = tmp_path / "pseudonym.key"

    def run(to: str, workers: int) -> dict[str, Any]:
        sinks = [f"jsonl:{tmp_path / to}"]
        job = Job(sources, sinks, now=NOW, pseudonym_key_file=key, workers=workers)
        report = execute(job).report(0)
        report.pop("sinks")
        return report

    report = run("one", 1)
    assert report["by_rejection"] == {"internal: Ours": 2}
    assert report["read"] == report["produced"] + sum(report["ignored"].values()) + 2
    inject_in_workers(monkeypatch, stage, tmp_path)
    assert run("two", 2) == report
    assert written(tmp_path / "two") == written(tmp_path / "one")
    deliver_once(delivery(tmp_path, sources))
    if stage != "aarts":  # a delivery renders it from the spool, for the sinks that want it
        assert written(tmp_path / "out") == written(tmp_path / "one")
    assert MARK.encode() not in written(tmp_path / "one")["rejected.jsonl"]
