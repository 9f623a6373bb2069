"""`hookstream ui`: serves the application on loopback until Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import threading
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError
from hookstream.queries.bounds import interrupt
from hookstream.ui.app import Pages, create_app
from hookstream.ui.filters import PageFilters
from hookstream.ui.freshness import TablesWork
from hookstream.ui.lake import SMALLEST_GROUP, BrowsedLake
from hookstream.ui.listing import Relation
from hookstream.ui.overview import overview
from hookstream.ui.pages import NAVIGATION, PAGES, page_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from starlette.applications import Starlette

    from hookstream.queries.unmatched import RulesHere
    from hookstream.rules.tuning import DetectOptions
    from hookstream.ui.conversation import OwnSessions
    from hookstream.ui.renewal import Renewal


def serve(
    path: Path,
    port: int = 0,
    open_browser: bool = True,
    rules: RulesHere | None = None,
    asked: DetectOptions | None = None,
    names: dict[str, str] | None = None,
    sessions: Callable[[], OwnSessions] | None = None,
    renewal: Renewal | None = None,
    smallest_group: int = SMALLEST_GROUP,
) -> None:
    """Print one line with the address, token included, and serve. Port 0 takes a free one.
    `rules` are this machine's permission rules, `asked` the Sigma rules of the pages, `names` the
    plain names of pseudonyms, `sessions` reads one's own, whose prompts may be shown, `renewal`
    makes a newer lake, `smallest_group` how many people a list of them adds up.
    Raises HookstreamError if the port is taken, the path holds no stream or a
    rule is wrong."""
    import uvicorn

    if asked is not None:
        from hookstream.ui.rulepage import RuleBook

        _ = RuleBook(asked).rules  # a wrong one is an error before anything is served
    opened = partial(open_lake, rules=rules, smallest_group=smallest_group)
    lake, tables = opened(path)
    with closing(listener(port)) as sock:
        port = sock.getsockname()[1]
        token = secrets.token_urlsafe(24)
        address = f"http://127.0.0.1:{port}/?token={token}"
        app = create_app(lake, token, port, asked, names, sessions, tables, renewal)
        if renewal is not None:
            show_newer(app, renewal, opened)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, lifespan="off"
        )
        print(address, flush=True)
        _start_warming(app)
        if renewal is not None and renewal.at_once:
            renewal.start()
        if open_browser:
            import webbrowser

            webbrowser.open(address)
        try:
            server = uvicorn.Server(config)
            leave = server.handle_exit

            def handle_exit(sig: int, frame: FrameType | None) -> None:
                # Not in the handler itself: whom it has interrupted may hold a lock.
                threading.Thread(target=_stop, args=(app.state.pages,), daemon=True).start()
                leave(sig, frame)

            server.handle_exit = handle_exit  # type: ignore[method-assign]
            server.run(sockets=[sock])
        except KeyboardInterrupt:
            pass
        finally:
            if renewal is not None:
                renewal.end()
            app.state.pages.close()


def show_newer(
    app: Starlette, renewal: Renewal, opened: Callable[[Path], tuple[BrowsedLake, TablesWork]]
) -> None:
    """Let a renewal put the pages of the lake that it makes in the place of those shown."""

    def show(path: Path) -> None:
        before: Pages = app.state.pages
        app.state.pages = before.over(*opened(path))
        before.close()
        _start_warming(app)

    renewal.show = show


def open_lake(
    path: Path, rules: RulesHere | None = None, smallest_group: int = SMALLEST_GROUP
) -> tuple[BrowsedLake, TablesWork]:
    """A lake that can be read, and what brings its tables up to date."""
    lake = BrowsedLake(path, rules)
    lake.smallest_group = smallest_group
    tables = TablesWork(lake)
    tables.start()
    lake.one("select 1")
    return lake, tables


def _stop(pages: Pages) -> None:
    """End what is being computed, so that no request holds the end back; after SIGTERM nothing
    else would."""
    if pages.renewal is not None:
        pages.renewal.end()
    pages.questions.close()
    interrupt()


def _start_warming(app: Starlette) -> None:
    threading.Thread(target=_warm, args=(app.state.pages,), daemon=True, name="warm").start()


def _warm(pages: Pages) -> None:
    """Derive the rows of each page of the navigation before a request waits for them."""
    if pages.sessions is not None:
        pages.sessions.start()
    pages.tables.wait()
    if pages.renewal is not None and pages.renewal.at_once:
        return  # another lake comes soon, and whoever looks at this one comes first
    pages.hits.start()
    pages.questions.warm()
    with suppress(HookstreamError):
        overview(pages.lake, PageFilters())
        for key, _ in NAVIGATION:
            page = page_of(key)
            if key in PAGES and page is not None and page.kept:
                Relation(pages.lake, page, PageFilters())


def listener(port: int) -> socket.socket:
    """A listening socket on loopback. Raises HookstreamError if the port cannot be had."""
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
