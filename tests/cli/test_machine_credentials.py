"""hookstream machines: credentials made and revoked, and what each machine has shipped."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from hookstream.capture.collector.fleet.seen import SeenFile
from hookstream.capture.collector.fleet.senders import Senders, read_senders
from hookstream.capture.collector.http_messages import HttpError
from hookstream.cli.app import run_app


def ran(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr("sys.argv", ["hookstream", "machines", *map(str, words)])
    return run_app()


def test_a_token_is_made_serves_and_is_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "machines"
    tokens = {}
    for name in ("laptop-1", "laptop-2"):
        assert ran(monkeypatch, "add", file, name) == 0
        tokens[name] = capsys.readouterr().out.strip().encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert tokens["laptop-1"] not in file.read_bytes()
    file.write_text("# a fleet\n" + file.read_text().replace("\n", "  # of a user\n", 1))
    senders = Senders(str(file))
    assert senders.identify(tokens["laptop-1"], None, "").machine == "laptop-1"
    assert ran(monkeypatch, "revoke", file, "laptop-1") == 0
    assert "# of a user" in file.read_text()
    assert file.read_text().startswith("# a fleet\n")
    with pytest.raises(HttpError) as refused:
        senders.identify(tokens["laptop-1"], None, "")
    assert refused.value.status == 403
    assert senders.identify(tokens["laptop-2"], None, "").machine == "laptop-2"
    assert read_senders(file.read_text(), "f")[0].revoked.startswith("20")  # type: ignore[union-attr]
    assert ran(monkeypatch, "revoke", file, "laptop-1") == 2, "nothing left to revoke"


@pytest.mark.parametrize("name", ["../x", "", "a b", ".x"])
def test_a_name_that_is_none_changes_nothing(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "machines"
    assert ran(monkeypatch, "add", file, name) == 2
    assert not file.exists()


def test_certificates_name_machines(tmp_path: Path) -> None:
    file = tmp_path / "machines"
    file.write_text("laptop-1 cert:one.corp.example\nlaptop-9 cert:nine.corp.example revoked\n")
    file.chmod(0o600)

    def given(name: str) -> dict[str, object]:
        return {"subjectAltName": (("DNS", name),), "subject": ((("commonName", "other"),),)}

    senders = Senders(str(file))
    assert senders.identify(b"", given("one.corp.example"), "whoever").machine == "laptop-1"
    for name, status in (("nine.corp.example", 403), ("two.corp.example", 401)):
        with pytest.raises(HttpError) as refused:
            senders.identify(b"", given(name), "laptop-1")
        assert refused.value.status == status
    file.write_text(file.read_text() + "* cert:*\n")
    other = senders.identify(b"", given("two.corp.example"), "laptop-1")
    assert other.machine == "two.corp.example"


def test_ids_are_registered_and_those_that_are_not_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "machines"
    assert ran(monkeypatch, "add", file, "laptop-1", "--id", "machine-1") == 0
    assert ran(monkeypatch, "add", file, "laptop-2") == 0
    assert ran(monkeypatch, "register", file, "laptop-2", "machine-2", "old-name") == 0
    assert [one.ids for one in read_senders(file.read_text(), "f")] == [
        ("machine-1",),
        ("machine-2", "old-name"),
    ]
    before = file.read_text()
    for words in (("register", file, "laptop-2", "machine-1"), ("register", file, "none", "x"),
                  ("add", file, "fleet.db"), ("add", file, "x", "--id", "laptop-1")):  # fmt: skip
        assert ran(monkeypatch, *words) == 2
    assert file.read_text() == before
    seen = SeenFile(str(tmp_path))
    for machine in ("laptop-1", "laptop-2"):
        seen.claim(machine, "machine-9")
    seen.claim("laptop-1", "\x1b[31m")
    seen.close()
    capsys.readouterr()
    assert ran(monkeypatch, "ids", tmp_path) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "laptop-1  ?[31m"
    assert shown[1].startswith("laptop-1  machine-9  also carried by laptop-2")


def test_what_machines_have_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = SeenFile(str(tmp_path))
    seen.add("laptop-1", "a" * 32, 5, "0.1.0", lines=5)
    seen.add("laptop-1", "b" * 32, 9, "0.2.0", lines=7, skipped=2)
    seen.add("laptop-2", "c" * 32, 1, "0.2.0", lines=1)
    seen.close()
    assert ran(monkeypatch, "list", tmp_path, "--format", "json") == 0
    one, two = json.loads(capsys.readouterr().out)
    assert (one["machine"], one["lines"], one["skipped"], one["streams"]) == ("laptop-1", 12, 2, 2)
    assert one["version"] == "0.2.0"
    assert one["last_seen"].endswith("Z")
    assert two["lines"] == 1
    assert ran(monkeypatch, "list", tmp_path) == 0
    assert "laptop-2" in capsys.readouterr().out
    assert ran(monkeypatch, "list", tmp_path / "none") == 2
