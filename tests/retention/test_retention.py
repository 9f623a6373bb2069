"""Retention of written streams: what goes, what stays, and that seals hold through it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.errors import HookstreamError
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream
from hookstream.redaction import Redactor
from hookstream.retention import holds, ledger
from hookstream.retention.holds import Hold
from hookstream.retention.policy import Policy
from hookstream.seal.chain import BrokenSeal
from hookstream.seal.operator import Operator
from hookstream.seal.sealed import SEALS
from hookstream.seal.verify import verify
from seal import independent
from seal.retaining import DAY_S, KEY, NOW, new_operator, retain
from seal.stage import NAME, Stage
from sinks.events import claude


@pytest.fixture
def operator(tmp_path: Path) -> Operator:
    return new_operator(tmp_path / "operator.pem")


def days(stage: Stage) -> dict[str, int]:
    """Records by date, of what the folder holds."""
    if stage.uri.startswith("parquet"):
        import pyarrow.parquet as pq

        dates = [
            path.parent.parent.name.removeprefix("date=")
            for path in stage.folder.glob("date=*/tool=*/*.parquet")
            for _ in range(pq.read_metadata(path).num_rows)
        ]
    else:
        dates = [line["timestamp"][:10] for line in stage.lines()]
    return {date: dates.count(date) for date in sorted(set(dates))}


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_records_go_by_age_and_the_seal_says_so(
    tmp_path: Path, operator: Operator, kind: str
) -> None:
    stage = Stage(tmp_path, kind)
    stage.write(batches=3, count=10)
    assert days(stage) == {"2026-03-01": 10, "2026-03-02": 10, "2026-03-03": 10}
    asked = retain(stage, None, dry_run=True, max_age_s=9 * DAY_S)
    assert days(stage)["2026-03-01"] == 10
    done = retain(stage, operator, max_age_s=9 * DAY_S)
    assert done.rows == asked.rows == {("age", "2026-03-01", ""): 10}
    assert days(stage) == {"2026-03-02": 10, "2026-03-03": 10}
    keys = {str(operator.verifier)}
    for _ in range(2):  # and with what is written after it
        made = verify(stage.folder, against=stage.second, now=stage.clock.now, operators=keys)
        assert (made[0].pruned, made[0].unsealed) == (10, 0)
        assert not any("operator" in doubt for doubt in made[0].doubts)
        assert "operator's key was not given" in str(verify(stage.folder)[0])
        stage.write(batches=1)
    assert retain(stage, operator, max_age_s=9 * DAY_S).total("age") == 7
    assert verify(stage.folder, against=stage.second, operators=keys)[0].pruned == 17
    assert not list(stage.folder.glob(".retention/*/commit.json"))


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_verify_accepts_what_the_statement_covers_and_no_more(
    tmp_path: Path, operator: Operator, kind: str
) -> None:
    stage = Stage(tmp_path, kind)
    stage.write(batches=3)
    retain(stage, operator, max_age_s=9 * DAY_S)
    assert verify(stage.folder)
    if kind == "jsonl":
        lines = stage.data.read_bytes().splitlines(keepends=True)
        stage.data.write_bytes(b"".join(lines[:3] + lines[4:]))
        with pytest.raises(BrokenSeal, match=r"jsonl:4: .*removed"):
            verify(stage.folder)
        return
    part = sorted(stage.folder.glob("date=*/tool=*/*.parquet"))[0]
    part.unlink()
    with pytest.raises(BrokenSeal, match="missing"):
        verify(stage.folder)


def test_a_sealed_folder_wants_the_operators_key(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.write()
    with pytest.raises(HookstreamError, match="operator"):
        retain(stage, None, max_age_s=9 * DAY_S)
    assert len(stage.lines()) == 30


def test_another_operators_statement_does_not_count(tmp_path: Path, operator: Operator) -> None:
    stage = Stage(tmp_path)
    stage.write()
    retain(stage, operator, max_age_s=9 * DAY_S)
    thief = new_operator(tmp_path / "thief.pem")
    with pytest.raises(BrokenSeal, match="another operator"):
        verify(stage.folder, operators={str(thief.verifier)})
    retain(stage, thief, max_age_s=8 * DAY_S)
    with pytest.raises(BrokenSeal, match="another operator"):
        verify(stage.folder)


def test_a_statement_whose_signature_is_not_the_operators(
    tmp_path: Path, operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage(tmp_path)
    stage.write()
    sign = operator.sign

    def elsewhere(origin: str, index: int, said: dict[str, Any]) -> dict[str, Any]:
        return sign(origin, index + 1, said)  # a signature of another place in the log

    monkeypatch.setattr(operator, "sign", elsewhere)
    retain(stage, operator, max_age_s=9 * DAY_S)
    with pytest.raises(BrokenSeal, match="not signed by the operator"):
        verify(stage.folder)


def test_what_was_removed_does_not_come_back_unseen(tmp_path: Path, operator: Operator) -> None:
    stage = Stage(tmp_path)
    stage.write()
    before = stage.data.read_bytes()
    retain(stage, operator, max_age_s=9 * DAY_S)
    stage.data.write_bytes(before)
    with pytest.raises(BrokenSeal):
        verify(stage.folder)


def told(stage: Stage) -> None:
    """A stream with content in it, of two users on two machines, in both standards."""
    from hookstream.standards.rendered import Rendered

    redactor = Redactor("redact", pseudonym_key=KEY)
    sink = stage.open()
    for day in (1, 2, 3):
        for user in ("ann", "bob"):
            at = f"2026-03-{day:02d}T12:00:00.000Z"
            session = f"5f0c1b1e-0000-4000-8000-{user.encode().hex():0>12}"
            text = f"please look at the garden of {user} on day {day}, and say more than 128 " * 3
            events = claude("UserPromptSubmit", at, session, prompt=text, prompt_id=f"p{day}")
            events += claude(
                "PostToolUse",
                at,
                session,
                tool_name="Read",
                tool_use_id=f"t{day}",
                tool_input={"file_path": "/srv/garden"},
                tool_response={"file": {"content": text, "filePath": "/srv/garden"}},
            )
            for event in events:
                event.facts |= {"user_id": user, "machine_id": f"{user}s-laptop"}
                redactor.redact_event(event)
            sink.write([Rendered(event) for event in events])
    sink.close()


def users(stage: Stage) -> dict[str, int]:
    if stage.uri.startswith("parquet"):
        import pyarrow.dataset as ds

        found = ds.dataset(stage.folder, format="parquet").to_table(["user_id"])
        ids = found.column(0).to_pylist()
    else:
        ids = [line["user"]["id"] for line in stage.lines()]
    return {name: ids.count(name) for name in sorted(set(ids))}


def texts(folder: Path) -> bytes:
    """All that the data files say, unpacked."""
    import pyarrow.parquet as pq

    found = b"".join(path.read_bytes() for path in folder.glob("*.jsonl"))
    for path in folder.rglob("*.parquet"):
        with pq.ParquetFile(path) as file:
            found += json.dumps(file.read().to_pylist(), default=str).encode()
    return found


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_content_goes_earlier_than_records(tmp_path: Path, operator: Operator, kind: str) -> None:
    stage = Stage(tmp_path, kind, standard="both")
    stage.standard = "both"
    told(stage)
    assert texts(stage.folder).count(b"garden of ann on day 1")
    retain(stage, operator, content_max_age_s=9 * DAY_S)
    after = texts(stage.folder)
    assert b"on day 1" not in after and b"garden of ann on day 2" in after
    assert sum(users(stage).values()) == 12
    verify(stage.folder, against=stage.second, operators={str(operator.verifier)})
    # Nothing is done twice.
    names = {path: path.stat().st_mtime_ns for path in stage.folder.rglob("*.parquet")}
    assert retain(stage, operator, content_max_age_s=9 * DAY_S).total("content") == 0
    assert {path: path.stat().st_mtime_ns for path in stage.folder.rglob("*.parquet")} == names
    assert retain(stage, operator, content_max_age_s=8 * DAY_S).total("content") == 4
    verify(stage.folder, against=stage.second)
    if kind == "jsonl":
        assert independent.root_of([])  # the page that verifies knows retention, too
        assert independent.check_stream(stage.data, stage.log) > 2


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_user_is_deleted_and_what_is_held_stays(
    tmp_path: Path, operator: Operator, kind: str
) -> None:
    stage = Stage(tmp_path, kind, standard="both")
    stage.standard = "both"
    told(stage)
    ann, bob = sorted(
        users(stage), key=lambda one: one != Redactor("hash", KEY).pseudonym("user", "ann")
    )
    holds.write(stage.folder, [Hold("case-7", users=(bob,))])
    done = retain(stage, operator, users=frozenset({ann, bob}))
    assert (done.total("user"), done.total("held")) == (6, 6)
    assert users(stage) == {bob: 6}
    assert b"garden of ann" not in texts(stage.folder)
    journal = (stage.folder / SEALS / stage.log.name / "journal").read_text()
    assert ann in journal and "case-7" in journal  # the tombstone
    verify(stage.folder, against=stage.second)
    holds.write(stage.folder, [])
    assert retain(stage, operator, users=frozenset({bob})).total("user") == 6
    assert verify(stage.folder)[-1].records == 0


def test_holds_by_session_and_machine(tmp_path: Path, operator: Operator) -> None:
    stage = Stage(tmp_path)
    told(stage)
    laptop = next(line["metadata"]["dev.hookstream"]["machine_id"] for line in stage.lines())
    session = stage.lines()[-1]["session_id"]
    holds.write(stage.folder, [Hold("a", sessions=(session,)), Hold("b", machines=(laptop,))])
    assert retain(stage, operator, max_age_s=DAY_S).total("held") == 12
    assert len(stage.lines()) == 12


def test_nothing_goes_where_the_holds_cannot_be_read(tmp_path: Path, operator: Operator) -> None:
    stage = Stage(tmp_path)
    stage.write()
    holds.write(stage.folder, [Hold("a", sessions=("s",))])
    (stage.folder / ".retention" / "holds.json").write_text("[{")
    with pytest.raises(HookstreamError, match="damaged"):
        retain(stage, operator, max_age_s=DAY_S)
    assert len(stage.lines()) == 30


def test_sessions_that_lose_a_part_are_said_to_be_cut(tmp_path: Path, operator: Operator) -> None:
    stage = Stage(tmp_path, "parquet")
    told(stage)
    retain(stage, operator, max_age_s=9 * DAY_S)
    cut = ledger.sessions(stage.folder)
    assert sorted(count for count, _ in cut.values()) == [2, 2]
    with open_stream(stage.folder) as stream:
        rows = [row for row in objects(ask(stream, "gaps")) if row["gap"] == "cut_by_retention"]
    assert [(row["tool"], row["count"], row["machines"]) for row in rows] == [("claude-code", 2, 2)]
    assert rows[0]["detail"].startswith("sessions of which retention removed records, 2 on one")
    retain(stage, operator, max_age_s=DAY_S)
    assert ledger.sessions(stage.folder) == {}  # gone, not cut


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_the_list_of_cut_sessions_is_what_retention_wrote(
    tmp_path: Path, operator: Operator, kind: str
) -> None:
    """`gaps` reads it, so the seal has its digest: another file there is tampering."""
    stage = Stage(tmp_path, kind)
    told(stage)
    path = stage.folder / ".retention" / "sessions.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('[["", "claude-code", "planted", 3, 1772366400]]')
    with pytest.raises(BrokenSeal, match="no seal covers"):
        verify(stage.folder)
    path.unlink()
    retain(stage, operator, max_age_s=9 * DAY_S)
    assert path.exists()
    verify(stage.folder)
    kept = path.read_bytes()
    path.write_bytes(kept[:-1] + b', ["", "claude-code", "planted", 3, 1772366400]]')
    with pytest.raises(BrokenSeal, match="changed since retention"):
        verify(stage.folder)
    path.unlink()
    with pytest.raises(BrokenSeal, match="missing"):
        verify(stage.folder)
    path.write_bytes(kept)
    verify(stage.folder)


@pytest.mark.parametrize("packed", ["", "gzip", "zstd"])
def test_rotated_files(tmp_path: Path, operator: Operator, packed: str) -> None:
    stage = Stage(tmp_path)
    stage.write()
    rotated = stage.folder / f"{NAME}.1"
    stage.data.rename(rotated)
    stage.write(batches=2)
    if packed:
        import pyarrow as pa

        name = f"{NAME}.1.{'gz' if packed == 'gzip' else 'zst'}"
        with pa.output_stream(str(stage.folder / name), compression=packed) as file:
            file.write(rotated.read_bytes())
        rotated.unlink()
    done = retain(stage, operator, max_age_s=9 * DAY_S)
    assert done.total("age") == 17
    (made,) = verify(stage.data, against=stage.second)
    assert (made.records, made.pruned) == (33, 17)
    stage.write(batches=1)
    retain(stage, operator, max_age_s=7 * DAY_S)
    assert not list(stage.folder.glob(f"{NAME}.1*"))
    (made,) = verify(stage.data, against=stage.second)
    assert made.records == len(stage.lines()) == 0
    stage.write(batches=1)
    assert verify(stage.data)[0].records == 10


def test_a_delta_table(tmp_path: Path, operator: Operator) -> None:
    """Sealed and read as a table: the rows that are left, and no others."""
    deltalake = pytest.importorskip("deltalake")
    stage = Stage(tmp_path, "delta", tables=False)
    stage.write()
    assert retain(stage, operator, max_age_s=9 * DAY_S).total("age") == 10
    (made,) = verify(stage.folder, against=stage.second, operators={str(operator.verifier)})
    assert (made.records, made.pruned) == (20, 10)
    rows = deltalake.DeltaTable(str(stage.folder)).to_pyarrow_table(columns=["timestamp"])
    days = {str(at)[:10] for at in rows.column(0).to_pylist()}
    assert (len(rows), days) == (20, {"2026-03-02", "2026-03-03"})
    stage.write(batches=1)
    assert verify(stage.folder, against=stage.second)[0].records == 30
    assert len(deltalake.DeltaTable(str(stage.folder)).to_pyarrow_table(columns=["tool"])) == 30


def test_nothing_goes_from_a_file_that_was_changed(tmp_path: Path, operator: Operator) -> None:
    stage = Stage(tmp_path)
    stage.write()
    lines = stage.data.read_bytes().splitlines(keepends=True)
    stage.data.write_bytes(b"".join([*lines[:7], lines[7].replace(b"ls", b"rm"), *lines[8:]]))
    with pytest.raises(HookstreamError, match=r"jsonl:8: not what was sealed"):
        retain(stage, operator, max_age_s=9 * DAY_S)
    assert len(stage.lines()) == 30


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_folder_without_a_seal(tmp_path: Path, kind: str) -> None:
    from hookstream.sinks import open_sink

    stage = Stage(tmp_path, kind)
    sink = open_sink(stage.uri)
    sink.write(stage.batch(30))
    sink.close()
    assert retain(stage, None, max_age_s=9 * DAY_S).total("age") == 10
    assert days(stage) == {"2026-03-02": 10, "2026-03-03": 10}


def test_age_of_content_above_that_of_records() -> None:
    with pytest.raises(HookstreamError, match="longer than its records"):
        Policy(NOW, max_age_s=DAY_S, content_max_age_s=2 * DAY_S)
