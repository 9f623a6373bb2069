"""Continued lines and joined strings, secrets where tools take them, places that name people."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hookstream
from hookstream.redaction import Redactor
from hookstream.redaction.joined import _edits, joined
from hookstream.redaction.rules.compiled.words.tools import TOOLS

BENCHMARKS = Path(__file__).parents[2] / "benchmarks" / "redaction"
VALUE = "Harbor" + "71!xQ"
NAME = "mareike.oberndorfer"


@pytest.mark.parametrize(
    "text",
    [
        f"export AWS_SECRET_ACCESS_KEY=\\\n{VALUE}9aZ",
        f"tool --password \\\n    {VALUE}",
        f"Connect-Thing -Password `\r\n  {VALUE}",
        f"set DB_PASSWORD=^\n{VALUE}",
        'token = "gh" + "p_' + "a1B2c3D4" * 4 + 'e5F6"',
        "$key = 'gh' . 'p_" + "a1B2c3D4" * 4 + "e5F6'",
        'token = "\\x67\\x68\\x70\\x5f' + "a1B2c3D4" * 4 + 'e5F6"',
        '{\n "token":\n   "' + "a1B2c3D4" * 4 + '"\n}',
        f"client_secret =\n    {'a1B2c3D4' * 4}",
        f"Personal access token created: {'a1B2c3D4' * 5}",
        f"ana:{VALUE}:1001:1001::/srv/ana:/bin/sh",
        f"key1  FULL  {'a1B2c3D4' * 8}==",
        "login with ana and Copper" + "9111.x",
        "mi contrasena es Harbor" + "1643.q",
        f"op signin <<< '{VALUE}'",
        f"echo '{VALUE}' | kinit ana@EXAMPLE.COM",
        f"signtool sign /f c.pfx /p {VALUE} a.exe",
        f"impacket-psexec CORP/ana:{VALUE}@10.0.0.8",
        f"net use Z: \\\\nas\\share {VALUE} /user:ana",
        "A1b2" * 10 + "\n-----END EC PRIVATE KEY-----",
    ],
)
def test_a_secret_goes(text: str) -> None:
    secret = "a1B2c3D4a1B2" if "a1B2c3D4a1B2" in text else VALUE
    out = hookstream.redact(text)
    assert "[REDACTED:" in out
    assert secret not in out


@pytest.mark.parametrize(
    "text",
    [
        "cargo login",
        "docker run \\\n  -p 8080:80 \\\n  nginx",
        'label = "pass" + "word"',
        "op signin",
    ],
)
def test_what_holds_none_stays(text: str) -> None:
    assert hookstream.redact(text) == text


def test_at_least_forty_tools_are_known() -> None:
    assert len({row.partition("=")[0].partition("/")[0] for row in TOOLS}) >= 150


@given(st.text("\\x41u0 \t\r\n\"'`^+&.,:=a", max_size=24))
@settings(max_examples=400, deadline=None)
def test_no_text_is_spared_that_would_be_joined(text: str) -> None:
    assert (joined(text) is not None) == bool(list(_edits(text)))


def test_a_name_is_rewritten_only_where_the_engine_saw_its_sign() -> None:
    monitor = Redactor("hash", b"k" * 32)
    seen: list[str] = []
    assert monitor.homes is not None
    rewrite = monitor.homes.rewrite
    monitor.homes.rewrite = lambda text: seen.append(text) or rewrite(text)  # type: ignore
    monitor.redact_text("the build passed for src/app/main.py")
    assert seen == []
    assert NAME not in monitor.redact_text(f"sudo\t-u\t{NAME} make")
    assert seen


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from(["a", "b1", " ", "\\\n", " `\n", '" + "', "\\x41\\x42\\x43", "\n"]))
)
def test_a_span_of_the_joined_text_is_where_it_is_written(parts: list[str]) -> None:
    text = "".join(parts)
    whole = joined(text)
    if whole is None:
        return
    last = 0
    for at, char in enumerate(whole.text):
        start, end = whole.span(at, at + 1)
        assert last <= start < end <= len(text)
        last = start
        if char in "ab1":
            assert text[start] == char


@pytest.mark.parametrize(
    "text",
    [
        f"sudo -u {NAME} ls",
        f"chown -R {NAME}:staff d",
        f"ls /c/Users/{NAME}/x",
        f"dir \\\\wsl$\\Ubuntu\\home\\{NAME}\\x",
        f"ls ~{NAME}/x",
        f"USER={NAME} make",
        f"crontab -u {NAME} -l",
        f'git config user.name "{NAME}"',
        f"ssh {NAME}@build",
        f"GET /?p=%2Fhome%2F{NAME}%2Fx",
        f"GET /?p=%252Fhome%252F{NAME}%252Fx",
        f"curl https://{NAME}@git.example/a",
    ],
)
def test_a_name_is_a_pseudonym(text: str) -> None:
    redactor = Redactor("hash", bytes(16))
    out = redactor.redact_text(text)
    assert out == text.replace(NAME, redactor.pseudonym("user", NAME))
    assert redactor.redact_text(out) == out


@pytest.mark.parametrize(
    "text",
    ["sudo -u postgres psql", "chown root:root f", "ssh git@github.com", "chown 1000:1000 f"],
)
def test_an_account_of_no_person_stays(text: str) -> None:
    assert Redactor("hash", bytes(16)).redact_text(text) == text


def test_the_figures_of_the_sets_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets that were written before the rules; the benchmark prints both halves."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import unseen

    wrong: dict[tuple[str, str], list[bool]] = {}
    for name, _, mode, is_wrong, _ in unseen.measured(20261124):
        wrong.setdefault((name, mode), []).append(is_wrong)
    right = {key: 1 - sum(found) / len(found) for key, found in wrong.items()}
    assert right["commands", "hash"] >= 0.96
    assert right["secrets", "hash"] >= 0.985
    assert right["secrets", "redact"] >= 0.89
    assert right["names", "hash"] >= 22 / 24
    assert "unseen" in sys.modules
