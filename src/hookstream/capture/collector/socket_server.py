"""The collector's Unix socket: hooks of one user, a short message and a short answer each."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import threading
import time

from hookstream.capture.collector.handler import Desk
from hookstream.capture.hook.client import iso
from hookstream.errors import HookstreamError
from hookstream.limits import LINE_BYTES
from hookstream.records import Record, read_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

WORKERS = 16
BACKLOG = 256
# A hook that has not sent all by then has done the work itself.
MESSAGE_S = 3.0
HEADER_BYTES = 1 << 20
PATH_BYTES = 107  # what a socket's address holds


class SocketServer:
    """Listens at a path (mode 0600 in a folder 0700) with a fixed number of threads."""

    def __init__(self, path: str, desk: Desk) -> None:
        self.path = path
        self.desk = desk
        self.closing = False
        self.busy = 0
        self.guard = threading.Lock()
        self.listener = listen(path)
        self.identity = _identity(path)
        for _ in range(WORKERS):
            threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while not self.closing:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            with self.guard:
                self.busy += 1
            try:
                serve_one(line, self.desk)
            except OSError:
                pass  # the hook has gone; it does the work itself
            finally:
                line.close()
                with self.guard:
                    self.busy -= 1

    def stop(self) -> None:
        """No further hook gets in; those inside are served."""
        self.closing = True
        if _identity(self.path) == self.identity:
            os.unlink(self.path)
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def drain(self, until: float) -> bool:
        """Waits for the hooks inside; whether all are out."""
        while self.busy and time.monotonic() < until:
            time.sleep(0.01)
        return not self.busy


def _identity(path: str) -> tuple[int, int] | None:
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return (info.st_dev, info.st_ino)


def listen(path: str) -> socket.socket:
    """The listening socket. Raises HookstreamError where a collector already answers there, or
    the folder is open to others."""
    folder = os.path.dirname(os.path.abspath(path))
    if len(os.fsencode(path)) > PATH_BYTES:
        raise HookstreamError(f"--socket: longer than {PATH_BYTES} bytes: {path}")
    from hookstream.capture.log.append import make_folders

    make_folders(folder)
    info = os.stat(folder)
    if info.st_uid != os.geteuid() or info.st_mode & 0o077:
        raise HookstreamError(f"{folder}: must be yours alone; run chmod 700")
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    if os.path.lexists(path):
        try:
            made.connect(path)
        except OSError:
            os.unlink(path)  # left by one that was killed
        else:
            made.close()
            raise HookstreamError(f"{path}: a collector is already running")
        made.close()
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        made.bind(path)
    finally:
        os.umask(before)
    made.listen(BACKLOG)
    return made


def is_ours(line: socket.socket) -> bool:
    """The other side is this user (or root)."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True  # the folder's mode has to do
    size = struct.calcsize("3i")
    _, uid, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return uid in (0, os.geteuid())


class Header:
    """Who asks: when, with which arguments and variables."""

    __slots__ = ("env", "received_at", "words")

    def __init__(self, data: bytes) -> None:
        stamp, count, *rest = data.split(b"\0")
        number = int(count)
        self.received_at = iso(int(stamp))
        self.words = [os.fsdecode(word) for word in rest[:number]]
        pairs = (entry.partition(b"=") for entry in rest[number:])
        self.env: Mapping[str, str] = {
            os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs
        }


class Reader:
    """Frames of a connection, within one deadline for all of them."""

    def __init__(self, line: socket.socket) -> None:
        self.line = line
        self.until = time.monotonic() + MESSAGE_S
        self.held = bytearray()

    def take(self, size: int) -> bytes:
        """So many bytes. Raises OSError at the end or when time is up."""
        while len(self.held) < size:
            left = self.until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self.line.settimeout(left)
            chunk = self.line.recv(1 << 18)
            if not chunk:
                raise ConnectionError
            self.held += chunk
        data = bytes(self.held[:size])
        del self.held[:size]
        return data

    def frame(self, limit: int) -> tuple[bytes, bytes]:
        head = self.take(5)
        size = int.from_bytes(head[1:], "big")
        if size > limit:
            raise ConnectionError
        return head[:1], self.take(size)


def serve_one(line: socket.socket, desk: Desk) -> None:
    """One hook. Raises OSError where it has gone or is too slow."""
    if not is_ours(line):
        return
    reader = Reader(line)
    letter, data = reader.frame(HEADER_BYTES)
    if letter != b"H":
        return
    try:
        header = Header(data)
    except ValueError:
        return
    payload = bytearray()
    while True:
        letter, data = reader.frame(LINE_BYTES)
        payload += data
        if letter not in (b"D", b"Q", b"Z") or len(payload) > LINE_BYTES:
            line.sendall(b"-")
            return
        if letter == b"Z" or (letter == b"Q" and _is_whole(payload)):
            line.sendall(reply(desk, header, bytes(payload)))
            return
        if letter == b"Q":
            line.sendall(b"?")


def _is_whole(payload: bytearray) -> bool:
    return isinstance(read_record(bytes(payload)), Record)


def reply(desk: Desk, header: Header, payload: bytes) -> bytes:
    """`+` with the answer once the events are in the log, else `-`."""
    try:
        said = desk.take_hook(header.words, header.env, payload, header.received_at)
    except Exception:
        # Whatever it was, the hook does it itself and records what fails there.
        return b"-"
    return b"+" + bytes((len(said),)) + said
