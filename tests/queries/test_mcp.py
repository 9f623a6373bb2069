"""`hookstream mcp`: a real client of the official package asks over standard input and output."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SAMPLE = Path(__file__).parent.parent.parent / "samples" / "claude-code" / "deny.expected.jsonl"


@pytest.mark.long
def test_a_client_lists_and_asks(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs pip install 'hookstream[mcp]'")
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    from hookstream.cli.app import run_app

    source = str(SAMPLE).replace(".expected", "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["hookstream", "run", source, "--to", f"parquet:{tmp_path}/lake"])
        assert run_app() == 0

    names = tmp_path / "roster"
    names.write_text("laptop-that-is-silent\n")
    settings = tmp_path / "config" / "hookstream" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'expected_machines = "{names}"\n')
    env = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}

    async def talk() -> tuple[Any, ...]:
        started = StdioServerParameters(
            command=sys.executable,
            args=["-m", "hookstream", "mcp", str(tmp_path / "lake")],
            env=env,
        )
        async with (
            stdio_client(started) as (reading, writing),
            ClientSession(reading, writing) as c,
        ):
            await c.initialize()
            tools = await c.list_tools()
            denies = await c.call_tool("ask", {"question": "denies", "limit": 3})
            wrong = await c.call_tool("ask", {"question": "select 1"})
            gaps = await c.call_tool("ask", {"question": "gaps"})
            cut = await c.call_tool("ask", {"question": "calls", "limit": 1})
            none = await c.call_tool("ask", {"question": "denies", "tool": "claude"})
            return tools, denies, wrong, gaps, cut, none

    tools, denies, wrong, gaps, cut, none = asyncio.run(talk())
    assert "there are more rows" in str(cut.content) and "null" not in str(cut.content)
    assert "did you mean claude-code?" in str(none.content)
    assert "missing_machine" in str(gaps.content)
    assert "laptop-that-is-silent" in str(gaps.content)
    assert {tool.name for tool in tools.tools} == {"questions", "ask"}
    assert "decision_reason" in str(denies.content)
    assert "no query" in str(wrong.content)


def started(path: Path) -> subprocess.CompletedProcess[str]:
    """The server with a client that leaves at once."""
    words = [sys.executable, "-m", "hookstream", "mcp", str(path)]
    return subprocess.run(words, input="", capture_output=True, text=True, timeout=120, check=False)


def test_a_folder_without_a_stream_is_said_and_served(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs pip install 'hookstream[mcp]'")
    done = started(tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"hookstream: {tmp_path}: holds no stream")
    assert "until there is one" in line


def test_a_folder_that_is_missing_is_a_wrong_usage(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs pip install 'hookstream[mcp]'")
    done = started(tmp_path / "none")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no such file or folder" in done.stderr
