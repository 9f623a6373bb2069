"""`hookstream serve`: the resident collector. It only appends to the log; `run` delivers."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from socket import socket as Socket  # noqa: N812
from typing import Any

from hookstream.capture.collector.figures import REPORT_S
from hookstream.capture.collector.fleet.senders import Senders
from hookstream.capture.collector.fleet.workers import Workers
from hookstream.capture.collector.handler import Handler
from hookstream.capture.collector.http import CONNECTIONS, HttpServer, listening
from hookstream.capture.collector.options import (
    Options,
    check,
    default_socket,
    tls_of,
    token_of,
)
from hookstream.capture.collector.routes import Routes
from hookstream.capture.collector.socket_server import SocketServer
from hookstream.core.errors import HookstreamError
from hookstream.core.logs import set_up

LOG = logging.getLogger("hookstream.collector")
DRAIN_S = 1.5
# Problems that are counted separately; beyond them counting starts again.
PROBLEM_KINDS = 1024
# A fleet's machines keep their connections; each costs a descriptor.
FLEET_CONNECTIONS = 4096
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def serve(options: Options) -> None:
    """Run until SIGTERM or SIGINT, then serves who is inside and ends within two seconds."""
    if not hasattr(os, "fork"):
        raise HookstreamError("serve needs Unix sockets")
    set_up(options.log_format, options.log_level)
    check(options)
    if options.http is None and options.socket == "off":
        raise HookstreamError("nothing to listen on: --socket and --http are both off")
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
    handler.noted = Problems().say
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
        grpc, address = _grpc(options, http)
        where.insert(-1, address)
    who = f"worker {slot} of {options.workers} " if options.workers > 1 else ""
    LOG.info("%slistening on %s", who, " and ".join(where))
    end_figures = _figures(options, http, slot)
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
            LOG.warning("some requests were cut off")
    if hooks is not None:
        await hooks.drain(until)
    end_figures()


def _figures(options: Options, http: HttpServer | None, slot: int) -> Callable[[], None]:
    """Send figures by OTLP if that was asked for; return the function that ends it. With a fleet's
    file one process sends those of all."""
    if options.metrics_otlp is None or http is None:
        return lambda: None
    from hookstream.delivery.metrics import send_metrics

    assert isinstance(http.respond, Routes)
    figures = http.respond.figures
    if figures.intake is not None and slot > 1:
        return lambda: None
    return send_metrics(options.metrics_otlp, figures.samples, "hookstream-serve")


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

        note = partial(handler.note_problem, None)
        senders = Senders(options.machines, note, handler.machine_ids())
        rate = options.machine_rate or RATE_BYTES
        intake = Intake(options.fleet, senders, note, rate)
        connections = FLEET_CONNECTIONS
    routes = Routes(handler, intake, slot)
    token, tls = token_of(options), tls_of(options)
    if intake is not None and intake.senders.is_credential(token):
        raise HookstreamError(
            f"{options.machines}: holds the collector's own token; give machines others"
        )
    server = HttpServer(
        routes,
        token,
        frozenset(names),
        tls=tls,
        refusal=routes.refusal,
        senders=senders,
        connections=connections,
        turns=routes.turns,
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


class Problems:
    """Log of problems as they happen. A repeated one is logged the 1st, 2nd, 4th, 8th ... time."""

    def __init__(self) -> None:
        self.counts: dict[tuple[Any, ...], int] = {}

    def say(self, entry: dict[str, Any]) -> None:
        """Log an entry of the file of errors: `problem`, and `vendor` and `event` if source."""
        source = {name: entry[name] for name in ("vendor", "event") if entry.get(name)}
        key = (entry["problem"], *source.values())
        if len(self.counts) >= PROBLEM_KINDS:
            self.counts.clear()
        count = self.counts[key] = self.counts.get(key, 0) + 1
        if count & (count - 1) == 0:
            about = " ".join(source.values())
            message = f"{about}: {entry['problem']}" if about else entry["problem"]
            LOG.warning("%s", message, extra={**source, "count": count})
