"""The state that a restart puts back is the state that was there, to the byte of what follows."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from hookstream.core.records import Rejection, read_record
from hookstream.delivery.job import make_pipeline
from hookstream.pipeline.memory import DecryptionError, Memory, TrackedTable, decrypt, encrypt
from hookstream.pipeline.stages import Pipeline
from hookstream.standards.rendered import Rendered

from .session import mixed
from .stage import KEY, job_in


def take(pipeline: Pipeline, line: bytes, offset: int) -> list[bytes]:
    record = read_record(line, "source", offset)
    assert record is not None
    taken = pipeline.take(record)
    assert not isinstance(taken, Rejection)
    return [Rendered(event).agent_hooks for event in taken]


@pytest.mark.long
def test_a_pipeline_that_is_put_back_at_every_record_writes_the_same(tmp_path: Path) -> None:
    lines = mixed(4)
    job = job_in(tmp_path)
    straight = make_pipeline(job)
    expected = [take(straight, line, n) for n, line in enumerate(lines)]
    kinds = {word for found in expected for line in found for word in (b"Retry", b"InputModified")
             if word in line}  # fmt: skip
    assert kinds == {b"Retry", b"InputModified"}

    saved: list[bytes] = []
    for n, line in enumerate(lines):
        pipeline = make_pipeline(job)
        memory = Memory(pipeline)
        for change in saved:
            memory.apply(change)
        captured = set() if n == 0 else captured  # noqa: F821
        memory.captured = captured
        assert take(pipeline, line, n) == expected[n], n
        captured = memory.captured
        saved.append(memory.everything() if n == 0 else memory.changes())
        if n % 20 == 19:
            saved = [memory.everything()]


def test_a_table_keeps_its_order_over_changes() -> None:
    table, other = TrackedTable({}), TrackedTable({})
    for n in range(50):
        table[n % 11] = [n]
        if n % 3 == 0:
            table.pop((n * 7) % 11, None)
        if n % 4 == 0 and (n * 5) % 11 in table:
            table[(n * 5) % 11].append("changed in place")
        if n % 5 == 0:
            other.apply(*pickle.loads(pickle.dumps(table.changes())))  # noqa: S301
            assert list(dict.items(other)) == list(dict.items(table))


def test_what_a_commit_saves_does_not_grow_with_the_sessions(tmp_path: Path) -> None:
    pipeline = make_pipeline(job_in(tmp_path))
    memory = Memory(pipeline)
    for n, line in enumerate(mixed(200, rounds=1)):
        take(pipeline, line, n)
    whole = len(memory.everything())
    take(pipeline, mixed(1)[0], 10**6)
    assert len(memory.changes()) < whole / 20


def test_the_state_is_not_written_in_clear_and_not_opened_when_changed() -> None:
    secret = b"AKIA" + b"Q" * 16
    sealed = encrypt(secret * 3, KEY)
    assert secret not in sealed
    assert decrypt(sealed, KEY) == secret * 3
    for broken in (sealed[:-1] + bytes([sealed[-1] ^ 1]), sealed[:20], b""):
        with pytest.raises(DecryptionError):
            decrypt(broken, KEY)
    with pytest.raises(DecryptionError):
        decrypt(sealed, b"o" * 32)


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return print, ("executed",)


def test_a_state_holds_no_foreign_class(tmp_path: Path) -> None:
    memory = Memory(make_pipeline(job_in(tmp_path)))
    with pytest.raises(DecryptionError):
        memory.apply(pickle.dumps(Evil()))
    with pytest.raises(DecryptionError):
        memory.apply(b"\x80\x05garbage")
