"""Digests, markers, pseudonyms and the key files they need."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from pathlib import Path

import pytest

from hookstream.core.errors import HookstreamError
from hookstream.redaction.digest import digest, fingerprint, is_marker, length, marker, pseudonym
from hookstream.redaction.keys import load_key

KEY = b"k" * 32


def test_a_digest_is_taken_over_the_utf8_as_received() -> None:
    text = "schön 漢 \n"
    assert digest(text) == "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    assert digest(text, KEY) == (
        "hmac-sha256:" + hmac.new(KEY, text.encode(), "sha256").hexdigest()
    )


def test_an_object_is_digested_as_its_canonical_text() -> None:
    assert digest({"b": 1, "a": "é"}) == digest('{"a":"é","b":1}')
    assert length({"b": 1, "a": "é"}) == len('{"a":"é","b":1}')


def test_a_lone_surrogate_has_a_digest() -> None:
    assert digest("\ud800").startswith("sha256:")


def test_markers_are_known_again_and_nothing_else_is() -> None:
    for key in (None, KEY):
        assert is_marker(marker("text", key))
        assert marker("text", key).endswith(";chars=4]")
    for text in ("[hookstream:sha256=ab;chars=1]", "x" + marker("a"), marker("a") + "x", 7, None):
        assert not is_marker(text)


def test_a_pseudonym_is_stable_and_never_renamed() -> None:
    name = pseudonym("user", "alice", KEY)
    assert name == pseudonym("user", "alice", KEY) != pseudonym("user", "bob", KEY)
    assert name != pseudonym("user", "alice", b"o" * 32)
    assert pseudonym("user", name, b"o" * 32) == name
    assert pseudonym("machine", "alice", KEY).startswith("machine-")


def test_the_fingerprint_of_a_secret_needs_the_key() -> None:
    assert fingerprint("hunter2", KEY) != fingerprint("hunter2", b"o" * 32)
    assert len(fingerprint("hunter2", KEY)) == 32


def test_a_key_file_is_made_private_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "state" / "a.key"
    key = load_key(path, create=True)
    assert len(key) >= 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) & 0o077 == 0
    assert load_key(path, create=True) == key == load_key(path)
    assert [entry.name for entry in path.parent.iterdir()] == ["a.key"]


@pytest.mark.parametrize("bits", [0o640, 0o604, 0o660, 0o644])
@pytest.mark.posix("Windows has no such modes")
def test_a_key_file_others_can_read_is_refused(tmp_path: Path, bits: int) -> None:
    path = tmp_path / "a.key"
    path.write_bytes(b"k" * 32)
    path.chmod(bits)
    with pytest.raises(HookstreamError, match="others can read"):
        load_key(path)


def test_a_missing_short_or_linked_key_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HookstreamError):
        load_key(tmp_path / "none.key")
    short = tmp_path / "short.key"
    short.write_bytes(b"k" * 8)
    short.chmod(0o600)
    with pytest.raises(HookstreamError, match="16 bytes"):
        load_key(short)
    link = tmp_path / "link.key"
    os.symlink(short, link)
    with pytest.raises(HookstreamError):
        load_key(link, create=True)
    with pytest.raises(HookstreamError):
        load_key(tmp_path)
