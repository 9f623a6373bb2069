"""Signatures of single events, checked with hashlib and an Ed25519 library only."""

from __future__ import annotations

import json
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from hookstream.sinks import SinkError, open_sink

from .events import rendered, stream
from .ocsf_schema import flaws
from .receivers import Receiver, otlp_answer, otlp_records, serve


@pytest.fixture
def key(tmp_path: Path) -> tuple[Path, Ed25519PublicKey]:
    private = Ed25519PrivateKey.generate()
    path = tmp_path / "key.pem"
    path.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return path, private.public_key()


def opened(text: str, public: Ed25519PublicKey) -> tuple[str, dict[str, Any]]:
    """(payload type, payload) of an envelope whose signature holds."""
    envelope = json.loads(b64decode(text))
    payload, kind = b64decode(envelope["payload"]), envelope["payloadType"]
    (signature,) = envelope["signatures"]
    signed = f"DSSEv1 {len(kind)} {kind} {len(payload)} ".encode() + payload
    public.verify(b64decode(signature["sig"]), signed)
    assert signature["keyid"] == sha256(public.public_bytes_raw()).hexdigest()
    return kind, json.loads(payload)


def test_a_cloudevent_is_signed(tmp_path: Path, key: tuple[Path, Ed25519PublicKey]) -> None:
    path, public = key
    sink = open_sink(f"cloudevents:{tmp_path / 'ce'}", signing_key_file=str(path))
    sink.write(rendered(stream(3)))
    sink.close()
    for line in (tmp_path / "ce" / "cloudevents.jsonl").read_bytes().splitlines():
        event = json.loads(line)
        data = line[line.index(b'"data":') + 7 : -1]
        kind, payload = opened(event["dssematerial"], public)
        assert kind == "https://cloudevents.io/verifiability/dsse/v0.1"
        second = event["time"][:19] + "Z"
        core = [event["id"], event["source"], event["specversion"], event["type"]]
        core += [event["datacontenttype"], event["dataschema"], event["subject"], second]
        parts = [*(one.encode() for one in core), data]
        digest = sha256(b"".join(sha256(part).digest() for part in parts)).digest()
        assert b64decode(payload["core"]) == digest


def test_a_log_record_is_signed(key: tuple[Path, Ed25519PublicKey]) -> None:
    path, public = key
    items = rendered(stream(2))
    with serve(Receiver(lambda _: otlp_answer())) as far:
        sink = open_sink(f"otlp:{far.url()}", signing_key_file=str(path))
        sink.write(items)
        sink.close()
    records = [one for request in far.requests for one in otlp_records(request)]
    for item, record in zip(items, records, strict=True):
        got = {one.key: one.value.string_value for one in record.attributes}
        _, payload = opened(got["hookstream.record.dsse"], public)
        digest = sha256(item.agent_hooks).hexdigest()
        assert payload == {"event_id": item.event.facts["event_id"], "sha256": digest}
        assert got["hookstream.record.sha256"] == digest
    with pytest.raises(InvalidSignature):
        opened(got["hookstream.record.dsse"], Ed25519PrivateKey.generate().public_key())


@pytest.mark.posix("Windows has no such modes")
def test_a_key_that_others_can_read_is_refused(
    tmp_path: Path, key: tuple[Path, Ed25519PublicKey]
) -> None:
    path, _ = key
    path.chmod(0o644)
    with pytest.raises(SinkError, match="chmod 600"):
        open_sink(f"cloudevents:{tmp_path / 'ce'}", signing_key_file=str(path))
    path.write_text("no key")
    path.chmod(0o600)
    with pytest.raises(SinkError, match="PEM"):
        open_sink(f"cloudevents:{tmp_path / 'ce'}", signing_key_file=str(path))
    with pytest.raises(SinkError, match="No such file"):
        open_sink(f"cloudevents:{tmp_path / 'ce'}", signing_key_file=str(tmp_path / "none"))


def test_ocsf_events_attest_themselves_and_the_one_before(
    tmp_path: Path, key: tuple[Path, Ed25519PublicKey]
) -> None:
    path, public = key
    sink = open_sink(f"jsonl:{tmp_path}", format="ocsf", signing_key_file=str(path))
    sink.write(rendered(stream(3)))
    sink.write(rendered(stream(3)))  # again, as after a failure
    sink.close()
    lines = [json.loads(line) for line in (tmp_path / "ocsf.jsonl").read_bytes().splitlines()]
    first, again = lines[: len(lines) // 2], lines[len(lines) // 2 :]
    assert first == again and len(first) > 2
    before = None
    for document in first:
        assert flaws(document) == []
        (attestation,) = document["attestation_list"]
        fingerprint, (signature,) = attestation.pop("fingerprint"), attestation.pop("signatures")
        data = rfc8785.dumps(document)
        assert fingerprint["value"] == sha256(data).hexdigest()
        public.verify(b64decode(signature["digest"]["value"]), data)
        with pytest.raises(InvalidSignature):
            public.verify(b64decode(signature["digest"]["value"]), data + b" ")
        assert attestation["authority_uid"].endswith(sha256(public.public_bytes_raw()).hexdigest())
        assert attestation.get("prev_event") == before
        before = {
            "uid": document["metadata"]["uid"],
            "type_uid": document["type_uid"],
            "fingerprint": fingerprint,
        }


@pytest.mark.parametrize("options", [{"format": "ecs"}, {"format": "ocsf", "version": "1.8"}])
def test_a_format_without_a_place_for_a_signature_refuses_the_key(
    tmp_path: Path, key: tuple[Path, Ed25519PublicKey], options: dict[str, str]
) -> None:
    with pytest.raises(SinkError, match=r"only ocsf 1\.9"):
        open_sink(f"jsonl:{tmp_path}", signing_key_file=str(key[0]), **options)
