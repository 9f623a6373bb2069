"""backfill: one command over a home, ending in the report."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from homes import DATA, home_of

from hookstream.cli.backfill import backfill
from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.delivery.backfill import shares_of
from hookstream.queries.prices import Prices, read_prices
from hookstream.tables import connection
from hookstream.transcripts.places import ListedSession, find

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


EVERYBODY = (
    "claude-code/refusals-dontask",
    "codex/rules",
    "copilot/refusals-rules",
    "gemini-cli/rules",
    "qwen-code/rules",
    "cline/refusals-unattended",
    "opencode/refusals-rules",
    "openclaw/refusals-unattended",
)


def denied_in(scenarios: tuple[str, ...]) -> int:
    truths = (json.loads((DATA / one / "truth.json").read_text("utf-8")) for one in scenarios)
    return sum(call["outcome"] == "denied" for truth in truths for call in truth["calls"])


def everybody(folder: Path) -> Path:
    """One home with the session files of eight clients."""
    home = folder / "everybody"
    for scenario in EVERYBODY:
        one = home_of(scenario, folder / scenario)
        shutil.copytree(one, home, dirs_exist_ok=True)
    return home


def test_all_clients_are_found_where_they_keep_their_files(tmp_path: Path) -> None:
    found, shut = find(everybody(tmp_path), env={})
    clients = {file.client for file in found}
    assert clients == {
        "claude-code",
        "codex",
        "copilot",
        "gemini-cli",
        "qwen-code",
        "cline",
        "opencode",
        "openclaw",
    }
    assert not shut


def test_variables_move_a_clients_folder(tmp_path: Path) -> None:
    home = home_of("codex/rules", tmp_path)
    moved = tmp_path / "elsewhere"
    (home / ".codex").rename(moved)
    assert find(home, ("codex",), env={})[0] == []
    assert len(find(home, ("codex",), env={"CODEX_HOME": str(moved)})[0]) == 1


def test_only_what_was_written_since_is_read(tmp_path: Path) -> None:
    home = home_of("codex/rules", tmp_path)
    file = find(home, ("codex",), env={})[0][0]
    os.utime(file.path, (1_000_000, 1_000_000))
    assert find(home, ("codex",), since=2_000_000, env={})[0] == []


def test_the_report_says_what_was_denied_and_what_it_cost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = tmp_path / "counts.json"
    lake = tmp_path / "lake"
    home = everybody(tmp_path)
    backfill(
        since="all", home=home, sink=[f"jsonl:{lake}"], workers=1, report=counts, standard="both"
    )
    said = capsys.readouterr().out
    assert "git push origin main" in said
    assert f"Denied: {denied_in(EVERYBODY)}" in said
    assert "Loops: none" in said
    assert "claude-sonnet-4-5" in said
    assert "gpt-5.5" in said
    lines = (lake / "agent-hooks.jsonl").read_text("utf-8").splitlines()
    report = json.loads(counts.read_text("utf-8"))
    assert len(lines) == report["events"]
    assert report["rejected"] == 0
    assert {json.loads(line)["metadata"]["dev.hookstream"]["witness"] for line in lines} == {
        "transcript"
    }


def test_a_report_that_takes_more_memory_than_is_meant_is_given_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gigabyte of session files has tables that its 256 MB do not hold."""
    few = 4 << 20
    monkeypatch.setattr("hookstream.cli.backfill.REPORT_BYTES", few)
    tried: list[int] = []

    def memory() -> int:
        tried.append(connection.allowed.get())
        return tried[-1] if tried[-1] == few else 1 << 30

    monkeypatch.setattr(connection, "_memory", memory)
    backfill(since="all", home=everybody(tmp_path), workers=1)
    assert f"Denied: {denied_in(EVERYBODY)}" in capsys.readouterr().out
    assert few in tried and tried[-1] != few


def test_events_have_the_machine_and_the_account_that_hooks_give_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a session is two, and nobody sees that its hooks were switched off."""
    from hookstream.capture.hook.lines import machine_name, user_name
    from hookstream.redaction.digest import pseudonym
    from hookstream.redaction.keys import load_key

    home = home_of("codex/rules", tmp_path)
    monkeypatch.setenv("HOME", str(home))
    given = {"here": {}, "else": {"home": home}, "named": {"home": home, "machine": "laptop-7"}}
    found = {}
    for name, options in given.items():
        out = tmp_path / name
        backfill(["codex"], since="all", sink=[f"jsonl:{out}"], workers=1, **options)
        lines = (out / "agent-hooks.jsonl").read_text("utf-8").splitlines()
        facts = [json.loads(line) for line in lines]
        found[name] = {
            (one["metadata"]["dev.hookstream"].get("machine_id"), one.get("user", {}).get("id"))
            for one in facts
        }
    key = load_key(tmp_path / "state/hookstream/pseudonym.key")
    own = (pseudonym("machine", machine_name(), key), pseudonym("user", user_name(), key))
    assert found["here"] == {own}
    assert found["else"] == {(None, None)}
    assert found["named"] == {(pseudonym("machine", "laptop-7", key), None)}


def test_secrets_are_named_by_rule_and_file_and_never_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = home_of("codex/rules", tmp_path)
    file = find(home, ("codex",), env={})[0][0].path
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    text = file.read_text("utf-8").replace("git status --short", f"git push https://{secret}@x.y")
    file.write_text(text, "utf-8")
    backfill(["codex"], since="all", home=home, workers=1)
    said = capsys.readouterr().out
    assert "Secrets that stand in the clear in session files: 1" in said
    assert "rollout-" in said
    assert secret not in said


def test_a_home_without_sessions_and_an_unknown_client_are_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(NothingToRead, match="no session files"):
        backfill(home=tmp_path)
    with pytest.raises(HookstreamError, match="CLIENT"):
        backfill(["emacs"], home=tmp_path)


def test_own_prices_go_before_listed_ones(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    path.write_text('{"m": {"input": 2.0, "output": 10.0, "cache_read": 0.5}}', "utf-8")
    prices = read_prices(path)
    million = 1_000_000
    assert prices.cost("claude-code", "m", (million, 0, million, 0)) == pytest.approx(2.5)
    # Codex counts what came from the cache among its input.
    assert prices.cost("codex", "m", (million, 0, million, 0)) == pytest.approx(0.5)
    assert prices.cost("codex", "no such model", (1, 1, 1, 1)) is None
    path.write_text("[]", "utf-8")
    with pytest.raises(HookstreamError, match="must be an object"):
        read_prices(path)


def test_listed_prices_know_models_and_caches() -> None:
    prices = Prices()
    fresh = prices.cost("claude-code", "claude-sonnet-4-5", (1000, 0, 0, 0))
    cached = prices.cost("claude-code", "claude-sonnet-4-5", (0, 0, 1000, 0))
    assert fresh is not None and cached is not None
    assert fresh == pytest.approx(10 * cached)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX pipes")
def test_loops_dead_links_and_pipes_in_a_client_s_folder_end_nothing(tmp_path: Path) -> None:
    home = home_of("codex/rules", tmp_path)
    (file,) = find(home, ("codex",), env={})[0]
    folder = file.path.parent
    (folder / "again").symlink_to(home, target_is_directory=True)
    loops = [folder / f"rollout-2026-11-22T00-00-0{n}-a.jsonl" for n in range(2)]
    loops[0].symlink_to(loops[1])
    loops[1].symlink_to(loops[0])
    os.mkfifo(folder / "rollout-2026-11-22T00-00-03-a.jsonl")
    found, shut = find(home, ("codex",), env={})
    assert [one.path for one in found] == [file.path]
    assert set(shut) == set(loops)


def test_files_of_which_none_can_be_read_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from hookstream.cli.app import run_app

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    projects = tmp_path / ".claude" / "projects" / "-p"
    projects.mkdir(parents=True)
    for name, data in (("a", b"\xfd\xfe garbage"), ("b", b"{cut")):
        (projects / f"{name}.jsonl").write_bytes(data * 100)
    words = ["hookstream", "backfill", "--home", str(tmp_path), "--since", "all", "--workers", "1"]
    monkeypatch.setattr("sys.argv", words)
    assert run_app() == 2
    said = capsys.readouterr().err
    assert f"{projects / 'a.jsonl'}: not_utf8" in said
    assert f"{projects / 'b.jsonl'}: not_json" in said


@pytest.mark.parametrize(
    ("sizes", "workers", "shares"),
    [
        ([], 2, 0),
        ([100] * 5, 2, 1),  # not worth a second process
        ([1_000_000] * 20, 2, 5),
        ([200_000_000], 2, 1),
        ([1_000_000] * 500, 2, 20),  # of at most 24 MiB
        ([1] * 1000, 1, 3),  # of at most 400 files
    ],
)
def test_every_worker_has_a_share_of_a_few_files_too(
    sizes: list[int], workers: int, shares: int
) -> None:
    files = [ListedSession("codex", Path(f"{n}.jsonl"), size, 0) for n, size in enumerate(sizes)]
    made = shares_of(files, workers)
    assert [file for share in made for file in share] == files
    assert len(made) == shares
