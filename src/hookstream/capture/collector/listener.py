"""Listener that accepts connections, counts them before anything is read, and closes the longest
idle one for a new one.

A connection is idle until its owner says that it serves a request of a known client. Idle ones
never keep others out: if all places are taken, the one that has been idle longest is closed.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TypeAlias

    Serve: TypeAlias = Callable[
        ["Connection", asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]
    ]

HANDSHAKE_S = 3.0
BACKLOG = 1024
# What accept() answers if the process or the system has no descriptor left.
EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
PAUSE_S = 0.05


class Connection:
    """One accepted connection; `is_over_limit`: it came when all others were busy."""

    def __init__(self, listener: BoundedListener, is_over_limit: bool) -> None:
        self.listener = listener
        self.is_over_limit = is_over_limit
        self.task: asyncio.Task[None] | None = None

    def busy(self) -> None:
        """Serve a request: it is not closed for a new connection."""
        self.listener.idle.pop(self, None)

    def idle(self) -> None:
        """Wait for its next request, as the youngest of those that wait."""
        self.listener.idle.pop(self, None)
        self.listener.idle[self] = None


class BoundedListener:
    """One listening socket. At most `limit` connections, and `extra` more that are only refused."""

    def __init__(
        self,
        sock: socket.socket,
        serve: Serve,
        limit: int,
        extra: int = 0,
        tls: ssl.SSLContext | None = None,
        buffer_bytes: int = 1 << 16,
    ) -> None:
        self.sock = sock
        self.serve = serve
        self.limit = limit
        self.extra = extra
        self.tls = tls
        self.buffer_bytes = buffer_bytes
        self.open: set[Connection] = set()
        # oldest first
        self.idle: dict[Connection, None] = {}
        # connections closed for others, and requests that raised an unexpected error
        self.faults = 0
        self.accepting: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Accept from now on, in the running event loop."""
        self.sock.setblocking(False)
        self.accepting = asyncio.get_running_loop().create_task(self._accept())

    def stop(self) -> None:
        """Accept no new connection; open ones stay open."""
        if self.accepting is not None:
            self.accepting.cancel()
        self.sock.close()

    def close(self) -> None:
        """End every connection."""
        for connection in list(self.open):
            if connection.task is not None:
                connection.task.cancel()

    @property
    def busy(self) -> int:
        """The number of connections that serve a request."""
        return len(self.open) - len(self.idle)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                sock, _ = await loop.sock_accept(self.sock)
            except OSError as error:
                if error.errno in EXHAUSTED:
                    self._evict()
                    await asyncio.sleep(PAUSE_S)
                continue
            self._admit(sock)
            # While more wait, accepting never pauses: this gives the open connections their turn.
            await asyncio.sleep(0)

    def _admit(self, sock: socket.socket) -> None:
        if len(self.open) >= self.limit:
            self._evict()
        if len(self.open) >= self.limit + self.extra:
            sock.close()
            return
        connection = Connection(self, is_over_limit=len(self.open) >= self.limit)
        self.open.add(connection)
        self.idle[connection] = None
        loop = asyncio.get_running_loop()
        connection.task = loop.create_task(self._run(connection, sock))
        connection.task.add_done_callback(lambda _: self._forget(connection))

    def _evict(self) -> None:
        """Close the connection that has been idle longest, if one is."""
        for connection in self.idle:
            self._forget(connection)
            if connection.task is not None:
                connection.task.cancel()
            return

    def _forget(self, connection: Connection) -> None:
        self.open.discard(connection)
        self.idle.pop(connection, None)

    async def _run(self, connection: Connection, sock: socket.socket) -> None:
        """One connection, from the handshake to its end. Raises nothing but its cancellation."""
        writer = None
        try:
            loop = asyncio.get_running_loop()
            reader = asyncio.StreamReader(self.buffer_bytes, loop)
            protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol,
                sock,
                ssl=self.tls,
                ssl_handshake_timeout=HANDSHAKE_S if self.tls is not None else None,
            )
            writer = asyncio.StreamWriter(transport, protocol, reader, loop)
            await self.serve(connection, reader, writer)
        except asyncio.CancelledError:
            if writer is not None:
                writer.transport.abort()  # unread output is dropped
            raise
        except (OSError, EOFError, TimeoutError):
            pass  # the other side has gone, never spoke, or speaks no TLS
        except Exception:
            self.faults += 1
        finally:
            if writer is None:
                sock.close()
            else:
                writer.close()
