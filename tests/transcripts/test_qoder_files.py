"""Qoder's session files, written in the form of its program: none was recorded."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from homes import Told, home_of

from hookstream.transcripts.files import client_of

ENDS = {
    "toolu_1": ("ok", None),
    "toolu_2": ("denied", "hook"),
    "toolu_3": ("denied", "rule"),
    "toolu_4": ("denied", "classifier"),
    "toolu_5": ("denied", "client"),
    "toolu_6": ("denied", "user"),
    "toolu_7": ("cancelled", None),
    "toolu_8": ("ok", None),
    "toolu_9": ("error", None),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return next(home_of("qoder/reference", tmp_path).rglob("*.jsonl"))


def test_who_refused_is_what_the_kind_or_the_hooks_record_says(path: Path) -> None:
    told = Told([path])
    assert not told.rejections
    assert not told.tally.unknown_events
    ends = [e.facts for e in told.events if e.type in ("Action.After", "Policy.Blocked")]
    assert {
        f["call_id"]: ("denied" if "decision" in f else f["outcome"], f.get("decided_by"))
        for f in ends
    } == ENDS
    reasons = {f["call_id"]: f.get("decision_reason") for f in ends}
    assert (reasons["toolu_2"], reasons["toolu_6"]) == ("no deletes", "use the other script")
    assert len(told.of("Prompt.Submitted")) == len(told.of("Context.Compaction")) == 1
    assert sum(e.facts["input_tokens"] for e in told.of("Model.Responded")) == 300


@pytest.mark.parametrize("has_mark", [True, False])
def test_a_file_is_its_clients_by_its_place_or_its_mark(has_mark: bool, path: Path) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)[1:-1]
    text = "".join(lines)
    path.write_text(text if has_mark else text.replace("requestSetId", "other"), "utf-8")
    assert client_of(path) == "qoder"
    elsewhere = path.parents[4] / "elsewhere/projects/p"
    elsewhere.mkdir(parents=True)
    shutil.copy(path, elsewhere)
    assert client_of(elsewhere / path.name) == ("qoder" if has_mark else "claude-code")
