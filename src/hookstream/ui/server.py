"""`hookstream ui`: serves the application on loopback until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
from contextlib import closing
from pathlib import Path

from hookstream.errors import HookstreamError
from hookstream.ui.app import create_app
from hookstream.ui.lake import Lake


def serve(path: Path, port: int = 0, open_browser: bool = True) -> None:
    """Prints one line with the address, token included, and serves. Port 0 takes a free one.
    Raises HookstreamError where the port is taken or the path holds no stream."""
    import uvicorn

    lake = Lake(path)
    lake.one("select 1")
    with closing(listener(port)) as sock:
        port = sock.getsockname()[1]
        token = secrets.token_urlsafe(24)
        address = f"http://127.0.0.1:{port}/?token={token}"
        app = create_app(lake, token, port)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, lifespan="off"
        )
        print(address, flush=True)
        if open_browser:
            import webbrowser

            webbrowser.open(address)
        try:
            uvicorn.Server(config).run(sockets=[sock])
        except KeyboardInterrupt:
            pass
        finally:
            lake.close()


def listener(port: int) -> socket.socket:
    """A listening socket on loopback. Raises HookstreamError where the port cannot be had."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(("127.0.0.1", port))
        sock.listen(128)  # before the address is printed: whoever reads it may connect
    except (OSError, OverflowError) as error:
        sock.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise HookstreamError(f"port {port}: {reason}; choose another with --port") from None
    return sock
