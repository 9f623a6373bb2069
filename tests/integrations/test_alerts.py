"""Alerts: new findings reach chat, mail, webhook and syslog, each once, also across restarts."""

from __future__ import annotations

import json
import re
import socketserver
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from hookstream.cli.app import run_app
from hookstream.configuration.reading import Wrong
from hookstream.integrations.alerts import AlertWatch, load_alerts
from sinks.receivers import Receiver, serve

pytestmark = pytest.mark.long

NOW = 1795348800.0  # 2026-11-22T16:00:00Z


def lines(*commands: str) -> bytes:
    """Agent Hooks lines of one session, as a log holds them."""
    from hookstream.core.records import read_record
    from hookstream.pipeline.stages import Pipeline
    from hookstream.redaction import Redactor
    from hookstream.standards.rendered import Rendered

    pipeline = Pipeline(Redactor("hash", pseudonym_key=bytes(16)), lambda: "2026-11-22T15:00:00Z")
    out = []
    for number, command in enumerate(commands):
        payload = {
            "session_id": "s1", "hook_event_name": "PreToolUse", "cwd": "/p", "tool_name": "Bash",
            "tool_input": {"command": command}, "tool_use_id": f"t{command}",
        }  # fmt: skip
        record = {"vendor": "claude-code", "native_event": "PreToolUse", "payload": payload,
                  "received_at": f"2026-11-22T15:00:0{number}Z"}  # fmt: skip
        events = pipeline.take(read_record(json.dumps(record).encode()))
        out += [Rendered(event).agent_hooks + b"\n" for event in events]
    return b"".join(out)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "agent-hooks.jsonl"
    file.write_bytes(lines("git push -f origin <main>", "ls"))
    return file


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with serve(Receiver(lambda request: (200, {}, b"ok"))) as made:
        yield made


def watch(tmp_path: Path, log: Path, text: str, said: list[str]) -> AlertWatch:
    file = tmp_path / "alerts.toml"
    file.write_text(text, "utf-8")
    file.chmod(0o600)
    return AlertWatch(log, load_alerts(file), tmp_path / "state", said.append)


@pytest.mark.long
def test_chat_gets_each_finding_once_across_restarts(
    tmp_path: Path, log: Path, receiver: Receiver
) -> None:
    said: list[str] = []
    text = (
        f'[[alert]]\nname = "pushes"\nrule = "call_forced_push_main"\nevery = "15m"\n'
        f'to = "slack:{receiver.url()}"\npath = "/services/x"\n'
        f'link = "https://soc.test/f/{{finding_id}}?s={{session_id}}"\n'
    )
    assert watch(tmp_path, log, text, said).run(NOW) == (1, 0)
    assert watch(tmp_path, log, text, said).run(NOW + 3600) == (0, 0)
    log.write_bytes(log.read_bytes() + lines("git push --force origin main"))
    assert watch(tmp_path, log, text, said).run(NOW + 7200) == (1, 0)
    bodies = [json.loads(one.body)["text"] for one in receiver.requests]
    assert len(bodies) == 2
    assert "Forced Push To A Main Branch" in bodies[0]
    assert "https://soc.test/f/" in bodies[0] and "?s=s1" in bodies[0]
    assert "&lt;main&gt;" in bodies[0] and "<main>" not in bodies[0]
    assert receiver.requests[0].path == "/services/x"
    assert said == []


@pytest.mark.long
def test_an_alert_leads_to_the_page_of_its_finding(
    tmp_path: Path, log: Path, receiver: Receiver
) -> None:
    """The address in the message, asked of the application, shows what the message is about."""
    from starlette.testclient import TestClient

    from hookstream.ui.app import create_app
    from hookstream.ui.lake import BrowsedLake

    text = "".join(
        f'[[alert]]\n{what}\nevery = "1h"\nui = "http://127.0.0.1:8600/"\n'
        f'to = "slack:{receiver.url()}"\n'
        for what in ('rule = "call_forced_push_main"', 'question = "calls"')
    ).replace('question = "calls"', 'name = "q"\nquestion = "calls"')
    sent, failed = watch(tmp_path, log, text, []).run(NOW)
    assert sent >= 2 and failed == 0
    bodies = [json.loads(one.body)["text"] for one in receiver.requests]
    links = [re.findall(r"<(http://127\.0\.0\.1:8600/[^|]+)\|", body) for body in bodies]
    lake = BrowsedLake(log)
    app = create_app(lake, "t", 8600)
    app.state.pages.hits.patience_s = 300.0  # on a busy machine, too
    client = TestClient(app, base_url="http://127.0.0.1:8600")
    client.get("/?token=t")
    # In a browser the page's script leads such a link below the path of this start.
    root = app.state.session.root
    (finding,), rows = links
    assert finding.startswith("http://127.0.0.1:8600/findings?finding_id=")
    page = client.get(finding.replace("&amp;", "&").replace(":8600/", f":8600{root}/"))
    assert "<b>1</b> finding " in page.text and "Forced Push To A Main Branch" in page.text
    page = client.get(rows[0].replace("&amp;", "&").replace(":8600/", f":8600{root}/"))
    assert page.status_code == 200 and "git push" in page.text
    lake.close()


@pytest.mark.parametrize("more", ['ui = "8600"', 'ui = "http://h"\nlink = "http://l"'])
def test_a_wrong_address_of_the_ui_is_one_line(tmp_path: Path, log: Path, more: str) -> None:
    text = f'[[alert]]\nrule = "call_forced_push"\nevery = "1h"\nto = "slack:http://h"\n{more}\n'
    with pytest.raises(Wrong, match=r"alert\[\d\]\.ui"):
        watch(tmp_path, log, text, [])


@pytest.mark.long
def test_what_was_not_taken_is_sent_again(tmp_path: Path, log: Path) -> None:
    said: list[str] = []
    answers = iter(((503, {}, b""), (200, {}, b"ok")))
    with serve(Receiver(lambda request: next(answers))) as receiver:
        text = f'[[alert]]\nevery = "1m"\nlevel = "high"\nto = "slack:{receiver.url()}"\n'
        made = watch(tmp_path, log, text, said)
        assert made.run(NOW) == (0, 1)
        assert len(said) == 1 and "alert" in said[0]
        sent, failed = made.run(NOW + 60)
        assert sent >= 1 and failed == 0


def test_a_webhook_gets_policy_events(tmp_path: Path, log: Path, receiver: Receiver) -> None:
    text = f'[[alert]]\nrule = "call_forced_push"\nevery = "1h"\nto = "webhook:{receiver.url()}"\n'
    assert watch(tmp_path, log, text, []).run(NOW) == (1, 0)
    assert b"Policy.Violation" in receiver.requests[0].body


def test_questions_alert_too(tmp_path: Path, log: Path, receiver: Receiver) -> None:
    text = f'[[alert]]\nquestion = "timeline"\nevery = "1h"\nto = "slack:{receiver.url()}"\n'
    made = watch(tmp_path, log, text, [])
    sent, failed = made.run(NOW)
    assert sent >= 1 and failed == 0
    assert made.run(NOW + 4000) == (0, 0)


def test_a_machine_of_the_roster_that_is_missing_is_said_once_a_day(
    tmp_path: Path, log: Path, receiver: Receiver
) -> None:
    from hookstream.queries import roster

    text = f'[[alert]]\nquestion = "gaps"\nevery = "1h"\nto = "slack:{receiver.url()}"\n'
    made = watch(tmp_path, log, text, [])
    made.run(NOW)
    made.before = lambda: roster.expect([("laptop-2", "machine-2")])
    try:
        # A change of the roster counts at the next look; unexpected is who wrote the log.
        sent = [made.run(NOW + hours * 3600)[0] for hours in (1, 2, 26)]
    finally:
        roster.expect([])
    assert sent[0] >= 1 and sent[1] == 0 and sent[2] >= 1
    said = b"".join(request.body for request in receiver.requests).decode()
    assert said.count("missing_machine: laptop-2") == 2


class Mail(socketserver.StreamRequestHandler):
    got: ClassVar[list[str]] = []

    def handle(self) -> None:
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline():
            word = line[:4].upper()
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                body = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    body += part
                self.got.append(body.decode())
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")
            if word == b"QUIT":
                return


def test_mail_is_sent_and_its_subject_is_one_line(tmp_path: Path, log: Path) -> None:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        text = (
            f'[[alert]]\nname = "a\\nBcc: x@y"\nrule = "call_forced_push"\nat = "07:30"\n'
            f'to = "mailto:soc@example.org"\nhost = "127.0.0.1"\nport = {port}\n'
        )
        assert watch(tmp_path, log, text, []).run(NOW) == (1, 0)
        server.shutdown()
    head = Mail.got[0].partition("\n\n")[0]
    assert "Subject: [medium] a Bcc: x@y: 1 new" in head
    assert "\nBcc:" not in head
    assert "git push -f origin" in Mail.got[0]


def test_a_schedule_runs_when_it_is_due(tmp_path: Path, log: Path) -> None:
    text = (
        '[[alert]]\nname = "e"\nevery = "15m"\nto = "slack:http://127.0.0.1:9"\n'
        '[[alert]]\nname = "d"\nat = "07:30"\nto = "slack:http://127.0.0.1:9"\n'
    )
    made = watch(tmp_path, log, text, [])
    every, daily = made.alerts
    midnight = NOW - NOW % 86400
    made.sent["e"].last_run = NOW
    assert not made.due(every, NOW + 899) and made.due(every, NOW + 900)
    made.sent["d"].last_run = midnight + 7 * 3600
    assert not made.due(daily, midnight + 7.4 * 3600) and made.due(daily, midnight + 7.5 * 3600)
    made.sent["d"].last_run = midnight + 7.5 * 3600
    assert not made.due(daily, midnight + 20 * 3600)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "none given"),
        ('[[alert]]\nevery = "1m"', "to: missing"),
        ('[[alert]]\nto = "slack:x"', "every"),
        ('[[alert]]\nto = "slack:x"\nevery = "soon"', "not a span"),
        ('[[alert]]\nto = "slack:x"\nat = "25:00"', "not a time of day"),
        ('[[alert]]\nto = "slack:x"\nevery = "1m"\nlevel = "grave"', "level"),
        ('[[alert]]\nto = "slack:x"\nevery = "1m"\nquestion = "denis"', "no question"),
        ('[[alert]]\nto = "a:x"\nevery = "1m"\n[[alert]]\nto = "a:x"\nevery = "1m"', "given twice"),
    ],
)
def test_a_wrong_file_is_one_line(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "alerts.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(Wrong, match=reason) as error:
        load_alerts(file)
    assert "\n" not in str(error.value)


def test_the_command_once(
    tmp_path: Path, log: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    file = tmp_path / "alerts.toml"
    file.write_text(
        f'[[alert]]\nevery = "1m"\nrule = "call_forced_push"\nsince = "520w"\n'
        f'to = "slack:{receiver.url()}"\n', "utf-8",
    )  # fmt: skip
    words: list[Any] = ["hookstream", "alert", str(log), "--config", str(file), "--once"]
    monkeypatch.setattr("sys.argv", [*words, "--state", str(tmp_path / "state")])
    assert run_app() == 0
    assert "1 sent, 0 of 1 alerts failed" in capsys.readouterr().err
