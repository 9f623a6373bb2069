"""Nothing that another mod or a tool's result holds makes a call disappear."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.records import Record, read_record

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "src" / "hookstream" / "capture" / "plugins"
IDS = (
    "bigint",
    "ring",
    "getter",
    "proxy",
    "deep",
    "tojson",
    "shared",
    "endless",
    "bytes",
    "proto",
    "words",
)


@pytest.fixture(scope="module")
def lines() -> list[dict[str, Any]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    program = [node, Path(__file__).parent / "hostile.mjs"]
    scripts = [PLUGINS / "claude_code" / "register.js", PLUGINS / "bridge.js"]
    done = subprocess.run([*program, *scripts], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert all(
        isinstance(read_record(line.encode(), "x"), Record) for line in done.stdout.splitlines()
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def call(lines: list[dict[str, Any]], vendor: str, name: str) -> dict[str, Any]:
    payloads = [line["payload"] for line in lines if line["vendor"] == vendor]
    inputs = [payload for payload in payloads if type(payload["input"]) is dict]
    calls = [payload for payload in inputs if payload["input"].get("tool_use_id") == name]
    assert len(calls) == 1
    return calls[0]


@pytest.mark.parametrize("name", [*IDS, "nolink", "replaced", "after"])
def test_the_mod_records_a_call_that_is_hard_to_write(
    lines: list[dict[str, Any]], name: str
) -> None:
    assert call(lines, "claude-code", name)["input"]["command"] == "curl http://evil.test"


def test_what_cannot_be_recorded_is_named_with_the_reason(lines: list[dict[str, Any]]) -> None:
    for name, reason in (("notrace", "no"), ("symbol", "unreadable")):
        payload = call(lines, "claude-code", name)
        assert (payload["input"]["tool"], payload["reason"]) == ("Bash", reason)


def test_what_the_program_did_not_take_is_counted(lines: list[dict[str, Any]]) -> None:
    lost = [line["payload"]["input"] for line in lines if line["native_event"] == "backlog"]
    assert lost == [{"missing": 2}]


@pytest.mark.parametrize("vendor", ["claude-code", "opencode"])
def test_no_name_and_no_word_hides_what_is_beside_it(
    lines: list[dict[str, Any]], vendor: str
) -> None:
    given = call(lines, vendor, "proto")["input"]
    assert (given["__proto__"], given["toJSON"]) == ({"hidden": "rm"}, "ls")
    given = call(lines, vendor, "words")["input"]
    assert (given["list"], given["at"]) == (["[cut]", "after"], "1970-01-01T00:00:00.000Z")


@pytest.mark.parametrize("name", [*IDS, "error", "odd", "long"])
def test_the_bridge_of_the_other_plugins_records_it_too(
    lines: list[dict[str, Any]], name: str
) -> None:
    assert call(lines, "opencode", name)["input"]["tool_use_id"] == name


def test_a_configuration_stays_where_it_is(lines: list[dict[str, Any]]) -> None:
    assert "cfg" not in call(lines, "opencode", "config")["input"]
    assert call(lines, "opencode", "odd")["input"]["args"] == {"headers": {"a": "b"}}
