"""`python -m hookstream.spark SOURCE LAKE --master URL`: a run on Apache Spark (extra `spark`).

The unit that may not be split is a machine's log in its order: what a record means depends on those
before it, and on nothing of other machines. So paths travel, not lines: one row per machine,
repartitioned, and `mapInArrow` runs the same pipeline as `hookstream run` on each. SOURCE and LAKE
must be the same folders on every worker. Parts are written next to the lake and renamed into it
under names that follow from their ids, so a task that Spark runs twice writes the same files.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.configuration.catalog import OPTIONS
from hookstream.core.errors import HookstreamError, NothingToRead, extra
from hookstream.core.files import make_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hookstream.delivery.job import Job

COUNTS = ("read", "events", "ignored", "rejected")
SCHEMA = "machine string, read long, events long, ignored long, rejected long, parts long, "
SCHEMA += "names array<string>"


@dataclass(frozen=True)
class Work:
    """The input of every task: the job, the lake, the digest of the key of pseudonyms."""

    job: Job
    lake: str
    key_digest: str


def main(words: list[str] | None = None) -> int:
    asked = _arguments().parse_args(words)
    try:
        counts = run(asked)
    except HookstreamError as error:
        print(f"hookstream: {error}", file=sys.stderr)
        return 2
    counted = ", ".join(f"{name} {counts[name]}" for name in COUNTS)
    print(f"{counted}; {counts['machines']} machines, {counts['parts']} parts", file=sys.stderr)
    return 0


def _arguments() -> argparse.ArgumentParser:
    arguments = argparse.ArgumentParser(prog="python -m hookstream.spark", description=__doc__)
    arguments.add_argument("source", nargs="+", help="files or folders, as for hookstream run")
    arguments.add_argument("lake", help="folder (or delta:FOLDER), the same on every worker")
    arguments.add_argument("--master", default="local[*]", help="Spark's master (local[*])")
    for name in ("standard", "privacy", "personal", "now"):
        setting = OPTIONS[name]
        arguments.add_argument(setting.option, choices=setting.words or None, help=setting.help)
    arguments.add_argument("--key-file", type=Path, help="pseudonym key, the same on every worker")
    return arguments


def run(asked: argparse.Namespace) -> dict[str, int]:
    """The whole run; sums of what the tasks counted. HookstreamError for what the user can mend."""
    from hookstream.core.folders import pseudonym_key_file
    from hookstream.delivery.job import After, clock_of, pseudonym_key
    from hookstream.delivery.settings import job_of
    from hookstream.lake.delta_store import commit_parts
    from hookstream.rules import judge

    kind, lake_path = _lake(asked.lake)
    if "://" in lake_path:
        raise HookstreamError(f"{asked.lake}: Spark writes to a folder that all workers share")
    lake = Path(lake_path).absolute()
    named = ("standard", "privacy", "personal", "now")
    options = {
        "sources": [str(Path(source).absolute()) for source in asked.source],
        "sink": [f"parquet:{lake}"],
        **{name: getattr(asked, name) for name in named},
    }
    job = job_of(options)
    key_path = asked.key_file or job.pseudonym_key_file or Path(pseudonym_key_file())
    job = replace(
        job,
        pseudonym_key_file=key_path.absolute(),
        may_make_key=job.may_make_key and asked.key_file is None,
        after=After(judge=judge),
        # One clock for all tasks, or a record without a time would differ from run to run.
        now=clock_of(job)(),
    )
    key = pseudonym_key(job)
    make_private(lake)
    machines = by_machine(job.sources)
    work = Work(job, str(lake), sha256(key).hexdigest())
    session = _session(asked.master)
    try:
        rows = session.createDataFrame(machines, "machine string, paths array<string>")
        spread = rows.repartition(len(machines), "machine")
        done = spread.mapInArrow(_task(work), SCHEMA).collect()
    except Exception as error:
        raise HookstreamError(f"spark: {_reason(error)}") from None
    finally:
        session.stop()
        shutil.rmtree(_staging(lake), ignore_errors=True)
    if kind == "delta":
        commit_parts(lake, [name for row in done for name in row["names"]])
    counts = {name: sum(row[name] for row in done) for name in (*COUNTS, "parts")}
    if not counts["read"]:
        raise NothingToRead(f"{', '.join(asked.source)}: holds no record")
    return {**counts, "machines": len(done)}


def _lake(given: str) -> tuple[str, str]:
    """The kind of sink (parquet or delta) and its folder."""
    from hookstream.sinks import KINDS, kind_name, read_uri

    address = read_uri(given if kind_name(given) in KINDS else f"parquet:{given}")
    if not address.kind.is_lake:
        raise HookstreamError(f"{given}: not a lake; a folder, or delta:FOLDER")
    return address.kind.name, address.target


def _session(master: str) -> Any:
    # Else Spark starts its workers with whatever `python3` the path has.
    for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"):
        os.environ.setdefault(name, sys.executable)
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise HookstreamError(extra("spark")) from None
    builder = SparkSession.builder.appName("hookstream").master(master)
    builder = builder.config("spark.ui.enabled", "false").config(
        "spark.sql.adaptive.enabled", "false"
    )
    try:
        session = builder.getOrCreate()
    except Exception as error:  # no Java, no master
        raise HookstreamError(f"spark: {_reason(error)}") from None
    session.sparkContext.setLogLevel("ERROR")
    return session


def _reason(error: Exception) -> str:
    """The line of an error that a user can act on: a task's own, not Spark's frames around it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    own = [line for line in lines if "HookstreamError: " in line or "NothingToRead: " in line]
    return (own[-1].partition("rror: ")[2] if own else lines[0] if lines else repr(error))[:300]


def by_machine(sources: list[str]) -> list[tuple[str, list[str]]]:
    """(machine, paths in order) of all files. HookstreamError as `find`."""
    from hookstream.core.sources import find
    from hookstream.pipeline.machines import machine_of

    groups: dict[str, list[str]] = {}
    for path in find(sources):
        if path is None:
            raise HookstreamError("-: standard input is on one machine only; name files")
        groups.setdefault(machine_of(path, sources) or "", []).append(str(path))
    return list(groups.items())


def _task(work: Work) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """The function that runs on a worker, over batches of (machine, paths)."""

    def each(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        from hookstream.integrations.spark import run_machine

        for batch in batches:
            for row in batch.to_pylist():
                counts = run_machine(work, row["machine"], row["paths"])
                columns = {"machine": row["machine"], **counts}
                yield pa.RecordBatch.from_pylist([columns])

    return each


def run_machine(work: Work, machine: str, paths: list[str]) -> dict[str, Any]:
    """Run one machine's files through a separate pipeline into the lake."""
    from hookstream.delivery.batch import FanOut, run_files
    from hookstream.delivery.job import make_pipeline, pseudonym_key
    from hookstream.sinks import open_sink

    job = work.job
    key = pseudonym_key(replace(job, may_make_key=False))
    if sha256(key).hexdigest() != work.key_digest:
        raise HookstreamError(
            f"{job.pseudonym_key_file}: not the key of the driver; copy it to all workers"
        )
    lake = Path(work.lake)
    name = sha256("\0".join([machine, *paths]).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    staging = _staging(lake) / name
    shutil.rmtree(staging, ignore_errors=True)  # of an attempt that died
    sink = open_sink(f"parquet:{staging}", standard=job.standard)
    fan = FanOut([sink], job.standard)
    pipeline = make_pipeline(job)
    files: list[Path | None] = [Path(path) for path in paths]
    run_files(files, pipeline, fan, {Path(path): machine or None for path in paths})
    sink.close()
    if fan.waiting or fan.unkept:
        raise HookstreamError(f"{staging}: not everything could be written")
    parts = _publish(staging, lake, int(name, 16))
    tally = pipeline.tally.report(0.0, {})
    ignored = sum(tally["ignored"].values())
    return {
        "read": tally["read"],
        "events": tally["events"],
        "ignored": ignored,
        "rejected": tally["rejected"],
        "parts": len(parts),
        "names": parts,
    }


def _staging(lake: Path) -> Path:
    """Next to the lake: a glob over it may descend into hidden folders."""
    return lake.with_name(f".{lake.name}.staging")


def _publish(staging: Path, lake: Path, mark: int) -> list[str]:
    """Rename the parts into the lake, numbered by machine: where two have the same ids,
    these are two parts. Their paths below the lake."""
    published = []
    base = 10_000_000 + mark % 1_000_000 * 10_000
    for part in sorted(staging.glob("date=*/tool=*/*.parquet")):
        _, number, rest = part.name.split("-", 2)
        name = f"part-{base + int(number)}-{rest}"
        target = lake / part.relative_to(staging).with_name(name)
        make_private(target.parent)
        part.replace(target)
        published.append(target.relative_to(lake).as_posix())
    shutil.rmtree(staging, ignore_errors=True)
    return published
