"""The relay of a wrapped hook: bytes both ways as they come, signals on, its end as it was.

A copy of everything goes to the recorder as frames: one letter, four bytes of length, data.
I standard input, O and E the two outputs, i the end of the input, P the process, X its end.
"""

from __future__ import annotations

import _signal as signal
import os
import select
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from hookstream.capture.wrap.child import Child

CHUNK = 65536
# So much can be written without waiting once a pipe says that it is ready (POSIX PIPE_BUF).
STEP = 4096
# Bytes in flight in one direction before the source is left waiting.
LIMIT = 16 * 1024 * 1024
OUT_LIMIT = 1024 * 1024
# Bytes of each stream that the recorder gets.
COPY_LIMIT = 16 * 1024 * 1024 + 1
FORWARDED = tuple("SIGTERM SIGINT SIGHUP SIGQUIT SIGUSR1 SIGUSR2 SIGCONT SIGWINCH".split())
PROBLEMS = 100


class Pipe:
    """One direction: read from `source`, write to `sink`, copy to the recorder under `letter`."""

    def __init__(self, source: int, sink: int, letter: bytes, limit: int) -> None:
        self.source: int | None = source
        self.sink: int | None = sink
        self.letter = letter
        self.limit = limit
        self.pending = bytearray()
        self.copied = 0


class Relay:
    """Relay that runs until the hook ends, then ends this process as the hook ended."""

    def __init__(self, child: Child | None, control: int | None) -> None:
        self.child = child
        self.control = control
        self.notes = bytearray()
        self.began = time.monotonic()
        self.signals: list[int] = []
        self.streams: list[Pipe] = []
        self.status: int | None = None
        if child is not None:
            self.stdin = Pipe(0, child.stdin, b"I", LIMIT)
            os.set_blocking(child.stdin, False)
            self.streams = [self.stdin, Pipe(child.out, 1, b"O", OUT_LIMIT)]
            if child.err is not None:
                self.streams.append(Pipe(child.err, 2, b"E", OUT_LIMIT))
            for stream in self.streams[1:]:
                os.set_blocking(stream.source, False)  # type: ignore[arg-type]

    def unstarted(self, status: int) -> None:
        """Report to the recorder that there was nothing to run."""
        self._ended(status)
        self._flush_notes()

    def run(self) -> NoReturn:
        assert self.child is not None
        wake = self._watch_signals()
        self._note(b"P", self.child.pid.to_bytes(4, "big"))
        self._loop(wake)
        self._drain()
        self._ended(self._exit_status())
        self._flush_notes()
        self._leave_tail()
        self._end()

    def _loop(self, wake: int) -> None:
        """Relay until the hook has ended. An error here loses the record, never the answer."""
        problems = 0
        while self.status is None:
            try:
                self._turn(wake, None)
            except Exception:
                problems += 1
                self.control = None
                if problems > PROBLEMS:
                    assert self.child is not None
                    self.status = os.waitpid(self.child.pid, 0)[1]

    def _watch_signals(self) -> int:
        read, write = os.pipe()
        os.set_blocking(write, False)
        os.set_blocking(read, False)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        for name in (*FORWARDED, "SIGCHLD"):
            number = getattr(signal, name)
            # The signals that the client made us ignore the hook ignores too.
            if name == "SIGCHLD" or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, lambda number, frame: None)
        self._reap()  # it may have ended before the handler was set
        return read

    def _turn(self, wake: int, timeout_ms: int | None) -> None:
        """Wait until streams can be read or written, and move their bytes."""
        poll = select.poll()
        poll.register(wake, select.POLLIN)
        places: dict[int, list[tuple[Pipe, bool]]] = {}
        masks: dict[int, int] = {}
        for stream in self.streams:
            if stream.source is not None and len(stream.pending) < stream.limit:
                places.setdefault(stream.source, []).append((stream, True))
                masks[stream.source] = masks.get(stream.source, 0) | select.POLLIN
            if stream.sink is not None and stream.pending:
                places.setdefault(stream.sink, []).append((stream, False))
                masks[stream.sink] = masks.get(stream.sink, 0) | select.POLLOUT
        if self.control is not None and self.notes:
            masks[self.control] = select.POLLOUT
        for handle, mask in masks.items():
            poll.register(handle, mask)
        for handle, _ in poll.poll(timeout_ms):
            if handle == wake:
                self._signalled(wake)
            elif handle == self.control:
                self._flush_notes()
            else:
                for stream, reading in places[handle]:
                    # What one of them does may have closed the other's end.
                    if reading and stream.source is not None:
                        self._read(stream)
                    elif not reading and stream.sink is not None and stream.pending:
                        self._write(stream)

    def _signalled(self, wake: int) -> None:
        try:
            numbers = os.read(wake, 512)
        except BlockingIOError:
            return
        for number in numbers:
            if number == signal.SIGCHLD:
                self._reap()
            elif self.status is None and self.child is not None:
                self.signals.append(number)
                os.kill(self.child.pid, number)

    def _reap(self) -> None:
        assert self.child is not None
        pid, status = os.waitpid(self.child.pid, os.WNOHANG)
        if pid:
            self.status = status

    def _read(self, stream: Pipe) -> bool:
        """Read available bytes. Return False at end of file or if none are ready."""
        assert stream.source is not None
        try:
            data = os.read(stream.source, CHUNK)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._close_source(stream)
            return False
        if stream.sink is not None:
            stream.pending += data
        if stream.copied < COPY_LIMIT:
            self._note(stream.letter, data[: COPY_LIMIT - stream.copied])
            stream.copied += len(data)
        if stream.pending and stream.letter != b"I":
            self._write(stream)
        return True

    def _close_source(self, stream: Pipe) -> None:
        if stream.letter == b"I":
            self._note(b"i", time.time_ns().to_bytes(8, "big"))
        elif stream.source is not None:
            os.close(stream.source)
        stream.source = None
        if not stream.pending:
            self._close_sink(stream)

    def _close_sink(self, stream: Pipe) -> None:
        """The other side sees the end when we have seen it."""
        if stream.sink is None:
            return
        os.close(stream.sink)
        if stream.sink == 1 and self.child is not None and self.child.err is None:
            os.close(2)
        stream.sink = None
        if stream.letter != b"I" and stream.source is not None:
            # The reader is gone: the hook is to notice, as it would have without us.
            os.close(stream.source)
            stream.source = None

    def _write(self, stream: Pipe) -> None:
        assert stream.sink is not None
        whole = stream.letter == b"I"
        try:
            sent = os.write(stream.sink, stream.pending if whole else stream.pending[:STEP])
        except BlockingIOError:
            return
        except OSError:
            stream.pending.clear()
            self._close_sink(stream)
            return
        del stream.pending[:sent]
        if not stream.pending and stream.source is None:
            self._close_sink(stream)

    # The recorder

    def _note(self, letter: bytes, data: bytes) -> None:
        if self.control is None:
            return
        self.notes += letter + len(data).to_bytes(4, "big") + data
        self._flush_notes()

    def _flush_notes(self) -> None:
        while self.notes and self.control is not None:
            try:
                sent = os.write(self.control, self.notes[: CHUNK * 16])
            except BlockingIOError:
                return
            except OSError:
                os.close(self.control)
                self.control = None
                return
            del self.notes[:sent]

    def _ended(self, status: int) -> None:
        took_ms = int((time.monotonic() - self.began) * 1000)
        numbers = took_ms.to_bytes(8, "big") + time.time_ns().to_bytes(8, "big")
        body = status.to_bytes(4, "big", signed=True) + numbers
        self._note(b"X", body + bytes(sorted(set(self.signals))))

    # The end

    def _exit_status(self) -> int:
        """The exit code, or minus the signal."""
        return os.waitstatus_to_exitcode(self.status or 0)

    def _drain(self) -> None:
        """Send what the hook has written before its end, before our output."""
        for stream in self.streams[1:]:
            while stream.source is not None and self._read(stream):
                while len(stream.pending) >= OUT_LIMIT:
                    self._send(stream)
            while stream.pending and stream.sink is not None:
                self._send(stream)

    def _send(self, stream: Pipe) -> None:
        poll = select.poll()
        poll.register(stream.sink or 0, select.POLLOUT)
        poll.poll()
        self._write(stream)

    def _leave_tail(self) -> None:
        """Fork a process that keeps relaying outputs still held open by the hook's children."""
        opened = [stream for stream in self.streams[1:] if stream.source is not None]
        if not opened and not (self.notes and self.control is not None):
            return
        try:
            if os.fork():
                return
        except OSError:
            return
        for stream in self.streams[1:]:
            if stream.source is None and stream.sink is not None:
                self._close_sink(stream)
        os.close(0)
        if self.control is not None:
            os.set_blocking(self.control, True)
            self._flush_notes()
            if self.control is not None:
                os.close(self.control)
                self.control = None
        self.streams = opened
        read, _ = os.pipe()
        while any(stream.source is not None or stream.pending for stream in opened):
            self._turn(read, None)
        os._exit(0)

    def _end(self) -> NoReturn:
        status = self._exit_status()
        if status >= 0:
            os._exit(status)
        number = -status
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            import resource

            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the hook has left its own
            signal.signal(number, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        os.kill(os.getpid(), number)
        time.sleep(1)
        os._exit(128 + number)
