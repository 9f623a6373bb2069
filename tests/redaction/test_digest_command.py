"""`hookstream digest` finds what a run wrote, and `--allow` lets stay what it is told to."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

import same_process
from hookstream.redaction.digest import digest

PROMPT = "deploy the shop on friday"
SECRET = "hunt" + "er2xyz"


def hookstream(home: Path, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    done = same_process.hookstream(*arguments, env=env, given=given.encode())
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a lake, its lines and a key of 0600."""
    home = tmp_path_factory.mktemp("home")
    key = home / "key"
    key.write_text("k" * 32)
    key.chmod(0o600)
    base = {"session_id": "s1", "cwd": "/srv"}
    write = {"file_path": "/srv/a", "content": PROMPT}
    lines = [
        {**base, "hook_event_name": "UserPromptSubmit", "prompt": PROMPT},
        {**base, "hook_event_name": "PreToolUse", "tool_name": "Write", "tool_input": write},
        {
            **base,
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": f"export DB_PASSWORD={SECRET}"},
        },
    ]
    (home / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for name, key_of in (("plain", ()), ("keyed", ("--hash-key-file", str(key)))):
        ran = hookstream(
            home,
            *("run", str(home / "in.jsonl"), "--vendor", "claude-code", *key_of),
            *("--to", f"parquet:{home / name}", "--to", f"jsonl:{home / name}-lines"),
        )
        assert ran.returncode == 0, ran.stderr
    return home


def test_the_digest_is_that_of_the_stream(home: Path) -> None:
    ran = hookstream(home, "digest", given=PROMPT + "\n")
    assert ran.stdout == digest(PROMPT) + "\n" and "fingerprint " in ran.stderr
    exact = hookstream(home, "digest", "--exact", given=PROMPT + "\n")
    assert exact.stdout == digest(PROMPT + "\n") + "\n"
    keyed = hookstream(home, "digest", "--hash-key-file", str(home / "key"), given=PROMPT)
    assert keyed.stdout == digest(PROMPT, b"k" * 32) + "\n"


@pytest.mark.parametrize("name", ["plain", "keyed", "plain-lines"])
def test_the_rows_of_a_prompt_are_listed(home: Path, name: str) -> None:
    key = ("--hash-key-file", str(home / "key")) if name == "keyed" else ()
    (home / "value").write_text(PROMPT)
    ran = hookstream(
        home, "digest", str(home / name), "--file", str(home / "value"), *key, "--format", "json"
    )
    rows = json.loads(ran.stdout)
    assert {row["event_type"] for row in rows} == {"Prompt.Submitted", "Action.Before"}
    assert any("prompt_hash" in row["where"] for row in rows)
    assert any("input.content" in row["where"] for row in rows)
    assert PROMPT not in ran.stdout + ran.stderr


def test_the_rows_of_a_secret_are_listed_by_its_fingerprint(home: Path) -> None:
    ran = hookstream(home, "digest", str(home / "plain"), "--format", "json", given=SECRET)
    (row,) = json.loads(ran.stdout)
    assert row["event_type"] == "Action.Before" and "command" in row["where"]
    assert SECRET not in ran.stdout + ran.stderr


def test_what_was_not_seen_has_no_rows_and_exit_4_is_on_demand(home: Path) -> None:
    ran = hookstream(home, "digest", str(home / "plain"), "--fail-on-rows", given="nothing of it")
    assert ran.returncode == 0
    seen = hookstream(home, "digest", str(home / "plain"), "--fail-on-rows", given=PROMPT)
    assert seen.returncode == 4


@pytest.mark.posix("Windows has no such modes")
def test_no_value_and_an_open_key_are_refused(home: Path) -> None:
    assert hookstream(home, "digest", given="\n").returncode == 2
    open_key = home / "open-key"
    open_key.write_text("k" * 32)
    open_key.chmod(0o644)
    ran = hookstream(home, "digest", "--hash-key-file", str(open_key), given=PROMPT)
    assert ran.returncode == 2 and "chmod 600" in ran.stderr


def test_a_run_counts_what_its_allow_list_let_stay(home: Path) -> None:
    (home / "allow").write_text(digest(SECRET) + "\n")
    ran = hookstream(
        home,
        *("run", str(home / "in.jsonl"), "--vendor", "claude-code", "--allow", str(home / "allow")),
        *("--to", f"jsonl:{home / 'allowed'}", "--report", str(home / "report.json")),
    )
    assert ran.returncode == 0, ran.stderr
    report = json.loads((home / "report.json").read_text())
    assert report["allowed"] == {"assigned-secret": 1} and report["redactions"] == {}
    assert SECRET in (home / "allowed" / "agent-hooks.jsonl").read_text()
