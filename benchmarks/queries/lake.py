"""A lake of any size made of the samples: sessions copied under new ids, machines and days.

The layout is that of the `parquet:` sink (date=D/tool=T/). One session in a hundred is cut after
its first event; what is left of it lies apart in `late/`, to arrive later: `late/day` of the
sessions of one day, `late/spread` of sessions of all days.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import duckdb

SAMPLES = Path(__file__).parents[2] / "samples"
DAYS = 20
MACHINES = 300
# Copies of the samples in one file.
SHARE = 500
SEED = """
create table seed as
select * exclude (date) replace (
    timestamp '2026-11-01' + ("timestamp" - date_trunc('day', first_at)) as "timestamp"
)
from (
    select *, min("timestamp") over (partition by tool, session_id) as first_at,
        row_number() over (partition by tool, session_id order by sequence) as number
    from read_parquet('{source}/**/*.parquet', hive_partitioning = true)
)
"""
COPY = """
copy (
    select * exclude (n, number, first_at), strftime("timestamp", '%Y-%m-%d') as date
    from (
        select e.* replace (
            md5(event_id || n)::uuid::varchar as event_id,
            md5(session_id || n)::uuid::varchar as session_id,
            md5(about || n)::uuid::varchar as about,
            md5(duplicate_of || n)::uuid::varchar as duplicate_of,
            md5(parent_session_id || n)::uuid::varchar as parent_session_id,
            'machine-' || (n % {machines}) as machine_id,
            'user-' || (n % {machines}) as user_id,
            "timestamp" + to_days(cast(n % {days} as integer)) as "timestamp"
        ), r.n
        from seed as e, range({first}, {last}) as r(n)
    )
    where {which}
) to '{target}' (
    format parquet, partition_by (date, tool), compression zstd, overwrite_or_ignore,
    filename_pattern 'part-{first}-{{i}}'
)
"""
LATE = {"day": "n % 100 = 0", "spread": "n % 101 = 1 and n % 100 <> 0"}


def lake_of(folder: Path, events: int) -> Path:
    """The lake of about so many events, made where it is not there."""
    lake = folder / "lake"
    if lake.exists():
        return lake
    seed = folder / "seed"
    subprocess.run(
        [sys.executable, "-m", "hookstream", "run", str(SAMPLES), "--to", f"parquet:{seed}"],
        check=True,
    )
    with duckdb.connect() as connection:
        connection.execute("set preserve_insertion_order = false")
        connection.execute(SEED.format(source=seed))
        (rows,) = connection.execute("select count(*) from seed").fetchone() or (1,)
        copies = -(-events // rows)
        late = " or ".join(f"({which})" for which in LATE.values())
        places = {lake: f"not ({late}) or number = 1"}
        places |= {
            folder / "late" / name: f"{which} and number > 1" for name, which in LATE.items()
        }
        for place, which in places.items():
            place.mkdir(parents=True)
            for first in range(0, copies, SHARE):
                connection.execute(
                    COPY.format(
                        machines=MACHINES,
                        days=DAYS,
                        first=first,
                        last=min(first + SHARE, copies),
                        which=which,
                        target=place,
                    )
                )
    shutil.rmtree(seed)
    return lake


def arrive(late: Path, lake: Path) -> int:
    """Puts the late parts into the lake; how many rows."""
    rows = 0
    with duckdb.connect() as connection:
        for part in sorted(late.rglob("*.parquet")):
            to = lake / part.relative_to(late).with_name(f"late-{late.name}-{part.name}")
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(part, to)
            counted = connection.execute(
                "select count(*) from read_parquet(?, hive_partitioning = false)", [str(part)]
            ).fetchone()
            rows += counted[0] if counted else 0
    return rows


def depart(lake: Path) -> None:
    """Takes all late parts out again."""
    for part in lake.rglob("late-*.parquet"):
        part.unlink()


if __name__ == "__main__":
    lake_of(Path(sys.argv[1]), int(sys.argv[2]))
