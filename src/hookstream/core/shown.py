"""A sink's address as a person may see it: in settings, states, logs, reports, figures."""

from __future__ import annotations

import re
from hashlib import sha256

MASK = "***"
# Addresses that anyone who knows them may call: only their host is shown.
_CAPABILITIES = frozenset(("webhook", "slack", "teams", "discord", "cloudevents"))
_CHATS = re.compile(
    r"(?i)hooks?\.|webhook|discord(?:app)?\.com|chat\.googleapis\.com|logic\.azure\.com|telegram\.org"
)
_AUTHORITY = re.compile(
    r"(?:\b(?P<kind>[a-z]{1,32}):)?(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{0,32}://)(?P<rest>[^\s]*)"
)
_VALUE = re.compile(r"(?<==)[^&;#]+")
_RANDOM = re.compile(r"(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{20,}")


def shown(uri: str) -> str:
    """The address without what opens it: user and password, values of its query, the path of a
    webhook. A folder stays as it is."""
    return _AUTHORITY.sub(_masked, uri)


def _masked(found: re.Match[str]) -> str:
    is_capability = found["kind"] in _CAPABILITIES
    kind = f"{found['kind']}:" if found["kind"] else ""
    scheme, rest = found["scheme"], found["rest"]
    # The punctuation of a sentence around it.
    end = rest[len(rest.rstrip(":;,.)'\"")) :]
    rest = rest.removesuffix(end)
    if scheme.lower() in ("file://", "s3://", "gs://", "abfs://", "abfss://"):
        return found[0]
    body, mark, query = rest.partition("?")
    head, slash, path = body.partition("/")
    _, at, host = head.rpartition("@")
    if at:
        head = f"{MASK}@{host}"
    if path and (is_capability or _CHATS.search(host or head)):
        # Two addresses of one host stay apart.
        path = MASK + sha256(path.encode()).hexdigest()[:6]
    else:
        path = _RANDOM.sub(MASK, path)
    return f"{kind}{scheme}{head}{slash}{path}{mark}{_VALUE.sub(MASK, query)}{end}"
