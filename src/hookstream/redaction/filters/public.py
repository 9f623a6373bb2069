"""Keys, addresses and ids that are made to be seen, and ciphertext: random, and they open nothing."""

# ruff: noqa: E501 (a pattern stays on one line)
from __future__ import annotations

import re

_PUBLIC = re.compile(
    # SSH's public keys; X.509's, in DER; certificates and public keys in PEM, encoded once more.
    r"AAAA(?:C3NzaC1lZDI1NTE5|B3NzaC1yc2E|E2VjZHNh|B3NzaC1kc3M|GnNrLXNzaC1lZDI1|InNrLWVjZHNh)[\w+/=-]+"
    r"|(?:MIIBIjANBgkqhkiG9w0BAQEFAAOC|MIICIjANBgkqhkiG9w0BAQEFAAOC|MIGfMA0GCSqGSIb3DQEBAQUAA4GN"
    r"|MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE|MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE|MCowBQYDK2Vw)[\w+/=\\-]+"
    r"|LS0tLS1CRUdJTiB(?:DRVJUSUZJQ0FUR|QVUJMSUMgS0VZ)[\w+/=-]+"
    # Pins (RFC 7469).
    r"|(?:(?:hmac-)?sha(?:1|256|384|512)|SHA256)[/:=-][A-Za-z0-9+/=_-]{20,100}"
    # https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
    r"|A(?:IDA|ROA|GPA|NPA|SCA|IPA)[A-Z0-9]{16,18}"
    # Addresses on blockchains: of an account or a contract of Ethereum, in Bech32; keys of Nostr
    # and of age.
    r"|0x[0-9A-Fa-f]{40}|(?:bc|tb|bcrt|ltc|addr|stake|cosmos|osmo|juno|terra|inj|celestia|npub|note"
    r"|nprofile|nevent|age)1[02-9ac-hj-np-z]{38,110}"
    r"|00000000-0000-0000-0000-[0]{11}[0-9]|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12}"
)
# A point of P-256 that is not compressed, as Web Push has it (RFC 8292): one random text in sixty
# of that length looks like it, so its name has to say it.
_POINT = re.compile(r"B[A-Za-z0-9_-]{86}")
_OF_PUSH = re.compile(r"(?i)vapid|public|p256dh|application_?server|push")
_OPENS = re.compile(r"(?i)pass|priv|secret|seed|mnemonic")
# Ids by what precedes them: mangled names, key pairs of AWS, GPG's keys in git's settings, nonces
# (RFC 6455), digests in the key of a cache.
_IDS = tuple(
    (re.compile(before), re.compile(value))
    for before, value in (
        (r"(?:_ZN|_R[NIM])[\w$.]*$", r"\w+"),
        (r"\bkey-$", r"0[0-9a-f]{16}"),
        (r"\bsigningkey[ \t]*=[ \t]*$", r"(?:0x)?[0-9A-F]{8,40}!?"),
        (r"(?i)sec-websocket-(?:key|accept)[\"']?[:=] ?[\"']?$", r"[\w+/]{20,40}={0,2}"),
        # Digests and fingerprints, as the name says: api_key_sha256, apiKeyFingerprint.
        (
            r"(?i)(?:sha-?(?:1|256|384|512)|md5|hash|digest|fingerprint|checksum|thumbprint)[\"'`]?[ \t]*[:=]+[ \t]*[\"'`]?$",
            r"[0-9A-Fa-f:]{16,}|[\w+/]{27,88}={0,2}",
        ),
        # The name under which a thing is kept: SESSION_KEY = 'user_session_v2'.
        (
            r"(?:KEY|KEY_\w{2,24}|HEADER|COOKIE|FIELD|PARAM|_NAME)[\"']?[ ]?=[ ]?[\"']$",
            r"[A-Za-z]{2,16}(?:[_.:-][A-Za-z]{2,16}){1,6}[_.:-]?v?[0-9]",
        ),
        (r"", r"(?:[\w.]{1,24}-)*cache-(?:[\w.]{1,24}-)*[0-9a-f]{32,64}"),
    )
)


def is_public(value: str, before: str) -> bool:
    """A public key, an address or an id by its form, if no name of a password precedes it."""
    if _OPENS.search(before[-64:]) is not None:
        return False
    if _POINT.fullmatch(value) is not None:
        return _OF_PUSH.search(before) is not None
    return _PUBLIC.fullmatch(value) is not None


def is_id(value: str, before: str) -> bool:
    """An id by what precedes it."""
    return any(ends.search(before) and form.fullmatch(value) for ends, form in _IDS)
