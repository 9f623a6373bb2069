"""install --telemetry: on toward the collector, off to the byte, others' exports untouched."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FILES = {
    "claude-code": ".claude/settings.json",
    "gemini-cli": ".gemini/settings.json",
    "qwen-code": ".qwen/settings.json",
    "codex": ".codex/config.toml",
}
BEFORE: dict[str, dict[str, bytes | None]] = {
    "json": {
        "none": None,
        "empty": b"{}\n",
        "others": b'{\n    // mine\n    "theme": "dark",\n    "env": {"A": "b"},\n'
        b'    "telemetry": {},\n}\n',
    },
    "toml": {
        "none": None,
        "others": b'model = "gpt-5.5"\n\n[mcp_servers.demo]\ncommand = "demo"\n',
        "windows": b'model = "gpt-5.5"\r\n\r\n[features]\r\nhooks = true\r\n',
    },
}
CASES = [
    (client, name) for client, path in FILES.items() for name in BEFORE[path.rpartition(".")[2]]
]


def put(home: Path, client: str, data: bytes | None) -> Path:
    path = home / FILES[client]
    path.parent.mkdir(parents=True, exist_ok=True)
    if data is not None:
        path.write_bytes(data)
    return path


def settings(path: Path) -> Any:
    text = path.read_text()
    if path.suffix == ".toml":
        return tomllib.loads(text)
    from hookstream.core.jsonc import parse

    return parse(text, False).plain()


@pytest.mark.long
@pytest.mark.parametrize(("client", "name"), CASES)
def test_on_and_off_leaves_every_byte(client: str, name: str, home: Path, run: Callable[..., Any]):
    before = BEFORE[FILES[client].rpartition(".")[2]][name]
    path = put(home, client, before)
    done = run("install", client, "--telemetry")
    assert done.returncode == 0, done.stderr
    first = path.read_bytes()
    told = settings(path)
    if client == "claude-code":
        assert told["env"]["OTEL_EXPORTER_OTLP_ENDPOINT"] == "http://127.0.0.1:4318"
        token = (home / ".local/state/hookstream/collector.token").read_text().strip()
        assert told["env"]["OTEL_EXPORTER_OTLP_HEADERS"] == f"Authorization=Bearer%20{token}"
    elif client == "codex":
        exporter = told["otel"]["exporter"]["otlp-http"]
        assert exporter["endpoint"] == "http://127.0.0.1:4318/v1/logs"
        assert exporter["headers"]["authorization"].startswith("Bearer ")
    else:
        assert told["telemetry"]["enabled"] is True
        assert told["telemetry"]["logPrompts"] is False
        assert Path(told["telemetry"]["outfile"]).parent.is_dir()
    assert run("install", client, "--telemetry").returncode == 0
    assert path.read_bytes() == first
    # A plain install leaves it on.
    assert run("install", client).returncode == 0
    assert path.read_bytes() == first
    assert run("uninstall", client).returncode == 0
    assert (path.read_bytes() if path.exists() else None) == before


@pytest.mark.parametrize("client", FILES)
def test_off_after_others_changed_the_file(client: str, home: Path, run: Callable[..., Any]):
    path = put(home, client, None)
    run("install", client, "--telemetry")
    text = path.read_text()
    if client == "codex":
        path.write_text('model = "other"\n' + text)
    else:
        path.write_text(text.replace("{", '{"later": 1,', 1))
    assert run("uninstall", client).returncode == 0
    left = settings(path)
    assert left in ({"model": "other"}, {"later": 1})


@pytest.mark.parametrize(
    ("client", "data", "named"),
    [
        (
            "claude-code",
            {"env": {"OTEL_EXPORTER_OTLP_ENDPOINT": "https://collector.example:4318"}},
            "env.OTEL_EXPORTER_OTLP_ENDPOINT",
        ),
        ("gemini-cli", {"telemetry": {"enabled": True}}, "telemetry.enabled"),
        ("qwen-code", {"telemetry": {"outfile": "/tmp/mine.log"}}, "telemetry.outfile"),
        ("codex", '[otel]\nenvironment = "prod"\n', "[otel]"),
    ],
)
def test_who_exports_already_is_left_alone_and_named(
    client: str, data: Any, named: str, home: Path, run: Callable[..., Any]
):
    text = data if isinstance(data, str) else json.dumps(data)
    path = put(home, client, text.encode())
    done = run("install", client, "--telemetry")
    assert done.returncode == 0
    assert f"{client}: telemetry left alone, it is exported already: {named}" in done.stdout
    after = settings(path)
    before = tomllib.loads(text) if isinstance(data, str) else data
    for key, value in before.items():
        assert after[key] == value


def test_clients_whose_settings_cannot_are_named(home: Path, run: Callable[..., Any]):
    (home / ".copilot").mkdir()
    done = run("install", "copilot", "--telemetry")
    assert "copilot: telemetry is switched on by environment variables only" in done.stdout


def test_a_dry_run_changes_nothing(home: Path, run: Callable[..., Any]):
    path = put(home, "claude-code", b"{}\n")
    done = run("install", "claude-code", "--telemetry", "--dry-run")
    assert "CLAUDE_CODE_ENABLE_TELEMETRY" in done.stdout
    assert path.read_bytes() == b"{}\n"
    assert not (home / ".local/state/hookstream/collector.token").exists()


def test_only_for_a_user(home: Path, run: Callable[..., Any]):
    done = run("install", "claude-code", "--telemetry", "--scope", "project")
    assert done.returncode == 2
    assert "only with --scope user" in done.stderr
