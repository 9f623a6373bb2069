"""HTTP client for sinks: keep-alive, verified TLS, no redirects, meaning of status codes.

Credentials come as options, never in an address; over plain HTTP they go to loopback only.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit

from hookstream.core.errors import SinkError
from hookstream.core.loopback import is_loopback
from hookstream.sinks import kind_name
from hookstream.sinks.base import DELIVERED, Receipt, rejected, retry, setup_fault
from hookstream.sinks.kinds import SinkOption
from hookstream.sinks.oauth import FORM, OAUTH, AccessToken
from hookstream.version import __version__


def client_context(
    where: str, ca_file: str | None, cert_file: str | None, key_file: str | None
) -> ssl.SSLContext:
    """A context that verifies the server. SinkError names the option and the file that will not
    do; a key with a password is refused, for none is asked."""
    ca, cert, key = readable(where, ca_file=ca_file, cert_file=cert_file, key_file=key_file)
    try:
        context = ssl.create_default_context(cafile=ca)
    except ssl.SSLError:
        raise SinkError(f"{where}: ca_file {ca}: holds no certificate in PEM") from None
    if cert is None:
        return context
    try:
        context.load_cert_chain(cert, key, password="")
    except (ssl.SSLError, ValueError) as error:
        reason = (getattr(error, "reason", None) or "a key with a password").replace("_", " ")
        files = f"cert_file {cert}" + (f" and key_file {key}" if key else "")
        raise SinkError(
            f"{where}: {files}: not a certificate and its key in PEM ({reason.lower()})"
        ) from None
    return context


def readable(where: str, **files: str | None) -> list[str | None]:
    """The paths of the files of options, the user's folder spelt out. SinkError for one that cannot
    be read."""
    found: list[str | None] = []
    for name, given in files.items():
        path = None if given is None else Path(given).expanduser()
        try:
            if path is not None:
                path.open("rb").close()
        except OSError as error:
            raise SinkError(f"{where}: {name} {path}: {error.strerror or error}") from None
        found.append(None if path is None else str(path))
    return found


TIMEOUT_S = 10.0
TLS = (
    SinkOption("ca_file", str, None, "CAs that are trusted instead of the system's."),
    SinkOption("cert_file", str, None, "Client certificate (mTLS)."),
    SinkOption("key_file", str, None, "Key of the client certificate."),
)
CLIENT = (
    SinkOption("token", str, None, "Token of the `Authorization` header.", is_secret=True),
    SinkOption("headers", dict, None, "Further headers, each of which may be a credential."),
    OAUTH,
    SinkOption("timeout_s", float, TIMEOUT_S, "Longest wait for an answer."),
    *TLS,
)
PATH = SinkOption(
    "path",
    str,
    None,
    "Path after the host, if the URL is the credential.",
    is_secret=True,
)
MAX_WAIT_S = 300.0
MAX_ANSWER = 1 << 20
# The fault is in the address or the credentials, not in a record.
SETUP = frozenset((401, 402, 403, 404, 405, 406, 407, 410, 415, 421, 426, 451, 511))
BUSY = frozenset((408, 409, 423, 425, 429))
# Names of parameters that hold a credential: words in the name, and full names.
_SECRET_WORDS = ("token", "passw", "passphrase", "secret", "credential", "sig", "jwt")
_SECRET_NAMES = ("auth", "authorization", "code", "pass", "pwd", "sas")


@dataclass(slots=True, eq=False)
class HttpAnswer:
    """An HTTP answer: `status`, lower-case `headers`, the first `MAX_ANSWER` bytes of `body`."""

    status: int
    headers: dict[str, str]
    body: bytes


class Unreachable(Exception):
    """No answer: refused, reset, timed out, not verified. The text says which, on one line."""


def check_address(uri: str, url: str) -> SplitResult:
    """The parts of an http(s) URL that holds no credentials. SinkError otherwise."""
    kind = kind_name(uri)
    try:
        parts = urlsplit(url)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        raise SinkError(f"{kind}: not an address") from None
    if parts.username is not None or parts.password is not None:
        raise SinkError(f"{kind}: credentials do not belong in an address; use an option")
    if parts.scheme not in ("http", "https") or not host or not url.isprintable() or " " in url:
        raise SinkError(f"{kind}: an address begins with http:// or https:// and a host")
    for name, _value in parse_qsl(parts.query, keep_blank_values=True):
        if _says_secret(name):
            raise SinkError(f"{kind}: credentials do not belong in an address; use an option")
    return parts


def _says_secret(name: str) -> bool:
    small = name.lower()
    return (
        small in _SECRET_NAMES
        or small.endswith("key")
        or any(word in small for word in _SECRET_WORDS)
    )


class HttpClient:
    """Posts to one address. `token` is sent as `Authorization: SCHEME TOKEN`, `headers` as they
    are; `path` is a credential too and follows the address. `ca_file` replaces the system's
    authorities, `cert_file` and `key_file` name us."""

    def __init__(
        self,
        uri: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
        oauth: dict[str, Any] | None = None,
        path: str | None = None,
        scheme: str = "Bearer",
        timeout_s: float = TIMEOUT_S,
        ca_file: str | None = None,
        cert_file: str | None = None,
        key_file: str | None = None,
    ) -> None:
        parts = check_address(uri, url)
        self.host = parts.hostname or ""
        self.target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if path is not None:
            self.target = self.target.rstrip("/") + "/" + path.lstrip("/")
            if parts.query or not path.isascii() or not path.isprintable() or " " in path:
                raise SinkError(f"{uri}: path goes behind an address without a query, in ASCII")
        self._port = parts.port
        self._timeout = timeout_s
        self._headers = {"User-Agent": f"hookstream/{__version__}", **(headers or {})}
        if token is not None:
            self._headers["Authorization"] = f"{scheme} {token}"
        _check_headers(uri, self._headers)
        secret = token is not None or oauth is not None or path is not None or headers
        if parts.scheme == "http" and secret and not is_loopback(self.host):
            raise SinkError(f"{uri}: credentials go out over https only")
        self._tls = None
        if parts.scheme == "https":
            self._tls = client_context(uri, ca_file, cert_file, key_file)
        self._connection: http.client.HTTPConnection | None = None
        self._access: AccessToken | None = None
        if oauth is not None:
            if token is not None:
                raise SinkError(f"{uri}: token and oauth are two ways to say who we are; give one")
            trust = {"ca_file": ca_file, "timeout_s": timeout_s}
            self._access = AccessToken(uri, oauth, lambda to, form: _ask(uri, to, form, trust))
            issuer = check_address(uri, self._access.url)
            if issuer.scheme == "http" and not is_loopback(issuer.hostname or ""):
                raise SinkError(f"{uri}: credentials go out over https only")

    def post(
        self,
        body: bytes,
        content_type: str,
        target: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpAnswer:
        """Return the answer, whatever its status. Unreachable without one."""
        headers = {**self._headers, "Content-Type": content_type, **(headers or {})}
        if self._access is None:
            return self._send(body, headers, target)
        try:
            headers["Authorization"] = self._access.header()
        except ValueError as error:
            raise Unreachable(str(error)) from None
        answer = self._send(body, headers, target)
        if answer.status == 401:
            self._access.forget()
        return answer

    def _send(self, body: bytes, headers: dict[str, str], target: str | None) -> HttpAnswer:
        kept = self._connection is not None
        try:
            return self._once(body, headers, target or self.target)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError) as error:
            self.close()
            if not kept:
                raise Unreachable(_said(error)) from None
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Unreachable(_said(error)) from None
        # A kept connection may have been closed while it was idle: once more on a new one.
        try:
            return self._once(body, headers, target or self.target)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Unreachable(_said(error)) from None

    def _once(self, body: bytes, headers: dict[str, str], target: str) -> HttpAnswer:
        if self._connection is None:
            self._connection = self._connect()
        connection = self._connection
        if connection.sock is None:
            connection.connect()
        # A receiver that sends a byte now and then never runs into the socket's own timeout.
        watch = threading.Timer(self._timeout, _end, (connection.sock,))
        watch.daemon = True
        watch.start()
        try:
            # A receiver may refuse and close before it has read a long body: its answer counts.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.request("POST", target, body, headers)
            return self._read(connection.getresponse())
        finally:
            watch.cancel()

    def _read(self, response: http.client.HTTPResponse) -> HttpAnswer:
        data = b""
        while len(data) < MAX_ANSWER and (chunk := response.read1(65536)):
            data += chunk
        if response.length and len(data) < MAX_ANSWER:
            raise http.client.IncompleteRead(b"", response.length)
        names = {name.lower(): value for name, value in response.getheaders()}
        if response.will_close or not response.isclosed():
            self.close()
        return HttpAnswer(response.status, names, data)

    def _connect(self) -> http.client.HTTPConnection:
        if self._tls is not None:
            return http.client.HTTPSConnection(
                self.host, self._port, timeout=self._timeout, context=self._tls
            )
        return http.client.HTTPConnection(self.host, self._port, timeout=self._timeout)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _ask(uri: str, url: str, form: bytes, trust: dict[str, Any]) -> HttpAnswer:
    """The answer of a token's address to a form."""
    client = HttpClient(uri, url, **trust)
    try:
        return client.post(form, FORM)
    finally:
        client.close()


def _end(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _check_headers(uri: str, headers: Mapping[str, str]) -> None:
    for name, value in headers.items():
        if not name.isascii() or not value.isascii() or not (name + value).isprintable():
            raise SinkError(f"{uri}: header {name!r} holds what no header may hold")


def _said(error: Exception) -> str:
    if isinstance(error, http.client.IncompleteRead):
        return "the answer breaks off"
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:200]


def meaning(answer: HttpAnswer) -> Receipt:
    """2xx delivered; busy, 5xx, and faults of our set-up retry; other refusals are the record's."""
    status = answer.status
    if 200 <= status < 300:
        return DELIVERED
    if status >= 500 or status in BUSY:
        return retry(f"HTTP {status}", retry_after(answer.headers.get("retry-after")))
    if status < 400:
        return setup_fault(f"HTTP {status}: redirects are not followed")
    if status in SETUP:
        return setup_fault(f"HTTP {status}: check address and credentials")
    return rejected(f"HTTP {status}")


def unreachable(error: Unreachable) -> Receipt:
    return retry(f"no answer: {error}")


def retry_after(value: str | None) -> float:
    """Seconds or an HTTP date as seconds to wait, within 0 and `MAX_WAIT_S`."""
    if value is None:
        return 1.0
    text = value.strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:12]), MAX_WAIT_S)
    try:
        seconds = parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, OverflowError):
        return 1.0
    return max(0.0, min(seconds, MAX_WAIT_S))
