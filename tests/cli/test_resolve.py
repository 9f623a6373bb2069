"""Pseudonyms back to names, for who holds the key and nobody else."""

import getpass

import pytest

from hookstream.redaction.digest import pseudonym
from same_process import text_of


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "fleet.key"
    path.write_bytes(b"k" * 32)
    path.chmod(0o600)
    return path


def resolve(*words):
    return text_of("resolve", *words)


@pytest.mark.posix("Windows has no password database")
def test_names_of_a_roster_and_of_this_machine_are_found(key, tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text('ada,laptop-7\n"grace";laptop-8\n')
    given = {
        pseudonym("user", "grace", b"k" * 32): "grace",
        pseudonym("machine", "laptop-7", b"k" * 32): "laptop-7",
        pseudonym("user", getpass.getuser(), b"k" * 32): getpass.getuser(),
    }
    done = resolve(*given, "--roster", roster, "--pseudonym-key-file", key)
    assert done.returncode == 0
    assert dict(line.split("\t") for line in done.stdout.splitlines()) == given


def test_what_stays_unknown_is_said_and_is_exit_1(key):
    stranger = pseudonym("user", "nobody-knows-me", b"k" * 32)
    done = resolve(stranger, "--pseudonym-key-file", key)
    assert (done.returncode, done.stdout) == (1, "")
    assert stranger in done.stderr and "--roster" in done.stderr


def test_another_key_resolves_nothing(key, tmp_path):
    other = tmp_path / "other.key"
    other.write_bytes(b"o" * 32)
    other.chmod(0o600)
    mine = pseudonym("user", getpass.getuser(), b"k" * 32)
    assert resolve(mine, "--pseudonym-key-file", other).returncode == 1


def test_wrong_words_are_one_line(key, tmp_path):
    for words in (["ada"], ["user-" + "0" * 16, "--roster", tmp_path / "absent"]):
        done = resolve(*words, "--pseudonym-key-file", key)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
