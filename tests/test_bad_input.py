"""Whatever comes in, the program ends as the contract says: events or a rejection, its neighbours
untouched, no traceback, and output that `hookstream validate` passes."""

from __future__ import annotations

import copy
import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import same_process

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SAMPLES = Path(__file__).parent.parent / "samples"
NOW = "2026-11-21T12:00:00Z"
# A real line: the first PreToolUse of the samples.
BEFORE = {
    "vendor": "claude-code",
    "native_event": "PreToolUse",
    "received_at": "2026-11-21T02:00:00.000Z",
    "payload": {
        "session_id": "neighbour",
        "hook_event_name": "PreToolUse",
        "transcript_path": "/home/dev/.claude/projects/p/neighbour.jsonl",
        "cwd": "/home/dev/project",
        "permission_mode": "default",
        "tool_name": "Bash",
        "tool_input": {"command": "ls -la"},
        "tool_use_id": "toolu_01",
    },
}
LINE = json.dumps(BEFORE).encode()


Done = subprocess.CompletedProcess[bytes]


def hookstream(*words: str | Path) -> Done:
    return sound(same_process.hookstream(*words))


def process(*words: str | Path) -> Done:
    """The same in a process of its own: for lines that might take it with them."""
    command = [sys.executable, "-m", "hookstream", *map(str, words)]
    return sound(subprocess.run(command, capture_output=True, timeout=300, check=False))


def sound(done: Done) -> Done:
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done


class Ran:
    """A run over bytes: its exit code, report and lines."""

    def __init__(
        self, folder: Path, data: bytes, *options: str, run: Callable[..., Done] = hookstream
    ) -> None:
        folder.mkdir(exist_ok=True)
        source, self.out, report = folder / "in.jsonl", folder / "out", folder / "r.json"
        source.write_bytes(data)
        words = ("run", source, "--to", f"jsonl:{self.out}", "--report", report, "--now", NOW)
        self.done = run(*words, *options)
        self.code = self.done.returncode
        self.report = json.loads(report.read_bytes()) if report.exists() else {}

    def lines(self, name: str = "agent-hooks.jsonl") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.out / name).read_bytes().splitlines()]

    def assert_sound(self) -> None:
        """Everything is counted, and what was written keeps the standards."""
        report = self.report
        ignored = sum(report["ignored"].values())
        assert report["read"] == report["produced"] + ignored + report["rejected"]
        assert len(self.lines()) == report["events"]
        assert len(self.lines("rejected.jsonl")) == report["rejected"]
        checked = hookstream("validate", self.out)
        assert checked.returncode == 0, checked.stdout[-2000:].decode()


def neighbour(number: int) -> bytes:
    record = copy.deepcopy(BEFORE)
    record["payload"] |= {"tool_use_id": f"toolu_{number:05}"}  # type: ignore[operator]
    return json.dumps(record).encode()


def between_neighbours(cases: list[bytes]) -> bytes:
    lines = [neighbour(0)]
    for number, case in enumerate(cases, 1):
        lines += [case, neighbour(number)]
    return b"\n".join(lines) + b"\n"


def assert_neighbours_whole(ran: Ran, cases: int) -> None:
    """Every neighbour gives its event, and none of them another than it gives alone."""
    calls = [
        event["metadata"]["dev.hookstream"]["call_id"]
        for event in ran.lines()
        if event["session_id"] == "neighbour" and event["event_type"] == "Action.Before"
    ]
    assert [call for call in calls if call.startswith("toolu_0")] == [
        f"toolu_{number:05}" for number in range(cases + 1)
    ]


def payload(**more: Any) -> dict[str, Any]:
    """A payload of another session than the neighbours'."""
    record = copy.deepcopy(BEFORE)
    record["payload"] |= {"session_id": "hostile", **more}  # type: ignore[operator]
    return record


def changed(old: str, new: str, **more: Any) -> bytes:
    """The hostile payload with a piece of its text replaced by what JSON writers do not write."""
    text = json.dumps(payload(**more))
    assert old in text
    return text.replace(old, new, 1).encode("utf-8", "surrogatepass")


TEXT = '"command": "ls -la"'
# name -> (line, reason of the rejection or None where it gives events)
LINES: dict[str, tuple[bytes, str | None]] = {
    "a list": (b"[1, 2]", "not_an_object"),
    "a text": (b'"word"', "not_an_object"),
    "a number": (b"17", "not_an_object"),
    "null": (b"null", "not_an_object"),
    "half a line": (LINE[: len(LINE) // 2], "not_json"),
    "two objects": (b"{} {}", "not_json"),
    "an empty object": (b"{}", "unknown_vendor"),
    "no vendor": (b'{"some": "thing"}', "unknown_vendor"),
    "a comment": (b"# x", "not_json"),
    "a word before a record": (b"# " + json.dumps(payload()).encode(), "not_json"),
    "python": (b"{'a': None}", "not_json"),
    "invalid UTF-8": (LINE.replace(b"ls -la", b"ls \xff\xfe"), "not_utf8"),
    "overlong UTF-8": (LINE.replace(b"ls -la", b"ls \xc0\xaf"), "not_utf8"),
    "latin 1": (LINE.replace(b"ls -la", b"ls caf\xe9"), "not_utf8"),
    "NUL": (LINE.replace(b"ls -la", b"ls\0-la"), "control_character"),
    "NUL alone": (b"\0", "not_utf8"),
    "UTF-16 without a mark": ('{"a": "b"}'.encode("utf-16-le"), "not_utf8"),
    "NaN": (changed(TEXT, TEXT + ', "n": NaN'), None),
    "Infinity": (changed(TEXT, TEXT + ', "n": -Infinity'), None),
    "1e999": (changed(TEXT, TEXT + ', "n": 1e999'), None),
    "depth 10,000": (changed(TEXT, TEXT + ', "n": ' + "[" * 10_000 + "]" * 10_000), "too_deep"),
    "depth 10,000 open": (b'{"a":' * 10_000, "too_deep"),
    "depth 65": (changed(TEXT, TEXT + ', "n": ' + "[" * 65 + "]" * 65), "too_deep"),
    "BOM": (b"\xef\xbb\xbf" + json.dumps(payload()).encode(), None),
    "BOM twice": (b"\xef\xbb\xbf" * 2 + json.dumps(payload()).encode(), None),
    "carriage return": (json.dumps(payload()).encode() + b"\r", None),
    "escaped NUL": (changed("ls -la", "ls\\u0000-la"), None),
    "control characters": (
        json.dumps(payload(tool_input={"command": "\x07\x1b[2J\x7f"})).encode(),
        None,
    ),
    "a key twice": (changed(TEXT, TEXT + ', "command": "rm"'), None),
    "the payload twice": (b'{"payload": {}, ' + json.dumps(payload())[1:].encode(), None),
    "a huge integer": (changed(TEXT, TEXT + ', "n": ' + "9" * 400), None),
    "more digits than int takes": (changed(TEXT, TEXT + ', "n": ' + "9" * 5000), None),
    "a small fraction": (changed(TEXT, TEXT + ', "n": 1e-400'), None),
    "lone surrogate": (changed("ls -la", "ls \\ud800 x"), None),
    "lone surrogate as a key": (changed('"command"', '"\\udc00": 1, "command"'), None),
    "lone surrogate as session": (changed("hostile", "\\ud83d"), None),
    "no session": (
        json.dumps({**payload(), "payload": {"hook_event_name": "Stop"}}).encode(),
        None,
    ),
    "an empty session": (json.dumps(payload(session_id="")).encode(), None),
    "session ../x": (json.dumps(payload(session_id="../../../x")).encode(), None),
    "tool ../x": (json.dumps(payload(tool_name="../../../x")).encode(), None),
    "event ../x": (json.dumps(payload(hook_event_name="../../../x")).encode(), None),
    "vendor ../x": (json.dumps({**payload(), "vendor": "../../x"}).encode(), None),
    "vendor a list": (json.dumps({**payload(), "vendor": ["claude-code"]}).encode(), None),
    "a name of an event that is long": (
        json.dumps(payload(hook_event_name="x" * 5000)).encode(),
        None,
    ),
    "time of another age": (json.dumps({**payload(), "received_at": "9999-99-99"}).encode(), None),
    "year 0": (json.dumps({**payload(), "received_at": "0000-01-01T00:00:00Z"}).encode(), None),
    "a line of its own output, broken": (
        b'{"spec_version": "0.1.0", "event_type": "Action.Before"}',
        "invalid_agent-hooks",
    ),
    "an envelope, broken": (
        b'{"aarts_version": "0.1", "hook_point": "PreToolUse"}',
        "invalid_aarts",
    ),
    "a payload as text, broken": (b'{"vendor": "codex", "payload": "{\\"a\\""}', "not_json"),
    "a payload as text, no object": (b'{"vendor": "codex", "payload": "[]"}', "not_an_object"),
}
ODD = [
    "",
    " ",
    ".",
    "a.b",
    "[0]",
    "$ref",
    "__proto__",
    "\u202e",
    "a\nb",
    "dev.hookstream",
    "k" * 5000,
]
ODD_NAMES = {**{name: {"x": name} for name in ODD}, "é\U0001f600": 1, "0": [{"": None}]}
LINES["odd names"] = (json.dumps(payload(tool_input=ODD_NAMES, **ODD_NAMES)).encode(), None)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    lines = between_neighbours([line for line, _ in LINES.values()])
    return Ran(tmp_path_factory.mktemp("hostile"), lines, run=process)


def test_a_hostile_line_is_an_event_or_a_rejection_and_its_neighbours_are_whole(
    hostile: Ran,
) -> None:
    assert hostile.code == 0
    hostile.assert_sound()
    assert_neighbours_whole(hostile, len(LINES))
    found = [one["reason"].split(":")[0] for one in hostile.lines("rejected.jsonl")]
    assert found == [why for _, why in LINES.values() if why is not None]


def test_a_rejection_holds_nothing_of_the_line(hostile: Ran) -> None:
    for one in hostile.lines("rejected.jsonl"):
        assert set(one) == {"schema", "reason", "length", "sha256", "source", "offset"}
        assert "ls" not in one["reason"].split()


def test_what_was_mended_is_marked(hostile: Ran) -> None:
    marks = [
        mark
        for event in hostile.lines()
        for mark in event["metadata"]["dev.hookstream"].get("native", {}).get("marks", ())
    ]
    assert set(marks) == {"duplicate_key", "big_integer", "lone_surrogate", "not_finite"}


def test_rejected_lines_are_fatal_only_where_strict(tmp_path: Path) -> None:
    assert Ran(tmp_path / "a", LINE + b"\n{\n").code == 0
    assert Ran(tmp_path / "b", LINE + b"\n{\n", "--strict").code == 1
    assert Ran(tmp_path / "c", LINE + b"\n", "--strict").code == 0


@pytest.mark.parametrize("sink", ["jsonl", "parquet"])
def test_where_rejected_lines_are_and_what_to_do_is_said(sink: str, tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(b'{"not": "ours"}\n{\n{"nor": "this"}\n')
    done = hookstream("run", source, "--to", f"{sink}:{tmp_path / 'out'}")
    assert done.returncode == 2  # nothing of it could be read
    _, line, _ = done.stderr.decode().splitlines()
    assert "3 of 3 lines were rejected (not_json 1, unknown_vendor 2)" in line
    list_of_them = tmp_path / "out" / "rejected.jsonl"
    assert str(list_of_them if sink == "jsonl" else "--to jsonl:DIR") in line
    assert "--vendor NAME" in line
    assert list_of_them.exists() is (sink == "jsonl")


def test_nothing_is_said_of_rejected_lines_where_there_are_none(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(LINE + b"\n")
    done = hookstream("run", source, "--to", f"jsonl:{tmp_path / 'out'}")
    assert done.stderr.decode().splitlines() == ["read 1, events 1, ignored 0, rejected 0"]


def test_the_commonest_reasons_of_ignored_records_are_said(tmp_path: Path) -> None:
    source, report = SAMPLES / "openclaw", tmp_path / "report.json"
    target = f"jsonl:{tmp_path / 'out'}"
    done = hookstream("run", source, "--to", target, "--report", report)
    ignored = json.loads(report.read_bytes())["ignored"]
    line = done.stderr.decode().splitlines()[1]
    assert line.startswith("ignored: ") and line.endswith("; more with --report FILE")
    told = line.removeprefix("ignored: ").removesuffix("; more with --report FILE").split("; ")
    assert [int(one.rpartition(" ")[2]) for one in told] == sorted(ignored.values())[:-4:-1]
    assert all(ignored[one.rpartition(" ")[0]] for one in told)


def test_a_path_in_a_name_never_becomes_a_path(tmp_path: Path) -> None:
    records = [
        payload(session_id="../../x", tool_name="../../x", cwd="/../.."),
        {**payload(), "vendor": "../../x", "native_event": "../y"},
        {"spec_version": "0.1.0", "event_id": "0" * 8 + "-0000-4000-8000-" + "0" * 12,
         "event_type": "Session.Start", "timestamp": NOW, "session_id": "../../x",
         "source": {"tool": "../../escape/tool"}},
    ]  # fmt: skip
    source = tmp_path / "deep" / "in.jsonl"
    source.parent.mkdir()
    source.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    lake, before = tmp_path / "deep" / "lake", set(tmp_path.rglob("*"))
    done = hookstream("run", source, "--to", f"parquet:{lake}", "--now", NOW)
    assert done.returncode == 0
    made = {path for path in set(tmp_path.rglob("*")) - before if path != lake}
    assert made
    assert all(lake in path.parents for path in made)
    assert all(".." not in path.relative_to(lake).as_posix() for path in made)


def test_truncated_at_every_byte_a_line_leaves_its_neighbours_alone(tmp_path: Path) -> None:
    cases = [LINE[:end] for end in range(1, len(LINE))]
    ran = Ran(tmp_path, between_neighbours(cases))
    assert ran.code == 0
    ran.assert_sound()
    assert_neighbours_whole(ran, len(cases))
    assert ran.report["rejected"] == len(cases)


def test_a_file_that_ends_anywhere_keeps_what_stands_before(tmp_path: Path) -> None:
    for end in (1, 20, len(LINE) - 1):
        ran = Ran(tmp_path / str(end), neighbour(0) + b"\n" + LINE[:end])
        assert (ran.code, ran.report["produced"], ran.report["rejected"]) == (0, 1, 1)
    whole = Ran(tmp_path / "whole", neighbour(0) + b"\n" + LINE)
    assert (whole.report["produced"], whole.report["rejected"]) == (2, 0)


@pytest.mark.long
def test_a_line_of_50_megabytes_is_rejected_and_its_neighbours_are_read(tmp_path: Path) -> None:
    long = payload(tool_input={"command": "x"})
    text = json.dumps(long).encode().replace(b'"x"', b'"' + b"y" * (50 << 20) + b'"')
    ran = Ran(tmp_path, between_neighbours([text, b"z" * (17 << 20)]), run=process)
    assert ran.code == 0
    ran.assert_sound()
    assert_neighbours_whole(ran, 2)
    assert ran.report["by_rejection"] == {"too_long": 2}
    assert [one["length"] for one in ran.lines("rejected.jsonl")] == [len(text), 17 << 20]


def test_a_file_in_utf_16_with_its_mark_is_read(tmp_path: Path) -> None:
    ran = Ran(tmp_path, ((LINE.decode() + "\r\n") * 3).encode("utf-16"))
    ran.assert_sound()
    assert (ran.code, ran.report["produced"], ran.report["rejected"]) == (0, 3, 0)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32"])
def test_a_file_in_another_encoding_is_rejected_line_by_line(tmp_path: Path, encoding: str) -> None:
    text = (LINE.decode() + "\n") * 3
    ran = Ran(tmp_path, text.encode(encoding))
    ran.assert_sound()
    assert ran.code == 2
    assert ran.report["produced"] == 0
    assert set(ran.report["by_rejection"]) <= {"not_utf8", "not_json", "control_character"}


def test_nothing_to_read_is_said_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "blank.jsonl").write_bytes(b"\n \r\n\n\xef\xbb\xbf")
    (tmp_path / "folder").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_text("no stream", "utf-8")
    for name in ("empty.jsonl", "blank.jsonl", "folder", "other", "missing", "none*.jsonl"):
        done = hookstream("run", tmp_path / name, "--to", f"jsonl:{tmp_path}/out")
        assert done.returncode == 2, name
        assert name in done.stderr.decode().replace("\n", "")
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_a_folder_among_files_and_a_broken_archive_leave_the_rest_alone(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "dir.jsonl").mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(neighbour(0) + b"\n")
    (folder / "b.jsonl.gz").write_bytes(b"\x1f\x8b\x08\0no archive")
    (folder / "c.jsonl.zst").write_bytes(b"no archive either")
    (folder / "d.jsonl").write_bytes(neighbour(1) + b"\n")
    out, report = tmp_path / "out", tmp_path / "r.json"
    done = hookstream("run", folder, "--to", f"jsonl:{out}", "--report", report)
    counts = json.loads(report.read_bytes())
    assert done.returncode == 0
    assert (counts["read"], counts["produced"], counts["rejected"]) == (4, 2, 2)
    assert all(reason.startswith("unreadable") for reason in counts["by_rejection"])


@pytest.mark.long
def test_an_archive_that_is_damaged_inside_is_named_and_ends_no_run(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    packed = bytearray(gzip.compress(b"\n".join(neighbour(n) for n in range(999))))
    packed[30:60] = bytes(byte ^ 0xFF for byte in packed[30:60])
    (folder / "a.jsonl.gz").write_bytes(packed)
    (folder / "b.jsonl").write_bytes(neighbour(1) + b"\n")
    for workers in ("1", "2"):
        report = tmp_path / "r.json"
        out = f"jsonl:{tmp_path / workers}"
        done = process("run", folder, "--to", out, "--report", report, "--workers", workers)
        assert done.returncode == 0, done.stderr
        counts = json.loads(report.read_bytes())
        assert counts["by_rejection"]["unreadable: error"] == 1 and counts["produced"] >= 1


# Wrong types in every field ------------------------------------------------------------------

WRONG = [None, -7, 1e300, "../x", [1, {"a": 2}], {"a": [1]}, True]


def places(node: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    below = node.items() if isinstance(node, dict) else enumerate(node[:2])
    for key, value in below:
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from places(value, (*at, key))


def with_value(node: Any, at: tuple[Any, ...], value: Any) -> Any:
    node = holder = copy.deepcopy(node)
    for key in at[:-1]:
        holder = holder[key]
    holder[at[-1]] = value
    return node


def sample_lines(vendor: Path, most: int) -> list[dict[str, Any]]:
    """Lines of a vendor's samples, each of another event or with other fields; longest first."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(vendor.glob("*.jsonl")):
        if path.name.endswith(".expected.jsonl"):
            continue
        for line in path.read_bytes().splitlines():
            value = json.loads(line)
            fields = sorted(map(str, places(value)))
            body = value.get("payload", value)
            name = value.get("native_event") or body.get("hook_event_name") or body.get("hook")
            found.setdefault(f"{name} {fields}" if most > 9 else str(name), value)
    return sorted(found.values(), key=lambda one: -len(str(one)))[:most]


def wrong_lines(vendor: Path, most: int) -> list[bytes]:
    return [
        json.dumps(with_value(line, at, value)).encode()
        for line in sample_lines(vendor, most)
        for at in places(line)
        for value in WRONG
    ]


VENDORS = sorted({path.parent for path in SAMPLES.glob("*/*.jsonl")})


@pytest.mark.long
def test_no_type_in_any_field_of_a_vendors_sample_breaks_anything(tmp_path: Path) -> None:
    """One real line of each vendor: its tool calls have the most fields."""
    cases = [line for vendor in VENDORS for line in wrong_lines(vendor, 1)]
    assert len(cases) > 1500
    ran = Ran(tmp_path, b"\n".join(cases))
    assert ran.code == 0
    ran.assert_sound()
    assert ran.report["read"] == len(cases)


@pytest.mark.slow
@pytest.mark.parametrize("vendor", VENDORS, ids=lambda path: path.name)
def test_no_type_in_any_field_of_any_sample_breaks_anything(tmp_path: Path, vendor: Path) -> None:
    cases = wrong_lines(vendor, 200)
    ran = Ran(tmp_path, b"\n".join(cases))
    assert ran.code == 0
    ran.assert_sound()
    assert ran.report["read"] == len(cases)


@pytest.mark.slow
def test_no_type_in_any_field_of_its_own_output_breaks_anything(tmp_path: Path) -> None:
    made = Ran(tmp_path / "first", b"\n".join(p.read_bytes() for p in SAMPLES.glob("*/*s.jsonl")))
    for name in ("agent-hooks.jsonl", "aarts.jsonl"):
        lines: dict[str, Any] = {}
        for line in made.lines(name):
            body = line.get("aarts") or line
            lines.setdefault(str(body.get("event_type") or body.get("hook_point")), line)
        cases = [
            json.dumps(with_value(line, at, value)).encode()
            for line in lines.values()
            for at in places(line)
            for value in WRONG
        ]
        ran = Ran(tmp_path / name, b"\n".join(cases))
        assert ran.code == 0
        ran.assert_sound()
        assert ran.report["read"] == len(cases)


def test_a_report_that_cannot_be_written_is_said_before_anything_is_done(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    source.write_bytes(b"{}\n")
    words = ("run", source, "--to", f"jsonl:{out}", "--report", tmp_path / "none" / "r.json")
    done = hookstream(*words)
    assert done.returncode == 2
    assert done.stderr.startswith(b"hookstream: --report: ")
    assert not out.exists()
