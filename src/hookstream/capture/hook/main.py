"""`hookstream hook VENDOR [EVENT]`: the program an agent runs at every event.

It reads the payload, appends its events to the log, normalised and redacted, answers what that
client expects from an observer, and exits 0 within its time whatever happens. A payload that could
not be normalized leaves a line about it (capture/hook/failures.py), and the failure is recorded
for `hookstream status`.

    hookstream hook VENDOR [EVENT] [--log PLACE]     payload on standard input
    hookstream hook VENDOR [EVENT] PAYLOAD           payload as the last argument (Codex notify)
    hookstream hook --command VENDOR [EVENT]         the command line that install registers
"""

from __future__ import annotations

import os
from time import monotonic

from hookstream.capture.hook.deadline import Deadline
from hookstream.capture.hook.output import answer, budget_ms, client_of, say
from hookstream.capture.hook.request import HookRequest, environment, now_text, version
from hookstream.capture.log.place import VARIABLE
from hookstream.capture.settings import CaptureSettings, read_settings
from hookstream.core.folders import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.capture.hook.appender import Appender
    from hookstream.capture.log.place import LogTarget
    from hookstream.core.records import Record, Rejection
    from hookstream.redaction import Redactor

__all__ = ["Hook", "HookRequest", "environment", "main", "now_text"]


class Hook:
    """One run: `stage` is what it is at, `client` who waits for the answer, `degraded` whether time
    is short: then long texts are not scanned but become digests (see bounds)."""

    def __init__(self, request: HookRequest) -> None:
        self.request = request
        self.stage = "start"
        self.client = request.vendor
        self.settings = CaptureSettings()
        self.target: LogTarget | None = None
        self.replaced: LogTarget | None = None
        self.appender: Appender | None = None
        self.answered = False
        self.budget_s = 0.0
        self.began_s = self.ready_s = monotonic()
        self.degraded = False
        self.is_late = False
        self.taken: Record | Rejection | None = None
        # the payload's bytes read so far; None: it was not read at all
        self.data: bytes | None = None
        self.is_complete = False
        # whether the log has a line about the payload, and why its events are missing
        self.is_kept = False
        self.reason = "no reason"

    def run(self) -> None:
        """Observes, answers, and never raises."""
        deadline: Deadline | None = None
        try:
            self.settings = read_settings()
            limit_ms = budget_ms(self.request.vendor, self.request.event, self.settings.budget_ms)
            # What the client waited for a collector counts.
            limit_s = limit_ms / 1000
            self.budget_s = max(min(limit_s, 0.1), limit_s - (monotonic() - self.began_s))
            deadline = Deadline(self.budget_s, self._on_deadline, self._on_last_moment)
            self._observe()
        except BaseException as error:
            self._failed(error)
        self._leave_trace()
        self._answer()
        if deadline is not None:
            deadline.cancel()

    def _observe(self) -> None:
        if self.settings.problem is not None:
            self._record({"problem": self.settings.problem})
        self.stage = "read"
        self.taken = self._take(self.budget_s)
        self.is_complete = True
        self._log(self.taken)

    def _log(self, taken: Record | Rejection | None) -> None:
        self.stage = "place"
        self._choose()
        if self.target is not None:
            self.stage = "read"
            lines = self._lines(taken)
            if lines:
                self._append(b"".join(lines))
        self.is_kept = True

    def _choose(self) -> None:
        """Set the events' places: `target` is the first place, None if capture is off."""
        from hookstream.capture.hook.appender import Appender, chosen

        found = chosen(self.request, self.settings)
        self.replaced = found.replaced
        self.target = found.targets[0] if found.targets else found.replaced
        if self.appender is None:
            self.appender = Appender(found.targets, self.settings, self.budget_s * 0.4)
        if found.ignored is not None:
            from hookstream.capture.hook.failures import plain_value

            problem = f"{VARIABLE}={plain_value(found.ignored)} in the environment: ignored"
            self._record({"problem": problem}, once=True)

    def _append(self, data: bytes) -> None:
        self.stage = "append"
        if self.appender is not None:
            self.appender.append(data)

    def _take(self, budget_s: float) -> Record | Rejection | None:
        from hookstream.capture.collector.intake import from_environment, take
        from hookstream.core.records import read_record

        request = self.request
        taken: Record | Rejection | None
        if request.payload is not None:
            self.data = os.fsencode(request.payload)
            taken = read_record(self.data, "argument")
        else:
            taken, self.data = take(request.vendor, budget_s)
            taken = taken or from_environment(request.vendor)
        payload = getattr(taken, "payload", None)
        self.client = client_of(payload, request.vendor)
        return taken

    def _lines(self, taken: Record | Rejection | None) -> list[bytes]:
        if taken is None:
            return self._lost("no payload")
        if getattr(taken, "payload", None) is None:
            digest, length = taken.digest, taken.length  # type: ignore[union-attr]
            return self._lost(taken.reason, length, digest)  # type: ignore[union-attr]
        return self._record_lines(taken)  # type: ignore[arg-type]

    def _lost(
        self, reason: str, length: int | None = None, digest: str | None = None
    ) -> list[bytes]:
        """The line for a payload that could not be read as an event, also recorded."""
        line, size = self._trace(reason, length, digest)
        fields = {"length": size.get("length"), "sha256": size.get("digest")}
        known = {name: value for name, value in fields.items() if value is not None}
        self._record({"problem": reason, **known})
        return [line]

    def _trace(
        self, reason: str, length: int | None = None, digest: str | None = None
    ) -> tuple[bytes, dict[str, Any]]:
        from hookstream.capture.hook.failures import lost_line, measured

        size = measured(self.data) if length is None else {"length": length, "digest": digest}
        request = self.request
        now = request.now or now_text()
        facts = self._origin()
        return lost_line(request.vendor, request.event, now, reason, facts=facts, **size), size

    def _origin(self) -> dict[str, str]:
        """machine_id, user_id and capture_scope of a line, if known."""
        found: dict[str, str] = {}
        if self.request.scope:
            found["capture_scope"] = self.request.scope
        try:
            from hookstream.capture.hook.lines import origin

            found.update(origin(self._privacy()))
        except Exception:  # the line itself reports the fault
            return found
        return found

    def _leave_trace(self) -> None:
        """The line for a payload of which an error kept everything out of the log."""
        if self.is_kept or (self.appender is not None and self.appender.is_written):
            return
        self.is_kept = True
        try:
            if self.target is None:
                self._choose()
            if not self.is_complete:
                from hookstream.capture.hook.failures import rest_of_input

                self.data = rest_of_input(self.data)
                self.is_complete = True
            if self.target is not None and self.appender is not None:
                self.appender.append_trace(self._trace(self.reason)[0])
        except BaseException as error:
            # What the log does not take it does not take twice.
            if not isinstance(error, OSError) and type(error).__name__ != "LogRefused":
                self._leave_last_trace()

    def _leave_last_trace(self) -> None:
        try:
            from hookstream.capture.hook.failures import last_resort

            argv, is_complete = self.request.argv, self.is_complete
            last_resort(argv, self.reason, self.data, is_complete, should_answer=False)
        except BaseException:
            write_minimal_failure()

    def _record_lines(self, record: Record) -> list[bytes]:
        from hookstream.capture.hook.lines import lines_of
        from hookstream.normalizers import vendor_of

        self.stage = "vendor"
        request = self.request
        now = request.now or now_text()
        record.vendor = request.vendor
        record.native_event = request.event
        record.received_at = now
        record.env = environment(request.vendor)
        key = vendor_of(record)
        if key is None:
            return self._lost("unknown_vendor")
        if key != request.vendor:
            record.vendor, record.env = key, environment(key)
        record.client_version = version(key)
        self.stage = "privacy"
        privacy = self._privacy()
        self.stage = "event"
        # When many hooks compete for the processor, half of the time is gone before this.
        self.degraded |= monotonic() - self.ready_s > self.budget_s / 2
        if self.replaced is not None:
            self._note_replaced(record, key, now, privacy)
            if self.appender is None or not self.appender.places:
                return []
        log = self.target.path if self.target is not None else None
        scope = self.request.scope
        lines = lines_of(record, key, now, privacy, self.degraded, log=log, scope=scope)
        if isinstance(lines, str):
            return []
        if self.settings.has_refusals:
            from hookstream.capture.hook.refused import refused_lines

            said, note = refused_lines(record, key, now, privacy, self.settings)
            lines = said + lines
            if note is not None:
                self._record({"problem": note}, once=True)
        return lines

    def _note_replaced(self, record: Record, key: str, now: str, privacy: Redactor) -> None:
        from hookstream.capture.hook.replaced import note_replaced

        if self.replaced is not None:
            is_off = self.appender is None or not self.appender.places
            note = note_replaced(record, key, now, privacy, (self.replaced, self.settings), is_off)
            if note is not None:
                self._record({"problem": note}, once=True)

    def _privacy(self) -> Redactor:
        from hookstream.capture.keys import Keys
        from hookstream.redaction import Redactor
        from hookstream.redaction.scanner import Scanner

        keys = Keys(self.settings)
        for problem in keys.problems:
            self._record({"problem": problem}, once=True)
        allow: tuple[str, ...] = ()
        if self.settings.allow is not None:
            allow = self._allowed(self.settings.allow)
        scanner = Scanner(
            engine="python",
            allow=allow,
            digest_key=keys.digest,
            personal=self.settings.personal,
        )
        return Redactor(
            self.settings.privacy,
            pseudonym_key=keys.pseudonym,
            digest_key=keys.digest,
            scanner=scanner,
            pseudonyms=self.settings.pseudonyms,
        )

    def _allowed(self, path: str) -> tuple[str, ...]:
        from hookstream.capture.allowed import read_allowed

        entries, problem = read_allowed(path)
        if problem is not None:
            self._record({"problem": problem}, once=True)
        return entries

    def _failed(self, error: BaseException) -> None:
        try:
            from hookstream.capture.hook.failures import describe

            self.reason = describe(error)
            self._record({"problem": self.reason})
        except BaseException:
            self.reason = type(error).__name__

    def _record(self, entry: dict[str, Any], once: bool = False) -> None:
        from hookstream.capture.hook.failures import plain_name, record_failure

        state = state_folder()
        folders = [state] if state is not None else []
        if self.target is not None:
            folders.append(os.path.dirname(self.target.path))
        request = self.request
        about = {
            "at": now_text(),
            "vendor": plain_name(request.vendor),
            "event": plain_name(request.event),
            "stage": self.stage,
            **entry,
        }
        record_failure(folders, about, once)

    def _answer(self) -> None:
        if not self.answered:
            self.answered = True
            say(answer(self.client, self.request.event))

    def _on_deadline(self) -> None:
        """The time is over: send the answer, and the event at least without its long texts."""
        self._answer()
        stage = self.stage
        self.degraded = self.is_late = self.is_complete = True
        try:
            has_lines = self.appender is not None and self.appender.finish()
            if not has_lines and self.taken is not None:
                self._log(self.taken)
        except BaseException as error:
            self._failed(error)
        self.stage = stage
        kept = self.appender is not None and self.appender.is_written
        self._record({"problem": "out of time", "kept": kept})
        self.reason = "out of time"
        self._leave_trace()

    def _on_last_moment(self) -> None:
        """Not even the short form has been written in time: write a line about that."""
        if self.appender is None or not self.appender.is_written:
            self.is_complete = True
            self.reason = "out of time"
            self._leave_last_trace()


def main(argv: list[str]) -> int:
    """The program; its exit status, which is 0 for every hook."""
    if argv[:1] == ["--command"]:
        from hookstream.capture.install.command import print_command

        return print_command(argv[1:])
    if "--help" in argv[:2] or (not argv and _is_person()):
        say((__doc__ or "").encode())
        return 0 if argv else 2
    Hook(HookRequest(argv)).run()
    return 0


def write_minimal_failure() -> None:
    """A line for `hookstream status` if not even the module that records can be loaded."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    try:
        handle = os.open(os.path.join(state_folder() or "", "hook-errors"), flags, 0o600)
        os.write(
            handle, b'{"stage":"load","problem":"a module cannot be read, an event is lost"}\n'
        )
        os.close(handle)
    except OSError:
        return  # nothing more can be done; the answer is still sent


def _is_person() -> bool:
    try:
        return os.isatty(0)
    except OSError:
        return False
