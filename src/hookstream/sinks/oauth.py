"""Access tokens that expire, for sinks over HTTP: OAuth client credentials (RFC 6749, 4.4), and the
JWT of a service account's key (RFC 7523)."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from hookstream.core.errors import SinkError
from hookstream.sinks.kinds import SinkOption

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.sinks.http import HttpAnswer

EARLY_S = 120.0  # a token is renewed this long before it ends
FORM = "application/x-www-form-urlencoded"
CLIENT_KEYS = frozenset(("token_url", "client_id", "client_secret", "scope"))
ACCOUNT_KEYS = frozenset(("service_account", "scope"))
OAUTH = SinkOption(
    "oauth",
    dict,
    None,
    "Token that is renewed: token_url, client_id, client_secret, scope; or service_account, scope.",
)


class AccessToken:
    """The access token of a client, asked for when it is needed and renewed before it ends.

    `post` sends a form to the token's address and gives the answer.
    """

    def __init__(self, uri: str, given: dict[str, Any], post: Callable[[str, bytes], HttpAnswer]):
        self._post = post
        self._value = ""
        self._ends = 0.0
        names = set(given)
        if any(type(value) is not str or not value for value in given.values()):
            raise SinkError(f"{uri}: oauth needs texts")
        if names == ACCOUNT_KEYS:
            self._account = _account(uri, given["service_account"])
            self.url = self._account["token_uri"]
        elif names == CLIENT_KEYS:
            self._account = {}
            self.url = given["token_url"]
        else:
            raise SinkError(f"{uri}: oauth needs {OAUTH.help.partition(': ')[2].rstrip('.')}")
        self._given = given

    def header(self, now: float | None = None) -> str:
        """The value of Authorization. ValueError with the reason if no token is given."""
        at = time.monotonic() if now is None else now
        if not self._value or at >= self._ends - EARLY_S:
            self._renew(at)
        return f"Bearer {self._value}"

    def forget(self) -> None:
        """Ask again next time: the receiver refused the token."""
        self._value = ""

    def _renew(self, at: float) -> None:
        answer = self._post(self.url, urlencode(self._form()).encode("ascii"))
        try:
            told = json.loads(answer.body)
        except ValueError:
            told = None
        told = told if type(told) is dict else {}
        token, length = told.get("access_token"), told.get("expires_in")
        if answer.status != 200 or type(token) is not str:
            word = told.get("error")
            named = f" ({word[:60]})" if type(word) is str else ""
            raise ValueError(f"no access token: HTTP {answer.status}{named}")
        self._value = token
        self._ends = at + (float(length) if isinstance(length, int | float) else 0.0)

    def _form(self) -> dict[str, str]:
        if not self._account:
            named = {name: self._given[name] for name in ("client_id", "client_secret", "scope")}
            return {"grant_type": "client_credentials", **named}
        return {
            "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer",
            "assertion": self._assertion(int(time.time())),
        }

    def _assertion(self, now: int) -> str:
        from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
        from cryptography.hazmat.primitives.hashes import SHA256

        claims = {
            "iss": self._account["client_email"],
            "scope": self._given["scope"],
            "aud": self.url,
            "iat": now,
            "exp": now + 3600,
        }
        head = {"alg": "RS256", "typ": "JWT", "kid": self._account.get("private_key_id", "")}
        text = f"{_part(head)}.{_part(claims)}".encode("ascii")
        made: bytes = self._account["key"].sign(text, PKCS1v15(), SHA256())
        return f"{text.decode('ascii')}.{_base64(made)}"


def _account(uri: str, text: str) -> dict[str, Any]:
    """The account of a key file's text, with its private key loaded."""
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        document = json.loads(text)
        key = load_pem_private_key(document["private_key"].encode("ascii"), None)
        known = {name: document[name] for name in ("client_email", "token_uri")}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise SinkError(f"{uri}: service_account is not the key file of one") from None
    if not isinstance(key, RSAPrivateKey):
        raise SinkError(f"{uri}: service_account has no RSA key")
    return {**known, "key": key, "private_key_id": document.get("private_key_id", "")}


def _part(value: dict[str, Any]) -> str:
    return _base64(json.dumps(value, separators=(",", ":")).encode("utf-8"))


def _base64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode("ascii").rstrip("=")
