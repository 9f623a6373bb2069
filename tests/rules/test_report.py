"""`report --since`: what changed, newest and gravest first, by user and machine, in three formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.cli.app import run_app


def capture(command: str, when: str, user: str, machine: str) -> dict[str, Any]:
    payload = {
        "session_id": f"s-{user}", "hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": "Bash",
        "tool_input": {"command": command}, "tool_use_id": f"t{when}",
    }  # fmt: skip
    return {"vendor": "claude-code", "native_event": "PreToolUse", "payload": payload,
            "received_at": when, "user": user, "machine": machine}  # fmt: skip


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report")
    rows = [
        capture("ls", "2026-11-20T10:00:00Z", "ann", "m1"),
        capture("git push -f origin <b>main", "2026-11-21T09:00:00Z", "ann", "m1"),
        capture("ls", "2026-11-21T10:00:00Z", "ann", "m1"),
        capture("rm -rf ~", "2026-11-21T11:00:00Z", "bob", "m2"),
    ]
    source = out / "in.jsonl"
    source.write_text("\n".join(map(json.dumps, rows)) + "\n", "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["hookstream", "run", str(source), "--to", f"parquet:{out}/lake"])
        assert run_app() == 0
    return out / "lake"


def page(lake: Path, format: str, *words: str) -> str:
    out = lake.parent / f"report.{format}"
    with pytest.MonkeyPatch.context() as patch:
        more = ["--format", format, "--out", str(out), *words]
        patch.setattr("sys.argv", ["hookstream", "report", str(lake), *more])
        assert run_app() == 0
    return out.read_text("utf-8")


@pytest.fixture(scope="module")
def made(lake: Path) -> dict[str, Any]:
    text = page(lake, "json", "--since", "2026-11-21", "--until", "2026-11-22")
    return {one["title"]: one for one in json.loads(text)["sections"]}


@pytest.mark.long
def test_a_span_is_compared_with_the_one_before(made: dict[str, Any]) -> None:
    events = next(row for row in made["Headline"]["rows"] if row["what"] == "events")
    assert (events["count"], events["before"], events["change"]) == (3, 1, "+2")
    assert "2026-11-20" in made["Headline"]["intro"]


@pytest.mark.long
def test_findings_users_and_machines_come_gravest_first(made: dict[str, Any]) -> None:
    assert made["Findings"]["rows"][0]["level"] == "critical"
    assert "Root, Home" in made["Findings"]["rows"][0]["title"]
    risks = [row["max_risk"] for row in made["By user"]["rows"]]
    assert len(risks) == 2 and risks == sorted(risks, reverse=True)
    assert len(made["By machine"]["rows"]) == 2
    times = [row["began"] for row in made["Hour by hour"]["rows"]]
    assert len(times) == 3


@pytest.mark.long
def test_the_page_is_one_file_that_loads_nothing(lake: Path) -> None:
    text = page(lake, "html", "--no-rules", "--since", "2026-11-21", "--until", "2026-11-22")
    assert text.count("<svg") == 3 and "<rect" in text
    assert "<b>main" not in text and "&lt;b&gt;main" in text
    assert "default-src 'none'" in text
    assert "src=" not in text.replace("default-src", "") and "href=" not in text


@pytest.mark.long
def test_markdown_draws_too_and_no_rules_leaves_them_out(lake: Path) -> None:
    text = page(lake, "markdown", "--no-rules")
    assert "Hour by hour" in text and "\u2588" in text
    assert "## Findings" not in text
