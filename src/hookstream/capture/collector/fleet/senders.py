"""Credentials of the machines that may ship: one line each, read again whenever the file changes.

    # name       credential                    id and state
    laptop-17    sha256:9f86d081884c7d65...    id=machine-0123456789abcdef
    laptop-18    sha256:60303ae22b998861...    revoked 2026-11-22T10:00:00Z
    laptop-19    cert:laptop-19.corp.example
    *            sha256:fd61a03af4f77d87...

A token is written as its SHA-256, a client certificate by a DNS name it holds (else its common
name). A credential speaks for the machine on its line, whatever the sender calls itself; `*` is a
shared one, and the sender's name for itself counts, unless that machine has a line here. `cert:*`
is any certificate that --client-ca signed, named after itself. A machine may have several lines, so
that credentials can be replaced. `id=` registers the ids that its lines carry (comma between them):
the first is written for all of them, and no other machine may name one.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from hashlib import sha256

from hookstream.capture.collector.handler import stamp_of
from hookstream.capture.collector.http_messages import HttpError
from hookstream.core.errors import HookstreamError
from hookstream.core.owners import is_reserved
from hookstream.sinks.hookstream import is_machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from hookstream.capture.collector.handler import Stamp

ANY = "*"
REVOKED = "revoked"
ID = re.compile(r"[!-~]{1,128}")
# Lines of the file, and ids of one machine.
MOST_LINES, MOST_IDS = 200_000, 64
CREDENTIAL = re.compile(r"sha256:[0-9a-f]{64}|cert:(?:\*|[A-Za-z0-9._*-]{1,253})")


@dataclass(slots=True, eq=False)
class RegisteredSender:
    """One line: the machine it speaks for (`*`: the one it names), its registered ids, and when it
    was revoked (None: it was not; empty: at an unknown time)."""

    machine: str
    credential: str
    revoked: str | None
    ids: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Identity:
    """The sender of a request: `machine` owns its lines, `credential` is what it is counted by."""

    machine: str
    credential: str


def digest_of(token: bytes) -> str:
    return f"sha256:{sha256(token).hexdigest()}"


def read_senders(text: str, where: str) -> list[RegisteredSender]:
    """The senders in a file's text. Raises HookstreamError that names the wrong line."""
    senders: list[RegisteredSender] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        at = f"{where}:{number}"
        if len(words) < 2 or not (words[0] == ANY or is_machine(words[0])):
            raise HookstreamError(f"{at}: expected NAME CREDENTIAL [id=ID,...] [revoked [WHEN]]")
        if is_reserved(words[0]):
            raise HookstreamError(f"{at}: {words[0]!r} is a file of the collector; choose another")
        if not CREDENTIAL.fullmatch(words[1]):
            raise HookstreamError(f"{at}: a credential is sha256:HEX of a token, or cert:NAME")
        ids: tuple[str, ...] = ()
        if words[2:] and words[2].startswith("id="):
            ids = tuple(machine_id for machine_id in words.pop(2)[3:].split(",") if machine_id)
            if words[0] == ANY or not 0 < len(ids) <= MOST_IDS or not all(map(ID.fullmatch, ids)):
                raise HookstreamError(f"{at}: id= names 1 to {MOST_IDS} ids of one machine")
        if words[2:] and words[2] != REVOKED:
            raise HookstreamError(f"{at}: {words[2]!r}: only id= and 'revoked' may be there")
        revoked = " ".join(words[3:]) if len(words) > 2 else None
        senders.append(RegisteredSender(words[0], words[1], revoked, ids))
        if len(senders) > MOST_LINES:
            raise HookstreamError(f"{at}: more than {MOST_LINES} credentials")
    return senders


def registered_ids(senders: Iterable[RegisteredSender], where: str) -> dict[str, tuple[str, ...]]:
    """The ids of each machine in the order of its lines. HookstreamError if two machines have
    one id, or an id is another machine's name."""
    ids: dict[str, dict[str, None]] = {}
    owners: dict[str, str] = {}
    for sender in senders:
        if sender.machine == ANY:
            continue
        for name in (sender.machine, *sender.ids):
            owner = owners.setdefault(name.casefold(), sender.machine)
            if owner != sender.machine:
                raise HookstreamError(f"{where}: {name!r} belongs to {owner} and {sender.machine}")
        if sender.ids:
            ids.setdefault(sender.machine, {}).update(dict.fromkeys(sender.ids))
    return {machine: tuple(names) for machine, names in ids.items()}


class Senders:
    """Look-up of the sender of a request, and of the machine that owns an id. Safe for many threads
    once made.

    `owners` maps names and ids (without case) to the machine that has a line: no other machine may
    name one. `pseudonym` gives the id that hooks write for a name, if the centre has the key.
    """

    def __init__(
        self,
        path: str,
        note: Callable[[str], None] = lambda text: None,
        pseudonym: Callable[[str], str] | None = None,
    ) -> None:
        self.path = path
        self.note = note
        self.pseudonym = pseudonym
        self.stamp: Stamp | None = None
        self.by_credential: dict[str, RegisteredSender] = {}
        self.owners: dict[str, str] = {}
        self.ids: dict[str, tuple[str, ...]] = {}
        # gets the ids of all machines whenever the file has been read
        self.registered: Callable[[dict[str, tuple[str, ...]]], None] = lambda ids: None
        self._read()

    def _read(self) -> None:
        """Read the file. Raises HookstreamError if it is wrong, missing, or writable by others."""
        self.stamp = stamp_of(self.path)
        try:
            with open(self.path, encoding="utf-8") as file:
                if os.name != "nt" and os.fstat(file.fileno()).st_mode & 0o022:
                    raise HookstreamError(f"{self.path}: others can write it; run chmod go-w")
                senders = read_senders(file.read(), self.path)
                ids = registered_ids(senders, self.path)
        except (OSError, UnicodeDecodeError) as error:
            problem = getattr(error, "strerror", None) or "is not text"
            raise HookstreamError(f"{self.path}: {problem}") from None
        # A credential on two lines counts as revoked if one of them says so.
        fields: dict[str, RegisteredSender] = {}
        for sender in senders:
            if sender.credential not in fields or sender.revoked is not None:
                fields[sender.credential] = sender
        self.by_credential = fields
        self.ids = ids
        self.owners = self._owners(senders)
        self.registered(ids)

    def _owners(self, found: list[RegisteredSender]) -> dict[str, str]:
        """Registered ids before pseudonyms of names: the operator's word counts."""
        machines = dict.fromkeys(one.machine for one in found if one.machine != ANY)
        owners = {name.casefold(): name for name in machines}
        owners |= {one.casefold(): name for name, ids in self.ids.items() for one in ids}
        if self.pseudonym is not None:
            for name in machines:
                owners.setdefault(self.pseudonym(name), name)
        return owners

    def owner(self, claim: str) -> str | None:
        """The machine that a name or id belongs to, None if it is not registered."""
        return self.owners.get(claim.casefold())

    def refresh(self) -> None:
        """Read the file again if it has changed; a wrong one leaves the old lines in force."""
        if stamp_of(self.path) != self.stamp:
            try:
                self._read()
            except HookstreamError as error:
                self.note(f"{error}; the lines read before count")

    def is_credential(self, token: bytes) -> bool:
        """Return whether a token is a machine's, revoked or not: it opens /ship alone."""
        self.refresh()
        return token != b"" and digest_of(token) in self.by_credential

    def identify(self, token: bytes, certificate: dict[str, Any] | None, named: str) -> Identity:
        """The machine that sends. Raises HttpError: 401 for an unknown one, 403 for a revoked
        credential or a shared one that names a machine that has its own line, 400 for a shared one
        without a machine's name."""
        self.refresh()
        matches = [self.by_credential.get(digest_of(token))] if token else []
        own = names_in(certificate)
        matches += [self.by_credential.get(f"cert:{name}") for name in own]
        if own and not any(matches):
            matches.append(self.by_credential.get("cert:*"))
        senders = [sender for sender in matches if sender is not None]
        if not senders:
            raise HttpError(401)
        if any(sender.revoked is not None for sender in senders):
            raise HttpError(403)
        for sender in senders:
            if sender.machine != ANY:
                return Identity(sender.machine, sender.credential)
        machine = own[0] if senders[0].credential == "cert:*" else named
        if not is_machine(machine) or is_reserved(machine):
            raise HttpError(400, reason="a shared credential needs the name of a machine")
        if self.owner(machine) is not None:
            raise HttpError(403, reason="this machine has a credential of its own, or had one")
        return Identity(machine, senders[0].credential)


def names_in(certificate: dict[str, Any] | None) -> list[str]:
    """The DNS names of a verified client certificate, else its common name."""
    if not certificate:
        return []
    names = [value for kind, value in certificate.get("subjectAltName", ()) if kind == "DNS"]
    if names:
        return names
    pairs = (pair for part in certificate.get("subject", ()) for pair in part)
    return [value for kind, value in pairs if kind == "commonName"]
