"""What stands between a browser and the lake: a token, the Host and Origin, and a strict policy.

A page of another site can make a browser send requests to loopback, and a name it owns can resolve
to 127.0.0.1. Neither passes: the Host must be ours, an Origin must be ours, and each request needs
the token that was printed at the start, as a query parameter once and as a cookie from then on.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """ASGI middleware: refuses foreign hosts, origins and requests without the token."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app = app
        self.token = token
        self.cookie = f"hookstream-{port}"
        names = ("127.0.0.1", "localhost", "[::1]")
        self.hosts = {f"{name}:{port}" for name in names}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        answer = self._refusal(scope) or self._entry(scope)
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

    def _entry(self, scope: Scope) -> PlainTextResponse | RedirectResponse | None:
        request = Request(scope)
        if self._is_token(request.cookies.get(self.cookie, "")):
            return None
        if not self._is_token(request.query_params.get("token", "")):
            return PlainTextResponse("Open the address that `hookstream ui` printed.", 401)
        query = scope["query_string"].decode("latin-1")
        rest = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != "token"]
        path = scope["path"] if scope["path"].startswith("/") else "/"
        target = "/" + path.lstrip("/") + (f"?{urlencode(rest)}" if rest else "")
        answer = RedirectResponse(target, 303)
        answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
        return answer

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())
