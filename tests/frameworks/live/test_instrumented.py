"""Frameworks with their usual instrumentation, exporting to a collector; with our adapter too.

What spans alone say holds no false deny and no false success; with the adapter the forbidden mail
is a deny, and a call is one row.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from scripted_model import ScriptedModel, call

HERE = Path(__file__).parent
HOOKSTREAM = str(Path(sys.executable).parent / "hookstream")
MODULES = {
    "openai-agents": "agents",
    "langchain": "langchain_openai",
    "crewai": "crewai",
    "google-adk": "google.adk",
    "pydantic-ai": "pydantic_ai",
}
# How the forbidden mail may end by spans alone. Only LangChain's resumed graph says that somebody
# refused it. A guardrail of OpenAI Agents that takes more than a moment looks like a success.
SAID = {
    ("openai-agents", "openinference"): ("unknown", "ok"),
    ("openai-agents", "traceloop"): ("unknown", "ok"),
    ("langchain", "openinference"): ("denied",),
    ("langchain", "traceloop"): ("denied",),
    ("crewai", "openinference"): (),  # no span
    ("crewai", "openinference-events"): ("unknown",),
    ("google-adk", "native"): ("unknown",),
    ("pydantic-ai", "native"): ("unknown",),
}
TURNS = {
    "langchain": (
        call("read_file", path="/tmp/notes.md"),
        call("send_mail", to="a@example.com"),
        {"text": "Done."},
        call("run_shell", command="make docs"),
    ),
    # A tool that fails ends the run.
    "google-adk": (
        call("read_file", path="/tmp/notes.md"),
        call("send_mail", to="a@example.com"),
        call("run_shell", command="make docs"),
    ),
}


@pytest.fixture
def home(tmp_path: Path, cache: Path) -> dict[str, str]:
    """The environment of a user of their own."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {
        **kept,
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(cache),
        "CREWAI_DISABLE_TELEMETRY": "true",
        "CREWAI_TRACING_ENABLED": "false",
        "PYTHONPATH": str(HERE),
    }


@pytest.fixture
def collector(tmp_path: Path, home: dict[str, str]) -> Iterator[dict[str, str]]:
    """`hookstream serve`; the variables of an exporter that sends to it."""
    log = tmp_path / "telemetry.jsonl"
    words = [HOOKSTREAM, "serve", "--http", "127.0.0.1:0", "--socket", "off", "--log", str(log)]
    serving = subprocess.Popen(words, env=home, stderr=subprocess.PIPE, text=True)
    assert serving.stderr is not None
    try:
        url = serving.stderr.readline().split()[-1]
        token = (tmp_path / "state/hookstream/collector.token").read_text().strip()
        yield {
            "OTEL_EXPORTER_OTLP_ENDPOINT": url,
            "OTEL_EXPORTER_OTLP_HEADERS": f"Authorization=Bearer%20{token}",
        }
    finally:
        serving.terminate()
        serving.wait(20)


# What is known of a call by one of them is known by both.
FACTS = (
    "agent_id", "turn_id", "command", "file_path", "url", "exit_code", "error_message", "decision",
    "decided_by", "decision_reason", "certainty", "action_fingerprint", "mcp_server", "cwd",
)  # fmt: skip


def calls(folder: Path, home: dict[str, str], pattern: str = "*.jsonl") -> list[dict[str, Any]]:
    """The rows of the calls, from what was recorded in files of such names."""
    logs = [str(path) for path in folder.glob(pattern)]
    lake = folder / f"lake of {len(logs)} {pattern.partition('.')[0].strip('*')}"
    subprocess.run([HOOKSTREAM, "run", *logs, "--to", f"parquet:{lake}"], env=home, check=True)
    words = [HOOKSTREAM, "query", "calls", str(lake), "--format", "json"]
    done = subprocess.run(words, env=home, check=True, capture_output=True, text=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package around it
        return False


@pytest.mark.parametrize("adapter", [False, True], ids=["spans", "spans-and-adapter"])
@pytest.mark.parametrize(("framework", "instrumentation"), SAID, ids=map("-".join, SAID))
def test_calls_of_an_instrumented_program(
    framework: str,
    instrumentation: str,
    adapter: bool,
    tmp_path: Path,
    home: dict[str, str],
    collector: dict[str, str],
) -> None:
    if not is_installed(MODULES[framework]):
        pytest.skip(f"{framework} is not installed here")
    turns = TURNS.get(framework) or (
        call("read_file", path="/tmp/notes.md"),
        call("run_shell", command="make docs"),
        call("send_mail", to="a@example.com"),
    )
    with ScriptedModel(*turns) as model:
        words = [str(HERE / "instrumented.py"), framework, instrumentation, model.url]
        words += [str(tmp_path / "adapter.jsonl")] if adapter else []
        done = subprocess.run(
            [sys.executable, *words], env={**home, **collector}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-3000:]
    rows = calls(tmp_path, home)
    names = [row["action_native"] for row in rows]
    is_shown = adapter or SAID[framework, instrumentation]
    assert sorted(names) == ["read_file", "run_shell", *["send_mail"] * bool(is_shown)]
    seen: dict[str, set[str]] = {"send_mail": set()}
    seen |= {row["action_native"]: {row["outcome"]} for row in rows}
    decisions = {row["decision"] for row in rows if row["action_native"] == "send_mail"}
    assert seen["run_shell"] == {"error"}
    assert seen["read_file"] <= {"ok", "unknown" if framework == "openai-agents" else "ok"}
    if not adapter:
        assert seen["send_mail"] <= set(SAID[framework, instrumentation])
        assert ("deny" in decisions) is (seen["send_mail"] == {"denied"})
        return
    assert seen["send_mail"] == {"denied"}
    assert decisions == {"deny"}
    assert {"callback", "telemetry"} <= {one for row in rows for one in row["witnesses"]}
    together = {row["action_native"]: row for row in rows}
    for log in ("adapter.jsonl", "telemetry.jsonl"):
        for row in calls(tmp_path, home, log):
            kept = together[row["action_native"]]
            lost = [name for name in FACTS if row[name] is not None and kept[name] is None]
            assert not lost, (log, row, kept)
