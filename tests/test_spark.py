"""A run on Spark gives the rows of a plain run. Needs Java and `pip install hookstream[spark]`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import pytest

ROOT = Path(__file__).parents[1]
NOW = "2026-03-01T12:00:00.000Z"
# Two clients with random session ids, three whose sessions have equal ids on every machine.
VENDORS = ("codex", "claude-code", "openclaw", "opencode", "cline")
MACHINES = tuple(f"m{number}" for number in range(24))
UUID = rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def rows(lake: Path) -> list[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = [pq.ParquetFile(path).read() for path in lake.glob("date=*/tool=*/*.parquet")]
    names = sorted(tables[0].column_names)
    plain = pa.schema([pa.field(name, tables[0].schema.field(name).type) for name in names])
    found = pa.concat_tables(one.select(names).cast(plain) for one in tables).to_pylist()
    return sorted(found, key=repr)


def moved(lines: bytes, machine: str) -> bytes:
    """The log of another machine: random ids are others, `agent:main:h1` and numbered calls are the
    same, and what a call took is another time."""

    def other(found: re.Match[bytes]) -> bytes:
        made = uuid5(NAMESPACE_OID, f"{machine}{found[0].decode()}")
        return b"ses_" + made.hex[:26].encode() if found[0][:4] == b"ses_" else str(made).encode()

    def longer(found: re.Match[bytes]) -> bytes:
        return found[1] + str(int(found[2]) + MACHINES.index(machine)).encode()

    lines = re.sub(rb"ses_[0-9A-Za-z]{26}|" + UUID, other, lines)
    return re.sub(rb'("duration(?:Ms|_ms)": ?)(\d+)', longer, lines)


def machines_of_ids(made: list[dict[str, Any]]) -> set[int]:
    """How many machines an event id is of."""
    of: dict[str, set[str]] = {}
    for row in made:
        of.setdefault(row["event_id"], set()).add(row["machine_id"])
    return set(map(len, of.values()))


def test_many_machines_give_the_rows_of_a_plain_run(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="needs pip install 'hookstream[spark]'")
    if shutil.which("java") is None:
        pytest.skip("needs Java (Debian: default-jre-headless)")
    # Machines with the same sessions: what one shows is no evidence for the others.
    for machine in MACHINES:
        for vendor in VENDORS:
            (tmp_path / "fleet" / machine).mkdir(parents=True, exist_ok=True)
            lines = b"".join(
                path.read_bytes().rstrip(b"\n") + b"\n"
                for path in sorted((ROOT / "samples" / vendor).rglob("*.jsonl"))
                if not path.name.endswith(".expected.jsonl")
            )
            (tmp_path / "fleet" / machine / f"{vendor}.jsonl").write_bytes(moved(lines, machine))
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    env.pop("PYSPARK_PYTHON", None)  # as outside an activated environment
    code = "import sys; from hookstream.cli.app import run_app; sys.exit(run_app())"
    plain = [sys.executable, "-c", code, "run", "fleet", "--to", "parquet:plain", "--now", NOW]
    subprocess.run(plain, check=True, cwd=tmp_path, env=env, capture_output=True)
    spark = [sys.executable, "-m", "hookstream.spark", "fleet", "lake", "--master", "local[2]"]
    for _ in range(2):  # a second run adds nothing
        done = subprocess.run(
            [*spark, "--now", NOW], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert f"{len(MACHINES)} machines" in done.stderr
        made = rows(tmp_path / "lake")
        assert len(made) > 10_000
        assert made == rows(tmp_path / "plain")
        assert machines_of_ids(made) == {1}
    assert not list(tmp_path.glob(".lake*"))


def test_the_streaming_recipe_gives_the_rows_of_a_plain_run(tmp_path: Path) -> None:
    """A second run of the stream goes on from the checkpoint of the first."""
    pytest.importorskip("pyspark", reason="needs pip install 'hookstream[spark]'")
    if shutil.which("java") is None:
        pytest.skip("needs Java (Debian: default-jre-headless)")
    from hookstream.delivery.job import Job
    from hookstream.delivery.run import execute
    from hookstream.redaction.keys import load_key

    key = tmp_path / "key"
    load_key(key, create=True)
    lines = (ROOT / "samples" / "claude-code" / "deny.jsonl").read_bytes().splitlines(keepends=True)
    words = [sys.executable, ROOT / "docs" / "spark_streaming.py", "logs", "lake", "marks", key]
    env = {**os.environ, "PYSPARK_PYTHON": sys.executable}
    # The sessions of a file go on in the next.
    for name, some in (("1", lines[: len(lines) // 2]), ("2", lines[len(lines) // 2 :])):
        for machine in ("m1", "m2"):
            (tmp_path / "logs" / machine).mkdir(parents=True, exist_ok=True)
            text = moved(b"".join(some), machine)
            (tmp_path / "logs" / machine / f"{name}.jsonl").write_bytes(text)
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-2000:]
    job = Job(
        [str(tmp_path / "logs")], [f"parquet:{tmp_path / 'plain'}"], now=NOW, pseudonym_key_file=key
    )
    execute(job)
    made = rows(tmp_path / "lake")
    assert len(made) > 40
    assert made == rows(tmp_path / "plain")


def test_what_the_user_can_mend_is_one_line(tmp_path: Path) -> None:
    from hookstream.integrations.spark import main

    assert main([str(tmp_path / "none"), str(tmp_path / "lake")]) == 2
    assert main([str(tmp_path), "s3://bucket/lake"]) == 2
