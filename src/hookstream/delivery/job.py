"""The job of a run: its settings under their names in configuration/catalog.py, and what they open:
pipeline, redactor, sinks, keys. Plain values, picklable for workers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hookstream.core.errors import HookstreamError, SinkError, invalid_choice
from hookstream.core.files import make_private
from hookstream.core.folders import pseudonym_key_file, state_path
from hookstream.core.personal import DEFAULT as PERSONAL_DEFAULT
from hookstream.core.personal import KINDS as PERSONAL_KINDS
from hookstream.core.personal import unknown as unknown_personal
from hookstream.core.times import system_clock, to_iso
from hookstream.delivery.credentials import known, open_at
from hookstream.delivery.select import Selected, Selection
from hookstream.detect.attempts import DEFAULT, Thresholds
from hookstream.detect.detectors import Detectors
from hookstream.lake.listing import SEAL
from hookstream.normalizers import VENDORS
from hookstream.pipeline.stages import Pipeline
from hookstream.sinks import files_of, kind_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookstream.core.event import Event
    from hookstream.redaction import Redactor
    from hookstream.sinks.base import Sink
    from hookstream.standards.rendered import Rendered

    Judge = Callable[[list[list[Rendered]]], None]
    Opener = Callable[[], Sink]


class StoredQuestion(Protocol):
    """A question about stored events, asked again and again; `interrupt` ends one that runs."""

    def __call__(self) -> list[Event]: ...

    def interrupt(self) -> None: ...


@dataclass(frozen=True)
class After:
    """Functions of other rooms, at module level so that workers get them with their job: `judge`
    makes what adds findings to events, `correlate` the question about a lake, `refresh` derives a
    lake's tables (at once or if worth it), `seal` opens a sink sealed, `rehearse` checks that."""

    judge: Callable[[Sequence[Path]], Judge] | None = None
    correlate: Callable[[Path, Sequence[Path], Callable[[], str]], StoredQuestion] | None = None
    refresh: Callable[[Path, bool], object] | None = None
    seal: Callable[[Job, SinkSettings, Opener], Sink] | None = None
    rehearse: Callable[[Job, SinkSettings, Opener], None] | None = None


NOTHING = After()


ALL = Selection()


@dataclass(frozen=True)
class SinkSettings:
    """One sink. `options` are passed on by name; credentials in them are read when it is opened."""

    name: str
    uri: str
    standard: str = "both"
    selection: Selection = ALL
    options: dict[str, Any] = field(default_factory=dict)
    flush_s: float | None = None

    @property
    def label(self) -> str:
        """The configured name, if any."""
        return "" if self.name == self.uri else self.name

    def open(self, refresh: Callable[[Path, bool], object] | None = None, **common: Any) -> Sink:
        """SinkError as `open_sink`; HookstreamError for a missing credential. `refresh` derives the
        tables of a lake."""
        options = {name: known(value) for name, value in self.options.items()}
        kind = kind_name(self.uri)
        for name in common:
            if name in options:
                raise SinkError(f"{kind}: {name} is not for a file to say")
        try:
            sink = open_at(self.uri, refresh, standard=self.standard, **common, **options)
        except (TypeError, AttributeError, ValueError):  # from whatever takes the option in the end
            raise SinkError(f"{kind}: the value of an option is of a wrong type") from None
        return sink if self.selection.takes_all else Selected(sink, self.selection)


@dataclass(frozen=True)
class Job:
    """The settings of a run. `sinks` are addresses, or sinks with their settings; `user` is the
    account of records that name none, `policy_keys` the settings of keys that the machine's policy
    named, `may_make_key` whether a missing key of pseudonyms is made, `engine` what
    looks for secrets, `after` what follows it."""

    sources: list[str]
    sinks: Sequence[str | SinkSettings]
    standard: str = "both"
    privacy: str = "hash"
    pseudonyms: str | None = None
    personal: tuple[str, ...] = PERSONAL_DEFAULT
    pseudonym_key_file: Path | None = None
    hash_key_file: Path | None = None
    allow: Path | None = None
    vendor: str | None = None
    workers: int = 1
    now: str | None = None
    witness: tuple[str, ...] = ()
    machine: str | None = None
    user: str | None = None
    rules: tuple[str, ...] = ()
    loop_threshold: int = DEFAULT.failures
    seal: bool = False
    seal_to: tuple[str, ...] = ()
    state: Path | None = None
    spool_bytes: int | None = None
    kafka: dict[str, Any] = field(default_factory=dict)
    policy_keys: tuple[str, ...] = ()
    may_make_key: bool = True
    engine: str = "auto"
    after: After = NOTHING

    @property
    def outputs(self) -> list[SinkSettings]:
        """The sinks with their settings, each once."""
        named = [
            sink if isinstance(sink, SinkSettings) else SinkSettings(sink, sink, self.standard)
            for sink in self.sinks
        ]
        return list({one.name: one for one in named}.values())

    @property
    def rule_places(self) -> list[Path]:
        """Files and folders of the rules."""
        return [Path(rule) for rule in self.rules]

    @property
    def uris(self) -> list[str]:
        """The addresses of the sinks, each once."""
        return list(dict.fromkeys(output.uri for output in self.outputs))


def opener(job: Job, sink: SinkSettings, **common: Any) -> Callable[[], Sink]:
    """The function that opens a sink of the job, sealed where the job or the sink's folder says so.
    Its errors begin with the sink's configured name, never with an address, which may hold a
    credential."""
    return partial(job.after.seal or unsealed, job, sink, plain_opener(job, sink, **common))


def unsealed(job: Job, sink: SinkSettings, make: Callable[[], Sink]) -> Sink:
    """Open a sink of a run that cannot seal. SinkError if it would have to."""
    target = files_of(sink.uri, sink.standard, sink.options)
    if target is not None and (job.seal or job.seal_to or (target[0] / SEAL).is_dir()):
        raise SinkError(f"{sink.uri}: seal: this program cannot; use hookstream run")
    return make()


def plain_opener(job: Job, sink: SinkSettings, **common: Any) -> Callable[[], Sink]:
    """As `opener`, without a seal."""
    common["now"] = clock_of(job)

    def make() -> Sink:
        try:
            return sink.open(job.after.refresh, **common)
        except SinkError as error:
            raise SinkError(f"sink {sink.label}: {error}" if sink.label else str(error)) from None

    return make


def clock_of(job: Job) -> Callable[[], str]:
    """The clock of the run, picklable. HookstreamError for a time that is not one."""
    if job.now is None:
        return system_clock
    moment = to_iso(job.now)
    if moment is None:
        raise HookstreamError(f"--now: invalid time {job.now!r}; use 2026-11-21T12:00:00Z")
    return partial(str, moment)


def make_pipeline(job: Job, redactor: Redactor | None = None) -> Pipeline:
    """A fresh pipeline for the job. Raises HookstreamError for a bad key, time or vendor."""
    if job.vendor is not None and job.vendor not in VENDORS:
        raise invalid_choice("vendor", job.vendor, VENDORS)
    ready = redactor or make_redactor(job)
    pipeline = Pipeline(ready, clock_of(job), job.vendor, job.witness, job.machine, job.user)
    pipeline.detectors = Detectors(Thresholds(failures=job.loop_threshold))
    if job.rules:
        if job.after.judge is None:
            raise HookstreamError("rules: this program cannot judge; use hookstream run")
        pipeline.judge = job.after.judge(job.rule_places)
    return pipeline


def make_redactor(job: Job) -> Redactor:
    """The redaction stage of the job, with its keys and compiled rules. It keeps no history."""
    from hookstream.redaction import MODES, Redactor

    if job.privacy not in MODES:
        raise invalid_choice("privacy mode", job.privacy, MODES)
    for word in unknown_personal(job.personal):
        raise invalid_choice("kind of personal data", word, (*PERSONAL_KINDS, "all", "none"))
    pseudonyms = pseudonym_key(job)
    allow: tuple[str, ...] = ()
    if job.allow is not None:
        from hookstream.redaction.allow import read_allow_list
        from hookstream.redaction.rules import ids

        allow = read_allow_list(job.allow, ids())
    return Redactor(
        job.privacy,
        pseudonym_key=pseudonyms,
        digest_key=digest_key(job),
        allow=allow,
        pseudonyms=job.pseudonyms,
        personal=job.personal,
        engine=job.engine,
    )


def pseudonym_key(job: Job) -> bytes:
    """Return the key of pseudonyms and fingerprints. If it does not exist, only a user's own is
    made: a fleet's is the same everywhere. Raises HookstreamError."""
    from hookstream.redaction.keys import load_key

    path = job.pseudonym_key_file or pseudonym_key_file()
    shared = "pseudonym_key_file" in job.policy_keys
    return load_key(path, create=job.may_make_key, shared=shared)


def digest_key(job: Job) -> bytes | None:
    """Return the key of digests of content; None if they are plain. Raises HookstreamError."""
    from hookstream.redaction.keys import load_key

    if job.hash_key_file is None:
        return None
    return load_key(job.hash_key_file, shared="hash_key_file" in job.policy_keys)


def state_folder() -> Path:
    """`$XDG_STATE_HOME/hookstream`, made 0700 at need."""
    folder = state_path()
    make_private(folder)
    return folder


def waiting_file(uri: str) -> Path:
    """The file of waiting records that this URI's sink did not take (delivery/dead_letters.py)."""
    folder = state_folder() / "waiting"
    make_private(folder)
    return folder / f"{kind_name(uri)}-{sha256(uri.encode()).hexdigest()[:12]}.db"
