"""`jsonl:`: whole lines or none, plain files only, standard output, a full disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.sinks import SinkError, open_sink
from hookstream.sinks.base import NEVER

from .events import rendered, rich, stream

posix = pytest.mark.posix("POSIX files")


def lines(path: Path) -> list[dict[str, object]]:
    data = path.read_bytes()
    assert data == b"" or data.endswith(b"\n")
    return [json.loads(line) for line in data.splitlines()]


def test_the_three_files_hold_events_wrappers_and_rejections(tmp_path: Path) -> None:
    events = rich()
    sink = open_sink(f"jsonl:{tmp_path}")
    sink.write(rendered(events))
    sink.reject([b'{"reason":"not_an_object","length":3}'])
    sink.close()
    assert len(lines(tmp_path / "agent-hooks.jsonl")) == len(events)
    wrappers = lines(tmp_path / "aarts.jsonl")
    assert len(wrappers) == sum(item.aarts is not None for item in rendered(events))
    assert all(set(one) == {"aarts", "verdict", "hookstream"} for one in wrappers)
    assert lines(tmp_path / "rejected.jsonl") == [{"reason": "not_an_object", "length": 3}]
    assert all(path.read_bytes().isascii() for path in tmp_path.iterdir())


@pytest.mark.parametrize("standard", ["agent-hooks", "aarts"])
def test_one_standard_makes_one_file_of_events(tmp_path: Path, standard: str) -> None:
    sink = open_sink(f"jsonl:{tmp_path}", standard=standard)
    sink.write(rendered(rich()))
    sink.close()
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"{standard}.jsonl", "rejected.jsonl"]


def test_a_torn_last_line_is_closed_and_stays_alone(tmp_path: Path) -> None:
    (tmp_path / "agent-hooks.jsonl").write_bytes(b'{"a":1}\n{"b":')
    sink = open_sink(f"jsonl:{tmp_path}")
    sink.write(rendered(stream(1)))
    sink.close()
    found = (tmp_path / "agent-hooks.jsonl").read_bytes().split(b"\n")
    assert found[:2] == [b'{"a":1}', b'{"b":']
    assert json.loads(found[2])["event_type"] == "Action.Before"


@posix
@pytest.mark.parametrize("name", ["agent-hooks.jsonl", "aarts.jsonl", "rejected.jsonl"])
@pytest.mark.parametrize("kind", ["link", "dangling", "fifo", "folder"])
def test_nothing_but_a_plain_file_is_written_to(tmp_path: Path, name: str, kind: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    target = tmp_path / "precious"
    target.write_bytes(b"precious")
    if kind == "link":
        (out / name).symlink_to(target)
    elif kind == "dangling":
        (out / name).symlink_to(tmp_path / "nowhere")
    elif kind == "fifo":
        os.mkfifo(out / name)
    else:
        (out / name).mkdir()
    with pytest.raises(SinkError, match=f"{name}: not a plain file"):
        open_sink(f"jsonl:{out}")
    assert target.read_bytes() == b"precious"
    assert not (tmp_path / "nowhere").exists()
    (out / name).rmdir() if kind == "folder" else (out / name).unlink()
    open_sink(f"jsonl:{out}").close()  # the refusal left no lock behind


@posix
def test_a_device_is_refused() -> None:
    from hookstream.sinks.files import LineFile

    with pytest.raises(SinkError, match="not a plain file"):
        LineFile(Path("/dev/null"))


def test_a_folder_that_is_a_file_is_one_line_of_error(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    for uri in (f"jsonl:{tmp_path / 'out'}", f"jsonl:{tmp_path / 'out' / 'below'}"):
        with pytest.raises(SinkError) as refused:
            open_sink(uri)
        assert "\n" not in str(refused.value)


FULL = """
import json, resource, sys
sys.path[:0] = json.loads(sys.argv[2])
from hookstream.sinks import SinkError, open_sink
from sinks.events import rendered, stream
sink = open_sink(sys.argv[1], standard="agent-hooks")
first, second = rendered(stream(10)), rendered(stream(400)[10:])
print({r.status for r in sink.write(first)} == {"delivered"})
limit = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, limit[1]))
receipts = sink.write(second)
print({r.status for r in receipts} == {"retry"} and receipts[0].after_s > 0)
size = len(open(sys.argv[1][6:] + "/agent-hooks.jsonl", "rb").read().splitlines())
print(size == 10)
sink.reject([b'{"reason":"' + b"x" * 40_000 + b'"}'])
try:
    sink.flush()
    print(False)
except SinkError:
    print(True)
resource.setrlimit(resource.RLIMIT_FSIZE, limit)
print({r.status for r in sink.write(second)} == {"delivered"})
sink.close()
"""


@posix
def test_a_file_that_may_not_grow_holds_whole_batches_only(tmp_path: Path) -> None:
    out = tmp_path / "out"
    paths = json.dumps([str(Path(__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", FULL, f"jsonl:{out}", paths], capture_output=True, text=True
    )
    assert done.stdout.split() == ["True"] * 5, done.stderr
    assert len(lines(out / "agent-hooks.jsonl")) == 400
    assert len(lines(out / "rejected.jsonl")) == 1


HALF = """
import json, resource, sys
sys.path[:0] = json.loads(sys.argv[2])
from hookstream.sinks import open_sink
from sinks.events import rendered, stream
sink = open_sink(sys.argv[1])
limit = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (50_100, limit[1]))
print({r.status for r in sink.write(rendered(stream(5)))} == {"retry"})
"""


@posix
def test_a_batch_stands_in_both_files_or_in_none(tmp_path: Path) -> None:
    (tmp_path / "aarts.jsonl").write_bytes(b'{"a":"' + b"x" * 50_000 + b'"}\n')
    paths = json.dumps([str(Path(__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", HALF, f"jsonl:{tmp_path}", paths], capture_output=True, text=True
    )
    assert done.stdout.split() == ["True"], done.stderr
    assert lines(tmp_path / "agent-hooks.jsonl") == []
    assert len(lines(tmp_path / "aarts.jsonl")) == 1


def test_standard_output_gets_lines_of_one_standard() -> None:
    for standard, key in (("both", "event_type"), ("aarts", "verdict")):
        code = (
            "import sys; sys.path[:0] = [sys.argv[1]]\n"
            "from hookstream.sinks import open_sink\n"
            "from sinks.events import rendered, rich\n"
            "print('before')\n"
            f"sink = open_sink('jsonl:-', standard={standard!r})\n"
            "sink.write(rendered(rich())); sink.reject([b'{}']); sink.close()\n"
            "print('after')\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(Path(__file__).parents[1])], capture_output=True
        )
        first, *found, last = done.stdout.splitlines()
        assert (first.strip(), last.strip()) == (b"before", b"after")
        assert found
        assert all(key in json.loads(line) for line in found)


@posix
def test_a_reader_that_has_gone_is_a_retry_that_never_comes() -> None:
    code = (
        "import sys, time; sys.path[:0] = [sys.argv[1]]\n"
        "from hookstream.sinks import open_sink\n"
        "from sinks.events import rendered, stream\n"
        "sink = open_sink('jsonl:-')\n"
        "time.sleep(0.3)\n"
        "receipt = sink.write(rendered(stream(1)))[0]\n"
        "print(receipt.status, receipt.after_s, file=sys.stderr)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(Path(__file__).parents[1])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read().split() == [b"retry", str(NEVER).encode()]
