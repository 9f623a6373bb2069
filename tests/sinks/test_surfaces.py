"""A sink's secret address shows on none of our own surfaces, whichever command runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hookstream.cli.failures import ended
from hookstream.core.logs import set_up

# Assembled here: what opens an address, in the places where an address holds it.
WORD = "".join(("q7Zr", "T0k3", "nXw9", "Lm2P", "v5Hc", "8Js4"))
PLACES = {
    "webhook": f"webhook:http://127.0.0.1:9/in/{WORD}",
    "slack": f"webhook:http://127.0.0.1:9/hooks.slack.com/services/T0/B0/{WORD}",
    "teams": f"webhook:http://127.0.0.1:9/webhookb2/{WORD}@{WORD}/IncomingWebhook/x",
    "user": f"webhook:http://ann:{WORD}@127.0.0.1:9/in",
    "token in a query": f"webhook:http://127.0.0.1:9/in?token={WORD}",
    "signature in a query": f"webhook:http://127.0.0.1:9/in?sig={WORD}&v=1",
    "scripted": f"faulty:retry=0:webhook:http://127.0.0.1:9/in/{WORD}",
    "refused": f"faulty:reject:webhook:http://127.0.0.1:9/in/{WORD}",
    "flush": f"faulty:ok,flush:webhook:http://127.0.0.1:9/in/{WORD}",
    "collector": f"otlp:http://ann:{WORD}@127.0.0.1:9",
    "unknown kind": f"wbhook:http://127.0.0.1:9/in/{WORD}",
}
PROMPT = {"session_id": "5d0c", "hook_event_name": "UserPromptSubmit", "prompt": "words"}


def call(*words: object) -> int:
    from hookstream.cli.app import app

    def run() -> int:
        code = app([str(word) for word in words], standalone_mode=False)
        return code if isinstance(code, int) else 0

    return ended(run)


def seen(folder: Path) -> list[str]:
    """The files that hold it, without those that need the address to send to it."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "c.toml" and WORD.encode() in path.read_bytes():
            is_letters = path.suffix == ".db" and path.parent.name in ("dead", "waiting")
            if not is_letters or path.stat().st_mode & 0o077:
                found.append(str(path))
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", PLACES)
def test_no_command_shows_it(
    name: str,
    tmp_path: Path,
    own_home: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hookstream.delivery.batch.ATTEMPTS", 1)
    monkeypatch.setattr("hookstream.delivery.replay.TRIES", 1)
    monkeypatch.setenv("HTTP_PROXY", f"http://ann:{WORD}@127.0.0.1:9")
    set_up()
    uri = PLACES[name]
    source = tmp_path / "in.jsonl"
    line = json.dumps({"vendor": "claude-code", "payload": PROMPT})
    source.write_text(line + "\n")
    file = tmp_path / "c.toml"
    file.write_text(
        f'sources = ["{source}"]\n[[sink]]\nuri = "{uri}"\n'
        f'[[alert]]\nname = "a"\nto = "{uri}"\nevery = "5m"\nquestion = "sessions"\n'
        f'[[alert]]\nname = "b"\nto = "slack:{uri.partition(":")[2]}"\nevery = "5m"\n'
    )
    file.chmod(0o644)
    state = tmp_path / "state"
    report = tmp_path / "report.json"
    call("run", source, "--to", uri, "--report", report)
    call("run", "--config", file, "--state", state, "--report", tmp_path / "second.json")
    call("run", "--config", file, "--log-format", "json")
    set_up()
    call("replay")
    call("replay", state)
    call("status")
    call("status", "--format", "json")
    call("status", "--config", file)
    call("config", "show", "--config", file)
    call("config", "show", "--config", file, "--format", "json")
    call("config", "check", file)
    call("config", "check", file, "--format", "json")
    call("config", "check", file, "--policy")
    call("alert", source, "--config", file, "--once", "--state", tmp_path / "alerts")
    call("run", source, "--to", f"jsonl:{tmp_path / 'out'}", "--seal-to", uri.partition(":")[2])
    said = capfd.readouterr()
    assert "internal error" not in said.err
    assert WORD not in said.out
    assert WORD not in said.err
    assert seen(tmp_path) == []
    assert seen(own_home) == []


def test_two_addresses_stay_apart_in_a_report() -> None:
    from hookstream.delivery.batch import labels

    shown = list(labels(PLACES.values()).values())
    assert WORD not in json.dumps(shown)
    assert len(set(shown)) == len(PLACES)
