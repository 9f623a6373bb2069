"""TCP, TLS and UDP sockets for sinks without responses: track what the remote host received."""

from __future__ import annotations

import select
import socket
import ssl
import sys
import time

HELD_BYTES = 8 << 20
# How long a new TLS 1.3 connection waits for the first byte of the receiver.
FIRST_WORD_S = 1.0


class Datagrams:
    """UDP: one message per datagram."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._socket: socket.socket | None = None

    def send(self, frames: list[bytes]) -> None:
        if self._socket is None:
            kind, _, _, _, address = socket.getaddrinfo(*self._address, type=socket.SOCK_DGRAM)[0]
            self._socket = socket.socket(kind, socket.SOCK_DGRAM)
            self._socket.connect(address)
        for frame in frames:
            self._socket.send(frame)

    def drain(self) -> None:
        """Do nothing: nothing is acknowledged."""

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


class SocketStream:
    """A TCP or TLS connection that is made again when it breaks, and what it has not got across."""

    def __init__(self, host: str, port: int, timeout_s: float, tls: ssl.SSLContext | None) -> None:
        self._address = (host, port)
        self._timeout_s = timeout_s
        self._tls = tls
        self._socket: socket.socket | None = None
        self._held: list[bytes] = []
        self._held_bytes = 0

    def send(self, frames: list[bytes]) -> None:
        """Send all frames of a record, or OSError and none of them is kept."""
        if self._held_bytes > HELD_BYTES:
            self.drain()
        data = b"".join(frames)
        connection = self._connected()
        try:
            connection.sendall(data)
        except OSError:
            self._drop()
            raise
        self._held.append(data)
        self._held_bytes += len(data)

    def _connected(self) -> socket.socket:
        if self._socket is not None and self._is_gone(self._socket):
            self._drop()
        if self._socket is None:
            connection = socket.create_connection(self._address, self._timeout_s)
            try:
                if self._tls is not None:
                    secure = self._tls.wrap_socket(connection, server_hostname=self._address[0])
                    connection = secure
                    await_first_word(secure)
                for data in self._held:
                    connection.sendall(data)
            except OSError:
                connection.close()
                raise
            self._socket = connection
        return self._socket

    def _is_gone(self, connection: socket.socket) -> bool:
        """Return whether the receiver has closed: it never sends, so readable means the end."""
        readable, _, _ = select.select([connection], [], [], 0)
        if not readable:
            return False
        try:
            connection.setblocking(False)
            return connection.recv(4096) == b""
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        except OSError:
            return True
        finally:
            connection.settimeout(self._timeout_s)

    def drain(self) -> None:
        """Return once the far host has every byte. OSError if it does not come to that."""
        until = time.monotonic() + self._timeout_s
        while self._held:
            connection = self._connected()
            if unacknowledged(connection) == 0 and not self._is_gone(connection):
                self._held = []
                self._held_bytes = 0
                return
            if time.monotonic() > until:
                self._drop()
                raise TimeoutError("the far host does not acknowledge")
            time.sleep(0.005)

    def _drop(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def close(self) -> None:
        self._drop()
        self._held = []


def await_first_word(connection: ssl.SSLSocket) -> None:
    """Wait for a rejection of our certificate: OSError. In TLS 1.3 the receiver looks at it only
    after our side of the handshake is done; it sends first a session ticket, or why it refuses."""
    if connection.version() != "TLSv1.3":
        return
    readable, _, _ = select.select([connection], [], [], FIRST_WORD_S)
    if not readable:
        return
    waits = connection.gettimeout()
    try:
        connection.setblocking(False)
        if connection.recv(4096) == b"":
            raise ConnectionResetError("the far end has closed the connection")
    except ssl.SSLWantReadError:
        pass
    finally:
        connection.settimeout(waits)


def unacknowledged(connection: socket.socket) -> int:
    """Bytes sent that the far host has not acknowledged; 0 if the system does not report it."""
    if sys.platform == "linux":
        import fcntl
        import termios

        answer = fcntl.ioctl(connection.fileno(), termios.TIOCOUTQ, b"\0\0\0\0")
        return int.from_bytes(answer, sys.byteorder)
    return 0
