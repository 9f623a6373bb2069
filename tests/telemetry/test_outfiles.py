"""Files that clients write themselves: indented objects one after the other, and plain spans."""

from __future__ import annotations

import json
from pathlib import Path

from exports_reading import calls, read
from hookstream.core.records import Rejection
from hookstream.core.sources import find, lines

DATA = Path(__file__).parent / "data"


def whole(path: Path) -> list[bytes]:
    found = []
    for _, line in lines(path, "test"):
        assert not isinstance(line, Rejection)
        found.append(line)
    return found


def test_indented_objects_are_read_one_by_one() -> None:
    for name, refused in (("gemini-cli", "hook"), ("qwen-code", "hook")):
        parts = whole(DATA / f"telemetry-{name}.log")
        assert all(json.loads(part) for part in parts)
        events = read(parts)
        told = calls(events)
        denied = [one for one in told.values() if one.outcome == "denied"]
        assert [one.by for one in denied] == [{refused}]
        assert sum(e.type == "Prompt.Submitted" for e in events) == 1


def test_they_are_found_in_a_folder_by_their_name(tmp_path: Path) -> None:
    (tmp_path / "telemetry-gemini-cli.log").write_text("{\n}\n")
    (tmp_path / "other.log").write_text("{\n}\n")
    assert find([str(tmp_path)]) == [tmp_path / "telemetry-gemini-cli.log"]


def test_offsets_are_those_of_the_first_lines(tmp_path: Path) -> None:
    path = tmp_path / "telemetry.log"
    path.write_text('{\n  "a": 1\n}\n{\n  "b": 2\n}\n{\n  "cut": ')
    found = list(lines(path, "test"))
    assert [offset for offset, _ in found] == [0, 13, 26]
    assert json.loads(found[1][1]) == {"b": 2}


def test_copilots_lines_are_plain_spans() -> None:
    span = {
        "type": "span",
        "traceId": "a" * 32,
        "spanId": "b" * 16,
        "name": "execute_tool bash",
        "startTime": [1795344007, 0],
        "endTime": [1795344008, 0],
        "attributes": {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.conversation.id": "s-1",
            "gen_ai.tool.name": "bash",
            "gen_ai.tool.call.id": "call_1",
            "process.exit.code": 3,
        },
        "status": {"code": 0},
        "events": [],
    }
    metric = {"type": "metric", "name": "x", "dataPoints": []}
    told = calls(read([json.dumps(span).encode(), json.dumps(metric).encode()]))
    assert told["call_1"].outcome == "error"
    assert told["call_1"].facts["exit_code"] == 3
