"""What is damaged is set aside and counted; the follower starts, and nothing is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hookstream.core.errors import HookstreamError
from hookstream.delivery import state
from hookstream.delivery.follow import follow

from .stage import calls_in, deliver_once, delivery, following, jsonl, many, read_lines, until

pytestmark = pytest.mark.long


def cursor(folder: Path) -> Path:
    (path,) = (folder / "sinks").glob("*.json")
    return path


def last_segment(folder: Path) -> Path:
    return max((folder / "spool").glob("*.seg"))


def overwritten(path: Path) -> None:
    path.write_bytes(b"\0" * 100)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def halved(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 0xFF
    path.write_bytes(data)


def removed(path: Path) -> None:
    path.unlink()


DAMAGES = [overwritten, emptied, halved, flipped, removed]
PARTS: dict[str, Callable[[Path], Path]] = {
    "checkpoint": lambda folder: folder / "state.db",
    "cursor": cursor,
    "segment": last_segment,
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("part", PARTS)
def test_damage_between_two_runs(tmp_path: Path, part: str, damage: Callable[[Path], None]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(100)))
    given = delivery(tmp_path, [str(log)])
    deliver_once(given)
    damage(PARTS[part](given.folder))
    with log.open("ab") as file:
        file.write(b"".join(many(50, 100)))
    with following(given):
        out = tmp_path / "out" / "agent-hooks.jsonl"
        until(lambda: set(calls_in(read_lines(out))) == set(range(150)))
        lines = read_lines(out)
    assert len({line["event_id"] for line in lines}) == 150
    if damage in (overwritten, emptied) and part != "segment":
        assert state.read(given.folder)["set_aside"] == 1


def test_a_damaged_record_in_the_spool_is_counted_and_the_others_arrive(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(100)))
    given = delivery(tmp_path, [str(log)])
    deliver_once(given)
    flipped(last_segment(given.folder))
    later = delivery(tmp_path, [str(log)], [jsonl(tmp_path / "later")])
    deliver_once(later)
    assert len(read_lines(tmp_path / "later" / "agent-hooks.jsonl")) == 99
    shown = state.read(given.folder)["sinks"]
    assert shown[f"jsonl:{tmp_path / 'later'}"]["damaged"] == 1


def test_a_segment_that_goes_while_the_state_is_read_costs_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(100)))
    given = delivery(tmp_path, [str(log)])
    deliver_once(given)
    before = state.read(given.folder)
    # Listed, and gone when it is asked for its size.
    (given.folder / "spool" / "000000000fff.seg").symlink_to(tmp_path / "gone")
    assert state.read(given.folder) == before


def test_another_key_costs_the_state_and_not_the_places(tmp_path: Path) -> None:
    from dataclasses import replace

    log = tmp_path / "log.jsonl"
    lines = many(100)
    log.write_bytes(b"".join(lines[:40]))
    given = delivery(tmp_path, [str(log)])
    deliver_once(given)
    before = read_lines(tmp_path / "out" / "agent-hooks.jsonl")
    log.write_bytes(b"".join(lines))
    deliver_once(replace(given, key=b"o" * 32))
    after = read_lines(tmp_path / "out" / "agent-hooks.jsonl")
    assert after[: len(before)] == before
    assert calls_in(after) == list(range(100))
    assert state.read(given.folder)["state_lost"] == 1


def test_no_secret_of_an_open_call_is_in_any_file(tmp_path: Path) -> None:
    from .stage import before

    secret = "AKIA" + "Q7" * 8
    log = tmp_path / "log.jsonl"
    log.write_bytes(before(1, command=f"export KEY={secret}"))
    given = delivery(tmp_path, [str(log)])
    deliver_once(given)
    for path in [*given.folder.rglob("*"), *(tmp_path / "out").rglob("*")]:
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path
            assert path.stat().st_mode & 0o077 == 0, path


def test_two_followers_of_one_folder(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(3)))
    given = delivery(tmp_path, [str(log)])
    with following(given), pytest.raises(HookstreamError, match="another run"):
        follow(given)


@pytest.mark.parametrize("inside", ["logs/out", "logs"])
def test_a_follower_does_not_read_what_it_writes(tmp_path: Path, inside: str) -> None:
    (tmp_path / "logs").mkdir()
    plans = [jsonl(tmp_path / inside)]
    with pytest.raises(HookstreamError, match="write elsewhere"):
        follow(delivery(tmp_path, [str(tmp_path / "logs")], plans))


def test_standard_input_cannot_be_followed(tmp_path: Path) -> None:
    with pytest.raises(HookstreamError, match="standard input"):
        follow(delivery(tmp_path, ["-"]))
