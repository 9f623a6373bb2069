"""One's own prompts: shown only where they are chosen, in one's own lake, and written nowhere."""

from __future__ import annotations

import html
import json
import os
import pty
import re
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.same_process import text_of
from tests.ui.conftest import PORT, TOKEN

from hookstream.cli import prompts
from hookstream.cli.configured import own_names
from hookstream.cli.own_lake import own_conversations, own_lake
from hookstream.cli.prompts import prompts_shown
from hookstream.cli.ui import ui
from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.ui.app import create_app
from hookstream.ui.conversation import OwnSessions
from hookstream.ui.fates import fates
from hookstream.ui.lake import BrowsedLake

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "transcripts" / "data"
SESSION = "11111111-2222-4333-8444-555555555555"
SECRET = "ghp_" + "R4nd0m" * 6  # a token's form, made here
PROMPT = f"Tidy <b>the shed</b> with {SECRET} and then " + "sweep the yard " * 20


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a session of Claude Code, and with those of other clients."""
    place = tmp_path / "home"
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place))
    for client in ("codex", "gemini-cli"):
        shutil.copytree(next(iter(sorted((DATA / client).glob("*/home")))), place,
                        dirs_exist_ok=True)  # fmt: skip
    file = place / ".claude" / "projects" / "-home-dev" / f"{SESSION}.jsonl"
    file.parent.mkdir(parents=True)
    base = {"sessionId": SESSION, "cwd": "/home/dev", "version": "2.0.0"}
    records = [
        {"type": "user", "uuid": "u1", "timestamp": "2026-11-25T10:00:00.000Z",
         "message": {"role": "user", "content": PROMPT}},
        *(
            {"type": "assistant", "uuid": f"t{n}", "timestamp": f"2026-11-25T10:00:0{n}.000Z",
             "message": {"id": f"a{n}", "role": "assistant", "content": [
                 {"type": "tool_use", "id": f"toolu_{n}", "name": "Bash",
                  "input": {"command": "ls shed"}}]}}
            for n in (1, 2, 3)
        ),
        {"type": "assistant", "uuid": "u2", "parentUuid": "u1",
         "timestamp": "2026-11-25T10:00:05.000Z",
         "message": {"id": "m1", "role": "assistant", "model": "claude-sonnet-4-5",
                     "content": [{"type": "text", "text": "I <i>shall</i> sweep."}],
                     "usage": {"input_tokens": 5, "output_tokens": 7}}},
    ]  # fmt: skip
    file.write_text("".join(json.dumps(base | one) + "\n" for one in records))
    for path in place.rglob("*"):
        os.utime(path)
    return place


def browser(lake: Path, sessions: OwnSessions | None) -> TestClient:
    read = None if sessions is None else lambda: sessions
    app = create_app(BrowsedLake(lake), TOKEN, PORT, None, own_names(), read)
    client = TestClient(app, base_url=f"http://127.0.0.1:{PORT}")
    client.get(f"/?token={TOKEN}")
    client.root = app.state.session.root
    client.base_url = client.base_url.join(client.root)
    return client


def written(home: Path) -> bytes:
    """All that is below the state folder."""
    files = [path for path in (home / ".local").rglob("*") if path.is_file()]
    return b"".join(path.read_bytes() for path in files)


@pytest.fixture
def shown(home: Path) -> TestClient:
    lake, _ = own_lake()
    sessions = own_conversations()
    sessions.start()
    assert sessions._work is not None
    sessions._work.join(60)
    return browser(lake, sessions)


def test_sessions_are_titled_by_their_first_prompt_without_secrets(shown: TestClient) -> None:
    page = shown.get("/sessions").text
    rows = re.findall(r'<td class="titled"[^>]*>.*?</td>', page)
    titles = [html.unescape(re.sub(r"<[^>]+>", "", row)) for row in rows]
    assert len(titles) >= 3
    (mine,) = [title for title in titles if title.startswith("Tidy")]
    assert mine.startswith("Tidy <b>the shed</b> with [REDACTED:") and len(mine) <= 80
    assert SECRET not in page and "<b>the shed" not in page


def test_a_conversation_is_read_when_it_is_asked_for(shown: TestClient) -> None:
    page = shown.get(f"/session/{SESSION}").text
    assert "Read the conversation" in page and "shall" not in page
    assert "Tidy" in re.search(r"<h1>(.*?)</h1>", page)[1]
    assert "Tidy" not in re.search(r"<title>(.*?)</title>", page)[1]  # a browser's history has it
    read = shown.get(f"/session/{SESSION}?conversation=1").text
    assert read.count("shell ls shed") == 3  # equal calls are calls of their own
    assert "I &lt;i&gt;shall&lt;/i&gt; sweep." in read and "<i>shall" not in read
    assert "[REDACTED:" in read and SECRET not in read and "sweep the yard" in read


def test_prompts_are_in_no_export_table_or_file(home: Path, shown: TestClient) -> None:
    shown.get(f"/session/{SESSION}?conversation=1")
    shown.get("/sessions")
    for address in ("/sessions?", f"/session/{SESSION}?", "/search?", "/q/prompts?"):
        for kind in ("csv", "json", "parquet"):
            answer = shown.get(f"{address}export={kind}")
            assert answer.status_code == 200
            assert b"the shed" not in answer.content and b"shall" not in answer.content
    found = shown.get("/sql?sql=from+sessions&export=csv").content
    assert SESSION.encode() in found and b"the shed" not in found
    assert b"the shed" not in written(home) and SECRET.encode() not in written(home)


def test_hidden_prompts_and_a_lake_by_its_path_show_none(home: Path) -> None:
    lake, _ = own_lake()
    client = browser(lake, None)
    for address in ("/sessions", f"/session/{SESSION}", f"/session/{SESSION}?conversation=1"):
        page = client.get(address).text
        assert "Tidy" not in page and "conversation" not in page.lower().replace(address, "")
    done = text_of("ui", lake, "--no-browser", "--prompts", "show")
    assert done.returncode == 2 and "--prompts is for your own lake" in done.stderr


def test_the_file_that_is_gone_is_said(home: Path, shown: TestClient) -> None:
    next(home.rglob(f"{SESSION}.jsonl")).unlink()
    page = shown.get(f"/session/{SESSION}?conversation=1")
    assert page.status_code == 200 and "No session file of this machine holds it." in page.text


def test_one_s_own_machine_and_name_are_plain_and_exports_keep_pseudonyms(
    shown: TestClient,
) -> None:
    names = own_names()
    assert len(names) == 2
    page = shown.get(f"/session/{SESSION}").text
    rows = json.loads(shown.get("/sessions?export=json").content)
    for pseudonym, name in names.items():
        assert f">{html.escape(name)}</a>" in page and f">{pseudonym}<" not in page
        assert pseudonym in {row["user_id"] for row in rows} | {row["machine_id"] for row in rows}
        kind = pseudonym.partition("-")[0]
        linked = shown.get(f"/sessions?{kind}={pseudonym}&export=json").content
        assert len(json.loads(linked)) == len(rows)


def test_the_choice_is_remembered_and_private(home: Path) -> None:
    assert prompts_shown(None) is False  # no terminal: not asked, not remembered
    place = home / ".local/state/hookstream/own/prompts"
    assert not place.exists()
    assert prompts_shown("show") is True and prompts_shown(None) is True
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert prompts_shown("hide") is False and prompts_shown(None) is False
    place.write_text("nonsense")
    assert prompts_shown(None) is False
    with pytest.raises(HookstreamError, match="--prompts"):
        prompts_shown("maybe")


def test_a_home_without_sessions_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(prompts, "_is_terminal", lambda: True)
    monkeypatch.setattr(prompts, "_asked", lambda: pytest.fail("asked"))
    with pytest.raises(NothingToRead, match="no session files"):
        ui()


def test_the_policy_locks_it(
    home: Path, policy: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prompts_shown("show") is True
    policy('prompts = "hide"\nlocked = ["prompts"]\n')
    assert prompts_shown(None) is False
    with pytest.raises(HookstreamError, match="the machine policy locks prompts"):
        prompts_shown("show")
    assert prompts_shown("hide") is False


@pytest.mark.parametrize(("answer", "choice"), [("y\n", "show"), ("\n", "hide"), ("no\n", "hide")])
def test_a_terminal_is_asked_once(home: Path, answer: str, choice: str) -> None:
    code = "from hookstream.cli.prompts import prompts_shown; print('shown', prompts_shown(None))"
    for is_first in (True, False):
        parent, child = pty.openpty()
        process = subprocess.Popen([sys.executable, "-c", code], stdin=child, stdout=child,
                                   stderr=child, cwd=ROOT)  # fmt: skip
        os.close(child)
        if is_first:
            os.write(parent, answer.encode())
        seen, until = b"", time.monotonic() + 60
        while time.monotonic() < until:
            try:
                seen += os.read(parent, 4096)
            except OSError:
                break
        assert process.wait(30) == 0
        os.close(parent)
        assert (b"[y/N]" in seen) is is_first, seen
        assert f"shown {choice == 'show'}".encode() in seen


def test_words_of_prompts_and_answers_are_found_and_kept_nowhere(
    home: Path, shown: TestClient
) -> None:
    for text in ("SWEEP the yard", "shall</i> sw"):
        page = shown.get("/search", params={"q": text}).text
        (link,) = re.findall(rf'href="{shown.root}(/session/{SESSION}[^"]*)"', page)
        assert f"<mark>{html.escape(text)}</mark>".lower() in page.lower()
        opened = shown.get(html.unescape(link).partition("#")[0]).text
        assert 'id="here"' in opened and "<mark>" in opened
    assert SESSION in shown.get("/sessions", params={"q": "shed"}).text
    secret = shown.get("/search", params={"q": SECRET}).text
    assert "No prompt or answer" in secret and SESSION not in secret
    assert "In your conversations" not in shown.get("/search", params={"q": "s"}).text
    assert b"sweep" not in written(home).lower()
    other = browser(own_lake()[0], None).get("/search", params={"q": "sweep the yard"}).text
    assert "In your conversations" not in other and "not searched" in other


def test_a_conversation_shows_what_became_of_each_call(shown: TestClient) -> None:
    calls = json.loads(shown.get("/q/calls?export=json").content)
    failed = [row for row in calls if row["outcome"] in ("error", "denied") and row["call_id"]]
    assert failed
    for row in failed:
        query = {"conversation": "1", "tool": row["tool"]}
        page = shown.get(f"/session/{row['session_id']}", params=query).text
        marks = re.findall(r'<a class="fates" href="([^"]*)">(.*?)</a>', page)
        (words,) = {said for link, said in marks if f"at={row['call_id']}" in link}
        assert ("denied" if row["outcome"] == "denied" else "failed") in words


ROW = {
    "call_id": "c1", "outcome": "ok", "decision": None, "decided_by": None, "decision_reason": None,
    "matched_rule_id": None, "policy_engine": None, "certainty": "observed", "held": None,
    "exit_code": None, "error_message": None, "modified": None, "requested_command": None,
    "failure": None, "executed_afterwards": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, []),
        (
            {"outcome": "denied", "decided_by": "hook", "decision_reason": "locked"},
            ["denied by a policy hook: locked"],
        ),
        (
            {"outcome": "denied", "executed_afterwards": True, "certainty": "inferred"},
            ["ran anyway later in the session", "denied, inferred"],
        ),
        ({"outcome": "error", "exit_code": 3}, ["failed with 3"]),
        ({"outcome": "timeout"}, ["timed out"]),
        (
            {"modified": True, "requested_command": "rm -rf /", "held": "ignored"},
            ["the verdict was ignored", "changed, was rm -rf /"],
        ),
    ],
)
def test_the_fate_of_a_call_in_words(facts: dict[str, object], words: list[str]) -> None:
    made = fates([ROW | facts], [])
    assert [text for _, text in made.get("c1", [])] == words


def test_an_answer_is_part_of_the_fate() -> None:
    ask = {"call_id": "c1", "resolution": "approved", "decided_by": "user", "waited_ms": 192_000}
    assert fates([ROW], [ask])["c1"] == [("ask", "asked and approved by the user after 3 m 12 s")]
