"""One input has one number of events, calls, denies, tokens, dollars, whichever door is asked."""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from hookstream.queries.backfilled import summary
from hookstream.queries.prices import Prices
from hookstream.queries.runner import ask, ask_sql, open_stream
from hookstream.ui.filters import PageFilters
from hookstream.ui.lake import BrowsedLake
from hookstream.ui.overview import overview
from hookstream.ui.pages import PAGES
from same_process import hookstream

sys.path.insert(0, str(Path(__file__).parents[1] / "transcripts"))
from homes import home_of

pytestmark = pytest.mark.long

SAMPLES = Path(__file__).parents[2] / "samples"
# Session files of a client that tells its tokens, with a running total besides.
SCENARIO = "claude-code/refusals-dontask"
Doors = dict[str, Any]


class Place:
    """The samples once through `run`, and all that can be asked of what it wrote."""

    def __init__(self, folder: Path) -> None:
        self.lake = folder / "lake"
        report = folder / "report.json"
        done = hookstream(
            "run", SAMPLES, "--to", f"parquet:{self.lake}", "--to", f"jsonl:{folder / 'stream'}",
            "--report", report, "--now", "2026-11-21T12:00:00.000Z",
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        self.run = json.loads(report.read_text())
        page = json.loads(hookstream("report", self.lake, "--format", "json").stdout)
        self.sections = {one["title"]: one["rows"] for one in page["sections"]}
        self.page = {row["what"]: row["count"] for row in self.sections["Headline"]}
        self.ui = overview(BrowsedLake(self.lake), PageFilters())["totals"]
        self.backfill = summary(self.lake, Prices())

    def query(self, name: str) -> list[dict[str, Any]]:
        answer = hookstream("query", name, self.lake, "--format", "json", "--limit", "100000")
        found: list[dict[str, Any]] = json.loads(answer.stdout)
        return found

    def usage(self, since: str, until: str) -> list[dict[str, Any]]:
        words = ("--since", since, "--until", until, "--format", "json", "--limit", "100000")
        found: list[dict[str, Any]] = json.loads(
            hookstream("query", "usage", self.lake, *words).stdout
        )
        return found

    def sql(self, text: str) -> Any:
        with open_stream(self.lake) as stream:
            return ask_sql(stream, text).rows[0][0]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, home_of_module: None) -> Place:
    return Place(tmp_path_factory.mktemp("samples"))


def agree(doors: Doors) -> None:
    assert len(set(doors.values())) == 1 and next(iter(doors.values())), doors


def test_events(place: Place) -> None:
    agree({
        "run": place.run["events"],
        "query": place.sql("select count(*) from events"),
        "report": place.page["events"],
        "ui": place.ui["events"],
        "backfill": place.backfill.totals["events"],
    })  # fmt: skip


def test_sessions(place: Place) -> None:
    agree({
        "query": len(place.query("sessions")),
        "report": place.page["sessions"],
        "ui": place.ui["sessions"],
        "backfill": sum(row["sessions"] for row in place.backfill.clients),
    })  # fmt: skip


def test_sessions_with_sub_agents(tmp_path: Path) -> None:
    """Events of a sub-agent may have a session id of its own, which is not a session."""
    run = Path(__file__).parents[1] / "transcripts" / "runs" / "copilot-nested"
    lake = tmp_path / "lake"
    assert hookstream("run", run, "--to", f"parquet:{lake}").returncode == 0
    browsed = BrowsedLake(lake)
    agree({
        "query": browsed.one("select count(*) from sessions"),
        "ui": overview(browsed, PageFilters())["totals"]["sessions"],
    })  # fmt: skip


@pytest.mark.parametrize("name", ["calls", "prompts"])
def test_calls_and_prompts(place: Place, name: str) -> None:
    lake = BrowsedLake(place.lake)
    agree({
        "query": len(place.query(name)),
        "report": place.page[name],
        "ui": lake.one(f"select count(*) from {name}"),
        "backfill": sum(row[name] for row in place.backfill.clients),
        "its totals": place.backfill.totals[name],
    })  # fmt: skip


def test_calls_by_session_time_machine_and_user(place: Place) -> None:
    """Nothing is counted twice, and nothing without a machine, user or session is lost."""
    calls = place.query("calls")
    by_time = place.sections.get("Hour by hour") or place.sections["Day by day"]
    agree({
        "report": place.page["calls"],
        "sessions": sum(row["actions"] for row in place.query("sessions")),
        "by time": sum(row["calls"] for row in by_time),
    })  # fmt: skip
    for key, title in (("machine_id", "By machine"), ("user_id", "By user")):
        for row in place.sections[title]:
            mine = [call for call in calls if call[key] == row[key]]
            assert row["calls"] == len(mine)
            assert row["failed"] == sum(call["outcome"] == "error" for call in mine)
            assert row["risky"] == sum((call["risk_score"] or 0) >= 70 for call in mine)
            assert row["denies"] == sum(deny[key] == row[key] for deny in place.query("denies"))


def test_denies(place: Place) -> None:
    agree({
        "query": len(place.query("denies")),
        "sessions": sum(row["denies"] for row in place.query("sessions")),
        "report": place.page["denied, observed"] + place.page["denied, inferred"],
        "ui": place.ui["denies"],
        "backfill": sum(row["denied"] for row in place.backfill.clients),
        "its list": len(place.backfill.denies),
    })  # fmt: skip


def usage_page(lake: Path, column: str, where: str = "true") -> float:
    sql = f"select coalesce(sum({column}), 0) from ({PAGES['usage'].sql}) where {where}"
    return float(BrowsedLake(lake).one(sql))


def test_tokens_and_dollars(place: Place) -> None:
    models = place.backfill.models
    for column in ("input", "output"):
        with open_stream(place.lake) as stream:
            asked = ask(stream, "usage")
        at = asked.columns.index(f"{column}_tokens")
        agree({
            "query": sum(row[at] or 0 for row in asked.rows),
            "ui": usage_page(place.lake, f"{column}_tokens", "counted <> 'side calls'"),
            "backfill": sum(row[column] for row in models if "side calls" not in row["model"]),
        })  # fmt: skip
    assert math.isclose(
        usage_page(place.lake, "cost_usd"),
        sum(row["cost_usd"] or 0.0 for row in models),
        abs_tol=0.01,
    )


def test_the_demo_says_what_a_run_of_the_samples_says(place: Place) -> None:
    text = hookstream("demo").stdout.decode()
    read, events = re.search(r"(\d+) payloads.*?gave (\d+) events", text, re.DOTALL).groups()  # type: ignore[union-attr]
    assert (int(read), int(events)) == (place.run["read"], place.run["events"])


def test_a_backfill_says_what_the_pages_say_of_its_lake(tmp_path: Path) -> None:
    home = home_of(SCENARIO, tmp_path / "home")
    lake, report = tmp_path / "lake", tmp_path / "report.json"
    done = hookstream(
        "backfill", "--home", home, "--since", "all", "--to", f"parquet:{lake}", "--report", report
    )
    assert done.returncode == 0, done.stderr
    found = summary(lake, Prices())
    assert found.totals["events"] == json.loads(report.read_text())["events"]
    dollars = sum(row["cost_usd"] or 0.0 for row in found.models)
    assert dollars > 0
    assert math.isclose(usage_page(lake, "cost_usd"), dollars, abs_tol=0.001)
    said = done.stdout.decode()
    for row in found.models:
        assert f"{row['cost_usd']:.4f}" in said


def test_usage_of_a_span_counts_answers_within_it(place: Place) -> None:
    """The days one by one have the tokens of all, and a time without events has none. A span is of
    the later of an answer's own time and its receipt, so its rows may have an earlier day."""
    whole = [row for row in place.query("usage") if row["counted"] == "responses"]
    days = sorted({row["date"] for row in whole})
    assert len(days) > 1
    alone = []
    for day in days:
        rows = place.usage(f"{day}T00:00:00Z", f"{day}T23:59:59.999Z")
        assert all(row["date"] <= day for row in rows)
        alone += [row for row in rows if row["counted"] == "responses"]
    for name in ("answers", "input_tokens", "output_tokens"):
        assert sum(row[name] or 0 for row in alone) == sum(row[name] or 0 for row in whole), name
    assert place.usage("2001-01-01", "2001-01-02") == []
