"""The job of a run: its settings under their names in configuration/catalog.py, and what they open:
pipeline, redactor, sinks, keys. Plain values, picklable for workers."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from hookstream.normalizers import VENDORS
from hookstream.pipeline.stages import Pipeline
from hookstream.sinks import kind_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookstream.redaction import Redactor
    from hookstream.seal.sealed import Sealing
    from hookstream.sinks.base import Sink

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

    def open(self, **common: Any) -> Sink:
        """SinkError as `open_sink`; HookstreamError if a credential is not to be had."""
        options = {name: known(value) for name, value in self.options.items()}
        kind = kind_name(self.uri)
        for name in common:
            if name in options:
                raise SinkError(f"{kind}: {name} is not for a file to say")
        try:
            sink = open_at(self.uri, standard=self.standard, **common, **options)
        except (TypeError, AttributeError, ValueError):  # from whatever takes the option in the end
            raise SinkError(f"{kind}: the value of an option is of a wrong type") from None
        return sink if self.selection.takes_all else Selected(sink, self.selection)


@dataclass(frozen=True)
class Job:
    """The settings of a run. `sinks` are addresses, or sinks with their settings; `user` is the
    account of records that name none, `policy_keys` the settings of keys that the machine's policy
    named, `may_make_key` whether a missing key of pseudonyms is made."""

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

    @property
    def outputs(self) -> list[SinkSettings]:
        """The sinks with their settings, each once."""
        named = [
            one if isinstance(one, SinkSettings) else SinkSettings(one, one, self.standard)
            for one in self.sinks
        ]
        return list({one.name: one for one in named}.values())

    @property
    def uris(self) -> list[str]:
        """The addresses of the sinks, each once."""
        return list(dict.fromkeys(one.uri for one in self.outputs))


def opener(job: Job, sink: SinkSettings, **common: Any) -> Callable[[], Sink]:
    """The function that opens a sink of the job, sealed where the job or the sink's folder says so.
    Its errors begin with the sink's configured name, never with an address, which may hold a
    credential."""
    from hookstream.seal.sealed import open_sealed

    make = plain_opener(job, sink, **common)
    keys = seal_keys()
    return partial(open_sealed, sink.uri, make, sealing_of(job), keys, sink.standard, sink.options)


def plain_opener(job: Job, sink: SinkSettings, **common: Any) -> Callable[[], Sink]:
    """As `opener`, without a seal."""
    common["now"] = clock_of(job)

    def make() -> Sink:
        try:
            return sink.open(**common)
        except SinkError as error:
            raise SinkError(f"sink {sink.label}: {error}" if sink.label else str(error)) from None

    return make


def clock_of(job: Job) -> Callable[[], str]:
    if job.now is None:
        return system_clock
    moment = to_iso(job.now)
    if moment is None:
        raise HookstreamError(f"--now: invalid time {job.now!r}; use 2026-11-21T12:00:00Z")

    return lambda: moment


def make_pipeline(job: Job, redactor: Redactor | None = None) -> Pipeline:
    """A fresh pipeline for the job. Raises HookstreamError for a bad key, time or vendor."""
    if job.vendor is not None and job.vendor not in VENDORS:
        raise invalid_choice("vendor", job.vendor, VENDORS)
    ready = redactor or make_redactor(job)
    pipeline = Pipeline(ready, clock_of(job), job.vendor, job.witness, job.machine, job.user)
    pipeline.detectors = make_detectors(job)
    if job.rules:
        from hookstream.rules.live import Live

        pipeline.judge = Live(rule_places(job)).see
    return pipeline


def rule_places(job: Job) -> list[Path]:
    """Files and folders of the job's rules."""
    return [Path(one) for one in job.rules]


def make_detectors(job: Job) -> Detectors:
    """The detection stage of the job; it begins without history."""
    return Detectors(Thresholds(failures=job.loop_threshold))


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


def sealing_of(job: Job) -> Sealing | None:
    """Return how the job's files are sealed; None if not asked for."""
    if not (job.seal or job.seal_to):
        return None
    from hookstream.seal.sealed import Sealing

    return Sealing(seal_keys(), job.seal_to)


def seal_keys() -> Path:
    """The folder of the keys that seal."""
    return state_path("seal")


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
