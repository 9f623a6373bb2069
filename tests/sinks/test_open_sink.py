"""`open_sink`: what a URI may be, and one line of help where it is none."""

from __future__ import annotations

import re
import shutil
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.sinks import SinkError, open_segment, open_sink

from .events import rendered, stream
from .receivers import Receiver, otlp_answer, serve


@pytest.mark.parametrize(
    "uri",
    [
        *("", "out", "jsonl", "jsonl:", "parquet:", "ftp:x", "out\n: x", "nobody:" + "pw@host"),
        *("otlp:", "otlp:host:4318", "otlp:ftp://h", "otlp:http://a b/", "otlp:http://[::1"),
        *("otlp:http://h:99999/", "cloudevents:http://", "faulty:ok", "faulty:boom:jsonl:x"),
    ],
)
def test_a_wrong_uri_is_one_line_that_helps(uri: str) -> None:
    with pytest.raises(SinkError) as refused:
        open_sink(uri)
    text = str(refused.value)
    assert "\n" not in text
    assert len(text) > 10
    assert "pw@" not in text


def test_an_unknown_standard_or_option_is_named(tmp_path: Path) -> None:
    with pytest.raises(SinkError, match="'xml': no such standard"):
        open_sink(f"jsonl:{tmp_path}", standard="xml")
    with pytest.raises(SinkError, match=r"no option 'tokn'; did you mean token\?"):
        open_sink("otlp:http://localhost:4318", tokn="x")


def test_common_options_are_dropped_where_they_mean_nothing(tmp_path: Path) -> None:
    open_sink(f"jsonl:{tmp_path}", now=lambda: "x", installation="i").close()


def test_segments_exist_for_files_only(tmp_path: Path) -> None:
    for uri in ("otlp:http://localhost:4318", "cloudevents:http://localhost/"):
        with pytest.raises(SinkError, match="several processes"):
            open_segment(uri, str(tmp_path))


def test_opening_a_sink_imports_only_what_it_needs() -> None:
    code = (
        "import sys; from hookstream.sinks import open_sink; import tempfile\n"
        "open_sink('jsonl:' + tempfile.mkdtemp()).close()\n"
        "print([m for m in ('pyarrow', 'duckdb', 'opentelemetry', 'ssl') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
def test_certificates_are_verified(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-keyout", str(key), "-out", str(cert), "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    with serve(Receiver(lambda _: otlp_answer()), context) as far:
        uri = f"otlp:https://localhost:{far.port}"
        statuses = {}
        for name, options in (("unknown", {}), ("known", {"ca_file": str(cert)})):
            sink = open_sink(uri, token="t", timeout_s=2.0, **options)
            statuses[name] = sink.write(rendered(stream(1)))[0]
            sink.close()
        wrong = open_sink(uri.replace("localhost", "127.0.0.1"), ca_file=str(cert), timeout_s=2.0)
        statuses["wrong name"] = wrong.write(rendered(stream(1)))[0]
        wrong.close()
    assert {name: receipt.status for name, receipt in statuses.items()} == {
        "unknown": "retry",
        "known": "delivered",
        "wrong name": "retry",
    }
    assert "certificate" in statuses["unknown"].reason.lower()
    assert len(far.requests) == 1
    none, text = tmp_path / "none.pem", tmp_path / "text.pem"
    text.write_text("no certificate")
    for files, said in (
        ({"ca_file": none}, f"ca_file {none}: No such file"),
        ({"ca_file": text}, f"ca_file {text}: holds no certificate"),
        ({"cert_file": none}, f"cert_file {none}: No such file"),
        ({"cert_file": cert, "key_file": none}, f"key_file {none}: No such file"),
        ({"cert_file": cert, "key_file": text}, f"cert_file {cert} and key_file {text}: not"),
    ):
        with pytest.raises(SinkError, match=re.escape(said)):
            open_sink(uri, **{name: str(path) for name, path in files.items()})
