"""Who may ask: the token, the Host, the Origin; and what a page may load."""

import re

import pytest
from starlette.testclient import TestClient
from tests.ui.conftest import PORT, TOKEN

from hookstream.ui.app import create_app

HERE = f"http://127.0.0.1:{PORT}"


@pytest.fixture
def stranger(lake):
    return TestClient(create_app(lake, TOKEN, PORT), base_url=HERE, follow_redirects=False)


def test_without_the_token_there_is_nothing(stranger):
    for path in ("/", "/denies", "/sql?sql=select+1", "/static/style.css", "/event/x"):
        answer = stranger.get(path)
        assert answer.status_code == 401
        assert "hookstream ui" in answer.text
    assert stranger.get("/?token=guess").status_code == 401
    assert stranger.get("/", headers={"Cookie": f"hookstream-{PORT}=guess"}).status_code == 401


def test_the_token_becomes_a_cookie_and_leaves_the_address(stranger):
    answer = stranger.get(f"/denies?since=7d&token={TOKEN}")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/denies?since=7d"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie


def test_the_redirect_after_the_token_stays_here(stranger):
    answer = stranger.get(f"//elsewhere.example/?token={TOKEN}")
    assert answer.status_code in (303, 404)
    assert not answer.headers.get("location", "/").startswith("//")


@pytest.mark.parametrize("host", ["attacker.example:8000", "127.0.0.1:9", "", "localhost"])
def test_a_name_that_resolves_to_loopback_is_refused(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://attacker.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_requests_of_other_sites_are_refused(client, headers):
    assert client.get("/", headers=headers).status_code == 403
    assert client.post("/findings", headers=headers, data={}).status_code == 403


def test_a_page_may_load_only_what_is_here(client):
    answer = client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy
    assert answer.headers["cache-control"] == "no-store"
    loaded = re.findall(r'(?:src|href|action)="([^"]*)"', answer.text)
    assert loaded and all(re.match(r"/(?!/)|#|data:,$", address) for address in loaded)


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd"]
)
def test_no_other_file_is_served(client, path):
    assert client.get(path).status_code in (404, 405)


def test_writing_is_refused_everywhere_but_for_findings(client):
    for path in ("/", "/denies", "/sql"):
        assert client.post(path).status_code == 405
