"""`hookstream serve`: the resident collector. It only appends to the log; `run` delivers."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import signal
import ssl
import sys
import time

from hookstream.capture.collector.handler import Handler
from hookstream.capture.collector.http import HttpServer
from hookstream.capture.collector.routes import Routes
from hookstream.capture.collector.socket_server import SocketServer
from hookstream.capture.hook.client import socket_path
from hookstream.capture.log.place import state_folder
from hookstream.errors import HookstreamError
from hookstream.redaction.keys import load_key

DRAIN_S = 1.5
TOKEN_VARIABLE = "HOOKSTREAM_TOKEN"  # noqa: S105  the name of a variable
TOKEN_BYTES = 16
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Address:
    """HOST:PORT of the HTTP side."""

    __slots__ = ("host", "port")

    def __init__(self, text: str) -> None:
        host, colon, port = text.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not port.isdigit() or int(port) > 65535:
            raise HookstreamError(f"--http: {text!r} is no HOST:PORT")
        self.host = host
        self.port = int(port)

    @property
    def is_loopback(self) -> bool:
        """Only this machine can reach it; a name other than localhost is not looked up."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


class Options:
    """What `serve` was asked for; `http` None: no HTTP."""

    def __init__(
        self,
        socket: str | None = None,
        http: str | None = None,
        token_file: str | None = None,
        log: str | None = None,
        tls_cert: str | None = None,
        tls_key: str | None = None,
        body_limit: int | None = None,
        names: tuple[str, ...] = (),
    ) -> None:
        self.socket = socket
        self.http = Address(http) if http else None
        self.token_file = token_file
        self.log = log
        self.tls_cert = tls_cert
        self.tls_key = tls_key
        self.body_limit = body_limit
        self.names = names


def token_of(options: Options) -> bytes:
    """The bearer token: the file, else the environment, else one made at first run.

    Never from the arguments, which every user of the machine can read. Raises HookstreamError for
    a file that others can read and for a token under 16 bytes.
    """
    if options.token_file is not None:
        return load_key(options.token_file)
    named = os.environ.get(TOKEN_VARIABLE)
    if named:
        if len(named) < TOKEN_BYTES:
            raise HookstreamError(f"{TOKEN_VARIABLE}: needs at least {TOKEN_BYTES} bytes")
        return named.encode()
    if options.http is not None and not options.http.is_loopback:
        raise HookstreamError(
            f"--http {options.http.host}: not loopback; needs --token-file or {TOKEN_VARIABLE}"
        )
    return load_key(default_token_path(), create=True)


def default_token_path() -> str:
    """collector.token in the state folder."""
    state = state_folder()
    if state is None:
        raise HookstreamError("no home folder for the token; use --token-file")
    return os.path.join(state, "collector.token")


def tls_of(options: Options) -> ssl.SSLContext | None:
    """TLS 1.2 or later with the given certificate. Raises HookstreamError where an address that
    others can reach has none."""
    if options.tls_cert is None:
        if options.http is not None and not options.http.is_loopback:
            raise HookstreamError(
                f"--http {options.http.host}: not loopback; needs --tls-cert and --tls-key"
            )
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(options.tls_cert, options.tls_key)
    except (OSError, ssl.SSLError) as error:
        raise HookstreamError(f"--tls-cert: {error.strerror or error}") from None
    return context


def default_socket() -> str:
    path = socket_path(dict(os.environb))
    if path is None:
        raise HookstreamError("no home folder for the socket; use --socket")
    return os.fsdecode(path)


def serve(options: Options) -> None:
    """Runs until SIGTERM or SIGINT, then serves who is inside and ends within two seconds."""
    if not hasattr(os, "fork"):
        raise HookstreamError("serve needs Unix sockets")
    if options.http is not None:
        tls_of(options)  # refuse before anything listens
    asyncio.run(_serve(options))
    sys.stderr.flush()
    # A worker that still hangs in a system call must not hold the end back.
    os._exit(0)


async def _serve(options: Options) -> None:
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    handler = Handler(options.log)
    handler.preload()
    http = _http(options, handler) if options.http is not None else None
    hooks = SocketServer(options.socket or default_socket(), handler)
    hooks.start()
    where = [f"unix:{hooks.path}"]
    if http is not None and options.http is not None:
        scheme = "https" if http.tls is not None else "http"
        host = f"[{options.http.host}]" if ":" in options.http.host else options.http.host
        where.append(f"{scheme}://{host}:{http.port}")
    print(f"listening on {' and '.join(where)}", file=sys.stderr, flush=True)
    await done.wait()
    until = time.monotonic() + DRAIN_S
    hooks.stop()
    if http is not None:
        try:
            await asyncio.wait_for(http.stop(), DRAIN_S)
        except TimeoutError:
            print("hookstream: some requests were cut off", file=sys.stderr)
    await hooks.drain(until)


def _http(options: Options, handler: Handler) -> HttpServer:
    assert options.http is not None
    names = {*LOOPBACK_NAMES, *(name.lower() for name in options.names)}
    if not options.http.is_loopback:
        host = options.http.host.lower()
        names = {*(name.lower() for name in options.names), f"[{host}]" if ":" in host else host}
    routes = Routes(handler)
    token, tls = token_of(options), tls_of(options)
    server = HttpServer(routes, token, frozenset(names), tls=tls, refusal=routes.refusal)
    if options.body_limit is not None:
        server.body_limit = options.body_limit
    server.start(options.http.host, options.http.port)
    return server
