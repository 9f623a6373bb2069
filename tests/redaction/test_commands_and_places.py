"""Continued lines and joined strings, secrets where tools take them, places that name people."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from string import ascii_letters, digits

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
        "".join(f"k.pem:{at}: {'A1b2' * 12}\n" for at in (3, 4))
        + "k.pem:5: -----END PRIVATE KEY-----",
        f"pulumi config set db:password {VALUE}9aZ",
        f"terraform apply -var=db_password={VALUE}9aZ",
        f"Access Token\n------------\n{'a1B2c3D4' * 4}\n",
        f"\\u0022token\\u0022:\\u0022{'a1B2c3D4' * 4}\\u0022",
        f"&lt;password&gt;{VALUE}&lt;/password&gt;",
        f"password%253D{VALUE}",
        f'"db": {{"sensitive": true, "type": "string", "value": "{VALUE}"}}',
        f"you can authenticate with {'a1B2c3D4' * 4}",
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
        "pulumi config set aws:region us-west-2",
        "npm config set python python3.11",
        "terraform apply -var=region=eu-west-1",
        "echo hello | sudo tee /etc/motd",
        "grafana cli plugins install x-2.0",
        "integrity: sha512-" + "a1B2c3D4" * 10 + "a1B2c3==",
        "op signin",
    ],
)
def test_what_holds_none_stays(text: str) -> None:
    assert hookstream.redact(text) == text


TOKEN = "gh" + "p_" + "".join(random.Random(4).choices(ascii_letters + digits, k=36))
HEX = random.Random(4).randbytes(32).hex()


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"export GITHUB_TOKEN={TOKEN}\n", TOKEN),
        (f"remote: https://oauth2:{TOKEN}@git.example.com/a/b\n", TOKEN),
        (f"the access token is {HEX}\nand more", HEX),
        (f'{{"access_token": "{HEX}"}}', HEX),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_token_that_a_terminal_broke_goes_whole(text: str, secret: str, newline: str) -> None:
    at = text.index(secret)
    for width in range(max(20, at + 4), at + len(secret) - 4):
        lines = text.split("\n")
        broken = newline.join(
            newline.join(line[low : low + width] for low in range(0, len(line), width))
            for line in lines
        )
        out = hookstream.redact(broken).replace("\r", "").replace("\n", "")
        left = [
            piece for piece in (secret[i : i + 8] for i in range(len(secret) - 7)) if piece in out
        ]
        assert left == [], (width, broken)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"{at:02x}" + "9f3ac1d7" * 4 + "abcdef" for at in range(6)),  # a list of digests
        "reset the token\n3f9a1c7 fix the build\n7e42b1a again",
        "a line of forty characters, that is all1\nnext2 line",
        "\n".join("A1b2C3d4" * 9 for _ in range(5)) + "\nA1b2",  # a picture in base64
    ],
)
def test_lines_that_no_terminal_broke_stay(text: str) -> None:
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
        f"last {NAME}",
        f"su -l {NAME} -c ls",
        f"killall -u {NAME}",
        f"ssh -o User={NAME} host",
        f"gh issue edit 1 --add-assignee {NAME}",
        f"Get-ADUser -Identity {NAME}",
        f"ldapsearch '(uid={NAME})'",
        f"dir \\\\srv\\home\\{NAME}\\x",
        f"ls /mnt/home/{NAME}/x",
        f"schtasks /create /ru CORP\\{NAME} /tn x",
    ],
)
def test_a_name_is_a_pseudonym(text: str) -> None:
    redactor = Redactor("hash", bytes(16))
    out = redactor.redact_text(text)
    assert out == text.replace(NAME, redactor.pseudonym("user", NAME))
    assert redactor.redact_text(out) == out


@pytest.mark.parametrize(
    "text",
    [
        *("sudo -u postgres psql", "chown root:root f", "ssh git@github.com", "chown 1000:1000 f"),
        *("import x from '@/home/page'", "cat src/home/Home.tsx", "pip install --user requests"),
        *("curl https://shop.example/home/kitchen", "curl https://api.example.com/users/list"),
        *("last year we shipped it", "cat src/data/users/a.json", "gh pr list --assignee @me"),
    ],
)
def test_an_account_of_no_person_stays(text: str) -> None:
    assert Redactor("hash", bytes(16)).redact_text(text) == text


@pytest.mark.long
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
    assert right["secrets", "redact"] >= 0.95
    assert right["look-alikes", "hash"] >= 0.993
    assert right["look-alikes", "redact"] >= 0.993
    assert right["names", "hash"] >= 22 / 24
    assert "unseen" in sys.modules
