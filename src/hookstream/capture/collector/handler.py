"""A payload to lines in the collector's log, as the hook program would have written them.

It keeps no state of sessions: `hookstream run` completes the events. Settings and rules stay in
memory between payloads, which makes it fast.
"""

from __future__ import annotations

import os
from threading import Lock
from time import monotonic

import hookstream.core.jsons  # noqa: F401  the fast parser: chosen before the hook's modules are there
from hookstream.capture.allowed import read_allowed
from hookstream.capture.hook.appender import Appender
from hookstream.capture.hook.failures import (
    describe,
    lost_line,
    measured,
    plain_name,
    record_failure,
)
from hookstream.capture.hook.lines import lines_of, origin
from hookstream.capture.hook.output import answer, client_of
from hookstream.capture.hook.request import HookRequest, environment, now_text, version
from hookstream.capture.log.append import LOCK_WAIT_S
from hookstream.capture.log.place import VARIABLE, Destinations, destinations, first_of, resolve
from hookstream.capture.settings import CaptureSettings, config_files, read_settings
from hookstream.core.folders import config_folder, full_path, state_folder
from hookstream.core.records import Record, Rejection, read_record
from hookstream.normalizers import vendor_of
from hookstream.redaction import Redactor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from hookstream.core.event import Event

    Stamp = tuple[int, int, int]

KEYS_AGAIN_S = 30.0


class NotOurs(Exception):
    """The hook has to record this payload itself: its surroundings differ from the collector's."""


def surroundings(env: Mapping[str, str]) -> tuple[str | None, ...]:
    """The home, state and configuration folders of an environment. The collector serves only hooks
    whose folders equal its own."""
    return env.get("HOME"), state_folder(env), config_folder(env)


class CountingRedactor(Redactor):
    """Redactor that adds the secrets it replaces to `hits` (rule -> count) for the collector's
    figures. `hits` outlives a change of settings."""

    def __init__(self, hits: dict[str, int], *values: Any, **settings: Any) -> None:
        super().__init__(*values, **settings)
        self.hits = hits

    def redact_event(self, event: Event) -> None:
        before = dict(event.redactions or {})
        super().redact_event(event)
        for rule, count in (event.redactions or {}).items():
            if count > before.get(rule, 0):
                self.hits[rule] = self.hits.get(rule, 0) + count - before.get(rule, 0)


class Handler:
    """Handler of payloads, one at a time except for the append. Safe for many threads."""

    def __init__(
        self, log: str | None = None, registered: str | None = None, scope: str | None = None
    ) -> None:
        self.log = log
        self.scope = scope
        # the place that install registered for a plugin (empty: the configured one)
        self.registered = registered
        self.lock = Lock()
        self.settings = CaptureSettings()
        # when configuration and allow-list were last changed, as they were read
        self.read_at: tuple[Stamp | None, ...] | None = None
        self.allow_at: Stamp | None = None
        self.privacy: Redactor | None = None
        # when a key that could not be used is looked at again
        self.keys_again_s: float | None = None
        self.taken = self.failed = 0
        # rule -> secrets replaced
        self.redactions: dict[str, int] = {}
        # gets each entry of the file of errors
        self.noted: Callable[[dict[str, Any]], None] = lambda entry: None

    def take_hook(
        self, words: list[str], env: Mapping[str, str], data: bytes, received_at: str
    ) -> bytes:
        """Record the message of a hook; return the answer for its standard output.

        Raises NotOurs if the hook has to do the work, OSError if the log is not writable.
        """
        if surroundings(env) != surroundings(os.environ):
            raise NotOurs("other folders")
        request = HookRequest(words)
        if request.vendor is None:
            raise NotOurs("no vendor")
        if request.payload is not None:
            data = os.fsencode(request.payload)
        taken = read_record(data, "stdin")
        if not isinstance(taken, Record):
            # Nothing, garbage, too much: the hook itself reports it.
            raise NotOurs("no record")
        value = env.get(VARIABLE, "").strip()
        if any(path.strip()[:1] not in ("", "*", "/", "~") for path in (request.log or "", value)):
            # Relative to the hook's folder; or `off`, which a registered hook notes itself.
            raise NotOurs("a relative place")
        client = client_of(taken.payload, request.vendor)
        now = request.now or received_at
        self.record(taken, request.vendor, request.event, now, env, (request, value))
        return answer(client, request.event)

    def record(
        self,
        taken: Record,
        vendor: str | None,
        event: str | None,
        now: str,
        env: Mapping[str, str],
        asked: tuple[HookRequest, str] | None = None,
        held: list[bytes] | None = None,
    ) -> int:
        """Append the record's events, or add them to `held`; return the number of lines. `asked` is
        a hook's command line and its environment's value for the place. NotOurs for an unknown
        vendor."""
        taken.vendor = vendor or taken.vendor
        taken.native_event = event or taken.native_event
        taken.received_at = taken.received_at or now
        with self.lock:
            settings = self._settings()
            places = self._destinations(asked, settings)
            if places.replaced is not None and asked is not None:
                raise NotOurs("the hook says that it was sent elsewhere")
            if not places.targets and places.replaced is None:
                return 0
            own_env = taken.env
            taken.env = own_env or environment(taken.vendor, env)
            key = vendor_of(taken)
            if key is None:
                raise NotOurs("unknown vendor")
            if key != taken.vendor:
                taken.vendor, taken.env = key, own_env or environment(key, env)
            taken.client_version = taken.client_version or version(key, env)
            redactor = self._privacy(settings)
            if places.replaced is not None:
                self._note_replaced(taken, key, now, redactor, places)
            log = places.targets[0].path if places.targets else None
            scope = asked[0].scope if asked is not None else self.scope
            lines = lines_of(taken, key, now, redactor, log=log, scope=scope)
            if isinstance(lines, list) and settings.has_refusals:
                from hookstream.capture.hook.refused import refused_lines

                refusals, note = refused_lines(taken, key, now, redactor, settings)
                lines = refusals + lines
                if note is not None:
                    self._note(key, None, {"problem": note}, once=True)
            self.taken += 1
        if isinstance(lines, str) or not lines or not places.targets:
            return 0
        if held is not None:
            held += lines
            return len(lines)
        appender = Appender(places.targets, settings, LOCK_WAIT_S)
        appender.append(b"".join(lines))
        return len(lines)

    def append(self, held: list[bytes]) -> None:
        """Append lines that records have left in `held`, in one write. Raises OSError."""
        with self.lock:
            settings = self._settings()
            places = self._destinations(None, settings).targets
        if places and held:
            Appender(places, settings, LOCK_WAIT_S).append(b"".join(held))

    def record_export(self, records: list[Record]) -> int:
        """Append the events of a telemetry export's records, all in one write; return how many
        could not be read. Raises OSError if the log is not writable."""
        with self.lock:
            settings = self._settings()
            places = self._destinations(None, settings).targets
            if not places:
                return 0
            privacy = self._privacy(settings)
            now = now_text()
            lines: list[bytes] = []
            lost = 0
            for record in records:
                try:
                    rendered = lines_of(record, record.vendor or "", now, privacy)
                except Exception as error:
                    lost += 1
                    self.note(error, record.vendor, record.native_event)
                    continue
                lines += rendered if isinstance(rendered, list) else ()
            self.taken += 1
        if lines:
            Appender(places, settings, LOCK_WAIT_S).append(b"".join(lines))
        return lost

    def reject(self, rejection: Rejection, vendor: str | None, event: str | None = None) -> None:
        """Record a body that is not a record: its length, digest and reason, never its content."""
        size = {"length": rejection.length, "digest": rejection.digest}
        self._lost(vendor, event, rejection.reason, size)

    def lose(
        self, error: BaseException, vendor: str | None, event: str | None, data: bytes | None
    ) -> None:
        """Record a payload that an error kept out of the log."""
        self._lost(vendor, event, describe(error), measured(data))

    def lose_bytes(self, reason: str, vendor: str | None, event: str | None, data: bytes) -> None:
        """Record bytes that were to be a payload, with our own text as the reason."""
        self._lost(vendor, event, reason, measured(data))

    def _lost(
        self, vendor: str | None, event: str | None, reason: str, size: dict[str, Any]
    ) -> None:
        """Append a line about a lost payload to the log, and note it for `hookstream status`. Never
        raises."""
        about = {"length": size.get("length"), "sha256": size.get("digest")}
        size_facts = {name: value for name, value in about.items() if value is not None}
        self._note(vendor, event, {"problem": reason, **size_facts})
        try:
            with self.lock:
                settings = self._settings()
                places = self._destinations(None, settings).targets
                facts = {"capture_scope": self.scope} if self.scope else {}
                if places:
                    facts |= origin(self._privacy(settings))
            if places:
                line = lost_line(vendor, event, now_text(), reason, facts=facts, **size)
                Appender(places, settings, LOCK_WAIT_S).append(line)
        except Exception as error:
            self.note(error, vendor, event)

    def note(self, error: BaseException, vendor: str | None, event: object) -> None:
        """Note what kept a payload out of the log, for `hookstream status`."""
        self._note(vendor, event, {"problem": describe(error)})

    def note_problem(self, vendor: str | None, problem: str) -> None:
        """Note a problem in our own text, for `hookstream status`."""
        self._note(vendor, None, {"problem": problem})

    def machine_ids(self) -> Callable[[str], str]:
        """Give the function from a machine's name to the id that hooks write for it, if hooks have
        this collector's key."""
        from hookstream.capture.keys import Keys
        from hookstream.redaction.digest import pseudonym

        with self.lock:
            key = Keys(self._settings()).pseudonym
        return lambda name: pseudonym("machine", name, key)

    def preload(self) -> None:
        """Load the rules, so that the first hook does not wait for them."""
        with self.lock:
            self._privacy(self._settings())

    def _note(
        self, vendor: str | None, event: object, entry: dict[str, Any], once: bool = False
    ) -> None:
        self.failed += 1
        about = {
            "at": now_text(),
            "vendor": plain_name(vendor),
            "event": plain_name(event),
            "stage": "collector",
            **entry,
        }
        self.noted(about)
        state = state_folder()
        record_failure([state] if state is not None else [], about, once)

    def _settings(self) -> CaptureSettings:
        """The configuration, read again when a file of it or the allow-list has changed."""
        stamps = tuple(map(stamp_of, config_files()))
        if stamps != self.read_at:
            self.read_at = stamps
            self.settings = read_settings()
            self.privacy = None
        if self.settings.allow is not None:
            stamp = stamp_of(full_path(self.settings.allow))
            if stamp != self.allow_at:
                self.allow_at = stamp
                self.privacy = None
        return self.settings

    def _destinations(
        self, asked: tuple[HookRequest, str] | None, settings: CaptureSettings
    ) -> Destinations:
        """The caller's place > --log > the environment > the configuration > the default."""
        may_replace = settings.environment == "replace"
        if settings.is_log_locked:
            named = (asked[0].log if asked is not None else self.registered) or self.log
            value = asked[1] if asked is not None else os.environ.get(VARIABLE)
            return destinations(named, value, settings.log, False, True)
        if asked is None and self.registered is not None:
            value = os.environ.get(VARIABLE)
            return destinations(self.registered, value, settings.log, may_replace)
        request, value = asked if asked is not None else (None, "")
        own = first_of(self.log, os.environ.get(VARIABLE), settings.log)
        if request is None or not request.registered:
            return Destinations(resolve(first_of(request.log if request else None, value, own)))
        return destinations(request.log, value, own, may_replace)

    def _note_replaced(
        self, record: Record, key: str, now: str, redactor: Redactor, places: Destinations
    ) -> None:
        from hookstream.capture.hook.replaced import note_replaced

        assert places.replaced is not None
        place = (places.replaced, self.settings)
        note = note_replaced(record, key, now, redactor, place, not places.targets)
        if note is not None:
            self._note(key, None, {"problem": note}, once=True)

    def _privacy(self, settings: CaptureSettings) -> Redactor:
        if self.keys_again_s is not None and monotonic() > self.keys_again_s:
            self.privacy = None
        if self.privacy is None:
            from hookstream.capture.keys import Keys

            keys = Keys(settings)
            for problem in keys.problems:
                self._note(None, None, {"problem": problem}, once=True)
            self.keys_again_s = monotonic() + KEYS_AGAIN_S if keys.problems else None
            self.privacy = CountingRedactor(
                self.redactions,
                settings.privacy,
                pseudonym_key=keys.pseudonym,
                digest_key=keys.digest,
                allow=self._allowed(settings.allow) if settings.allow is not None else (),
                pseudonyms=settings.pseudonyms,
                personal=settings.personal,
            )
        return self.privacy

    def _allowed(self, path: str) -> tuple[str, ...]:
        entries, problem = read_allowed(path)
        if problem is not None:
            self._note(None, None, {"problem": problem}, once=True)
        return entries


def stamp_of(path: str | None) -> Stamp | None:
    """A value that changes with a file, rights included: a list that may no longer be read allows
    nothing. None if it does not exist."""
    if path is None:
        return None
    try:
        info = os.stat(path)
    except (OSError, ValueError):
        return None
    return info.st_mtime_ns, info.st_ctime_ns, info.st_size
