"""Values that do not stand right behind their name, and what stands there and is no secret."""

from __future__ import annotations

import pytest
from privacy_cases import scanner_of

RANDOM = "q9Zx71Lm" * 4
THOUGHT_UP = "xK7mQp" + "2Lw9"

FOUND = (
    ('irb> ENV["API_TOKEN"]\n=> "{}"', RANDOM),
    ("var hmacSecret = []byte(`{}`)", RANDOM),
    ('password: &cred "{}"\nother: *cred', THOUGHT_UP),
    ('<source auth="x" password="{}" pool="4"/>', THOUGHT_UP),
    ('env::var("DB_PASSWORD").unwrap_or_else(|_| "{}".into())', THOUGHT_UP),
    ("assert '{}' == cfg.api_token", RANDOM),
    ("scott/{}@//db.internal:1521/ORCLPDB1", THOUGHT_UP),
    ("the db password was changed from {} to a better one", THOUGHT_UP),
)
NONE = (
    "password hash " + RANDOM,
    "token refresh in commit " + "a1b2c3d4" * 5,
    "isinstance(private_key, ed25519.Ed25519PrivateKey)",
    '"password_too_short": "Das Passwort ist zu kurz"',
    "query Login($password: String!) { login }",
    "'password' => ['required', 'string', 'min:8', 'confirmed'],",
    "--- PASS: TestTokenRefresh/invalid_secret (0.00s)",
    "names = ['prop', 'pwd', 'quickcheck', 'refute']",
    "cache-key-" + "a1b2c3d4" * 8,
)


@pytest.mark.parametrize(("template", "value"), FOUND)
def test_the_value_alone_is_found(template: str, value: str) -> None:
    text = template.format(value) if "{}" in template else template
    found = [text[start:end] for start, end, _ in scanner_of("python").scan(text)]
    assert found == [value]


@pytest.mark.parametrize("text", NONE)
def test_what_is_said_of_a_secret_is_none(text: str) -> None:
    assert scanner_of("python").scan(text) == []
