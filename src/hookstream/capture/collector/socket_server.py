"""The collector's Unix socket: hooks of one user, a short message and a short answer each."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from hookstream.capture.collector.handler import Handler
from hookstream.capture.collector.listener import BoundedListener, Connection
from hookstream.capture.hook.request import iso
from hookstream.core.errors import HookstreamError
from hookstream.core.limits import LINE_BYTES
from hookstream.core.records import Record, read_record

WORKERS = 16
CONNECTIONS = 256
BACKLOG = 1024
# A hook sends its header at once. One that has not sent all by then has done the work itself.
HEADER_S, MESSAGE_S = 1.0, 3.0
# The hook waits 0.6 s for an answer: what has waited so long for a worker is not begun any more.
QUEUE_S = 0.5
HEADER_BYTES = 1 << 20
PATH_BYTES = 107  # what a socket's address holds
NANOSECONDS = range(1 << 62)


class SocketServer:
    """A server at a path (mode 0600 in a folder 0700)."""

    def __init__(self, path: str, handler: Handler) -> None:
        self.path = path
        self.handler = handler
        self.pool = ThreadPoolExecutor(WORKERS, "hookstream-socket")
        self.listener = BoundedListener(listen(path), self._serve, CONNECTIONS)
        self.identity = _identity(path)

    def start(self) -> None:
        self.listener.start()

    async def _serve(
        self, connection: Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        if not is_ours(writer.get_extra_info("socket")):
            return
        async with asyncio.timeout(MESSAGE_S):
            message = await read_message(reader, writer)
        if message is None:
            return
        connection.busy()
        loop = asyncio.get_running_loop()
        arrived_s = time.monotonic()
        writer.write(await loop.run_in_executor(self.pool, self._reply, *message, arrived_s))
        await asyncio.wait_for(writer.drain(), MESSAGE_S)

    def _reply(self, header: Header, payload: bytes, arrived_s: float) -> bytes:
        """`+` with the answer once the events are in the log, else `-`."""
        if time.monotonic() - arrived_s > QUEUE_S:
            return b"-"
        try:
            reply = self.handler.take_hook(header.words, header.env, payload, header.received_at)
        except Exception:
            # Whatever it was, the hook does it itself and records what fails there.
            return b"-"
        return b"+" + bytes((len(reply),)) + reply

    def stop(self) -> None:
        """No further hook gets in; those inside are served."""
        if _identity(self.path) == self.identity:
            os.unlink(self.path)
        self.listener.stop()

    async def drain(self, until: float) -> bool:
        """Wait for the hooks inside; whether all are out."""
        while self.listener.busy and time.monotonic() < until:
            await asyncio.sleep(0.01)
        return not self.listener.busy


def _identity(path: str) -> tuple[int, int] | None:
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return (info.st_dev, info.st_ino)


def listen(path: str) -> socket.socket:
    """The listening socket. Raises HookstreamError if a collector already answers there, or
    the folder is open to others."""
    folder = os.path.dirname(os.path.abspath(path))
    if len(os.fsencode(path)) > PATH_BYTES:
        raise HookstreamError(f"--socket: longer than {PATH_BYTES} bytes: {path}")
    from hookstream.capture.log.append import make_folders

    make_folders(folder)
    info = os.stat(folder)
    if info.st_uid != os.geteuid() or info.st_mode & 0o077:
        raise HookstreamError(f"{folder}: must be yours alone; run chmod 700")
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    if os.path.lexists(path):
        sock.settimeout(1.0)
        try:
            sock.connect(path)
        except (TimeoutError, BlockingIOError):  # its queue is full: it is alive
            is_running = True
        except OSError:
            os.unlink(path)  # left by one that was killed
            is_running = False
        else:
            is_running = True
        sock.close()
        if is_running:
            raise HookstreamError(f"{path}: a collector is already running")
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        sock.bind(path)
    finally:
        os.umask(before)
    sock.listen(BACKLOG)
    return sock


def is_ours(line: socket.socket) -> bool:
    """The other side is this user (or root)."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # the folder's mode has to do
    size = struct.calcsize("3i")
    _, uid, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return uid in (0, os.geteuid())


class Header:
    """A hook's request: its time, arguments and variables. Raises ValueError for an invalid
    header."""

    def __init__(self, data: bytes) -> None:
        stamp, count, *rest = data.split(b"\0")
        if len(stamp) > 20 or len(count) > 6 or int(stamp) not in NANOSECONDS:
            raise ValueError("a time or a number that is none")
        number = int(count)
        self.received_at = iso(int(stamp))
        self.words = [os.fsdecode(word) for word in rest[:number]]
        pairs = (entry.partition(b"=") for entry in rest[number:])
        self.env: Mapping[str, str] = {
            os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs
        }


async def read_frame(reader: asyncio.StreamReader, limit: int) -> tuple[bytes, bytes]:
    """A letter and its data. Raises EOFError at the end, ConnectionError for one too long."""
    head = await reader.readexactly(5)
    size = int.from_bytes(head[1:], "big")
    if size > limit:
        raise ConnectionError
    return head[:1], await reader.readexactly(size)


async def read_message(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> tuple[Header, bytes] | None:
    """A hook's header and payload, or None if it is refused."""
    async with asyncio.timeout(HEADER_S):
        letter, data = await read_frame(reader, HEADER_BYTES)
    if letter != b"H":
        return None
    try:
        header = Header(data)
    except (ValueError, OverflowError):
        writer.write(b"-")
        return None
    payload = bytearray()
    while True:
        letter, data = await read_frame(reader, LINE_BYTES)
        payload += data
        if letter not in (b"D", b"Q", b"Z") or len(payload) > LINE_BYTES:
            writer.write(b"-")
            return None
        if letter == b"Z" or (letter == b"Q" and _is_whole(payload)):
            return header, bytes(payload)
        if letter == b"Q":
            writer.write(b"?")
            await writer.drain()


def _is_whole(payload: bytearray) -> bool:
    return isinstance(read_record(bytes(payload)), Record)
