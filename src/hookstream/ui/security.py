"""Access to the pages: a token once, then a path and a cookie; the Host, the Origin; a strict
policy.

A page of another site can make a browser send requests to loopback, and a name it owns can resolve
to 127.0.0.1. Neither passes: the Host must be ours, and an Origin must be ours.

Browsers send a cookie to every port of a host, so a server of another user on another port of
127.0.0.1 could collect one and use it. Therefore each start has three new secrets: the token in the
printed address opens the pages, which are below `/PLACE/`, and sets a cookie for that path alone. A
request needs the place and the cookie. The cookie goes to no other path, so to no other server that
does not know the place; the place goes to no other server at all (a referrer goes to this one
alone), and neither opens anything without the other.
"""

from __future__ import annotations

import hmac
import secrets
from importlib import resources
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # To this server alone. With no-referrer a browser says `Origin: null` of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


# All that is served to who has no secret: a word, and the script that looks for the place.
CLOSED = (
    "<!doctype html><title>hookstream</title><p>Open the address that `hookstream ui` printed.</p>"
    '<script src="/place.js"></script>'
)


class PageSecrets:
    """The secrets of one start: `token` opens the pages, which are below `root`; `cookie` is named
    after the port, as several applications of ours may run."""

    def __init__(self, token: str, port: int) -> None:
        self.token = token
        self.port = port
        self.root = f"/{secrets.token_urlsafe(16)}"
        self.cookie = f"hookstream-{port}"
        self.value = secrets.token_urlsafe(24)


class Guard:
    """ASGI middleware: refuses foreign hosts, origins and requests without the secrets."""

    def __init__(self, app: ASGIApp, session: PageSecrets) -> None:
        self.app = app
        self.session = session
        names = ("127.0.0.1", "localhost", "[::1]")
        self.hosts = {f"{name}:{session.port}" for name in names}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        root = self.session.root

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                target = headers.get("location", "")
                if target.startswith("/") and not target.startswith((f"{root}/", "//")):
                    headers["location"] = root + target
            await send(message)

        answer = self._refusal(scope) or self._entry(scope)
        if answer is None:
            scope = {**scope, "root_path": root}
        await (answer or self.app)(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self.hosts:
            return PlainTextResponse("This server answers to 127.0.0.1 only.", 421)
        origin = headers.get("origin")
        if origin is not None and origin not in self.origins:
            return PlainTextResponse("Requests of other sites are refused.", 403)
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return PlainTextResponse("Requests of other sites are refused.", 403)
        return None

    def _entry(self, scope: Scope) -> Response | None:
        """The answer to a request that has not both secrets; None for one that has."""
        request = Request(scope)
        path = scope["path"] if scope["path"].startswith("/") else "/"
        place, _, below = path[1:].partition("/")
        is_inside = _equal(place, self.session.root[1:])
        if is_inside and _equal(request.cookies.get(self.session.cookie, ""), self.session.value):
            return None
        if _equal(request.query_params.get("token", ""), self.session.token):
            return self._opened(f"/{below}" if is_inside else path, scope)
        if path == "/place.js":
            return FileResponse(str(resources.files("hookstream.ui") / "static" / "place.js"))
        return HTMLResponse(CLOSED, 401)

    def _opened(self, path: str, scope: Scope) -> Response:
        """The same page below the place, without the token in its address, and the cookie."""
        query = scope["query_string"].decode("latin-1")
        rest = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != "token"]
        target = "/" + path.lstrip("/") + (f"?{urlencode(rest)}" if rest else "")
        answer = RedirectResponse(self.session.root + target, 303)
        answer.set_cookie(
            self.session.cookie,
            self.session.value,
            path=f"{self.session.root}/",
            httponly=True,
            samesite="strict",
        )
        return answer


def _equal(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())
