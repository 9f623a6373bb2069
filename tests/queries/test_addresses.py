"""A bucket where a folder is wanted: one line that says what to do, and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.same_process import hookstream

COMMANDS = {
    "query": ("query", "denies"),
    "free SQL": ("query", "select count(*) from events"),
    "report": ("report",),
    "digest": ("digest",),
    "validate": ("validate",),
    "compact": ("compact",),
}
COPY = "only a folder can be read here, not a bucket; copy it to one first"


def run(tmp_path: Path, *words: str) -> tuple[int, str, str]:
    """The exit code and what was said on both streams."""
    done = hookstream(*words, cwd=tmp_path, given=b"value")
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bucket_is_one_line_with_the_way_out(tmp_path: Path, command: str) -> None:
    done = run(tmp_path, *COMMANDS[command], "s3://lake-of-ours/all")
    said = f"hookstream: s3://lake-of-ours/all: {COPY} (aws s3 sync s3://lake-of-ours/all FOLDER)\n"
    assert done == (2, "", said)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("gs://b/x", f"gs://b/x: {COPY} (gcloud storage cp -r gs://b/x FOLDER)"),
        ("parquet:s3://b/x", f"s3://b/x: {COPY} (aws s3 sync s3://b/x FOLDER)"),
        ("s3://key:word@b/x", f"s3://b/x: {COPY} (aws s3 sync s3://b/x FOLDER)"),
        ("https://h/x", "https://h/x: an address; only a file or folder can be read here"),
        ("lake", "lake: no such file or folder"),
    ],
)
def test_other_addresses(tmp_path: Path, given: str, said: str) -> None:
    done = run(tmp_path, "query", "denies", given)
    assert done == (2, "", f"hookstream: {said}\n")


def test_a_folder_of_such_a_name_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "s3:" / "b").mkdir(parents=True)
    done = run(tmp_path, "query", "denies", "s3:/b")
    assert "holds no stream" in done[2]
