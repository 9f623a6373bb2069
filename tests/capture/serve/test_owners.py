"""The law of the intake: whose folder a line is in is the machine that every reader gives it."""

from __future__ import annotations

import gzip
import json
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from forged import FORMS, NOW, event, lines, text
from hypothesis import HealthCheck, given, settings

from hookstream.capture.collector.fleet.intake import Intake, claims_in
from hookstream.capture.collector.fleet.seen import SeenFile, machines
from hookstream.capture.collector.fleet.senders import Identity, Senders, digest_of
from hookstream.capture.collector.http_messages import HttpError, HttpRequest
from hookstream.core.owners import Owner, owner_of, registered
from hookstream.core.records import read_record
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.pipeline.stages import Pipeline
from hookstream.queries.runner import ask_sql, open_stream
from hookstream.redaction import Redactor
from hookstream.redaction.digest import pseudonym

pytestmark = pytest.mark.long

KEY = b"a key for tests, no secret at all"
ID_A, ID_B = (pseudonym("machine", name, KEY) for name in ("laptop-a", "laptop-b"))
STREAM = "b" * 32
TOKENS = {name: f"{name}-{'t' * 24}".encode() for name in ("laptop-a", "laptop-b", "shared")}


def credentials(folder: Path, *more: str) -> Path:
    path = folder / "machines"
    rows = [f"{name} {digest_of(TOKENS[name])}" for name in ("laptop-a", "laptop-b")]
    path.write_text("\n".join([*rows, f"* {digest_of(TOKENS['shared'])}", *more, ""]))
    path.chmod(0o600)
    return path


class Centre:
    """An intake without its server."""

    def __init__(self, folder: Path, *more: str, keyed: bool = True) -> None:
        self.fleet = folder / "fleet"
        self.notes: list[str] = []
        key = (lambda name: pseudonym("machine", name, KEY)) if keyed else None
        senders = Senders(str(credentials(folder, *more)), self.notes.append, key)
        self.intake = Intake(str(self.fleet), senders, self.notes.append)

    def ship(self, machine: str, *sent: bytes, first: int = 0) -> tuple[int, dict[str, Any]]:
        request = HttpRequest("POST", "/ship", {})
        request.headers = {
            "content-encoding": "gzip",
            "hookstream-stream": STREAM,
            "hookstream-records": f"{first}-{first + len(sent) - 1}",
        }
        request.body = gzip.compress(b"".join(one + b"\n" for one in sent))
        request.sender = Identity(machine, digest_of(TOKENS.get(machine, b"")))
        reply = self.intake.answer(request)
        return reply.status, json.loads(reply.body)

    def lines(self, machine: str, name: str = "agent-hooks.jsonl") -> list[bytes]:
        path = self.fleet / machine / name
        return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


@pytest.fixture
def centre(tmp_path: Path) -> Centre:
    return Centre(tmp_path)


@cache
def redactor(mode: str) -> Redactor:
    return Redactor(mode, pseudonym_key=KEY)


def pipeline(mode: str, owner: Owner | None) -> Pipeline:
    made = Pipeline(redactor(mode), lambda: NOW)
    made.new_source("laptop-b", owner)
    return made


def machine_ids(line: bytes, mode: str, owner: Owner | None) -> set[Any]:
    made = pipeline(mode, owner).outcomes([(line, "x", 0)], "both")
    items = [item for one in made if isinstance(one, list) for item in one]
    written = [json.loads(item.agent_hooks)["metadata"]["dev.hookstream"] for item in items]
    return {one.get("machine_id") for one in written}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(lines(ID_A))
def test_law_whatever_a_line_says_its_owner_is_its_folders(line: bytes) -> None:
    assert machine_ids(line, "hash", Owner("laptop-b")) <= {ID_B}
    assert machine_ids(line, "full", Owner("laptop-b")) <= {"laptop-b"}
    assert machine_ids(line, "hash", Owner("laptop-b", "machine-" + "0" * 16)) <= {
        "machine-" + "0" * 16
    }


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(lines(ID_A))
def test_law_the_intake_reads_the_claim_that_a_run_would_believe(line: bytes) -> None:
    """A run that knows no owner: what it writes as the machine is what the intake judges."""
    believed = machine_ids(line, "full", None) - {None, "laptop-b"}
    assert {str(one) for one in believed} <= claims_in(line)


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_forged_line_never_is_the_other_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    """Refused with its reason, or read as the sender's: by run, and by questions to the folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "key").chmod(0o600)
    monkeypatch.setattr("hookstream.queries.capture_log._key", [lambda: KEY])
    centre = Centre(tmp_path)
    forged = FORMS[form](ID_A)
    assert centre.ship("laptop-a", text(event(ID_A, 1)))[0] == 200
    status, said = centre.ship("laptop-b", forged, text(event(ID_B, 2)))
    assert status in (200, 422)
    refused = [one["place"] for one in said.get("refused", ())]
    assert said["foreign"] == len(refused) == 2 - said["taken"]
    assert 1 not in refused, "what follows is taken"
    assert forged in (centre.lines("laptop-b") if not refused else [forged])
    found = owners_in(tmp_path, centre.fleet)
    assert found == {(ID_A, "c1")} | {(ID_B, call) for machine, call in found if machine == ID_B}
    with open_stream(centre.fleet) as stream:
        sql = "select distinct machine_id from events where call_id = 'c1'"
        assert ask_sql(stream, sql).rows == [(ID_A,)]
        mine = ask_sql(stream, f"select count(*) from events where machine_id = '{ID_A}'").rows
    assert mine == [(1,)]


def test_a_follower_gives_every_line_to_its_folder(tmp_path: Path) -> None:
    """All forms in one log, next to the log of the machine that they name."""
    from tests.delivery.stage import deliver_once, delivery, read_lines

    centre = Centre(tmp_path, keyed=False)
    centre.ship("laptop-a", text(event("machine-a", 1)))
    centre.ship("laptop-b", *(FORMS[form]("machine-a") for form in sorted(FORMS)))
    deliver_once(delivery(tmp_path, [str(centre.fleet)]))
    found: dict[str, set[str]] = {}
    for one in read_lines(tmp_path / "out" / "agent-hooks.jsonl"):
        own = one["metadata"]["dev.hookstream"]
        found.setdefault(own["machine_id"], set()).add(own.get("call_id"))
    assert len(found) == 2
    assert {"c1"} in found.values()


def owners_in(folder: Path, fleet: Path) -> set[tuple[str, Any]]:
    out = folder / "out"
    execute(Job([str(fleet)], [f"jsonl:{out}"], now=NOW, pseudonym_key_file=folder / "key"))
    events = [json.loads(one) for one in (out / "agent-hooks.jsonl").read_bytes().splitlines()]
    own = [one["metadata"]["dev.hookstream"] for one in events]
    return {(one["machine_id"], one.get("call_id")) for one in own}


@pytest.mark.parametrize(
    "form", ["plain", "bom", "surrogate", "captured", "wrapped", "bare aarts", "escaped value"]
)
def test_a_line_that_names_a_registered_machine_is_refused_with_its_reason(
    centre: Centre, form: str
) -> None:
    status, said = centre.ship("laptop-b", FORMS[form](ID_A), text(event(ID_B)))
    assert (status, said["taken"], said["foreign"]) == (422, 1, 1)
    assert said["refused"] == [
        {"place": 0, "reason": "it names a machine that belongs to another credential"}
    ]
    # sent again, it is refused again, never a duplicate that was taken
    again = centre.ship("laptop-b", FORMS[form](ID_A), text(event(ID_B)))
    assert (again[0], again[1]["duplicates"]) == (422, 1)
    (row,) = machines(str(centre.fleet / "fleet.db"))
    assert row["foreign_lines"] == 2
    assert centre.intake.counts["foreign"] == 2
    assert any("refused" in note for note in centre.notes)
    kept = [json.loads(one) for one in centre.lines("laptop-b", "agent-hooks-refused.jsonl")]
    assert {one["event_type"] for one in kept} == {"vendor.hookstream.LineRefused"}
    assert len({one["event_id"] for one in kept}) == 1
    assert ID_A not in json.dumps(kept)


def test_nobody_takes_an_id_by_coming_first(centre: Centre) -> None:
    """One line of B under A's unregistered id, then A's own: nothing of A's is lost or moved."""
    unknown = "machine-" + "7" * 16
    centre.ship("laptop-b", text(event(unknown, 9)))
    sent = [text(event(unknown, n)) for n in range(50)]
    assert centre.ship("laptop-a", *sent) == (200, {"taken": 50, "duplicates": 0, "foreign": 0})
    assert centre.lines("laptop-a") == sent


def test_60_000_ids_cost_nothing_that_stays(centre: Centre) -> None:
    for first in range(0, 60_000, 10_000):
        sent = [text(captured_by(n)) for n in range(first, first + 10_000)]
        centre.intake.buckets.clear()
        centre.ship("laptop-b", *sent, first=first)
    assert len(centre.intake.seen.claims["laptop-b"]) == 64
    with sqlite3.connect(centre.fleet / "fleet.db") as db:
        assert db.execute("select count(*) from claims").fetchone() == (64,)


def captured_by(number: int) -> dict[str, Any]:
    return {"vendor": "codex", "machine": f"m{number}", "payload": {}}


def test_registered_ids_are_written_for_who_reads_and_changes_are_seen(tmp_path: Path) -> None:
    own = "machine-" + "3" * 16
    centre = Centre(tmp_path, f"laptop-c {digest_of(b'c' * 30)} id={own},other")
    assert registered(str(centre.fleet)) == {"laptop-c": (own, "other")}
    assert {one.stat().st_mode & 0o777 for one in centre.fleet.glob("fleet.*")} == {0o600}
    assert centre.ship("laptop-c", text(event("other")))[0] == 200
    assert centre.ship("laptop-b", text(event("OTHER")), first=1)[0] == 422
    owner = owner_of(centre.fleet / "laptop-c" / "agent-hooks.jsonl")
    assert owner is not None
    assert (owner.name, owner.machine_id) == ("laptop-c", own)
    credentials(tmp_path, f"laptop-c {digest_of(b'c' * 30)}")
    centre.intake.senders.refresh()
    assert registered(str(centre.fleet)) == {}


@pytest.mark.parametrize(
    "rows",
    [
        ("x {0} id=one", "y {1} id=one"),
        ("x {0}", "y {1} id=x"),
        ("fleet.db {0}",),
        ("Fleet.JSON {0}",),
        ("* {0} id=one",),
        ("x {0} id=",),
        ("laptop-A {0}",),
    ],
)
def test_a_file_of_credentials_that_gives_one_id_to_two_machines_is_refused(
    tmp_path: Path, rows: tuple[str, ...]
) -> None:
    from hookstream.core.errors import HookstreamError

    made = [row.format(digest_of(b"1"), digest_of(b"2")) for row in rows]
    with pytest.raises(HookstreamError, match="machines"):
        Senders(str(credentials(tmp_path, *made)))


@pytest.mark.parametrize(
    ("named", "status"),
    [("laptop-a", 403), ("LAPTOP-A", 403), ("gone", 403), ("fleet.db", 400), ("fleet.json", 400)],
)
def test_a_shared_token_names_no_machine_that_has_a_line(
    tmp_path: Path, named: str, status: int
) -> None:
    senders = Senders(str(credentials(tmp_path, f"gone {digest_of(b'x')} revoked")))
    with pytest.raises(HttpError) as refused:
        senders.identify(TOKENS["shared"], None, named)
    assert refused.value.status == status
    assert refused.value.reason
    assert senders.identify(TOKENS["shared"], None, "laptop-9").machine == "laptop-9"


def test_a_certificate_of_anybody_names_no_machine_that_has_a_line(tmp_path: Path) -> None:
    senders = Senders(str(credentials(tmp_path, "* cert:*")))
    certificate = {"subjectAltName": (("DNS", "laptop-a"),)}
    with pytest.raises(HttpError) as refused:
        senders.identify(b"", certificate, "x")
    assert refused.value.status == 403


def test_links_in_the_fleets_folder_are_neither_written_nor_read(
    tmp_path: Path, centre: Centre
) -> None:
    from hookstream.core.errors import NothingToRead
    from hookstream.core.sources import find

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "agent-hooks.jsonl").write_bytes(text(event(ID_A)) + b"\n")
    (centre.fleet / "laptop-b").symlink_to(elsewhere)
    with pytest.raises(HttpError) as refused:
        centre.ship("laptop-b", text(event(ID_B)))
    assert refused.value.status == 503
    assert any("symbolic link" in note for note in centre.notes)
    centre.ship("laptop-a", text(event(ID_A)))
    (centre.fleet / "laptop-a" / "more.jsonl").symlink_to(elsewhere / "agent-hooks.jsonl")
    expected = [centre.fleet / "laptop-a" / "agent-hooks.jsonl"]
    assert find([str(centre.fleet)]) == expected
    assert find([f"{centre.fleet}/*/*.jsonl"]) == expected
    with pytest.raises(NothingToRead, match="link"):
        find([f"{centre.fleet}/laptop-b/agent-hooks.jsonl"])
    with open_stream(centre.fleet) as stream:
        assert ask_sql(stream, "select count(*) from events").rows == [(1,)]


def test_what_an_earlier_version_kept_apart_is_read_as_its_senders(tmp_path: Path) -> None:
    folder = tmp_path / "fleet" / "laptop-a"
    folder.mkdir(parents=True)
    (folder / "foreign.lines").write_bytes(text(event(ID_A, 5)) + b"\n")
    with sqlite3.connect(tmp_path / "fleet" / "fleet.db") as db:
        db.execute("create table identities (machine_id text primary key, machine text)")
        db.execute("insert into identities values ('machine-x', 'laptop-b')")
    centre = Centre(tmp_path)
    assert centre.lines("laptop-a", "agent-hooks-foreign.jsonl") == [text(event(ID_A, 5))]
    assert centre.intake.seen.claims == {"laptop-b": {"machine-x"}}
    SeenFile(str(centre.fleet)).close()


def test_a_claim_stays_beside_the_owner(tmp_path: Path) -> None:
    record = read_record(text(event("machine-" + "9" * 16)))
    made = pipeline("hash", Owner("laptop-b"))
    (found,) = made.take_all([record])[0]
    assert found.facts["machine_id"] == ID_B
    assert found.facts["claimed_machine_id"] == "machine-" + "9" * 16


def test_refused_lines_are_a_gap_of_the_lake_and_no_session(
    tmp_path: Path, centre: Centre, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "key").write_bytes(KEY)
    (tmp_path / "key").chmod(0o600)
    centre.ship("laptop-b", *(text(event(ID_A, n)) for n in range(3)), text(event(ID_B, 9)))
    lake = tmp_path / "lake"
    execute(
        Job([str(centre.fleet)], [f"parquet:{lake}"], now=NOW, pseudonym_key_file=tmp_path / "key")
    )
    with open_stream(lake) as stream:
        sql = "select gap, machine_id, count from gaps where gap = 'refused_lines'"
        assert ask_sql(stream, sql).rows == [("refused_lines", ID_B, 3)]
        sessions = ask_sql(stream, "select machine_id, tool from sessions").rows
        assert sessions == [(ID_B, "claude-code")]
        rest = ask_sql(stream, "select count(*) from gaps where tool = 'hookstream'").rows
    assert rest == [(0,)]


def test_questions_to_the_folder_itself_know_of_refused_lines(
    tmp_path: Path, centre: Centre
) -> None:
    centre.ship("laptop-b", text(event(ID_A, 1)), text(event(ID_B, 9)))
    with open_stream(centre.fleet) as stream:
        assert stream.broken == []
        sql = "select machine_id, count from gaps where gap = 'refused_lines'"
        ((machine, count),) = ask_sql(stream, sql).rows
        assert ask_sql(stream, "select distinct machine_id from calls").rows == [(machine,)]
    assert count == 1
