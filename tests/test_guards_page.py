"""docs/guards.md says what its sessions say, and those what their truths say."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1] / "docs"
MAKER = runpy.run_path(str(DOCS / "make_guards.py"))


def truth(**facts: Any) -> dict[str, Any]:
    known = {"client": "codex", "client_version": "1.0", "mode": "yolo", "guard": "command"}
    return {**known, "headless": True, "calls": [], **facts}


def call(verdict: str, state: str, **facts: Any) -> dict[str, Any]:
    return {"verdict": verdict, "state": state, "ran": False, "input_used": None, **facts}


def test_the_page_is_what_the_sessions_say() -> None:
    assert (DOCS / "guards.md").read_text("utf-8") == MAKER["page"](MAKER["read"]())


def test_every_client_and_state_of_a_truth_comes_to_the_page(tmp_path: Path) -> None:
    calls = [
        call("deny", "held"),
        call("ask", "asked nobody and ran", ran=True),
        call("modask", "asked, approved", ran=True, input_used="original"),
        call("exit2", "guard not called", ran=True),
        {"label": "x0"},
    ]
    scenario = tmp_path / "codex" / "guard-1"
    scenario.mkdir(parents=True)
    (scenario / "truth.json").write_text(json.dumps(truth(calls=calls)))
    (session,) = MAKER["recorded"]([tmp_path])
    assert session["verdicts"]["modask"] == {"asked, approved, original input": 1}
    text = MAKER["page"]([session])
    assert (
        "| no person: everything allowed (1.0) | holds | **guard not called, ran** "
        "| **no question, ran** | asked, **original ran** |" in text
    )


def test_sessions_with_other_cells_have_rows_of_their_own() -> None:
    held, ignored = (
        MAKER["session_of"](truth(calls=[call("deny", state, ran=True)], mode=mode), mode)
        for state, mode in (("held", "plan"), ("ignored", "yolo"))
    )
    other = {**held, "client_version": "2.0"}
    text = MAKER["page"]([held, ignored, other])
    assert "| no person: plan (1.0, 2.0) | holds |" in text
    assert "| no person: everything allowed (1.0) | **ignored, ran** |" in text


def test_a_session_without_a_guard_is_no_row() -> None:
    facts = truth(calls=[call("deny", "held")])
    del facts["guard"]
    assert MAKER["session_of"](facts, "x") is None
