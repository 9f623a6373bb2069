"""`--workers N` gives the bytes of one process, however sessions lie in files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hookstream.core.event import Event
from hookstream.core.progress import heard
from hookstream.delivery import dead_letters, parallel
from hookstream.delivery.job import Job
from hookstream.delivery.parallel import balanced, grouped, guess
from hookstream.delivery.run import execute
from hookstream.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.long

NOW = "2026-11-21T12:00:00Z"
SAMPLES = Path(__file__).parent.parent / "samples"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def claude(session: str, at: int, name: str = "PreToolUse", **more: Any) -> dict[str, Any]:
    """Three of these with one command in one turn are a loop: state that must not be lost."""
    payload: dict[str, Any] = {"session_id": session, "hook_event_name": name, "cwd": "/w", **more}
    if "Tool" in name:
        payload |= {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": f"t{at}"}
    if name == "PostToolUseFailure":
        payload["error"] = "Exit code 2"
    stamp = f"2026-01-01T00:{at // 60:02}:{at % 60:02}.000Z"
    return {"vendor": "claude-code", "native_event": name, "received_at": stamp, "payload": payload}


def failing(session: str, numbers: range) -> Iterator[dict[str, Any]]:
    for at in numbers:
        yield claude(session, 2 * at)
        yield claude(session, 2 * at, "PostToolUseFailure")


def nameless(at: int) -> dict[str, Any]:
    """What GitHub Copilot sent before it named sessions: a session is made from the folder."""
    return {
        "vendor": "copilot",
        "received_at": f"2026-01-01T00:00:{at:02}.000Z",
        "payload": {
            "timestamp": 1767225600000 + at,
            "cwd": "/w",
            "toolName": "bash",
            "toolArgs": json.dumps({"command": "ls"}),
        },
        "native_event": "preToolUse",
    }


def write(folder: Path, files: dict[str, list[Any]]) -> list[str]:
    folder.mkdir()
    for name, records in files.items():
        text = "".join(json.dumps(record) + "\n" for record in records)
        (folder / name).write_text(text, "utf-8")
    return [str(folder)]


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def assert_same(sources: list[str], tmp_path: Path) -> dict[str, bytes]:
    reports, trees = [], []
    for workers in (1, 2, 3):
        out = tmp_path / f"out-{workers}"
        sinks = [f"jsonl:{out}/lines", f"parquet:{out}/lake"]
        outcome = execute(Job(sources, sinks, workers=workers, now=NOW))
        report = outcome.report(0.0)
        report["sinks"] = list(report["sinks"].values())
        reports.append(report)
        trees.append(tree(out))
    assert trees[0] == trees[1] == trees[2]
    assert reports[0] == reports[1] == reports[2]
    assert any(name.endswith(".parquet") for name in trees[0])
    return trees[0]


@pytest.mark.long
def test_samples_are_the_same_with_every_number_of_workers(tmp_path: Path) -> None:
    assert_same([str(SAMPLES)], tmp_path)


def test_sub_agents_of_one_number_in_many_files_do_not_join_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client numbers its sub-agents; each file is still read once."""
    shares: list[int] = []
    submit = parallel.ProcessPoolExecutor.submit

    def counted(pool: Any, work: Any, job: Job, share: Any, *rest: Any) -> Any:
        shares.extend(number for group in share for number in group)
        return submit(pool, work, job, share, *rest)

    monkeypatch.setattr(parallel.ProcessPoolExecutor, "submit", counted)
    files = {
        f"{name}.jsonl": [claude(name, at, agent_id="sub-1") for at in range(4)]
        for name in ("one", "two", "three")
    }
    sources = write(tmp_path / "in", files)
    job = Job(sources, [f"jsonl:{tmp_path / 'out'}"], workers=2, now=NOW)
    execute(job)
    assert sorted(shares) == [0, 1, 2]
    assert_same(sources, tmp_path)


def test_a_worker_holds_nothing_of_this_process() -> None:
    """A database connection that a forked process collects crashes it."""
    import duckdb

    with duckdb.connect(), parallel.pool_of(1) as pool:
        held = pool.submit(eval, "'duckdb' in __import__('sys').modules").result()
    assert held is False


def test_many_tiny_files_are_read_by_one_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "hookstream.delivery.parallel.run_parallel", lambda *given: pytest.fail("forked")
    )
    sources = write(tmp_path / "in", {f"{n}.jsonl": [claude(f"s{n}", n)] for n in range(300)})
    outcome = execute(Job(sources, [f"jsonl:{tmp_path / 'out'}"], workers=2, now=NOW))
    assert outcome.tally.read == 300


def test_a_session_that_goes_on_in_another_file_keeps_its_state(tmp_path: Path) -> None:
    sources = write(
        tmp_path / "in",
        {
            "a.jsonl": list(failing("one", range(2))),
            "b.jsonl": list(failing("two", range(4))),
            "c.jsonl": list(failing("one", range(2, 4))),
        },
    )
    lines = assert_same(sources, tmp_path)["lines/agent-hooks.jsonl"].splitlines()
    loops = [one for one in map(json.loads, lines) if one["event_type"] == "Retry.Loop.Detected"]
    assert [one["session_id"] for one in loops] == ["two", "one"]


def test_a_sub_agent_in_another_file_finds_its_parent(tmp_path: Path) -> None:
    start = claude("top", 0, "SubagentStart", agent_id="helper-1", agent_type="explore")
    sources = write(
        tmp_path / "in",
        {
            "a.jsonl": [start],
            "b.jsonl": list(failing("two", range(2))),
            "c.jsonl": [claude("helper-1", 3)],
        },
    )
    lines = assert_same(sources, tmp_path)["lines/agent-hooks.jsonl"].splitlines()
    assert json.loads(lines[-1])["parent_session_id"] == "top"


def test_a_payload_that_is_a_text_is_grouped_like_any_other(tmp_path: Path) -> None:
    first, second = list(failing("one", range(1))), list(failing("one", range(1, 3)))
    for record in second:
        record["payload"] = json.dumps(record["payload"])
    other = list(failing("two", range(1)))
    sources = write(tmp_path / "in", {"a.jsonl": first, "b.jsonl": other, "c.jsonl": second})
    assert_same(sources, tmp_path)


def test_a_session_that_no_record_names_does_not_leave_its_file(tmp_path: Path) -> None:
    files = {f"{name}.jsonl": [nameless(n) for n in range(5)] for name in "ab"}
    files["b.jsonl"].append(nameless(9))
    sources = write(tmp_path / "in", files)
    lines = assert_same(sources, tmp_path)["lines/agent-hooks.jsonl"].splitlines()
    events = [json.loads(line) for line in lines]
    assert len({event["session_id"] for event in events}) == 1
    places = [event["metadata"]["dev.hookstream"]["sequence"] for event in events]
    assert places == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6]


def test_numbers_of_two_connections_are_not_one_question(tmp_path: Path) -> None:
    ask = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "steps/toolCallRequest",
        "params": {
            "context": {"agent": {"name": "x"}, "session": {"id": "s1"}},
            "payload": {"toolCall": {"toolId": "bash", "inputs": {"command": "ls"}}},
        },
    }
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"decision": "deny"}}
    other = {**answer, "id": 2}
    sources = write(tmp_path / "in", {"a.jsonl": [ask, other], "b.jsonl": [answer]})
    assert_same(sources, tmp_path)


COUNTED, DRAWN = "guardian-request-000001", "0b6e1d52-77aa-4c1e-9c3b-5a1f0d2e4b66"


@pytest.mark.parametrize(("number", "commands"), [(COUNTED, [None]), (DRAWN, ["ls"])])
def test_an_id_names_a_question_of_another_file_only_if_it_is_random(
    number: str, commands: list[str | None]
) -> None:
    """A long id may count, and begins again in each file."""
    sessions = Sessions()
    asked, answered = (
        Event(
            kind, None, {"event_id": name, "message_id": number, "session_id": "s", **facts}, "aos"
        )
        for name, kind, facts in (
            ("e1", "Action.Before", {"native_event": "steps/toolCallRequest", "command": "ls"}),
            ("e2", "Policy.Blocked", {"native_event": "result"}),
        )
    )
    sessions.answers.see(asked)
    sessions.new_source()
    sessions.answers.see(answered)
    assert [answered.facts.get("command")] == commands


def test_groups_that_turn_out_to_share_a_session_are_done_again(tmp_path: Path) -> None:
    """The shared session stands in the middle of long files, where no guess looks."""
    around = {name: list(failing(f"{name}-own", range(60))) for name in "abcd"}
    files = {f"{name}.jsonl": records for name, records in around.items()}
    for name, numbers in (("a", range(2)), ("c", range(2, 4))):
        files[f"{name}.jsonl"][60:60] = list(failing("shared", numbers))
    for records in files.values():
        for record in records:
            record["payload"]["transcript_path"] = "/w/" + "x" * 2000
    sources = write(tmp_path / "in", files)
    assert all("shared" not in guess(tmp_path / "in" / name) for name in files)
    lines = assert_same(sources, tmp_path)["lines/agent-hooks.jsonl"].splitlines()
    loops = [one for one in map(json.loads, lines) if one["event_type"] == "Retry.Loop.Detected"]
    assert [one["session_id"] for one in loops].count("shared") == 1


def test_the_job_s_clock_is_the_sinks_clock(tmp_path: Path) -> None:
    """CloudEvents say when they were recorded: under --now at that time, whoever writes them."""
    for name in ("a", "b"):
        text = "\n".join(json.dumps(one) for one in failing(name, range(3)))
        (tmp_path / f"{name}.jsonl").write_text(text)
    made = set()
    for workers in (1, 2):
        out = tmp_path / f"out-{workers}"
        job = Job([str(tmp_path)], [f"cloudevents:{out}"], now=NOW, workers=workers)
        execute(job)
        (file,) = out.glob("*.jsonl")
        times = {json.loads(line)["recordedtime"] for line in file.read_bytes().splitlines()}
        assert times == {NOW}
        made.add(file.read_bytes())
        file.unlink()
    assert len(made) == 1


def test_groups_are_joined_over_every_session() -> None:
    named = [([0], {"a", "b"}), ([1], {"c"}), ([2, 4], {"b"}), ([3], {"d", "c"})]
    assert grouped(named) == [[0, 2, 4], [1, 3]]


def test_shares_are_balanced_by_bytes() -> None:
    sizes = [50, 60, 30, 20, 40]
    shares = balanced([[0, 3], [1], [2], [4]], sizes, 2)
    loads = [sum(sizes[n] for group in share for n in group) for share in shares]
    assert loads == [100, 100]
    assert sorted(n for share in shares for group in share for n in group) == [0, 1, 2, 3, 4]


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
sys.argv = ["hookstream", *sys.argv[1:]]
from hookstream.cli import main
main()
"""


@pytest.mark.posix("no limit of a file's size")
def test_what_a_sink_cannot_take_over_waits_and_is_exit_3(tmp_path: Path) -> None:
    files = {f"{name}.jsonl": list(failing(f"session-{name}", range(25))) for name in "abcd"}
    (source,) = write(tmp_path / "in", files)
    out = tmp_path / "out"
    words = ("run", source, "--to", f"jsonl:{out}", "--workers", "2", "--now", NOW)
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    (waits,) = (tmp_path / "state" / "hookstream" / "waiting").iterdir()
    assert str(waits) in done.stderr
    whole = tmp_path / "whole"
    execute(Job([source], [f"jsonl:{whole}"], now=NOW))
    wanted = (whole / "agent-hooks.jsonl").read_text("utf-8").splitlines()
    kept = (out / "agent-hooks.jsonl").read_text("utf-8").splitlines()
    letters = [json.loads(letter.row.event) for letter in dead_letters.read(waits)]
    assert 0 < len(kept) < len(wanted)
    assert [json.loads(line) for line in kept] + letters == [json.loads(line) for line in wanted]
    assert not list(waits.parent.parent.glob("segments-*"))


@pytest.mark.posix("no limit of a file's size")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_rows_that_find_no_room_at_the_end_are_exit_3(tmp_path: Path, workers: str) -> None:
    files = {f"{name}.jsonl": list(failing(f"session-{name}", range(25))) for name in "ab"}
    (source,) = write(tmp_path / "in", files)
    words = ("run", source, "--to", f"parquet:{tmp_path}/lake", "--workers", workers)
    script = LIMITED.replace("300_000", "1_000_000" if workers == "2" else "20_000")
    if workers == "2":  # segments are Arrow streams, larger than the part they become
        (tmp_path / "lake").mkdir()
        (tmp_path / "lake" / "date=2026-01-01").touch()
    done = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, check=False
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (3, 1), done.stderr
    assert "run again" in done.stderr


def test_workers_tell_how_many_records_are_read(tmp_path: Path) -> None:
    told: list[int] = []
    with heard(lambda done, *_: told.append(done)):
        outcome = execute(
            Job([str(SAMPLES / "claude-code")], [f"jsonl:{tmp_path / 'out'}"], now=NOW, workers=2)
        )
    assert len(told) > 1 and told == sorted(told)
    assert told[-1] == outcome.tally.read > 0
