"""`hookstream mcp`: a real client of the official package asks over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the mcp package is not installed (pip install hookstream[mcp])")

SAMPLE = Path(__file__).parent.parent.parent / "samples" / "claude-code" / "deny.expected.jsonl"


def test_a_client_lists_and_asks(tmp_path: Path) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    from hookstream.cli.app import run_app

    source = str(SAMPLE).replace(".expected", "")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["hookstream", "run", source, "--to", f"parquet:{tmp_path}/lake"])
        assert run_app() == 0

    async def talk() -> tuple[Any, Any, Any]:
        started = StdioServerParameters(
            command=sys.executable, args=["-m", "hookstream", "mcp", str(tmp_path / "lake")]
        )
        async with (
            stdio_client(started) as (reading, writing),
            ClientSession(reading, writing) as c,
        ):
            await c.initialize()
            tools = await c.list_tools()
            denies = await c.call_tool("ask", {"question": "denies", "limit": 3})
            wrong = await c.call_tool("ask", {"question": "select 1"})
            return tools, denies, wrong

    tools, denies, wrong = asyncio.run(talk())
    assert {tool.name for tool in tools.tools} == {"questions", "ask"}
    assert "decision_reason" in str(denies.content)
    assert "no query" in str(wrong.content)
