"""Where rules meet, only the secret goes: what a name's rule takes around it stays."""

from __future__ import annotations

import pytest

from hookstream.redaction.overlaps import narrowed, united
from hookstream.redaction.rules import LOW, Rule
from hookstream.redaction.scanner import Scanner

STRIPE = "rk_live_" + "a1B2c3D4" * 4
PASSWORD = "Qw9" + "zzT4kLp"
KEYS = "q9Zx71Lm" * 4

AROUND = [
    ("EDGE_DSN=redis://:", PASSWORD, "@mq.example.internal:6379/0"),
    ('{"db_secret": "postgres://app:', PASSWORD, '@db-7f3a2b.internal:5432/orders"}'),
    ('{"credentials": {"uri":"postgres://app:', PASSWORD, '@db.internal:5432/orders"}}'),
    ('PARTNER_DSN="https://api.example/v2?page=2&api_key=', KEYS, '&sort=asc"'),
    ("GET /v1/stripe-api-key/", STRIPE, "/items 200"),
    ("<tr><td>Stripe Secret Key</td><td>", STRIPE, "</td></tr>"),
    ("${EDGE_CLIENT_SECRET:-", KEYS, "}"),
    ('stringData:\n  MQTT_URL: "mqtts://app:', PASSWORD, '@mq.example.lan:8883"\nkind: Secret'),
    ("aws ssm put-parameter --value 'jdbc:x://db/a?user=b&password=", PASSWORD, "&c=1'"),
    ("aws secretsmanager create-secret --secret-string 'host=db password=", PASSWORD, " a=b'"),
    ("URL=jdbc:oracle:thin:billing/", PASSWORD + "-Pepper", "@data.example.dev:1521:ORCL"),
    ("aws ssm put-parameter --value jdbc:oracle:thin:a/", PASSWORD, "@db.example.dev:1521:X -o"),
    ('"text": "token = ', STRIPE, '\\nverify_ssl = true\\n"'),
    ('curl --cookie \\"JSESSIONID=', KEYS, '\\" https://x.dev'),
    ('oracle_dsn: "billing/', PASSWORD, '@//db.internal:1521/ORCL"'),
    ('[{"name": "REGION", "value": "eu-west-1"}, {"name": "API_KEY", "value": "', KEYS, '"}]'),
    ("LEDGER_DSN=Server=tcp:db-rw.internal,1433;Initial Catalog=x;Password=", PASSWORD, ";A=1"),
]


@pytest.mark.parametrize(("before", "secret", "after"), AROUND)
def test_what_stands_around_a_secret_stays(before: str, secret: str, after: str) -> None:
    text = before + secret + after
    found = Scanner("python").scan(text)
    assert [(start, end) for start, end, _ in found] == [(len(before), len(text) - len(after))]


@pytest.mark.parametrize("rest", ["x7Kq2", "-x7Kq29", "#Secret99", "é9", "!zz7Yy8"])
def test_what_may_be_a_part_of_the_secret_goes_with_it(rest: str) -> None:
    text = f"DB_PASSWORD='{STRIPE}{rest}'"
    found = Scanner("python").scan(text)
    assert [text[start:end] for start, end, _ in found] == [STRIPE + rest]


def test_an_address_of_a_person_in_a_password_does_not_save_the_rest() -> None:
    text = "password = 'bob@example.com!'"
    found = Scanner("python").scan(text)
    assert [text[start:end] for start, end, _ in found] == ["bob@example.com!"]


def test_a_region_without_a_known_secret_stays() -> None:
    regions = [(0, 4, -1, 7), (2, 9, -1, 8)]
    rules = (Rule("named", "x", ("x",), confidence=LOW),) * 9
    assert narrowed("abcdefghi", regions, rules) == regions
    assert united(regions) == [(0, 9, 8)]


@pytest.mark.parametrize(
    "rest",
    [
        "@example.com/" + KEYS,
        "/v1/" + KEYS + "?api_key=" + STRIPE,
        "/v1/" + KEYS + "?mail=bob@example.com",
    ],
)
def test_an_address_goes_whole_where_more_of_it_may_open_something(rest: str) -> None:
    text = f'EDGE_DSN="https://bob{rest}"'
    left = text
    for start, end, _ in reversed(Scanner("python").scan(text)):
        left = left[:start] + left[end:]
    assert KEYS not in left and STRIPE not in left
