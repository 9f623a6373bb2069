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

from hookstream.cli.own_files import captured, session_files, since
from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.core.files import make_private, write_private
from hookstream.version import __version__

if TYPE_CHECKING:
    from hookstream.transcripts.places import ListedSession
    from hookstream.ui.conversation import OwnSessions
    from hookstream.ui.renewal import Renewal

STAMPS = ".files"
Stamp = tuple[str, int, int]
KEPT = 2  # lakes: this one, and the one before
TABLES = ".tables"  # of the folder next to a lake that its tables are in


def own_lake() -> tuple[Path, str]:
    """The lake, and one line about what it holds. Raises NothingToRead where this machine has
    neither session files nor a capture log."""
    from hookstream.delivery.job import state_folder

    files, log = session_files(), captured()
    if not files and not log:
        raise NothingToRead(
            "no session files of the last 30 days and no capture log on this machine; "
            "run hookstream install, or name a lake"
        )
    clients = sorted({file.client for file in files})
    told = f"{len(files)} session files of {', '.join(clients)}" if files else "no session files"
    line = f"{told}; " + ("the capture log" if log else "no capture log: hookstream install")
    folder = state_folder() / "own"
    make_private(folder)
    stamps = stamps_of(files, log)
    lake = folder / f"lake-{mark_of(stamps)}"
    if not lake.is_dir():
        _build(folder, lake, files, log, int(since() * 1000))
    if not lake.with_suffix(STAMPS).exists():
        write_private(lake.with_suffix(STAMPS), json.dumps(stamps))
    return lake, line


def own_conversations() -> OwnSessions:
    """The session files that the lake is made of, to read prompts from."""
    from hookstream.cli.after import AFTER
    from hookstream.delivery.settings import job_of
    from hookstream.ui.conversation import OwnSessions

    return OwnSessions(session_files(), replace(job_of({}), privacy="redact", after=AFTER))


def own_renewal() -> Renewal:
    """Count the newer files, and read them while the pages are open."""
    from hookstream.ui.renewal import Renewal

    return Renewal(newer_than, (sys.executable, "-m", __name__))


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
    folder: Path, lake: Path, files: list[ListedSession], log: list[Path], since_ms: int
) -> None:
    from hookstream.capture.hook.lines import machine_name, user_name
    from hookstream.cli.after import AFTER
    from hookstream.cli.backfill import with_progress
    from hookstream.cli.progress import bar
    from hookstream.delivery.run import execute
    from hookstream.delivery.settings import job_of
    from hookstream.ui.casebook import Casebook

    building = folder / f"building-{os.getpid()}"
    uri = f"parquet:{building}"
    job = replace(
        job_of({}),
        workers=os.cpu_count() or 1,
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
    """Make the lake again and print its path; the pages run this for newer files."""
    from hookstream.delivery.parallel import end_with_parent

    end_with_parent()
    try:
        print(own_lake()[0])
    except HookstreamError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
