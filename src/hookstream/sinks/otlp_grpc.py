"""OTLP export over gRPC (extra `grpc`), with a generic stub."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import SinkError, extra
from hookstream.sinks.base import SETUP_WAIT_S, Receipt, rejected, retry, setup_fault
from hookstream.sinks.http import client_context, readable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookstream.sinks.otlp_export import Signal

# OTLP's own table: these may be tried again.
BUSY = frozenset(
    "CANCELLED DEADLINE_EXCEEDED RESOURCE_EXHAUSTED ABORTED OUT_OF_RANGE UNAVAILABLE "
    "DATA_LOSS".split()
)
SETUP = frozenset("UNAUTHENTICATED PERMISSION_DENIED NOT_FOUND UNIMPLEMENTED".split())


class GrpcTransport:
    """A channel to one address. `secure` verifies the server's certificate."""

    def __init__(
        self,
        address: str,
        *,
        secure: bool,
        metadata: Mapping[str, str],
        timeout_s: float,
        zipped: bool,
        ca_file: str | None,
        cert_file: str | None,
        key_file: str | None,
    ) -> None:
        try:
            import grpc
        except ImportError:
            raise SinkError(f"otlp: {extra('grpc')}") from None
        self._grpc: Any = grpc
        self._timeout_s = timeout_s
        self._metadata = tuple((name.lower(), value) for name, value in metadata.items())
        # Retries are the delivery loop's, which keeps the order and the receipts.
        options = [("grpc.enable_retries", 0), ("grpc.max_receive_message_length", 1 << 20)]
        squeeze = grpc.Compression.Gzip if zipped else grpc.Compression.NoCompression
        if not secure:
            self._channel = grpc.insecure_channel(address, options, squeeze)
            return
        client_context("otlp", ca_file, cert_file, key_file)  # gRPC itself says nothing of files
        files = readable("otlp", ca_file=ca_file, key_file=key_file, cert_file=cert_file)
        read = [path and Path(path).read_bytes() for path in files]
        credentials = grpc.ssl_channel_credentials(*read)
        self._channel = grpc.secure_channel(address, credentials, options, squeeze)

    def call(self, signal: Signal, body: bytes) -> Receipt | tuple[int, str]:
        method = self._channel.unary_unary(signal.method)
        try:
            answer: bytes = method(body, timeout=self._timeout_s, metadata=self._metadata)
        except self._grpc.RpcError as error:
            return receipt_of(error)
        try:
            return signal.counted(answer)
        except ValueError:
            return setup_fault("an answer that is not OTLP: check the address")

    def close(self) -> None:
        self._channel.close()


def receipt_of(error: Any) -> Receipt:
    """An RpcError as a receipt."""
    name = error.code().name
    if name in BUSY:
        return retry(f"gRPC {name}")
    if name in SETUP:
        return setup_fault(f"gRPC {name}: check address and credentials")
    if name in ("UNKNOWN", "INTERNAL"):
        return retry(f"gRPC {name}", SETUP_WAIT_S)
    return rejected(f"gRPC {name}")
