"""OTLP over gRPC (`serve --otlp-grpc HOST:PORT`, extra `grpc`): exports as in otlp.py.

A client without a token is refused before the message is read. OK means that the export's content
is in the log; INVALID_ARGUMENT and RESOURCE_EXHAUSTED are for good, UNAVAILABLE is not.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hookstream.capture.collector.otlp import PROTOBUF, UNPACKED_BYTES, Receiver, decoded, success
from hookstream.capture.collector.packed import Unusable
from hookstream.core.errors import HookstreamError, extra

WORKERS = 2
# Concurrent exports; more are asked to try again.
CONCURRENT = 64
SERVICES = {
    "opentelemetry.proto.collector.logs.v1.LogsService": "logs",
    "opentelemetry.proto.collector.trace.v1.TraceService": "traces",
    "opentelemetry.proto.collector.metrics.v1.MetricsService": "metrics",
}


def started(
    receiver: Receiver,
    host: str,
    port: int,
    token: bytes,
    tls: tuple[str, str | None] | None = None,
    most: int = UNPACKED_BYTES,
) -> tuple[Any, int]:
    """A server that accepts, and its port. `tls` names the certificate chain and its key.

    Raises HookstreamError without grpcio, and if the address is taken.
    """
    try:
        import grpc
    except ImportError:
        raise HookstreamError(f"--otlp-grpc: {extra('grpc')}") from None
    server = grpc.server(
        ThreadPoolExecutor(WORKERS, "hookstream-grpc"),
        handlers=[_service(grpc, name, signal, receiver) for name, signal in SERVICES.items()],
        interceptors=[_guard(grpc, token)],
        maximum_concurrent_rpcs=CONCURRENT,
        # No other process may listen on its port; a gzip bomb counts as what it unpacks to.
        options=[("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", most)],
    )
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        if tls is None:
            bound = server.add_insecure_port(address)
        else:
            pair = (_pem(tls[1] or tls[0]), _pem(tls[0]))
            bound = server.add_secure_port(address, grpc.ssl_server_credentials([pair]))
    except RuntimeError:
        bound = 0
    if not bound:
        raise HookstreamError(f"--otlp-grpc: cannot listen on {address}")
    server.start()
    return server, bound


def _pem(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise HookstreamError(f"{path}: {error.strerror}") from None


def _service(grpc: Any, name: str, signal: str, receiver: Receiver) -> Any:
    def export(body: bytes, context: Any) -> bytes:
        try:
            taken = decoded(body, PROTOBUF, signal)
        except Unusable as error:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, error.message)
        try:
            rejected, words = receiver.take(taken)
        except OSError as error:
            receiver.handler.note(error, None, f"otlp {signal}")
            context.abort(grpc.StatusCode.UNAVAILABLE, "the log takes nothing now")
        return success(signal, PROTOBUF, rejected, words).body

    method = grpc.unary_unary_rpc_method_handler(export)
    return grpc.method_handlers_generic_handler(name, {"Export": method})


def _guard(grpc: Any, token: bytes) -> Any:
    wanted = b"Bearer " + token

    def refuse(_: Any, context: Any) -> None:
        context.abort(grpc.StatusCode.UNAUTHENTICATED, "a bearer token is needed")

    class TokenCheck(grpc.ServerInterceptor):  # type: ignore[misc]
        """Check of the token in the metadata, which come before the message."""

        def intercept_service(self, continuation: Callable[[Any], Any], call: Any) -> Any:
            value = dict(call.invocation_metadata).get("authorization", "")
            if hmac.compare_digest(value.encode(), wanted):
                return continuation(call)
            return grpc.unary_unary_rpc_method_handler(refuse)

    return TokenCheck()
