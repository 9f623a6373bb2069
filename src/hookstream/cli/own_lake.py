"""The private lake of this machine, made of its session files and its capture log.

    STATE/own/lake-MARK/        MARK is a digest of STAMPS
    STATE/own/lake-MARK.files   STAMPS: path, size and time of each file that it was made of, JSON

`hookstream ui` without a lake opens it. It is made again when a file has changed; the one before
stays for pages that are open.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.cli.next_steps import captured, session_files, since
from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.core.files import make_private, write_private
from hookstream.version import __version__

if TYPE_CHECKING:
    from hookstream.transcripts.places import ListedSession
    from hookstream.ui.conversation import OwnSessions
    from hookstream.ui.renewal import Renewal

STAMPS = ".files"
# Bytes and files of the newest sessions that pages begin with, where there are many more: so few
# that Python looks for their secrets before the rules are compiled.
FIRST_BYTES, FIRST_FILES = 1 << 18, 40
Stamp = tuple[str, int, int]
KEPT = 2  # lakes: this one, and the one before
TABLES = ".tables"  # of the folder next to a lake that its tables are in


def own_lake() -> tuple[Path, str]:
    """The lake, and one line about what it holds. Raises NothingToRead where this machine has
    neither session files nor a capture log."""
    return _lake_of(*own_files())


def first_lake() -> tuple[Path, str, bool]:
    """The lake and its line as `own_lake` has them, and whether it is whole: where that would have
    to be made of many files, it is one of the newest sessions, for pages to begin with."""
    files, log = own_files()
    newest = newest_of(files)
    if len(newest) == len(files) or _place_of(stamps_of(files, log)).is_dir():
        return *_lake_of(files, log), True
    try:
        lake, line = _lake_of(newest, [], is_first=True)
    except NothingToRead:  # in these
        return *_lake_of(files, log), True
    return lake, f"{line}; first the newest sessions, {len(files)} files are being read", False


def newest_of(files: list[ListedSession]) -> list[ListedSession]:
    """The files written last, up to FIRST_FILES and FIRST_BYTES; all if these are few. A file that
    alone is larger has to wait, except the smallest where all are."""
    if sum(file.size for file in files) <= 4 * FIRST_BYTES:
        return files
    newest = sorted(files, key=lambda file: file.mtime, reverse=True)[:FIRST_FILES]
    chosen: list[ListedSession] = []
    size = 0
    for file in newest:
        if size + file.size <= FIRST_BYTES:
            size += file.size
            chosen.append(file)
    return chosen or [min(newest, key=lambda file: file.size)]


def own_files() -> tuple[list[ListedSession], list[Path]]:
    """The session files and the capture log. Raises NothingToRead without either."""
    files, log = session_files(), captured()
    if not files and not log:
        raise NothingToRead(
            "no session files of the last 30 days and no capture log on this machine; "
            "run hookstream install, or name a lake"
        )
    return files, log


def _place_of(stamps: list[Stamp]) -> Path:
    from hookstream.delivery.job import state_folder

    return state_folder() / "own" / f"lake-{mark_of(stamps)}"


def _lake_of(
    files: list[ListedSession], log: list[Path], *, is_first: bool = False
) -> tuple[Path, str]:
    """The lake of these files, made if it is needed, and one line about what it holds."""
    clients = sorted({file.client for file in files})
    told = f"{len(files)} session files of {', '.join(clients)}" if files else "no session files"
    line = f"{told}; " + ("the capture log" if log else "no capture log: hookstream install")
    stamps = stamps_of(files, log)
    lake = _place_of(stamps)
    make_private(lake.parent)
    if not lake.is_dir():
        _build(lake, files, log, int(since() * 1000), is_first)
    if not lake.with_suffix(STAMPS).exists():
        write_private(lake.with_suffix(STAMPS), json.dumps(stamps))
    return lake, line


def own_conversations() -> OwnSessions:
    """The session files that the lake is made of, to read prompts from."""
    from hookstream.cli.after import AFTER
    from hookstream.delivery.settings import job_of
    from hookstream.ui.conversation import OwnSessions

    return OwnSessions(session_files(), replace(job_of({}), privacy="redact", after=AFTER))


def own_renewal(*, at_once: bool = False) -> Renewal:
    """Count the newer files, and read them while the pages are open: when that is asked for, or
    `at_once`."""
    from hookstream.ui.renewal import Renewal

    return Renewal(newer_than, (sys.executable, "-m", __name__), at_once=at_once)


def newer_than(lake: Path) -> int:
    """Count the files that are not as they were when the lake was made of them."""
    known = {tuple(one) for one in json.loads(lake.with_suffix(STAMPS).read_bytes())}
    return sum(stamp not in known for stamp in stamps_of(session_files(), captured()))


def stamps_of(files: list[ListedSession], log: list[Path]) -> list[Stamp]:
    """Path, size and time of each file."""
    paths = [*(Path(file.path) for file in files), *log]
    return [(str(path), (s := path.stat()).st_size, s.st_mtime_ns) for path in sorted(paths)]


def mark_of(stamps: list[Stamp]) -> str:
    """A digest of the stamps, and of this version."""
    return sha256(repr((__version__, stamps)).encode()).hexdigest()[:16]


def _build(
    lake: Path, files: list[ListedSession], log: list[Path], since_ms: int, is_first: bool
) -> None:
    from hookstream.capture.hook.lines import machine_name, user_name
    from hookstream.cli.after import AFTER
    from hookstream.cli.backfill import with_progress
    from hookstream.cli.progress import bar
    from hookstream.delivery.run import execute
    from hookstream.delivery.settings import job_of
    from hookstream.ui.casebook import Casebook

    folder = lake.parent
    building = folder / f"building-{os.getpid()}"
    uri = f"parquet:{building}"
    job = replace(
        job_of({}),
        workers=1 if is_first else os.cpu_count() or 1,
        engine="python" if is_first else "auto",
        machine=machine_name(),
        user=user_name(),
        after=AFTER,
    )
    try:
        if files:
            with_progress(job, uri, files, since_ms)
        if log:
            with bar("records"):
                execute(replace(job, sources=[str(path) for path in log], sinks=[uri]))
        if not any(building.rglob("*.parquet")):
            raise NothingToRead("the session files and the capture log hold no event")
        if not lake.is_dir():  # another one may have made it meanwhile
            building.rename(lake)
    except OSError as error:
        raise HookstreamError(f"{folder}: {error.strerror}") from None
    finally:
        shutil.rmtree(building, ignore_errors=True)
    before = sorted(_lakes(folder) - {lake}, key=lambda path: -path.stat().st_mtime)
    Casebook(lake).continue_first_of(map(Casebook, before))
    for old in before[KEPT - 1 :]:
        shutil.rmtree(old, ignore_errors=True)
        shutil.rmtree(old.with_suffix(TABLES), ignore_errors=True)
        old.with_suffix(STAMPS).unlink(missing_ok=True)
        Casebook(old).path.unlink(missing_ok=True)


def _lakes(folder: Path) -> set[Path]:
    return {path for path in folder.glob("lake-*") if not path.suffix}


def main() -> int:
    """Make the lake again, print how many bytes are done, of how many, then its path; the pages run
    this for newer files."""
    from hookstream.core.progress import heard
    from hookstream.delivery.parallel import end_with_parent
    from hookstream.tables.update import freshen

    def tell(done: int, total: int | None, unit: str) -> None:
        if total and not unit:
            print(done, total, flush=True)

    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(10)  # the pages that are open come first
    try:
        with heard(tell):
            lake, _ = own_lake()
        # Pages and rules read derived rows side by side, each reader its own: derived once here.
        freshen(lake, at_once=True)
        print(lake)
    except HookstreamError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
