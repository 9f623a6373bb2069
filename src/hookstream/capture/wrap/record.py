"""The recorder of a wrapped hook: a separate process, which no client sees or waits for."""

from __future__ import annotations

import os
from time import monotonic, sleep

from hookstream.capture.hook.main import Hook
from hookstream.capture.hook.request import HookRequest, environment, iso, now_text, version
from hookstream.capture.wrap.dedupe import PAUSE_S, WAIT_S, WRAP, Turn, matching_receipt_time
from hookstream.core.folders import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event
    from hookstream.core.records import Record
    from hookstream.redaction import Redactor

# No client waits for the recorder: it may wait for the log.
PATIENCE_S = 10.0
# A client that has not written its payload by then does not.
LATE_S = 2.0
QUIET_S = 0.5
EPOCH = "1970-01-01T00:00:00.000Z"


class WrapRecorder(Hook):
    """Writer of the payload's events, then the hook's decision. Its methods never raise.

    `waiting` are the payload's lines while another hook's line about it may still come.
    """

    def __init__(self, words: list[str], command: list[str]) -> None:
        super().__init__(HookRequest(words))
        self.command = command
        self.budget_s = PATIENCE_S
        self.events: list[Event] = []
        self.waiting: list[bytes] = []
        self.until_s = 0.0
        self.source: Record | None = None
        self.vendor: str | None = None
        self.privacy: Redactor | None = None

    def prepare(self) -> None:
        """Load what does not depend on the payload: settings, place, rules."""
        try:
            from hookstream.capture.settings import read_settings

            self.settings = read_settings()
            self.stage = "place"
            self._choose()
            if self.target is not None:
                self.stage = "privacy"
                self.privacy = self._privacy()
        except BaseException as error:
            self._failed(error)

    def payload(self, data: bytes, received_at: str | None = None) -> None:
        """The payload is complete: its events go to the log."""
        self.data = data
        self.request.now = self.request.now or received_at or now_text()
        if self.privacy is None:
            self._leave_trace()
            return
        try:
            from hookstream.core.records import read_record

            taken = read_record(data, "stdin")
            self.stage = "normalise"
            self.waiting = self._lines(taken)
            self.is_kept = True
            self.until_s = monotonic() + (0.0 if self._has_certain_ids() else WAIT_S)
            self.settle()
        except BaseException as error:
            self._failed(error)
            self._leave_trace()

    def _has_certain_ids(self) -> bool:
        """Return whether the ids are the same whenever the payload is received."""
        record = self.source
        if record is None:
            return True
        ids = {event.facts["event_id"] for event in self.events}
        return ids == {event.facts["event_id"] for event in self._events_at(record, EPOCH)}

    def _events_at(self, record: Record, received_at: str) -> list[Event]:
        from hookstream.normalizers import compiled, normalize

        record.received_at = received_at
        events = normalize(record, compiled(record.vendor or ""), received_at)
        if isinstance(events, str):
            return []
        return [event for event in events if "derived" not in event.facts]

    def settle(self) -> None:
        """Look for another hook's line about this payload. Write this wrap's lines if none came in
        time."""
        if not self.waiting or self.target is None:
            return
        try:
            self.stage = "append"
            with Turn(state_folder()):
                received_at = None
                if self.source is not None:
                    received_at = matching_receipt_time(self.target.path, self.waiting[0])
                if received_at is not None and self.source is not None:
                    self.events = self._events_at(self.source, received_at)
                elif monotonic() >= self.until_s:
                    self._write(self.waiting)
                else:
                    return
        except BaseException as error:
            self._failed(error)
            self.is_kept = False
            self._leave_trace()
        self.waiting = []

    def wait(self, control: int) -> None:
        """Settle until the relay sends a frame or no line is waiting."""
        from select import select

        while self.waiting and not select((control,), (), (), PAUSE_S)[0]:
            self.settle()

    def _record_lines(self, record: Record) -> list[bytes]:
        from hookstream.capture.hook.lines import lines_of
        from hookstream.normalizers import vendor_of

        if self.appender is None or not self.appender.places:
            return []
        record.vendor = self.request.vendor
        record.native_event = self.request.event
        assert self.request.now is not None
        now = self.request.now
        record.env = environment(record.vendor)
        key = vendor_of(record)
        if key is None:
            return self._lost("unknown_vendor")
        if key != record.vendor:
            record.env = environment(key)
        record.vendor = self.vendor = key
        record.client_version = version(key)
        self.source = record
        self.events = self._events_at(record, now)
        assert self.privacy is not None
        scope = self.request.scope
        lines = lines_of(record, key, now, self.privacy, reporter=WRAP, scope=scope)
        return [] if isinstance(lines, str) else lines

    def _write(self, lines: list[bytes]) -> None:
        if lines:
            self._append(b"".join(lines))

    def ended(
        self, status: int | None, took_ms: int, at: str, signals: bytes, out: bytes, err: bytes
    ) -> None:
        """Write the decision of a hook that ended then (status None: the client killed us)."""
        while self.waiting:
            self.settle()
            if self.waiting:
                sleep(PAUSE_S)
        if self.privacy is None or not self.events:
            return
        try:
            self.stage = "decision"
            self._decide(status, took_ms, at, signals, out, err)
        except BaseException as error:
            self._failed(error)

    def _decide(
        self, status: int | None, took_ms: int, at: str, signals: bytes, out: bytes, err: bytes
    ) -> None:
        from hookstream.capture.hook.lines import finished_line
        from hookstream.capture.wrap.events import HookRun, decision_events, subject_of
        from hookstream.capture.wrap.verdicts import contract_of, judge
        from hookstream.normalizers.guard_answers import HookVerdict

        facts = subject_of(self.events).facts
        other = self.request.vendor if self.request.vendor != self.vendor else None
        contract = contract_of(self.vendor or "", facts.get("dialect") or other)
        if contract is None:
            return
        # Another hook's line about the payload may say a later time: a verdict comes after it.
        at = max(at, facts["received_at"])
        run = HookRun(self.command, -9 if status is None else status, took_ms, at)
        run.killed = status is None
        run.signals = tuple(signals)
        run.err = err.decode("utf-8", "replace")
        native = facts["native_event"]
        text = out.decode("utf-8", "replace")
        if status is None or any(number in ENDING for number in signals):
            answer = HookVerdict(failure="timeout", fails=contract.fails)
        else:
            answer = judge(contract, native, status if status >= 0 else None, text, run.err)
        lines = []
        for event in decision_events(self.events, answer, run):
            assert self.privacy is not None
            lines.append(finished_line(event, self.privacy))
        self._write(lines)


# Signals by which a client ends a hook.
ENDING = (1, 2, 3, 15)


def record(words: list[str], command: list[str], control: int) -> None:
    """Read the relay's frames until it has ended or was killed."""
    recorder = WrapRecorder(words, command)
    recorder.prepare()
    streams = {b"I": bytearray(), b"O": bytearray(), b"E": bytearray()}
    has_payload = False
    hook = -1
    while True:
        recorder.wait(control)
        head = _exactly(control, 5)
        if head is None:
            break
        letter = head[:1]
        body = _exactly(control, int.from_bytes(head[1:], "big"))
        if body is None:
            break
        if letter in streams:
            streams[letter] += body
        elif letter == b"P":
            hook = _hold(int.from_bytes(body, "big"))
        elif letter == b"i":
            has_payload = True
            recorder.payload(bytes(streams[b"I"]), _moment(body))
        elif letter == b"X":
            if not has_payload:
                recorder.payload(_rest(streams[b"I"]))
            status = int.from_bytes(body[:4], "big", signed=True)
            took_ms, at = int.from_bytes(body[4:12], "big"), _moment(body[12:20])
            out, err = bytes(streams[b"O"]), bytes(streams[b"E"])
            recorder.ended(status, took_ms, at, body[20:], out, err)
            return
    _kill(hook)
    if not has_payload:
        recorder.payload(_rest(streams[b"I"]))
    recorder.ended(None, 0, now_text(), b"", b"", b"")


def _moment(body: bytes) -> str:
    return iso(int.from_bytes(body, "big"))


def _exactly(handle: int, size: int) -> bytes | None:
    data = bytearray()
    while len(data) < size:
        chunk = os.read(handle, min(size - len(data), 1 << 20))
        if not chunk:
            return None
        data += chunk
    return bytes(data)


def _rest(data: bytearray) -> bytes:
    """The input that the client has still to write: a hook that reads none may end before it."""
    from hookstream.capture.hook.read_so_far import rest_of

    return rest_of(bytes(data), QUIET_S if data else LATE_S)


def _hold(pid: int) -> int:
    """A handle to the hook's process, so that its number cannot be used again."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


def _kill(handle: int) -> None:
    """Kill the hook, as the client meant when it killed its wrap."""
    if handle >= 0:
        import _signal as signal

        try:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        except OSError:
            return
