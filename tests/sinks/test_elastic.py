"""Elasticsearch's bulk interface: a receipt for each document, and once is once."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from typing import Any

import pytest

from hookstream.sinks import SinkError, open_sink

from .events import NOW, rendered, rich, stream
from .receivers import Bulk, Receiver, serve
from .test_ecs import check


@pytest.fixture
def far() -> Iterator[tuple[Bulk, Receiver]]:
    bulk = Bulk()
    with serve(Receiver(bulk)) as receiver:
        yield bulk, receiver


def test_documents_are_valid_ecs_under_their_event_id(far: tuple[Bulk, Receiver]) -> None:
    bulk, receiver = far
    sink = open_sink(f"elastic:{receiver.url('/es')}", now=lambda: NOW, index="agents")
    assert {r.status for r in sink.write(rendered(rich()))} == {"delivered"}
    sink.close()
    assert receiver.requests[0].path.startswith("/es/agents/_bulk?")
    for name, document in bulk.documents.items():
        check(document)
        assert document["event"]["id"] == name
        assert document["event"]["ingested"] == NOW


def test_each_document_gets_its_own_receipt(far: tuple[Bulk, Receiver]) -> None:
    bulk, receiver = far
    events = stream(6)
    names = [event.facts["event_id"] for event in events]
    bulk.poison = {
        names[1]: (400, "mapper_parsing_exception"),
        names[2]: (429, "es_rejected_execution_exception"),
        names[3]: (503, "unavailable_shards_exception"),
        names[4]: (403, "cluster_block_exception"),
    }
    sink = open_sink(f"elastic:{receiver.url()}")
    receipts = sink.write(rendered(events))
    statuses = [r.status for r in receipts]
    assert statuses == ["delivered", "rejected", "retry", "retry", "retry", "delivered"]
    assert receipts[1].reason == "400 mapper_parsing_exception"
    bulk.poison.clear()
    assert {r.status for r in sink.write(rendered(events))} == {"delivered"}
    assert sorted(bulk.documents) == sorted(names)
    sink.close()


@pytest.mark.parametrize(
    "body",
    [b"<html>", b"{}", b'{"errors":true}', b'{"errors":true,"items":[]}', b"[]", b""],
)
def test_an_answer_that_does_not_say_is_no_delivery(
    far: tuple[Bulk, Receiver], body: bytes
) -> None:
    _, receiver = far
    receiver.script = [(200, {}, body)]
    sink = open_sink(f"elastic:{receiver.url()}")
    assert {r.status for r in sink.write(rendered(stream(2)))} == {"retry"}
    sink.close()


def test_credentials_go_out_as_asked(far: tuple[Bulk, Receiver]) -> None:
    _, receiver = far
    word = "p" * 6
    for options, expected in (
        ({"token": word}, f"ApiKey {word}"),
        ({"user": "u", "password": word}, f"u:{word}"),
    ):
        sink = open_sink(f"elastic:{receiver.url()}", **options)
        sink.write(rendered(stream(1)))
        sink.close()
        sent = receiver.requests[-1].headers["authorization"]
        shown = sent if sent.startswith("ApiKey") else b64decode(sent[6:]).decode()
        assert shown == expected
    with pytest.raises(SinkError, match="https only"):
        open_sink("elastic:http://example.com:9200", user="u", password=word)


def test_ocsf_documents_fit_too(far: tuple[Bulk, Receiver]) -> None:
    bulk, receiver = far
    sink = open_sink(f"elastic:{receiver.url()}", format="ocsf")
    assert {r.status for r in sink.write(rendered(rich()))} == {"delivered"}
    sink.close()
    assert {one["metadata"]["version"] for one in bulk.documents.values()} == {"1.9.0"}
    with pytest.raises(SinkError, match="format"):
        open_sink(f"elastic:{receiver.url()}", format="native")


def test_odd_ids_stay_one_line(far: tuple[Bulk, Receiver]) -> None:
    bulk, receiver = far
    events: list[Any] = stream(1)
    events[0].facts["event_id"] = 'a"b\nc\u00e9'
    sink = open_sink(f"elastic:{receiver.url()}")
    assert sink.write(rendered(events))[0].status == "delivered"
    sink.close()
    assert list(bulk.documents) == ['a"b\nc\u00e9']
    assert json.dumps(bulk.documents)
