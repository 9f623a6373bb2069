"""mcp: the named questions for an assistant."""

from __future__ import annotations

from hookstream.cli.options import Stream
from hookstream.cli.places import stream_of
from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.core.logs import say


def mcp(path: Stream = None) -> None:
    """Serve the named questions to an assistant over MCP.

    It speaks on standard input and output, and only reads.
    """
    from hookstream.cli.configured import expect_machines
    from hookstream.queries.mcp import server
    from hookstream.queries.sources import find

    stream = stream_of(path)
    if not stream.exists():
        raise HookstreamError(f"{stream}: no such file or folder")
    expect_machines()
    made = server(stream, expect_machines)
    try:
        find(stream)
    except NothingToRead as error:
        say(f"hookstream: {error}; answers say so until there is one")
    made.run("stdio")
