"""The collector's reader of HTTP against h11: it refuses what h11 refuses, and reads the same."""

from __future__ import annotations

import asyncio

import h11
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookstream.capture.collector.http_messages import (
    HttpError,
    HttpRequest,
    body_length,
    is_chunked_export,
    parse_head,
    read_chunks,
)

LIMIT = 1 << 16
END = b"\r\n\r\n"


async def read(data: bytes) -> HttpRequest:
    """The first request of a connection's bytes, as the server reads it."""
    reader = asyncio.StreamReader(limit=LIMIT)
    reader.feed_data(data)
    reader.feed_eof()
    request = parse_head(await reader.readuntil(END))
    if is_chunked_export(request):
        request.body = await read_chunks(reader, LIMIT)
    else:
        request.body = await reader.readexactly(body_length(request.headers, LIMIT))
    return request


def ours(data: bytes) -> HttpRequest | None:
    try:
        return asyncio.run(read(data))
    except (HttpError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        return None


def oracle(data: bytes) -> tuple[bytes, bytes, dict[bytes, bytes], bytes] | None:
    """What h11 reads of them; None if it refuses them or waits for more."""
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    request, body = None, b""
    try:
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Request):
                request = event
            elif isinstance(event, h11.Data):
                body += bytes(event.data)
            elif isinstance(event, h11.EndOfMessage):
                break
            else:
                return None
    except h11.RemoteProtocolError:
        return None
    assert request is not None
    headers: dict[bytes, list[bytes]] = {}
    for name, value in request.headers:
        headers.setdefault(name, []).append(value)
    joined = {name: b", ".join(values) for name, values in headers.items()}
    return request.method, request.target, joined, body


BLANKS = st.sampled_from(["", " ", "\t", "  "])
ODD = st.sampled_from(
    ["", "", "", "", "\n", "\r", "\0", " ", "\t", "\x0b", "\x7f", "\x85", "\xa0", "\r\n ", "\r\n"]
)
METHODS = st.sampled_from(["POST", "POST", "POST", "GET", "post", "P OST", "PÖST", "", "POST\0"])
TARGETS = st.sampled_from(
    ["/v1/logs", "/v1/logs", "/hook", "/", "", "*", "http://localhost/hook", "/a b", "/\x01", "/é"]
)
VERSIONS = st.sampled_from(["HTTP/1.1"] * 5 + ["HTTP/1.0", "HTTP/2.0", "http/1.1", "HTTP/1.1 "])
NAMES = st.sampled_from(
    ["Host", "Content-Length", "Transfer-Encoding", "Authorization", "X-A", "Content Type", "", ":"]
)
VALUES = st.sampled_from(
    [
        "localhost",
        "localhost:80@evil",
        "[::1]:4318",
        "a b",
        "3",
        "+3",
        "3, 3",
        "0x3",
        "chunked",
        "Chunked",
        "chunked, chunked",
        "gzip, chunked",
        "identity",
        "",
        "x\x00y",
    ]
)
FIELDS = st.builds(
    lambda name, before, colon, blank, value, after, end: (
        f"{name}{before}{colon}{blank}{value}{after}{end}"
    ),
    NAMES,
    ODD,
    st.sampled_from([":", ":", ":", ":", ""]),
    BLANKS,
    VALUES,
    ODD,
    st.sampled_from(["\r\n"] * 8 + ["\n", "\r"]),
)
BODIES = st.sampled_from(
    [
        "",
        "abc",
        "abcdef",
        "3\r\nabc\r\n0\r\n\r\n",
        "3;x=1\r\nabc\r\n0\r\n\r\n",
        "3 \r\nabc\r\n0\r\n\r\n",
        "3 ;x\r\nabc\r\n0\r\n\r\n",
        "3;x \r\nabc\r\n0;\r\n\r\n",
        " 3\r\nabc\r\n0\r\n\r\n",
        "0x3\r\nabc\r\n0\r\n\r\n",
        "3\nabc\n0\n\n",
        "3\r\nabcd\r\n0\r\n\r\n",
        "\x0b3\r\nabc\r\n0\r\n\r\n",
        "3\r\nabc\r\n0\r\nX: 1\r\n\r\n",
        "3\r\nabc\r\n0\r\nX y: 1\r\n\r\n",
        "3\r\nabc\r\n0\r\n folded\r\n\r\n",
        "-3\r\nabc\r\n0\r\n\r\n",
    ]
)
FRAMES = st.sampled_from(
    [
        "Host: localhost\r\n",
        "Host: localhost\r\nContent-Length: 3\r\n",
        "Host: localhost\r\nTransfer-Encoding: chunked\r\n",
        "",
    ]
)
REQUESTS = st.builds(
    lambda method, target, version, frame, fields, end, body: (
        f"{method} {target} {version}\r\n{frame}{''.join(fields)}{end}{body}".encode("latin-1")
    ),
    METHODS,
    TARGETS,
    VERSIONS,
    FRAMES,
    st.lists(FIELDS, max_size=3),
    st.sampled_from(["\r\n"] * 6 + ["\n", "\r\n\n"]),
    BODIES,
)


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(REQUESTS)
def test_what_h11_refuses_is_refused_and_the_rest_is_the_same(data: bytes) -> None:
    request, theirs = ours(data), oracle(data)
    if request is None:
        return
    assert theirs is not None, data
    method, target, headers, body = theirs
    assert (request.method.encode(), request.path.encode(), request.body) == (method, target, body)
    for name, value in headers.items():
        assert request.headers[name.decode()] == value.decode("latin-1")


HEAD = "POST /v1/logs HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    "fields",
    [
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
        "X-A: 1\nX-B: 2\r\n",
        "X-\0A: 1\r\n",
        "X A: 1\r\n",
        "X-A : 1\r\n",
        "Content-Length: 3\r\nContent-Length: 3\r\n",
        "Hookstream-Stream: a\r\nHookstream-Stream: b\r\n",
        "Hookstream-Machine: a\r\nHookstream-Machine: b\r\n",
        "Content-Encoding: gzip\r\nContent-Encoding: identity\r\n",
        "Content-Type: a\r\nContent-Type: b\r\n",
        "Transfer-Encoding: chunked\r\nConnection: close, Content-Type\r\n",
        "Transfer-Encoding: chunked\r\nConnection: close\r\nConnection: Hookstream-Stream\r\n",
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(fields: str) -> None:
    assert ours(f"{HEAD}{fields}\r\n3\r\nabc\r\n0\r\n\r\n".encode("latin-1")) is None


def test_a_blank_before_a_chunks_extension_is_refused() -> None:
    head = f"{HEAD}Transfer-Encoding: chunked\r\n\r\n"
    assert ours(f"{head}3 ;x\r\nabc\r\n0\r\n\r\n".encode()) is None
    assert ours(f"{head}3;x \r\nabc\r\n0\r\n\r\n".encode()) is not None


@pytest.mark.parametrize("host", ["localhost:80@evil", "a@localhost", "local host", "", "x/y"])
def test_a_host_is_a_name_and_a_port(host: str) -> None:
    assert ours(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()) is None


def test_chunks_of_an_older_protocol_are_refused() -> None:
    data = b"POST /v1/logs HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert ours(data) is None
