"""`hookstream detect` over a lake of real samples, its shapes, and the tuning file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lake import calls, compiled

from hookstream.cli.app import run_app
from hookstream.rules.evaluate import findings
from hookstream.rules.load import RuleError, load, pack
from hookstream.rules.tuning import load_tuning

FORCED = pack() / "call_forced_push.yml"
LAKE = [
    {"command": "git push -f", "machine_id": "m1", "user_id": "ann"},
    {"command": "git push --force", "machine_id": "ci-7", "user_id": "bot"},
]


def tuned(tmp_path: Path, text: str) -> list[tuple[str | None, str]]:
    file = tmp_path / "tuning.toml"
    file.write_text(text, "utf-8")
    tuning = load_tuning(file, load([FORCED]).rules)
    lake = calls(*LAKE)
    rules = compiled(lake, FORCED)
    return [(one.machine_id, one.level) for one in findings(lake, rules, tuning)]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("", [("m1", "medium"), ("ci-7", "medium")]),
        ('[levels]\ncall_forced_push = "low"', [("m1", "low"), ("ci-7", "low")]),
        ('[levels]\ncall_forced_push = "off"', []),
        ('[critical]\nmachines = ["m1"]', [("m1", "high"), ("ci-7", "medium")]),
        ('[critical]\nusers = ["bot"]', [("m1", "medium"), ("ci-7", "high")]),
        ('[levels]\ncall_forced_push = "critical"\n[critical]\nmachines = ["m1"]',
         [("m1", "critical"), ("ci-7", "critical")]),
        ('[[known]]\nmachine = "ci-*"\nreason = "builds"', [("m1", "medium")]),
        ('[[known]]\nrule = "call_forced_push"\nreason = "x"\nuntil = 2026-01-01',
         [("m1", "medium"), ("ci-7", "medium")]),
        ('[[known]]\nrule = "call_forced_push"\nreason = "x"\nuntil = 2027-01-01', []),
    ],
)  # fmt: skip
def test_levels_noise_and_critical_places(
    tmp_path: Path, text: str, want: list[tuple[str, str]]
) -> None:
    assert tuned(tmp_path, text) == want


@pytest.mark.parametrize(
    "text",
    [
        "levels = 3", '[levels]\nnothing = "low"', '[levels]\ncall_forced_push = "grave"', "[x]",
        '[[known]]\nreason = "all"', '[[known]]\nmachine = "a"', '[[known]]\nmachin = "a"\nreason = "x"',
        '[[known]]\nrule = "nothing"\nreason = "x"', "[critical]\nmachines = 3", "[",
        '[[known]]\nmachine = "a"\nreason = "x"\nuntil = "soon"',
    ],
)  # fmt: skip
def test_a_wrong_tuning_file_is_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(RuleError, match=r"tuning\.toml: ") as error:
        tuned(tmp_path, text)
    assert "\n" not in str(error.value)


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import sys
    from unittest import mock

    out = tmp_path_factory.mktemp("lake")
    payloads = []
    for number, command in enumerate(("git push -f origin main", "ls", 'echo "git push -f"')):
        for event in ("PreToolUse", "PostToolUse"):
            payload: dict[str, Any] = {
                "session_id": "s1", "hook_event_name": event, "cwd": "/p", "tool_name": "Bash",
                "tool_input": {"command": command}, "tool_use_id": f"t{number}",
            }  # fmt: skip
            if event == "PostToolUse":
                payload["tool_response"] = {"stdout": "", "stderr": "", "interrupted": False}
            payloads.append({"vendor": "claude-code", "native_event": event, "payload": payload,
                             "received_at": f"2026-11-22T10:00:0{number}Z"})  # fmt: skip
    source = out / "captured.jsonl"
    source.write_text("\n".join(map(json.dumps, payloads)) + "\n", "utf-8")
    place = f"parquet:{out / 'lake'}"
    with mock.patch.object(sys, "argv", ["hookstream", "run", str(source), "--to", place]):
        assert run_app() == 0
    return out / "lake"


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["hookstream", *words])
    return run_app()


@pytest.mark.long
def test_detect_finds_in_a_real_lake(
    lake: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "detect", str(lake), "--format", "json") == 0
    rows = json.loads(capsys.readouterr().out)
    forced = [row for row in rows if row["rule"] == "call_forced_push_main"]
    assert [(row["level"], row["tool"], row["session_id"]) for row in forced] == [
        ("high", "claude-code", "s1")
    ]
    wanted = "rule_id title level timestamp machine_id user_id tool session_id event_id".split()
    assert all(list(row)[:9] == wanted for row in rows)
    assert forced[0]["event_id"] in forced[0]["events"]


@pytest.mark.parametrize("format", ["agent-hooks", "ocsf"])
@pytest.mark.long
def test_findings_are_events_too(
    format: str, lake: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "detect", str(lake), "--format", format, "--rules", str(FORCED)) == 0
    made = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert made
    if format == "agent-hooks":
        from hookstream.standards.validate import Validator

        check = Validator()
        assert not [p for one in made for p in check.problems(json.dumps(one).encode())]
        assert {one["event_type"] for one in made} == {"Policy.Violation"}
    else:
        assert {one["class_uid"] for one in made} == {2004}
        assert all(one["finding_info"]["analytic"]["type"] == "Rule" for one in made)


def test_wrong_words_and_files_end_with_one_line(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.yml").write_text("title: [", "utf-8")
    for words in (
        ("--rules", str(tmp_path)), ("--rules", str(tmp_path / "none")), ("--format", "xml"),
        ("--level", "grave"), ("--tuning", str(tmp_path / "none.toml")),
    ):  # fmt: skip
        assert run(monkeypatch, "detect", str(lake), *words) == 2
        said = capsys.readouterr().err
        assert said.startswith("hookstream: ") and said.count("\n") == 1


@pytest.mark.long
def test_fail_on_rows_summary_and_list(
    lake: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(monkeypatch, "detect", str(lake), "--fail-on-rows", "--summary", "--rules", str(FORCED))
        == 4
    )
    assert "Forced Push" in capsys.readouterr().out
    assert run(monkeypatch, "detect", str(lake), "--list", "--format", "json") == 0
    assert len(json.loads(capsys.readouterr().out)) >= 60
