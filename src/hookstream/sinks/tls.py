"""The files of a TLS client: whose certificates it trusts, and what it shows of itself."""

from __future__ import annotations

import ssl
from pathlib import Path

from hookstream.core.errors import SinkError


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
