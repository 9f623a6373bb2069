"""Options of a run and the pipeline they configure. Plain values, picklable for workers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError, invalid_choice
from hookstream.core.files import make_private
from hookstream.core.folders import state_path
from hookstream.core.personal import DEFAULT as PERSONAL_DEFAULT
from hookstream.core.personal import KINDS as PERSONAL_KINDS
from hookstream.core.personal import unknown as unknown_personal
from hookstream.core.times import to_iso
from hookstream.detect import Detectors
from hookstream.detect.attempts import DEFAULT, Thresholds
from hookstream.normalizers import VENDORS
from hookstream.pipeline.stages import Pipeline

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.redaction import Redactor
    from hookstream.seal.sealed import Sealing


@dataclass(frozen=True)
class Job:
    """`mode` is a privacy mode, `now` RFC 3339 or None for the system's clock, `key_file` the key
    of keyed digests, `pseudonyms` the file of the pseudonym key (None: the default place), `allow`
    the file of known non-secrets (see redaction/allow.py), `witnesses` the kinds of record
    to use: hook, transcript, telemetry; empty means all, `machine` and `user` the defaults for
    records without these names; `names` whether names of users and machines are pseudonyms
    (keyed, off, None: as the mode has it), `personal` the kinds of personal data that are looked
    for (see `hookstream.core.personal`), `policy_keys` the settings of keys that the machine's
    policy named, `may_make_key` whether a missing pseudonym key is made; `rules` Sigma
    rules to ask of every event (`pack`: the shipped); `loop_threshold` the number of failed
    attempts that make a loop; `seal` whether what is written is sealed, `seal_to` the second
    places of its checkpoints."""

    sources: list[str]
    sinks: list[str]
    standard: str = "both"
    mode: str = "hash"
    vendor: str | None = None
    workers: int = 1
    now: str | None = None
    key_file: Path | None = None
    pseudonyms: Path | None = None
    allow: Path | None = None
    seal: bool = False
    seal_to: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()
    machine: str | None = None
    user: str | None = None
    names: str | None = None
    personal: tuple[str, ...] = PERSONAL_DEFAULT
    policy_keys: tuple[str, ...] = ()
    may_make_key: bool = True
    rules: tuple[str, ...] = ()
    loop_threshold: int = DEFAULT.failures


def system_clock() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
    pipeline = Pipeline(ready, clock_of(job), job.vendor, job.witnesses, job.machine, job.user)
    pipeline.detectors = make_detectors(job)
    if job.rules:
        from hookstream.rules.live import Live

        pipeline.judge = Live(rule_places(job)).see
    return pipeline


def rule_places(job: Job) -> list[Path]:
    """Files and folders of the job's rules."""
    from hookstream.rules.load import pack

    return [pack() if one == "pack" else Path(one) for one in job.rules]


def make_detectors(job: Job) -> Detectors:
    """The detection stage of the job; it begins without history."""
    return Detectors(Thresholds(failures=job.loop_threshold))


def make_redactor(job: Job) -> Redactor:
    """The redaction stage of the job, with its keys and compiled rules. It keeps no history."""
    from hookstream.redaction import MODES, Redactor
    from hookstream.redaction.keys import load_key

    if job.mode not in MODES:
        raise invalid_choice("privacy mode", job.mode, MODES)
    for word in unknown_personal(job.personal):
        raise invalid_choice("kind of personal data", word, (*PERSONAL_KINDS, "all", "none"))
    pseudonyms = pseudonym_key(job)
    digest_key = None
    if job.key_file is not None:
        digest_key = load_key(job.key_file, shared="hash_key_file" in job.policy_keys)
    allow: tuple[str, ...] = ()
    if job.allow is not None:
        from hookstream.redaction.allow import read_allow_list
        from hookstream.redaction.rules import ids

        allow = read_allow_list(job.allow, ids())
    return Redactor(
        job.mode,
        pseudonym_key=pseudonyms,
        digest_key=digest_key,
        allow=allow,
        pseudonyms=job.names,
        personal=job.personal,
    )


def pseudonym_key(job: Job) -> bytes:
    """Return the key of pseudonyms and fingerprints. If it does not exist, only a user's own is
    made: a fleet's is the same everywhere. Raises HookstreamError."""
    from hookstream.core.folders import pseudonym_key_file
    from hookstream.redaction.keys import load_key

    path = job.pseudonyms or pseudonym_key_file()
    shared = "pseudonym_key_file" in job.policy_keys
    return load_key(path, create=job.may_make_key, shared=shared)


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
    kind = uri.partition(":")[0]
    return folder / f"{kind}-{sha256(uri.encode()).hexdigest()[:12]}.db"
