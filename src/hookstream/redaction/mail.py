"""Which addresses of mail are those of people."""

from __future__ import annotations

from hookstream.redaction.classify.random import is_hex, is_uuid
from hookstream.redaction.rules.compiled.words.domains import DELEGATED, FILE_ENDINGS, INTERNAL


def is_of_person(value: str) -> bool:
    """An address of a person: not `git@host`, not the no-reply ones, no file name or version.

    Nor a message's or a commit's id, the `user@host` of a machine or a decorator after a sign.
    """
    local, _, host = value.rpartition("@")
    host = host.lower()
    end = host.rpartition(".")[2]
    if end in FILE_ENDINGS or (end not in DELEGATED and end not in INTERNAL):
        return False
    if local in _NO_PERSON or local.lower().startswith(_NO_REPLY):
        return False
    labels = host.split(".")
    if labels[0].isdigit() and labels[1][:1].isdigit():  # package@1.2.3.patch
        return False
    if "noreply" in labels or "no-reply" in labels:  # GitHub's, which hide the address
        return False
    if host.endswith(_CIPHERS) and "-" in local and any(map(str.isdigit, local)):
        return False
    if "lists" in labels[:-2] or host.endswith(_LISTS):
        return False
    return not _is_message_id(local)


# Who adds an algorithm to SSH names it so: aes256-gcm@openssh.com (RFC 4251, 6).
_CIPHERS = ("openssh.com", "libssh.org", "lysator.liu.se", "tartarus.org")
# Addresses of many.
_LISTS = ("googlegroups.com", "vger.kernel.org")


def _is_message_id(local: str) -> bool:
    """The part before the @ of a Message-ID: a UUID, a time of fourteen digits, a digest."""
    if is_uuid(local) or (len(local) >= 16 and is_hex(local)):
        return True
    return len(local) > 15 and local[:14].isdigit() and local[:2] in ("19", "20")


_NO_REPLY = ("noreply", "no-reply", "donotreply", "do-not-reply")
_NO_PERSON = frozenset("git hg svn this return super break continue root".split())
