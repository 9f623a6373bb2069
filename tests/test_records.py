"""Any bytes in give a Record, a Rejection with a reason, or nothing for a blank line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookstream.core.limits import DEPTH, LINE_BYTES
from hookstream.core.records import Record, Rejection, assured, read_record
from hookstream.core.sources import lines

PAYLOAD = {"hook_event_name": "Stop", "session_id": "s"}
LINE = json.dumps(PAYLOAD).encode()


def reason(data: bytes) -> str:
    taken = read_record(data)
    assert isinstance(taken, Rejection), taken
    return taken.reason


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"[1, 2]", "not_an_object"),
        (b'"text"', "not_an_object"),
        (b"12", "not_an_object"),
        (b"{", "not_json"),
        (b"{'a': 1}", "not_json"),
        (b'{"a": "\xff"}', "not_utf8"),
        ('{"a": "b"}'.encode("utf-16-le"), "not_utf8"),
        (b'{"a": "\x00"}', "control_character"),
        (b'{"a":' * (DEPTH + 2) + b"1" + b"}" * (DEPTH + 2), "too_deep"),
        (b"[" * 10_000 + b"]" * 10_000, "too_deep"),
        (b'{"a":' * 10_000, "too_deep"),
    ],
)
def test_what_is_no_json_object_is_rejected_with_its_reason(data: bytes, why: str) -> None:
    found = reason(data)
    # An unfinished deep line may be refused for either.
    assert found == why or (found, why) == ("not_json", "too_deep")


def test_a_rejection_names_length_and_digest_but_never_the_content() -> None:
    secret = b"{broken my-own-words"
    taken = read_record(secret, "source", 7)
    assert isinstance(taken, Rejection)
    written = json.dumps(taken.record())
    assert "my-own-words" not in written
    assert (taken.length, taken.offset, len(taken.digest)) == (len(secret), 7, 64)


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf" * 2])
def test_byte_order_marks_are_stripped_however_many(bom: bytes) -> None:
    taken = read_record(bom + LINE + b"\r\n")
    assert isinstance(taken, Record)
    assert taken.payload == PAYLOAD


@pytest.mark.parametrize("blank", [b"", b"  \t", b"\r", b"\xef\xbb\xbf"])
def test_blank_lines_are_no_records(blank: bytes) -> None:
    assert read_record(blank) is None


def test_every_truncation_of_a_line_is_rejected() -> None:
    for end in range(1, len(LINE)):
        assert isinstance(read_record(LINE[:end]), Rejection), LINE[:end]


def test_a_repeated_key_is_read_as_its_last_and_marked() -> None:
    taken = read_record(b'{"session_id":"a","session_id":"b"}')
    assert isinstance(taken, Record)
    assert (taken.payload["session_id"], taken.marks) == ("b", ("duplicate_key",))


def test_a_repeated_key_is_seen_behind_odd_spacing_and_escapes() -> None:
    taken = read_record(rb'{"k\\" : 1, "x":2, "x" : 3, "t": "\"x\":"}')
    assert isinstance(taken, Record)
    assert taken.marks == ("duplicate_key",)


def test_integers_beyond_a_double_become_their_digits() -> None:
    digits = "9" * 40
    taken = read_record(f'{{"a": {digits}, "b": 9007199254740993, "c": 9007199254740992}}'.encode())
    assert isinstance(taken, Record)
    assert taken.payload == {"a": digits, "b": "9007199254740993", "c": 9007199254740992}
    assert taken.marks == ("big_integer",)


def test_lone_surrogates_become_a_replacement_character_and_are_marked() -> None:
    taken = read_record(rb'{"a": "x\ud800y", "\udc00": 1, "ok": "\ud83d\ude00"}')
    assert isinstance(taken, Record)
    assert taken.payload == {"a": "x\ufffdy", "\ufffd": 1, "ok": "\U0001f600"}
    assert taken.marks == ("lone_surrogate",)


def test_a_capture_record_and_a_bare_payload_give_the_same_payload() -> None:
    wrapped = json.dumps({"vendor": "claude-code", "payload": PAYLOAD, "received_at": "no time"})
    taken, bare = read_record(wrapped.encode()), read_record(LINE)
    assert isinstance(taken, Record)
    assert isinstance(bare, Record)
    assert taken.payload == bare.payload
    assert (taken.vendor, taken.received_at, bare.vendor) == ("claude-code", None, None)


def test_a_payload_given_as_json_text_is_parsed_once() -> None:
    taken = read_record(json.dumps({"vendor": "codex", "payload": json.dumps(PAYLOAD)}).encode())
    assert isinstance(taken, Record)
    assert taken.payload == PAYLOAD


def test_a_prefixed_and_coloured_log_line_is_read_from_its_object() -> None:
    line = (
        b'\x1b[90m2026-11-21T03:18:03.032+00:00\x1b[39m {"event":"prisma_airs_scan","n":1} \x1b[0m'
    )
    taken = read_record(line)
    assert isinstance(taken, Record)
    assert taken.payload == {"event": "prisma_airs_scan", "n": 1}


@given(st.binary(max_size=200))
def test_reading_is_total(data: bytes) -> None:
    taken = read_record(data)
    assert taken is None or isinstance(taken, Record | Rejection)


@given(st.text(alphabet='{}[]":,\\u0dDaN1e9 ', max_size=60))
def test_reading_is_total_on_almost_json(text: str) -> None:
    taken = read_record(text.encode())
    assert taken is None or isinstance(taken, Record | Rejection)


def test_lines_split_at_newlines_only_and_carry_their_offsets(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes("a\u2028b\n\x0c\x85\nlast".encode())
    assert [(at, bytes(line)) for at, line in lines(path, "s")] == [  # type: ignore[arg-type]
        (0, "a\u2028b".encode()),
        (6, b"\x0c\xc2\x85"),
        (10, b"last"),
    ]


def test_a_line_over_the_limit_is_skipped_whole_and_its_neighbours_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"first\n" + b"x" * (LINE_BYTES + 5_000_000) + b"\nsecond\nthird")
    taken = list(lines(path, "s"))
    assert [line for _, line in taken if isinstance(line, bytes)] == [b"first", b"second", b"third"]
    refused = [line for _, line in taken if isinstance(line, Rejection)]
    assert [(one.reason, one.length) for one in refused] == [("too_long", LINE_BYTES + 5_000_000)]
    assert taken[-1][0] == 6 + LINE_BYTES + 5_000_000 + 1 + 7


@given(
    st.one_of(
        st.text(alphabet='{}[]":,\\u0dDaN1e9 ', max_size=60),
        st.lists(st.sampled_from(['"a":1', '"b" : "x:y"', '"a":{"c":[]}', f'"n":{"7" * 21}']))
        .map(",".join)
        .map("{{{}}}".format),
    )
)
def test_a_second_look_gives_what_a_careful_first_one_gives(text: str) -> None:
    careful = read_record(text.encode(), "source", 3)
    quick = read_record(text.encode(), "source", 3, check=False)
    later = assured(quick) if isinstance(quick, Record) else quick
    assert type(later) is type(careful)
    if isinstance(later, Record) and isinstance(careful, Record):
        assert (later.payload, later.marks) == (careful.payload, careful.marks)
        assert (later.source, later.offset, later.unchecked) == ("source", 3, None)
    elif isinstance(later, Rejection) and isinstance(careful, Rejection):
        assert later.record() == careful.record()
