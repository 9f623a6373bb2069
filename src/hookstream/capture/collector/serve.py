"""`hookstream serve`: the resident collector. It only appends to the log; `run` delivers."""

from __future__ import annotations

import asyncio
import ipaddress
import os
import signal
import ssl
import sys
import time

from hookstream.capture.collector.figures import REPORT_S
from hookstream.capture.collector.fleet.senders import Senders
from hookstream.capture.collector.fleet.workers import Workers
from hookstream.capture.collector.handler import Handler
from hookstream.capture.collector.http import CONNECTIONS, HttpServer, listening
from hookstream.capture.collector.routes import Routes
from hookstream.capture.collector.socket_server import SocketServer
from hookstream.capture.hook.client import socket_path
from hookstream.capture.log.place import state_folder
from hookstream.errors import HookstreamError
from hookstream.redaction.keys import load_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from socket import socket as Socket  # noqa: N812
    from typing import Any

DRAIN_S = 1.5
# A fleet's machines keep their connections; each costs a descriptor.
FLEET_CONNECTIONS = 4096
TOKEN_VARIABLE = "HOOKSTREAM_TOKEN"  # noqa: S105  the name of a variable
TOKEN_BYTES = 16
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Address:
    """HOST:PORT, as `option` names it."""

    __slots__ = ("host", "port")

    def __init__(self, text: str, option: str = "--http") -> None:
        host, colon, port = text.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not port.isdigit() or int(port) > 65535:
            raise HookstreamError(f"{option}: {text!r} is no HOST:PORT")
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
    """What `serve` was asked for; `http` None: no HTTP; `socket` "off": none for hooks."""

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
        machines: str | None = None,
        fleet: str | None = None,
        client_ca: str | None = None,
        workers: int = 1,
        machine_rate: int | None = None,
        otlp_grpc: str | None = None,
    ) -> None:
        self.socket = socket
        self.http = Address(http) if http else None
        self.token_file = token_file
        self.log = log
        self.tls_cert = tls_cert
        self.tls_key = tls_key
        self.body_limit = body_limit
        self.names = names
        # A fleet's centre: the credentials of its machines, the folder of their logs, the CAs of
        # their certificates, and bytes a second that each may send for long.
        self.machines = machines
        self.fleet = fleet
        self.client_ca = client_ca
        self.workers = workers
        self.machine_rate = machine_rate
        self.otlp_grpc = Address(otlp_grpc, "--otlp-grpc") if otlp_grpc else None


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
    if options.client_ca is not None:
        context.verify_mode = ssl.CERT_OPTIONAL  # a machine may have a token instead
        try:
            context.load_verify_locations(options.client_ca)
        except (OSError, ssl.SSLError) as error:
            raise HookstreamError(f"--client-ca: {error.strerror or error}") from None
    return context


def default_socket() -> str:
    path = socket_path(dict(os.environb))
    if path is None:
        raise HookstreamError("no home folder for the socket; use --socket")
    return os.fsdecode(path)


def serve(options: Options) -> None:
    """Run until SIGTERM or SIGINT, then serves who is inside and ends within two seconds."""
    if not hasattr(os, "fork"):
        raise HookstreamError("serve needs Unix sockets")
    check(options)
    socks: list[Socket] = []
    if options.http is not None:
        tls_of(options)  # refuse before anything listens
        token_of(options)
        socks = listening(options.http.host, options.http.port)
    if options.workers > 1:

        def work(slot: int, parent: int) -> None:
            asyncio.run(_serve(options, socks, slot, parent))

        code = Workers(options.workers, work).run()
    else:
        asyncio.run(_serve(options, socks, 1))
        code = 0
    sys.stderr.flush()
    # A worker that still hangs in a system call must not hold the end back.
    os._exit(code)


def check(options: Options) -> None:
    """Options that need each other. HookstreamError."""
    if (options.machines is None) != (options.fleet is None):
        raise HookstreamError("--machines and --fleet belong together: who may ship, and where to")
    if options.machines is not None:
        if options.http is None:
            raise HookstreamError("--machines: needs --http")
        Senders(options.machines)
    if options.client_ca is not None and (options.machines is None or options.tls_cert is None):
        raise HookstreamError("--client-ca: needs --machines and --tls-cert")
    if options.workers > 1 and options.http is None:
        raise HookstreamError("--workers: needs --http")
    if options.otlp_grpc is not None:
        if options.http is None:
            raise HookstreamError("--otlp-grpc: needs --http")
        if not options.otlp_grpc.is_loopback and options.tls_cert is None:
            raise HookstreamError("--otlp-grpc: not loopback; needs --tls-cert and --tls-key")


async def _serve(
    options: Options, socks: list[Socket], slot: int, parent: int | None = None
) -> None:
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, done.set)
    if parent is not None:
        loop.add_reader(parent, done.set)
    handler = Handler(options.log)
    if options.socket != "off":
        handler.preload()  # a centre without hooks rarely redacts
    http = _http(options, handler, socks, slot) if options.http is not None else None
    hooks = None
    where = []
    # Hooks find their collector at one path: one process has it.
    if options.socket != "off" and slot == 1:
        hooks = SocketServer(options.socket or default_socket(), handler)
        hooks.start()
        where.append(f"unix:{hooks.path}")
    if http is not None and options.http is not None:
        scheme = "https" if http.tls is not None else "http"
        host = f"[{options.http.host}]" if ":" in options.http.host else options.http.host
        where.append(f"{scheme}://{host}:{http.port}")
    grpc = None
    # Spans of one call may come in several exports: one process remembers them.
    if http is not None and options.otlp_grpc is not None and slot == 1:
        grpc, place = _grpc(options, http)
        where.insert(-1, place)
    who = f"worker {slot} of {options.workers} " if options.workers > 1 else ""
    print(f"{who}listening on {' and '.join(where)}", file=sys.stderr, flush=True)
    await done.wait()
    until = time.monotonic() + DRAIN_S
    if hooks is not None:
        hooks.stop()
    if grpc is not None:
        grpc.stop(DRAIN_S)
    if http is not None:
        try:
            await asyncio.wait_for(http.stop(), DRAIN_S)
        except TimeoutError:
            print("hookstream: some requests were cut off", file=sys.stderr)
    if hooks is not None:
        await hooks.drain(until)


def _grpc(options: Options, http: HttpServer) -> tuple[Any, str]:
    """The gRPC side of OTLP, and its address."""
    from hookstream.capture.collector.otlp_grpc import started

    assert options.otlp_grpc is not None
    assert isinstance(http.respond, Routes)
    host = options.otlp_grpc.host
    tls = None if options.tls_cert is None else (options.tls_cert, options.tls_key)
    server, port = started(http.respond.otlp, host, options.otlp_grpc.port, http.token, tls)
    return server, f"grpc{'s' if tls else ''}://{f'[{host}]' if ':' in host else host}:{port}"


def _http(options: Options, handler: Handler, socks: list[Socket], slot: int) -> HttpServer:
    assert options.http is not None
    names = {*LOOPBACK_NAMES, *(name.lower() for name in options.names)}
    if not options.http.is_loopback:
        host = options.http.host.lower()
        names = {*(name.lower() for name in options.names), f"[{host}]" if ":" in host else host}
    senders = intake = None
    connections = CONNECTIONS
    if options.machines is not None and options.fleet is not None:
        from hookstream.capture.collector.fleet.intake import RATE_BYTES, Intake

        senders = Senders(options.machines, lambda text: handler.note_problem(None, text))
        rate = options.machine_rate or RATE_BYTES
        intake = Intake(options.fleet, senders, lambda text: handler.note_problem(None, text), rate)
        connections = FLEET_CONNECTIONS
    routes = Routes(handler, intake, slot)
    token, tls = token_of(options), tls_of(options)
    server = HttpServer(
        routes,
        token,
        frozenset(names),
        tls=tls,
        refusal=routes.refusal,
        senders=senders,
        connections=connections,
    )
    if options.body_limit is not None:
        server.body_limit = options.body_limit
    server.start(socks)
    if options.workers > 1:
        reports = asyncio.get_running_loop().create_task(report(routes))
        server.tasks.append(reports)
    return server


async def report(routes: Routes) -> None:
    """Write a worker's figures down now and then, for whichever is asked for all."""
    loop = asyncio.get_running_loop()
    while True:
        await loop.run_in_executor(routes.pool, routes.figures.report)
        await asyncio.sleep(REPORT_S)
