"""A byte out of place costs at most itself: damage to one record changes no row of another, what is
lost is counted with its place, and no reader raises."""

from __future__ import annotations

import copy
import json
import sqlite3
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.mutations import places
from tests.transcripts.homes import home_of

from hookstream.core.records import Record, Rejection
from hookstream.core.torn import pieces
from hookstream.normalizers.steps import object_of
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.transcripts.database import octet_length
from hookstream.transcripts.files import SessionFile
from hookstream.transcripts.files import given as read_session

HERE = Path(__file__).parent
SESSIONS = HERE / "transcripts" / "data"
NOW = "2026-11-21T12:00:00.000Z"
CLIENTS = (
    "claude-code", "codex", "copilot", "droid", "gemini-cli", "kimi-code", "mistral-vibe", "pi",
    "qwen-code",
)  # fmt: skip
# By which a record names itself or others: the session of a file, the kind of what follows.
NAMES = ("id", "type", "session", "sessionId", "kind", "model")
ODD: tuple[Any, ...] = (
    None, True, -1, 3.5, 2**70, 1e308, float("nan"), "", "x", "12", "\ud800", "a\u2028b", [], {},
    [[]], [None, 1, {}], {"a": {"b": 1}}, ["x"],
)  # fmt: skip


@cache
def session(client: str) -> tuple[Path, list[bytes]]:
    """A recorded session file of a client, and its lines."""
    paths = [p for p in (SESSIONS / client).glob("**/home/**/*.jsonl") if p.stat().st_size > 2500]
    path = min(paths, key=lambda one: (one.stat().st_size, str(one)))
    return path, path.read_bytes().splitlines()


def rows(client: str, lines: list[bytes]) -> Counter[str]:
    """What the lines say as the client's session file, and what of them is lost."""
    file = SessionFile(session(client)[0], client, "source")
    said: Counter[str] = Counter()
    offset = 0
    for line in lines:
        said.update(map(text_of, file.take(line, offset)))
        offset += len(line) + 1
    said.update(map(text_of, file.finish(offset)))
    return said


def text_of(result: Any) -> str:
    if isinstance(result, Rejection):
        assert result.source == "source"
        return f"lost: {result.reason.split(':')[0]}"
    if isinstance(result, Record):
        return json.dumps([result.native_event, result.payload], sort_keys=True, default=str)
    return str(result)


def of_others(client: str, lines: list[bytes], number: int) -> Counter[str]:
    """The rows that the file has with and without one of its records: they are not about it."""
    without = rows(client, lines[:number] + lines[number + 1 :])
    both = rows(client, lines) & without
    name = json.loads(lines[number]).get("id")
    return Counter({row: n for row, n in both.items() if row[0] == "[" and str(name) not in row})


@pytest.mark.parametrize("client", CLIENTS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_value_of_another_type_costs_its_own_record_at_most(client: str, data: Any) -> None:
    _, lines = session(client)
    number = data.draw(st.integers(0, len(lines) - 1))
    value = copy.deepcopy(json.loads(lines[number]))
    node, key = data.draw(st.sampled_from(places(value)))
    if type(key) is str and type(node[key]) is str and key in NAMES:
        return  # another thing's name is no damage that a reader could see
    node[key] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
    damaged = [*lines[:number], json.dumps(value).encode(), *lines[number + 1 :]]
    missing = of_others(client, lines, number) - rows(client, damaged)
    assert not [row for row in missing if "call" in json.loads(row)[0].lower()]


@pytest.mark.parametrize("client", CLIENTS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_stub_costs_no_record_that_follows_on_its_line(client: str, data: Any) -> None:
    _, lines = session(client)
    number = data.draw(st.integers(0, len(lines) - 2))
    cut = data.draw(st.integers(1, len(lines[number]) - 1))
    stub = lines[number][:cut] + data.draw(st.sampled_from((b"", b"\0\0\0", b" ")))
    glued = [*lines[:number], stub + lines[number + 1], *lines[number + 2 :]]
    begins = [next(iter(json.loads(line))) for line in (*lines[:number], lines[number + 1])]
    if begins[-1] not in begins[:-1]:
        return  # nothing tells this record from a part of the stub, wherever that ends
    said, alone = rows(client, glued), rows(client, lines[:number] + lines[number + 1 :])
    assert not alone - said
    assert any(row.startswith("lost") for row in said - alone)


@pytest.mark.parametrize("client", CLIENTS)
def test_marks_and_other_ends_of_lines_cost_nothing(client: str) -> None:
    _, lines = session(client)
    plain = rows(client, lines)
    assert rows(client, [b"\xef\xbb\xbf" + lines[0], *lines[1:]]) == plain
    assert rows(client, [line + b"\r" for line in lines]) == plain
    assert rows(client, [b"\0\0" + line + b"\0" for line in lines]) == plain
    assert rows(client, [first + second for first, second in pairs(lines)]) == plain


def pairs(lines: list[bytes]) -> list[tuple[bytes, bytes]]:
    even = lines if len(lines) % 2 == 0 else [*lines, b""]
    return list(zip(even[::2], even[1::2], strict=True))


@cache
def log() -> list[bytes]:
    return (HERE.parent / "samples" / "claude-code" / LOG).read_bytes().splitlines()[:40]


LOG = sorted(p.name for p in (HERE.parent / "samples" / "claude-code").glob("*.jsonl")
             if "expected" not in p.name)[0]  # fmt: skip


def events(lines: list[bytes]) -> tuple[Counter[str], int]:
    line = Pipeline(
        Redactor("full", pseudonym_key=b"a key for tests, no secret at all"), lambda: NOW
    )
    outcomes = line.outcomes([(data, "source", 0) for data in lines])
    said: Counter[str] = Counter()
    for event in (e.event for made in outcomes if type(made) is list for e in made):
        facts = event.facts
        names = ("session_id", "call_id", "action_name", "command", "prompt", "native_event")
        said[json.dumps([event.type, *(facts.get(name) for name in names)])] += 1
    return said, line.tally.rejected


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_damaged_byte_of_a_log_costs_its_record_and_is_counted(data: Any) -> None:
    lines = log()
    number = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[number]) - 1))
    byte = data.draw(st.sampled_from((b"", b"\0", b"\xff", b"{", b"}", b'"', b"\\", b"x", b"\r")))
    line = lines[number][:place] + byte + lines[number][place + 1 :]
    said, lost = events([*lines[:number], line, *lines[number + 1 :]])
    alone, _ = events(lines[:number] + lines[number + 1 :])
    whole, _ = events(lines)
    assert not (alone & whole) - said
    assert lost or sum(said.values()) >= sum(alone.values())


@settings(max_examples=200, deadline=None)
@given(line=st.binary(max_size=200), glue=st.sampled_from((b"", b"\0", b"\xef\xbb\xbf", b" ")))
def test_the_pieces_of_a_line_are_its_bytes(line: bytes, glue: bytes) -> None:
    record = b'{"type":"x","a":{"b":[1,{}]}}'
    for piece in pieces(line + glue + record):
        assert (line + glue + record)[piece.place :].startswith(piece.data)
        if piece.is_whole:
            assert type(json.loads(piece.data)) is dict
    assert pieces(record + glue + record)[-1].data.endswith(record)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("client", CLIENTS)
def test_utf_16_with_a_mark_says_the_same(client: str, encoding: str, tmp_path: Path) -> None:
    path, lines = session(client)
    text = "\n".join(line.decode() for line in lines)
    for end in ("\n", "\r\n"):
        data = ("\ufeff" + text.replace("\n", end)).encode(encoding)
        plain = written_as(path, client, text.encode(), tmp_path)
        assert written_as(path, client, data, tmp_path) == plain
        # A lost byte costs its line.
        place = 3 * len(data) // 7
        less = written_as(path, client, data[:place] + data[place + 1 :], tmp_path)
        assert sum((plain - less).values()) <= 8
        assert sum((less - plain).values()) >= 1


def written_as(path: Path, client: str, data: bytes, folder: Path) -> Counter[str]:
    copy = folder / path.parent.name / path.name
    copy.parent.mkdir(exist_ok=True)
    copy.write_bytes(data)
    return Counter(map(text_of, read_session(copy, client, "source")))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_log_and_a_line_in_utf_16_are_read(encoding: str) -> None:
    lines = log()
    marked = [("\ufeff" + line.decode()).encode(encoding) for line in lines]
    assert events(marked)[0] == events(lines)[0]


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf{}", b"{}\0\0", b"\r\n{}\r\n", "\ufeff{}".encode("utf-16-le")]
)
def test_an_object_that_is_a_file_of_its_own_is_read_like_a_line(data: bytes) -> None:
    assert object_of(data, "message/m.json") == {}


def test_a_document_with_a_mark_is_read(tmp_path: Path) -> None:
    found = sorted((SESSIONS / "cline").glob("**/home/**/*.json"), key=lambda p: p.stat().st_size)
    path = tmp_path / found[-1].name
    text = found[-1].read_text("utf-8")
    plain = [one for one in read_session(found[-1], "cline", "source") if isinstance(one, Record)]
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        path.write_bytes(("\ufeff" + text).encode(encoding))
        marked = [one for one in read_session(path, "cline", "source") if isinstance(one, Record)]
        assert [one.payload for one in marked] == [one.payload for one in plain] != []


BYTES = (b"", b"\0", b"\xff", b"{", b"}", b'"', b"\\", b"x", b"]", b",")
DOCUMENTS = {
    "cline": ("messages", SESSIONS / "cline"),
    "auggie": ("chatHistory", SESSIONS / "auggie"),
    "continue": ("history", SESSIONS / "continue"),
    "gemini-cli": ("messages", HERE / "cases" / "money" / "gemini-thoughts"),
}


@cache
def document(client: str) -> tuple[Path, dict[str, Any]]:
    """A client's document with some records, and its value."""
    name, folder = DOCUMENTS[client]
    values = [(path, json.loads(path.read_text("utf-8"))) for path in folder.glob("**/*.json")]
    found = [(p, v) for p, v in values if type(v) is dict and len(v.get(name) or ()) >= 2]
    return max(found, key=lambda pair: (len(pair[1][name]), str(pair[0])))


def is_cut(text: bytes) -> bool:
    """Return whether nothing is wrong with a document but that it ends too early."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.pos >= len(text.decode())
    except UnicodeDecodeError:
        return False
    return False


def written(client: str, text: bytes, folder: Path) -> tuple[Counter[str], list[Rejection]]:
    """What a document of a client says, and what of it is lost."""
    path = folder / document(client)[0].name
    path.write_bytes(text)
    results = list(read_session(path, client, "source"))
    rows = Counter(text_of(one) for one in results if isinstance(one, Record))
    return rows, [one for one in results if isinstance(one, Rejection)]


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """No document here is being written: the wait for its end is left out."""
    monkeypatch.setattr("hookstream.transcripts.files.WAIT_S", 0)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("client", DOCUMENTS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_damage_to_an_element_costs_no_other(client: str, indent: int | None, data: Any) -> None:
    name, value = DOCUMENTS[client][0], document(client)[1]
    number = data.draw(st.integers(0, len(value[name]) - 1))
    with TemporaryDirectory() as folder:
        alone = {**value, name: value[name][:number] + value[name][number + 1 :]}
        without, _ = written(client, json.dumps(alone, indent=indent).encode(), Path(folder))
        whole, _ = written(client, json.dumps(value, indent=indent).encode(), Path(folder))
        elements = [*value[name][:number], "MARK", *value[name][number + 1 :]]
        text = json.dumps({**value, name: elements}, indent=indent).encode()
        element = json.dumps(value[name][number], indent=indent).encode()
        place = data.draw(st.integers(0, len(element) - 1))
        byte = data.draw(st.sampled_from(BYTES))
        damaged = element[:place] + byte + element[place + 1 :]
        torn = text.replace(b'"MARK"', damaged)
        rows, lost = written(client, torn, Path(folder))
    # One that opens what nothing closes looks like a document that was cut inside of the element.
    assert is_cut(torn) or not (whole & without) - rows
    if rows != whole:
        assert lost or sum(rows.values()) >= sum(without.values())
    assert all(0 <= one.offset <= len(text) + len(damaged) for one in lost)


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("client", DOCUMENTS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_cut_document_gives_what_is_whole(client: str, indent: int | None, data: Any) -> None:
    name, value = DOCUMENTS[client][0], document(client)[1]
    ordered = {**{k: v for k, v in value.items() if k != name}, name: value[name]}
    text = json.dumps(ordered, indent=indent).encode()
    begin = text.index(f'"{name}"'.encode()) + len(name) + 5
    cut = data.draw(st.integers(begin, len(text) - 1))
    count = complete(text[:cut], ordered, name, indent)
    with TemporaryDirectory() as folder:
        short = {**ordered, name: value[name][:count]}
        expected, _ = written(client, json.dumps(short, indent=indent).encode(), Path(folder))
        rows, lost = written(client, text[:cut], Path(folder))
    assert not expected - rows
    assert lost
    assert all(one.source == "source" and one.offset <= cut for one in lost)


def complete(text: bytes, value: dict[str, Any], name: str, indent: int | None) -> int:
    """How many elements of the list are before the cut."""
    closing = len("]}") if indent is None else len("\n  ]\n}")
    ends = (
        len(json.dumps({**value, name: value[name][:number]}, indent=indent)) - closing
        for number in range(1, len(value[name]) + 1)
    )
    return sum(end <= len(text) for end in ends)


@cache
def database(folder: str) -> bytes:
    """OpenCode's database of a recorded session, in small pages: its trees have several levels."""
    path = home_of("opencode/deny", Path(folder)) / OPENCODE
    with closing(sqlite3.connect(path)) as connection:
        connection.create_function("octet_length", 1, octet_length, deterministic=True)
        connection.execute("pragma page_size = 512")
        connection.execute("vacuum")
    return path.read_bytes()


OPENCODE = Path(".local/share/opencode/opencode.db")


def of_database(data: bytes) -> tuple[set[str], list[Rejection]]:
    """The facts that a database gives, by their names and tokens, and what of it is lost: a message
    whose parts are lost has no text."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "opencode.db"
        path.write_bytes(data)
        results = list(read_session(path, "opencode", "source"))
    records = [one for one in results if isinstance(one, Record)]
    names = ("session_id", "message_id", "call_id", "input_tokens", "output_tokens")
    said = {str([one.native_event, *map(one.payload.get, names)]) for one in records}
    return said, [one for one in results if isinstance(one, Rejection)]


@pytest.fixture(scope="module")
def whole_database(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return database(str(tmp_path_factory.mktemp("opencode")))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_cut_database_says_so_and_gives_what_is_left(whole_database: bytes, data: Any) -> None:
    cut = data.draw(st.integers(0, len(whole_database) - 1))
    said, lost = of_database(whole_database[:cut])
    assert not said - of_database(whole_database)[0]
    if cut > 100:
        assert (lost[0].reason, lost[0].offset) == ("unreadable: CutShort", cut)
        assert lost[0].file is not None


def test_a_database_cut_in_any_page_repeats_none_of_its_rows(whole_database: bytes) -> None:
    """What is left of a tree may lead back to what was read; tokens were counted 10,000 times."""
    whole, _ = of_database(whole_database)
    for cut in range(600, len(whole_database), 512):
        assert not of_database(whole_database[:cut])[0] - whole, cut


def test_more_of_a_database_is_left_the_later_it_is_cut(whole_database: bytes) -> None:
    counts = [len(of_database(whole_database[:cut])[0]) for cut in (7168, 9728, 11264)]
    assert 0 < counts[0] < counts[1] < counts[2]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_page_costs_its_rows(whole_database: bytes, data: Any) -> None:
    place = data.draw(st.integers(100, len(whole_database) - 64))
    noise = data.draw(st.binary(min_size=1, max_size=64))
    damaged = whole_database[:place] + noise + whole_database[place + len(noise) :]
    said, lost = of_database(damaged)  # no reader raises, whatever the page says
    assert said or lost


def test_a_page_of_zeros_is_said_and_the_rest_read(whole_database: bytes) -> None:
    whole, _ = of_database(whole_database)
    counts = []
    for page in range(1, len(whole_database) // 512):
        at = page * 512
        said, lost = of_database(whole_database[:at] + bytes(512) + whole_database[at + 512 :])
        assert not said - whole
        assert lost or said == whole
        counts.append(len(said))
    assert sorted(counts)[len(counts) // 2] > 0


def test_objects_over_several_lines_survive_the_damage_of_one(tmp_path: Path) -> None:
    from hookstream.core.sources import lines

    good = json.dumps({"a": {"b": 1}}, indent=2)
    for bad in (good[:-2], good[1:], good.replace("1", ""), "\ufeff" + good, ""):
        text = "\r\n".join((bad, good, good)).replace("\n", "\r\n")
        (tmp_path / "telemetry.log").write_text(text, "utf-8", newline="")
        whole = [line for _, line in lines(tmp_path / "telemetry.log", "") if is_object(line)]
        assert len(whole) >= 2, bad


def is_object(line: bytes | Rejection) -> bool:
    try:
        return isinstance(line, bytes) and json.loads(line.decode("utf-8-sig")) == {"a": {"b": 1}}
    except ValueError:
        return False
