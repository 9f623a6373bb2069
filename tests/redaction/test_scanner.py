"""Spans, overlaps, allow-lists, encodings: what the scanner promises beyond single rules."""

from __future__ import annotations

import base64

import pytest

from hookstream.redaction.digest import digest
from hookstream.redaction.scanner import Scanner

GITHUB = "ghp_" + "a1B2" * 9
AWS = "AKIA" + "Q7Z4M2K9" * 2


def found(text: str, scanner: Scanner) -> list[tuple[str, str]]:
    return [(text[start:end], name) for start, end, name in scanner.scan(text)]


def test_only_the_secret_goes(scanner: Scanner) -> None:
    assert found(f"before {GITHUB}, after", scanner) == [(GITHUB, "github-pat")]


def test_offsets_are_characters_not_bytes(scanner: Scanner) -> None:
    text = f"naïve 漢字 🙂 {GITHUB} é {AWS}"
    assert found(text, scanner) == [(GITHUB, "github-pat"), (AWS, "aws-access-key-id")]


def test_the_format_names_what_the_assignment_also_found(scanner: Scanner) -> None:
    assert found(f'token = "{GITHUB}"', scanner) == [(GITHUB, "github-pat")]


def test_overlapping_finds_become_one_region(scanner: Scanner) -> None:
    text = f"password={GITHUB}!tail"
    assert [value for value, _ in found(text, scanner)] == [f"{GITHUB}!tail"]


@pytest.mark.parametrize(
    "value",
    ["$TOKEN", "${TOKEN}", "<your-token>", "****", "xxxxxxxx", "{{ token }}", "%TOKEN%",
     "your-api-key-here", "changeme", "[REDACTED]", "[REDACTED:github-pat]", "null",
     "process.env.TOKEN"],
)  # fmt: skip
def test_placeholders_stay(value: str, scanner: Scanner) -> None:
    for text in (f"API_TOKEN={value}", f'api_token: "{value}"', f"--token {value}"):
        assert scanner.scan(text) == []


def test_a_picture_of_a_token_is_none(scanner: Scanner) -> None:
    assert scanner.scan("use ghp_" + "x" * 36) == []
    assert scanner.scan("AKIA" + "X" * 16) == []


def test_rules_and_values_can_be_allowed() -> None:
    assert Scanner("python", allow=["github-pat"]).scan(f"see {GITHUB}") == []
    assert Scanner("python", allow=[digest(GITHUB)]).scan(f"see {GITHUB}") == []
    both = Scanner("python", allow=[f"github-pat/{digest(GITHUB)}"])
    assert both.scan(f"see {GITHUB}") == []
    assert found(f"see {'ghp_' + 'Z9y8' * 9}", both)


def test_one_level_of_base64_keeps_what_stands_before(scanner: Scanner) -> None:
    plain = base64.b64encode(b"user=bob&x=1&password=hunter2-long").decode()
    [(start, end, name)] = scanner.scan(f"data {plain} end")
    assert name == "base64-secret"
    left = f"data {plain} end"[:start].removeprefix("data ")
    assert base64.b64decode(left).startswith(b"user=bob&x=1&")
    assert f"data {plain} end"[end:] == " end"


def test_hexadecimal_and_url_encoding(scanner: Scanner) -> None:
    assert found(GITHUB.encode().hex(), scanner) == [(GITHUB.encode().hex(), "hex-secret")]
    [(value, name)] = found("next=%2Fhome%3Fpassword%3Dhunter2xyz%26a%3D1", scanner)
    assert (value, name) == ("hunter2xyz", "percent-secret")


def test_json_within_json_within_json(scanner: Scanner) -> None:
    text = '{"a": "{\\"b\\": \\"{\\\\\\"password\\\\\\": \\\\\\"hunter2\\\\\\"}\\"}"}'
    assert found(text, scanner) == [("hunter2", "assigned-secret")]


def test_encoded_text_is_decoded_once_only(scanner: Scanner) -> None:
    twice = base64.b64encode(base64.b64encode(f"see {GITHUB}".encode())).decode()
    assert scanner.scan(f"x {twice} y") == []


CLEAN = [
    "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "python@sha256:" + "a1b2c3d4" * 8,
    '"integrity": "sha512-' + "q83vEjRWeJq83vEjRWeJ" * 4 + '=="',
    "session 550e8400-e29b-41d4-a716-446655440000",
    "toolu_01A2b3C4d5E6f7G8h9J0kLmN finished",
    "pod/payments-api-6f7d8c9b5d-abcde Running",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGa1B2c3D4e5F6g7H8i9J0k deploy",
    "def login(user: str, password: str, token: Token | None = None) -> Session:",
    "password = getpass.getpass('Password: ')",
    "const token = await getToken(id);",
    "max_tokens: 4096, temperature: 0.7",
    "this.token=e.token,this.password=t.password",
    "Password incorrect, 3 attempts left.",
    "The token was rejected because it expired.",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
]


@pytest.mark.parametrize("text", CLEAN)
def test_clean_text_stays(text: str, scanner: Scanner) -> None:
    assert scanner.scan(text) == []
