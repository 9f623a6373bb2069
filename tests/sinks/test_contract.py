"""The sink contract, held against every sink: what `hookstream.sinks.base` promises."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hookstream.sinks import KINDS, Adopting, Sink, SinkError, open_segment, open_sink
from hookstream.sinks.faulty import Faulty, parse

from . import receivers
from .cluster import cluster
from .events import Broken, Counting, rendered, rich, stream
from .receivers import Receiver, serve

pytestmark = pytest.mark.long


class Case:
    """A sink under test, and the ids that its far end holds, in order."""

    def __init__(
        self, uri: str, arrived: Callable[[], list[str]], far: Receiver | None, **options: Any
    ) -> None:
        self.uri = uri
        self.arrived = arrived
        self.far = far
        self.options = options

    def open(self, **more: Any) -> Sink:
        return open_sink(
            self.uri, **{"now": lambda: "2026-03-01T12:00:02.000Z", **self.options, **more}
        )


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def jsonl(tmp: Path, stack: ExitStack) -> Case:
    out = tmp / "out"
    return Case(
        f"jsonl:{out}", lambda: [e["event_id"] for e in _lines(out / "agent-hooks.jsonl")], None
    )


def parquet(tmp: Path, stack: ExitStack) -> Case:
    import pyarrow.parquet as pq

    out = tmp / "lake"

    def arrived() -> list[str]:
        found: list[str] = []
        for path in sorted(out.glob("date=*/tool=*/*.parquet")):
            found += pq.ParquetFile(path).read(["event_id"]).column(0).to_pylist()
        return found

    return Case(f"parquet:{out}", arrived, None)


def securitylake(tmp: Path, stack: ExitStack) -> Case:
    import pyarrow.parquet as pq

    out = tmp / "lake"

    def arrived() -> list[str]:
        rows = [
            row
            for path in out.glob("ext/*/*/*/*/*.parquet")
            for row in pq.ParquetFile(path).read(["time", "metadata"]).to_pylist()
        ]
        # An object is sorted by time, which is not the order in which these came.
        rows.sort(key=lambda row: row["metadata"]["correlation_uid"] or "")
        ids = [row["metadata"]["uid"] for row in rows]
        return [uid for uid in ids if not uid.endswith("/permission_mode")]

    return Case(f"securitylake:{out}", arrived, None, region="eu-1", account="123456789012")


def delta(tmp: Path, stack: ExitStack) -> Case:
    deltalake = pytest.importorskip("deltalake")
    import pyarrow.parquet as pq

    out = tmp / "table"

    def arrived() -> list[str]:
        found: list[str] = []
        table = deltalake.DeltaTable(str(out))
        for path in sorted(table.file_uris()):
            found += pq.ParquetFile(path).read(["event_id"]).column(0).to_pylist()
        return found

    return Case(f"delta:{out}", arrived, None)


def cloudevents_file(tmp: Path, stack: ExitStack) -> Case:
    out = tmp / "ce"
    return Case(
        f"cloudevents:{out}",
        lambda: [
            e["id"] for e in _lines(out / "cloudevents.jsonl") if e["type"].startswith("dev.agent")
        ],
        None,
    )


def _cloudevents_http(mode: str) -> Callable[[Path, ExitStack], Case]:
    def case(tmp: Path, stack: ExitStack) -> Case:
        far = stack.enter_context(serve(Receiver(receivers.plain)))
        return Case(
            f"cloudevents:{far.url('/in')}",
            lambda: [
                e["id"]
                for request in far.requests
                for e in receivers.cloudevents(request)
                if e["type"].startswith("dev.agent")
            ],
            far,
            mode=mode,
            timeout_s=0.5,
        )

    return case


def otlp(tmp: Path, stack: ExitStack) -> Case:
    far = stack.enter_context(serve(Receiver(lambda _: receivers.otlp_answer())))
    return Case(
        f"otlp:{far.url()}",
        lambda: [receivers.uid(r) for q in far.requests for r in receivers.otlp_records(q)],
        far,
        timeout_s=0.5,
    )


TOKEN = "collector-" + "7" * 8


def splunk(tmp: Path, stack: ExitStack) -> Case:
    collector = receivers.Collector(TOKEN)
    far = stack.enter_context(serve(Receiver(collector)))
    return Case(
        f"splunk:{far.url()}",
        lambda: [
            one["event"]["event_id"]
            for one in collector.events
            if one["sourcetype"] == "hookstream:agent_hooks"
        ],
        far,
        token=TOKEN,
        timeout_s=0.5,
    )


def elastic(tmp: Path, stack: ExitStack) -> Case:
    bulk = receivers.Bulk()
    far = stack.enter_context(serve(Receiver(bulk)))
    return Case(f"elastic:{far.url()}", lambda: list(bulk.documents), far, timeout_s=0.5)


def _webhook(body: str) -> Callable[[Path, ExitStack], Case]:
    def case(tmp: Path, stack: ExitStack) -> Case:
        far = stack.enter_context(serve(Receiver(receivers.plain)))

        def arrived() -> list[str]:
            found: list[Any] = []
            for request in far.requests:
                if body == "json":
                    found += json.loads(request.body)
                else:
                    found += [json.loads(line) for line in request.body.splitlines()]
            return [one["event_id"] for one in found if "event_id" in one]

        return Case(f"webhook:{far.url('/hook')}", arrived, far, body=body, timeout_s=0.5)

    return case


def otlp_grpc(tmp: Path, stack: ExitStack) -> Case:
    far = stack.enter_context(receivers.serve_grpc())
    return Case(f"otlp:grpc://127.0.0.1:{far.port}", far.uids, None, timeout_s=2.0)


def _formatted(format: str) -> Callable[[Path, ExitStack], Case]:
    def case(tmp: Path, stack: ExitStack) -> Case:
        out = tmp / format

        def arrived() -> list[str]:
            if format == "cef":
                path = out / "cef.log"
                text = path.read_text(encoding="utf-8") if path.exists() else ""
                return re.findall(r" externalId=(\S+)", text)
            found = _lines(out / f"{format}.jsonl")
            ids = [
                one.get("event", one.get("metadata", {})).get("id") or one["metadata"]["uid"]
                for one in found
            ]
            return [uid for uid in ids if not uid.endswith("/permission_mode")]

        return Case(f"jsonl:{out}", arrived, None, format=format)

    return case


def _syslog(format: str) -> Callable[[Path, ExitStack], Case]:
    def case(tmp: Path, stack: ExitStack) -> Case:
        far = stack.enter_context(receivers.serve_syslog(receivers.SyslogReceiver()))

        def arrived() -> list[str]:
            seen = -1
            while seen != len(far.frames):
                seen = len(far.frames)
                time.sleep(0.05)
            if format == "cef":
                text = [frame.body.decode() for frame in far.frames]
                return [found for line in text for found in re.findall(r" externalId=(\S+)", line)]
            bodies = [json.loads(frame.body) for frame in far.frames]
            return [one["event_id"] for one in bodies if "event_id" in one]

        return Case(f"syslog:tcp://127.0.0.1:{far.port}", arrived, None, format=format)

    return case


def _kafka(format: str) -> Callable[[Path, ExitStack], Case]:
    def case(tmp: Path, stack: ExitStack) -> Case:
        far = stack.enter_context(cluster())

        def arrived() -> list[str]:
            found = far.messages("agents", 0)
            if format == "cloudevents":
                headers = [dict(one.headers()) for one in found]
                return [
                    one["ce_id"].decode()
                    for one in headers
                    if one["ce_type"].startswith(b"dev.agent")
                ]
            bodies = [json.loads(one.value()) for one in found]
            return [one["event_id"] for one in bodies if "event_id" in one]

        return Case(f"kafka:{far.servers}/agents", arrived, None, format=format)

    return case


PAGE = Path(__file__).parents[2] / "docs" / "adding-a-sink.md"


def of_the_page(tmp: Path, stack: ExitStack) -> Case:
    """The sink that the page on adding one shows."""
    module = ModuleType("hookstream.sinks.acme")
    exec(PAGE.read_text("utf-8").split("```python\n")[1].split("```")[0], module.__dict__)  # noqa: S102
    patch = stack.enter_context(pytest.MonkeyPatch.context())
    patch.setitem(sys.modules, module.__name__, module)
    patch.setattr("hookstream.sinks.KINDS", (*KINDS, "acme"))
    path = tmp / "out" / "events.txt"

    def arrived() -> list[str]:
        text = path.read_text("utf-8") if path.exists() else ""
        return [line.split("|")[0] for line in text.splitlines()]

    return Case(f"acme:{path.parent}", arrived, None, divider="|")


FILES = {
    "jsonl": jsonl,
    "acme": of_the_page,
    "parquet": parquet,
    "delta": delta,
    "cloudevents-file": cloudevents_file,
    "ocsf-file": _formatted("ocsf"),
    "ecs-file": _formatted("ecs"),
    "cef-file": _formatted("cef"),
}
HTTP = {
    "cloudevents-structured": _cloudevents_http("structured"),
    "cloudevents-batch": _cloudevents_http("batch"),
    "cloudevents-binary": _cloudevents_http("binary"),
    "otlp": otlp,
    "splunk": splunk,
    "elastic": elastic,
    "webhook-ndjson": _webhook("ndjson"),
    "webhook-json": _webhook("json"),
    "webhook-single": _webhook("single"),
}


def hookstream(tmp: Path, stack: ExitStack) -> Case:
    far = stack.enter_context(serve(Receiver(receivers.plain)))

    def arrived() -> list[str]:
        bodies = [request.body for request in far.requests]
        return [json.loads(one)["event_id"] for body in bodies for one in body.splitlines()]

    return Case(f"hookstream:{far.url()}", arrived, far, timeout_s=0.5, machine="laptop-1")


def faulty(tmp: Path, stack: ExitStack) -> Case:
    inner = jsonl(tmp, stack)
    return Case(f"faulty:ok,slow=0:{inner.uri}", inner.arrived, None)


HTTP["hookstream"] = hookstream
OTHERS = {
    "faulty": faulty,
    "securitylake": securitylake,
    "otlp-grpc": otlp_grpc,
    "syslog": _syslog("native"),
    "syslog-cef": _syslog("cef"),
    "kafka": _kafka("native"),
    "kafka-cloudevents": _kafka("cloudevents"),
}
CASES = {**FILES, **HTTP, **OTHERS}


def _some(names: list[str]) -> Any:
    @pytest.fixture(params=names)
    def some(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Case]:
        with ExitStack() as stack:
            yield CASES[request.param](tmp_path, stack)

    return some


case = _some(list(CASES))


def test_every_kind_of_sink_has_a_case() -> None:
    """A new kind is one line in KINDS and one case here, named after it."""
    missing = set(KINDS) - {name.partition("-")[0] for name in CASES}
    assert not missing, f"add to FILES, HTTP or OTHERS of {__file__}: {sorted(missing)}"


local = _some(list(FILES))
plain = _some(["jsonl", "parquet", "cloudevents-file"])  # those that carry the line itself
remote = _some(list(HTTP))


def ids(events: list[Any]) -> list[str]:
    return [event.facts["event_id"] for event in events]


def same_day(count: int) -> list[Any]:
    return [
        event for event in stream(count * 3) if event.facts["timestamp"].startswith("2026-03-01")
    ]


def test_it_answers_one_receipt_a_record_and_the_far_end_has_them_in_order(case: Case) -> None:
    events = same_day(40)
    sink = case.open()
    for at in range(0, len(events), 7):
        batch = rendered(events[at : at + 7])
        assert [receipt.status for receipt in sink.write(batch)] == ["delivered"] * len(batch)
    sink.flush()
    assert case.arrived() == ids(events)
    sink.close()
    assert case.arrived() == ids(events)


def test_it_is_a_sink_and_says_how_it_was_asked_for(case: Case) -> None:
    sink = case.open()
    assert isinstance(sink, Sink)
    assert sink.uri == case.uri
    sink.close()


def test_an_empty_batch_has_no_receipts_and_sends_nothing(case: Case) -> None:
    sink = case.open()
    assert sink.write([]) == []
    sink.close()
    assert case.arrived() == []


def test_it_carries_every_kind_of_event(case: Case) -> None:
    events = rich()
    sink = case.open()
    assert {receipt.status for receipt in sink.write(rendered(events))} == {"delivered"}
    sink.close()
    assert sorted(case.arrived()) == sorted(ids(events))


def test_closing_twice_is_allowed_and_closing_delivers(case: Case) -> None:
    sink = case.open()
    sink.write(rendered(same_day(3)))
    sink.close()
    sink.close()
    assert len(case.arrived()) == 3


def test_flush_may_be_called_with_nothing_to_do_and_again(case: Case) -> None:
    sink = case.open()
    sink.flush()
    sink.write(rendered(same_day(2)))
    sink.flush()
    sink.flush()
    assert len(case.arrived()) == 2
    sink.close()


def test_what_was_flushed_survives_a_process_that_ends_without_closing(local: Case) -> None:
    if sys.platform == "win32":
        pytest.skip("needs fork")
    if local.uri.startswith("delta:"):
        pytest.skip("its library refuses a forked process; test_delta.py kills one of its own")
    events = same_day(5)
    pid = os.fork()
    if pid == 0:
        sink = local.open()
        sink.write(rendered(events))
        sink.flush()
        sink.write(rendered(same_day(6)[5:]))
        os.kill(os.getpid(), 9)
    os.waitpid(pid, 0)
    assert local.arrived()[:5] == ids(events)
    again = local.open()
    again.write(rendered(same_day(6)[5:]))
    again.close()
    assert set(ids(events)) <= set(local.arrived())


def test_only_the_asked_standard_is_rendered_and_only_once(case: Case) -> None:
    items = [Counting(event) for event in same_day(3)]
    sink = case.open(standard="agent-hooks")
    sink.write(list(items))
    sink.close()
    assert all(item.asked["aarts"] == 0 for item in items)


def test_rejection_records_never_break_a_sink(case: Case) -> None:
    sink = case.open()
    sink.reject([b'{"reason":"not_an_object"}'])
    sink.write(rendered(same_day(1)))
    sink.close()
    assert len(case.arrived()) == 1


def test_a_second_run_adds_and_changes_nothing_of_the_first(local: Case) -> None:
    events = same_day(4)
    for half in (events[:2], events[2:]):
        sink = local.open()
        sink.write(rendered(half))
        sink.close()
    assert local.arrived() == ids(events)


@pytest.mark.parametrize("word", ["reset", "half", "stall", "trickle"])
def test_a_far_end_that_breaks_off_is_retried_and_then_delivered(remote: Case, word: str) -> None:
    assert remote.far is not None
    remote.far.script = [word, word]  # a kept connection is tried once more
    sink = remote.open()
    batch = rendered(same_day(2))
    assert {receipt.status for receipt in sink.write(batch)} == {"retry"}
    remote.far.script = []
    remote.far.requests.clear()
    assert {receipt.status for receipt in sink.write(batch)} == {"delivered"}
    sink.close()
    assert remote.arrived() == ids([item.event for item in batch])


@pytest.mark.parametrize(
    ("status", "header", "expected"),
    [
        (503, "7", 7.0),
        (429, "99999999999999999999", 300.0),
        (503, "-5", 1.0),
        (503, "soon", 1.0),
        (503, "Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        (503, "Fri, 31 Dec 9999 23:59:59 GMT", 300.0),
        (500, None, 1.0),
    ],
)
def test_a_busy_far_end_is_asked_again_after_a_bounded_wait(
    remote: Case, status: int, header: str | None, expected: float
) -> None:
    assert remote.far is not None
    remote.far.script = [(status, {} if header is None else {"Retry-After": header}, b"later")]
    sink = remote.open()
    receipts = sink.write(rendered(same_day(3)))
    assert [(r.status, r.after_s) for r in receipts] == [("retry", expected)] * 3
    assert len(remote.far.requests) == 1  # behind a retry nothing is sent
    sink.close()


@pytest.mark.parametrize("status", [301, 302, 307, 308, 401, 403, 404])
def test_a_wrong_address_or_credential_costs_no_record(remote: Case, status: int) -> None:
    assert remote.far is not None
    remote.far.script = [(status, {"Location": remote.far.url("/elsewhere")}, b"")]
    sink = remote.open()
    assert {r.status for r in sink.write(rendered(same_day(2)))} == {"retry"}
    assert [request.path for request in remote.far.requests] == [remote.far.requests[0].path]
    sink.close()


def test_a_poison_record_is_found_and_its_neighbours_arrive(remote: Case) -> None:
    assert remote.far is not None
    events = same_day(9)
    poison = events[4].facts["event_id"].encode()
    fine = remote.far.answer
    remote.far.answer = lambda q: (400, {}, b"no") if poison in q.body else fine(q)
    sink = remote.open()
    receipts = sink.write(rendered(events))
    assert [r.status for r in receipts] == ["delivered"] * 4 + ["rejected"] + ["delivered"] * 4
    assert "400" in receipts[4].reason
    sink.close()


def test_nobody_listening_is_a_retry(remote: Case) -> None:
    assert remote.far is not None
    dead = remote.uri.replace(str(remote.far.port), "9")
    sink = open_sink(dead, **remote.options)
    assert {r.status for r in sink.write(rendered(same_day(2)))} == {"retry"}
    sink.close()


def test_secrets_have_no_place_in_an_address_or_on_a_plain_wire(remote: Case) -> None:
    kind = remote.uri.partition(":")[0]
    word = "hush" + "hush"
    for uri in (
        f"{kind}:https://user:{word}@example.com/",
        f"{kind}:https://example.com/?access_token={word}",
    ):
        with pytest.raises(SinkError) as refused:
            open_sink(uri)
        assert word not in str(refused.value)
    with pytest.raises(SinkError, match="https only"):
        open_sink(f"{kind}:http://example.com/", token=word)


@pytest.mark.posix("POSIX permissions")
def test_files_and_folders_are_private(local: Case, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        sink = local.open()
        sink.write(rendered(same_day(2)))
        sink.close()
    finally:
        os.umask(before)
    made = list(tmp_path.rglob("*"))
    assert any(path.is_file() for path in made)
    for path in made:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o600 if path.is_file() else 0o700), path


@pytest.mark.posix("no locks there")
def test_two_runs_do_not_write_one_folder_at_once(local: Case) -> None:
    first = local.open()
    with pytest.raises(SinkError, match="another run"):
        local.open()
    first.close()
    local.open().close()


BROKEN = [
    b'{"a":9007199254740993}',
    b'{"a":1e999}',
    b'{"a":"\\ud800"}',
    b'{"a":' * 65 + b"1" + b"}" * 65,
    b'{"a":"' + b"x" * (1 << 20) + b'"}',
    b'{"a":"\xc3\xa9"}',
    b'{"a":1}\n{"b":2}',
    b"{'a': 1}",
]


@pytest.mark.parametrize("line", BROKEN, ids=lambda line: line[:24].decode("latin-1"))
def test_a_line_that_could_blind_a_reader_is_rejected_alone(plain: Case, line: bytes) -> None:
    good = same_day(2)
    sink = plain.open(standard="agent-hooks")
    receipts = sink.write([*rendered(good[:1]), Broken(good[0], line), *rendered(good[1:])])
    assert [r.status for r in receipts] == ["delivered", "rejected", "delivered"]
    assert receipts[1].reason
    sink.close()
    assert plain.arrived() == ids(good)


def test_segments_of_several_workers_give_the_bytes_of_one_process(
    local: Case, tmp_path: Path
) -> None:
    events = [*stream(50), *rich()]
    kind = local.uri.partition(":")[0]
    small = {"group_rows": 8} if kind in ("parquet", "delta") else local.options
    one = local.open(**small)
    one.write(rendered(events))
    one.reject([b'{"reason":"x"}'])
    one.close()
    uri = f"{kind}:{tmp_path / 'again' / 'out'}"
    now = {"now": lambda: "2026-03-01T12:00:02.000Z"}
    many = open_sink(uri, **small, **now)
    assert isinstance(many, Adopting)
    for at in range(0, len(events), 11):
        folder = str(tmp_path / "private" / str(at))
        worker = open_segment(uri, folder, **small, **now)
        for item in rendered(events[at : at + 11]):
            assert worker.write([item])[0].status == "delivered"
        if at + 11 >= len(events):
            worker.reject([b'{"reason":"x"}'])
        worker.close()
        assert many.adopt(folder).status == "delivered"
        assert not Path(folder).exists()
    many.close()
    first = _bytes(Path(local.uri.partition(":")[2]))
    assert first == _bytes(tmp_path / "again" / "out")
    assert len(first) >= 1


def _bytes(folder: Path) -> dict[str, bytes]:
    """What the files hold but for the log of a Delta table, which holds the time."""
    files = [p for p in folder.rglob("*") if p.is_file() and p.parent.name != "_delta_log"]
    return {str(p.relative_to(folder)): p.read_bytes() for p in files}


def test_the_same_input_gives_the_same_bytes(local: Case, tmp_path: Path) -> None:
    kind = local.uri.partition(":")[0]
    made = []
    for name in ("a", "b"):
        sink = (
            local.open()
            if name == "a"
            else Case(f"{kind}:{tmp_path / 'b'}", local.arrived, None, **local.options).open()
        )
        for at in range(0, 30, 30 if name == "a" else 4):
            sink.write(rendered(stream(30)[at : at + (30 if name == "a" else 4)]))
        sink.close()
        made.append(_bytes(Path(sink.uri.partition(":")[2])))
    assert made[0] == made[1]


def test_a_scripted_fault_in_front_loses_nothing(case: Case) -> None:
    """The delivery loop's part, played here: what is retried is written again, in order."""
    events = same_day(12)
    script = "retry=0,short=3,ok,slow=0.01,short=1"
    sink = Faulty(case.open(), parse(script))
    waiting = rendered(events)
    while waiting:
        batch = waiting[:5]
        receipts = sink.write(batch)
        assert len(receipts) == len(batch)
        done = sum(receipt.status == "delivered" for receipt in receipts)
        waiting = waiting[done:]
    sink.close()
    assert case.arrived() == ids(events)


def test_a_lost_answer_duplicates_and_ids_remove_it(case: Case) -> None:
    events = same_day(3)
    sink = Faulty(case.open(), parse("lost"))
    assert {r.status for r in sink.write(rendered(events))} == {"retry"}
    sink.write(rendered(events))
    sink.close()
    removes = case.uri.startswith(("elastic:", "securitylake:"))  # under the id: once is once
    assert case.arrived() == ids(events) * (1 if removes else 2)
