"""Options of `hookstream serve`, and what they need of each other."""

from __future__ import annotations

import os
import ssl

from hookstream.capture.collector.fleet.senders import Senders
from hookstream.capture.hook.client import socket_path
from hookstream.core.errors import HookstreamError
from hookstream.core.folders import state_folder
from hookstream.core.loopback import is_loopback
from hookstream.redaction.keys import load_key

TOKEN_VARIABLE = "HOOKSTREAM_TOKEN"  # noqa: S105  the name of a variable
TOKEN_BYTES = 16


class ListenAddress:
    """HOST:PORT, as `option` names it."""

    def __init__(self, text: str, option: str = "--http") -> None:
        host, colon, port = text.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        if not colon or not host or not port.isdigit() or int(port) > 65535:
            raise HookstreamError(f"{option}: {text!r} is not a HOST:PORT")
        self.host = host
        self.port = int(port)

    @property
    def is_loopback(self) -> bool:
        """Only this machine can reach it; a name other than localhost is not looked up."""
        return is_loopback(self.host)


class Options:
    """The options of `serve`; `http` None: no HTTP; `socket` "off": no socket for hooks."""

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
        log_format: str = "text",
        log_level: str = "info",
        metrics_otlp: str | None = None,
    ) -> None:
        self.socket = socket
        self.http = ListenAddress(http) if http else None
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
        self.otlp_grpc = ListenAddress(otlp_grpc, "--otlp-grpc") if otlp_grpc else None
        # How the collector itself is watched.
        self.log_format = log_format
        self.log_level = log_level
        self.metrics_otlp = metrics_otlp


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
    """TLS 1.2 or later with the given certificate. Raises HookstreamError if an address that
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
    if options.metrics_otlp is not None and options.http is None:
        raise HookstreamError("--metrics-otlp: needs --http")
    if options.otlp_grpc is not None:
        if options.http is None:
            raise HookstreamError("--otlp-grpc: needs --http")
        if not options.otlp_grpc.is_loopback and options.tls_cert is None:
            raise HookstreamError("--otlp-grpc: not loopback; needs --tls-cert and --tls-key")
