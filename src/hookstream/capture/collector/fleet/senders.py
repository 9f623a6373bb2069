"""Credentials of the machines that may ship: one line each, read again whenever the file changes.

    # name       credential                    state
    laptop-17    sha256:9f86d081884c7d65...
    laptop-18    sha256:60303ae22b998861...    revoked 2026-11-22T10:00:00Z
    laptop-19    cert:laptop-19.corp.example
    *            sha256:fd61a03af4f77d87...

A token stands as its SHA-256, a client certificate by a DNS name it holds (else its common name).
A credential speaks for the machine on its line, whatever the sender calls itself; `*` is a shared
one, and the sender's own word counts. `cert:*` is any certificate that --client-ca signed, named
after itself. A machine may have several lines, so that credentials can be replaced.
"""

from __future__ import annotations

import os
import re
from hashlib import sha256

from hookstream.capture.collector.handler import stamp_of
from hookstream.capture.collector.http_messages import HttpError
from hookstream.errors import HookstreamError
from hookstream.sinks.hookstream import is_machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookstream.capture.collector.handler import Stamp

ANY = "*"
REVOKED = "revoked"
CREDENTIAL = re.compile(r"sha256:[0-9a-f]{64}|cert:(?:\*|[A-Za-z0-9._*-]{1,253})")


class Sender:
    """One line: the machine it speaks for (`*`: the one it names), and when it was revoked (None:
    it was not; empty: nobody wrote when)."""

    __slots__ = ("credential", "machine", "revoked")

    def __init__(self, machine: str, credential: str, revoked: str | None) -> None:
        self.machine = machine
        self.credential = credential
        self.revoked = revoked


def digest_of(token: bytes) -> str:
    return f"sha256:{sha256(token).hexdigest()}"


def read_senders(text: str, where: str) -> list[Sender]:
    """HookstreamError names the line that is wrong."""
    found: list[Sender] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        at = f"{where}:{number}"
        if len(words) < 2 or not (words[0] == ANY or is_machine(words[0])):
            raise HookstreamError(f"{at}: expected NAME CREDENTIAL [revoked [WHEN]]")
        if not CREDENTIAL.fullmatch(words[1]):
            raise HookstreamError(f"{at}: a credential is sha256:HEX of a token, or cert:NAME")
        if words[2:] and words[2] != REVOKED:
            raise HookstreamError(f"{at}: {words[2]!r}: only 'revoked' may stand there")
        revoked = " ".join(words[3:]) if len(words) > 2 else None
        found.append(Sender(words[0], words[1], revoked))
    return found


class Senders:
    """Who a request is from. Safe for many threads once made."""

    def __init__(self, path: str, note: Callable[[str], None] = lambda text: None) -> None:
        self.path = path
        self.note = note
        self.stamp: Stamp | None = None
        self.by_credential: dict[str, Sender] = {}
        self.bound: frozenset[str] = frozenset()
        self._read()

    def _read(self) -> None:
        """Raise HookstreamError for a file that is wrong, missing, or that others can write."""
        self.stamp = stamp_of(self.path)
        try:
            with open(self.path, encoding="utf-8") as file:
                if os.name != "nt" and os.fstat(file.fileno()).st_mode & 0o022:
                    raise HookstreamError(f"{self.path}: others can write it; run chmod go-w")
                found = read_senders(file.read(), self.path)
        except (OSError, UnicodeDecodeError) as error:
            said = getattr(error, "strerror", None) or "is no text"
            raise HookstreamError(f"{self.path}: {said}") from None
        # A credential on two lines counts as revoked where one of them says so.
        made: dict[str, Sender] = {}
        for one in found:
            if one.credential not in made or one.revoked is not None:
                made[one.credential] = one
        self.by_credential = made
        self.bound = frozenset(
            one.machine for one in made.values() if one.machine != ANY and one.revoked is None
        )

    def refresh(self) -> None:
        """Read the file again where it has changed; a wrong one leaves the old lines in force."""
        if stamp_of(self.path) != self.stamp:
            try:
                self._read()
            except HookstreamError as error:
                self.note(f"{error}; the lines read before count")

    def identify(self, token: bytes, certificate: dict[str, Any] | None, named: str) -> str:
        """The machine that sends. Raises HttpError: 401 for nobody known, 403 for a revoked
        credential, 400 where a shared one comes without a machine's name."""
        self.refresh()
        found = [self.by_credential.get(digest_of(token))] if token else []
        own = names_in(certificate)
        found += [self.by_credential.get(f"cert:{name}") for name in own]
        if own and not any(found):
            found.append(self.by_credential.get("cert:*"))
        known = [one for one in found if one is not None]
        if not known:
            raise HttpError(401)
        if any(one.revoked is not None for one in known):
            raise HttpError(403)
        for one in known:
            if one.machine != ANY:
                return one.machine
        machine = own[0] if known[0].credential == "cert:*" else named
        if not is_machine(machine):
            raise HttpError(400)
        return machine


def names_in(certificate: dict[str, Any] | None) -> list[str]:
    """The DNS names of a verified client certificate, else its common name."""
    if not certificate:
        return []
    names = [value for kind, value in certificate.get("subjectAltName", ()) if kind == "DNS"]
    if names:
        return names
    pairs = (pair for part in certificate.get("subject", ()) for pair in part)
    return [value for kind, value in pairs if kind == "commonName"]
