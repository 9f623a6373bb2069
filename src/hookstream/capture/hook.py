"""`hookstream hook VENDOR [EVENT]`: the program an agent runs at every event.

It reads the payload, appends its events to the log, normalised and redacted, answers what that
client expects from an observer, and exits 0 within its time whatever happens. What failed is
recorded for `hookstream status`.

    hookstream hook VENDOR [EVENT] [--log PLACE]     payload on standard input
    hookstream hook VENDOR [EVENT] PAYLOAD           payload as the last argument (Codex notify)
    hookstream hook --command VENDOR [EVENT]         the command line that install registers
"""

from __future__ import annotations

import os
import sys
import time

from hookstream.capture.answers import answer, budget_ms, client_of
from hookstream.capture.deadline import Deadline
from hookstream.capture.place import state_folder, target
from hookstream.capture.settings import Settings, read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.capture.place import Target
    from hookstream.privacy import Privacy
    from hookstream.records import Record, Rejection

# The only variables a record keeps, by vendor: a client's environment holds credentials.
ENVIRONMENT = {
    "cursor": ("CURSOR_PROJECT_DIR", "CURSOR_VERSION"),
    "kiro": ("USER_PROMPT",),
}
VERSIONS = {"copilot": "COPILOT_CLI_BINARY_VERSION"}


class Request:
    """The command line of a hook: vendor, event, where to, the clock, a payload as argument."""

    __slots__ = ("event", "log", "now", "payload", "vendor")

    def __init__(self, argv: list[str]) -> None:
        self.vendor: str | None = None
        self.event: str | None = None
        self.payload: str | None = None
        self.log: str | None = None
        self.now: str | None = None
        words = list(argv)
        if words and words[-1].lstrip().startswith("{"):
            self.payload = words.pop()
        while words:
            word = words.pop(0)
            if word == "--log" and words:
                self.log = words.pop(0)
            elif word == "--now" and words:
                self.now = words.pop(0)
            elif self.vendor is None:
                self.vendor = word
            elif self.event is None:
                self.event = word


class Hook:
    """One run: `stage` is what it is at, `client` who waits for the answer."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.stage = "start"
        self.client = request.vendor
        self.settings = Settings()
        self.target: Target | None = None
        self.answered = False

    def run(self) -> None:
        """Observes, answers, and never raises."""
        deadline: Deadline | None = None
        try:
            self.settings = read_settings()
            limit_ms = budget_ms(self.request.vendor, self.request.event, self.settings.budget_ms)
            deadline = Deadline(limit_ms / 1000, self._too_late)
            self._observe(limit_ms / 1000)
        except BaseException as error:
            self._failed(error)
        self._answer()
        if deadline is not None:
            deadline.cancel()

    def _observe(self, budget_s: float) -> None:
        if self.settings.problem is not None:
            self._record({"problem": self.settings.problem})
        self.stage = "read"
        taken = self._take(budget_s)
        self.stage = "place"
        self.target = target(self.request.log, self.settings.log)
        if self.target is None:
            return
        self.stage = "read"
        lines = self._lines(taken)
        if lines:
            self.stage = "append"
            from hookstream.capture.log import log_for

            log_for(self.target, self.settings).append(b"".join(lines))

    def _take(self, budget_s: float) -> Record | Rejection | None:
        from hookstream.capture.intake import from_argument, from_environment, take

        request = self.request
        if request.payload is not None:
            taken = from_argument(request.payload)
        else:
            taken = take(request.vendor, budget_s) or from_environment(request.vendor)
        payload = getattr(taken, "payload", None)
        self.client = client_of(payload, request.vendor)
        return taken

    def _lines(self, taken: Record | Rejection | None) -> list[bytes]:
        payload = getattr(taken, "payload", None)
        if taken is None:
            self._record({"problem": "no payload"})
            return []
        if payload is None:
            self._record(
                {"problem": taken.reason, "length": taken.length, "sha256": taken.digest}  # type: ignore[union-attr]
            )
            return []
        return self._record_lines(taken)  # type: ignore[arg-type]

    def _record_lines(self, record: Record) -> list[bytes]:
        from hookstream.capture.lines import lines_of, vendor_of

        self.stage = "vendor"
        request = self.request
        now = request.now or now_text()
        record.vendor = request.vendor
        record.native_event = request.event
        record.received_at = now
        key = vendor_of(record)
        if key is None:
            self._record({"problem": "unknown vendor"})
            return []
        record.vendor = key
        record.env = environment(key)
        record.client_version = os.environ.get(VERSIONS.get(key, "")) or None
        self.stage = "privacy"
        privacy = self._privacy()
        self.stage = "event"
        lines = lines_of(record, key, now, privacy)
        return [] if isinstance(lines, str) else lines

    def _privacy(self) -> Privacy:
        from hookstream.errors import HookstreamError
        from hookstream.privacy import Privacy
        from hookstream.privacy.keys import default_key_path, load_key

        try:
            key = load_key(default_key_path(), create=True)
        except (HookstreamError, OSError) as error:
            # Pseudonyms of this one run: they join with nothing, and tell nothing.
            key = os.urandom(32)
            self._record({"problem": f"pseudonym key: {type(error).__name__}"})
        named = self.settings.digest_key
        digest_key = load_key(named) if named else None
        return Privacy(self.settings.privacy, pseudonym_key=key, digest_key=digest_key)

    def _failed(self, error: BaseException) -> None:
        from hookstream.capture.failures import describe

        try:
            self._record({"problem": describe(error)})
        except BaseException:
            self.stage = "failed"  # nothing more can be done; the answer still goes out

    def _record(self, entry: dict[str, Any]) -> None:
        from hookstream.capture.failures import record_failure

        folders = [os.path.dirname(self.target.path)] if self.target is not None else []
        state = state_folder()
        if state is not None:
            folders.append(state)
        request = self.request
        about = {
            "at": now_text(),
            "vendor": (request.vendor or "")[:64],
            "event": (request.event or "")[:64],
            "stage": self.stage,
            **entry,
        }
        record_failure(folders, about)

    def _answer(self) -> None:
        if not self.answered:
            self.answered = True
            say(answer(self.client))

    def _too_late(self) -> None:
        self._answer()
        self._record({"problem": "out of time"})


def say(data: bytes) -> None:
    """Writes the answer to standard output, by another system call where one fails."""
    if not data:
        return
    for write in (os.write, os.write, _writev):
        try:
            write(1, data)
            return
        except (BrokenPipeError, AttributeError):
            return
        except OSError:
            continue


def _writev(handle: int, data: bytes) -> int:
    return os.writev(handle, (data,))


def now_text() -> str:
    """The clock as RFC 3339 in UTC with milliseconds."""
    ns = time.time_ns()
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(ns // 1_000_000_000))
    return f"{stamp}.{ns // 1_000_000 % 1000:03d}Z"


def environment(vendor: str) -> dict[str, Any] | None:
    """The variables a vendor's table reads, and no other."""
    names = ENVIRONMENT.get(vendor)
    if names is None:
        return None
    return {name: os.environ[name] for name in names if name in os.environ} or None


def main(argv: list[str]) -> int:
    """The program; its exit status, which is 0 for every hook."""
    if argv[:1] == ["--command"]:
        from hookstream.capture.command import print_command

        return print_command(argv[1:])
    if "--help" in argv[:2] or (not argv and _is_person()):
        say((__doc__ or "").encode())
        return 0 if argv else 2
    Hook(Request(argv)).run()
    light = sys.modules.get("hookstream.capture.light")
    if light is not None:
        light.programs.save()
    return 0


def _is_person() -> bool:
    try:
        return os.isatty(0)
    except OSError:
        return False


def run(argv: list[str]) -> None:
    """The program in a process of its own, which ends here without a word from Python."""
    status = 0
    try:
        status = main(argv)
    finally:
        os._exit(status)
