"""Who may ask: the token, the Host, the Origin; and what a page may load."""

import http.cookiejar
import re
import urllib.request

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
    root = stranger.app.state.session.root
    assert answer.headers["location"] == f"{root}/denies?since=7d"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert f"path={root}/".lower() in cookie
    assert TOKEN not in answer.headers["set-cookie"]


def test_another_port_of_this_host_gets_no_cookie(client):
    """By the rules of a browser's jar, which knows no ports."""
    jar = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(rfc2965=True))
    own = client.cookies.jar
    for cookie in own:
        jar.set_cookie(cookie)
    for path in ("/", "/denies", "/static/x", "/login?x=1"):
        request = urllib.request.Request(f"http://127.0.0.1:9999{path}")
        jar.add_cookie_header(request)
        assert not request.has_header("Cookie"), path
    request = urllib.request.Request(f"{HERE}{client.root}/denies")
    jar.add_cookie_header(request)
    assert request.get_header("Cookie")


def test_neither_the_cookie_nor_the_place_opens_anything_alone(stranger, client):
    session = client.app.state.session
    secrets = [session.value, session.cookie, session.root[1:]]
    bare = TestClient(client.app, base_url=HERE, follow_redirects=False)
    for path in ("/", "/denies", "/static/style.css", f"{session.root}", f"{session.root}/denies"):
        for secret in secrets:
            assert bare.get(f"{path}?token={secret}").status_code == 401
        assert bare.get(path).status_code == 401
        cookie = {"Cookie": f"{session.cookie}={session.value}"}
        status = bare.get(path, headers=cookie).status_code
        assert (status == 401) is (not path.startswith(f"{session.root}")), path
    other = f"{session.root[:-1]}{'a' if session.root[-1] != 'a' else 'b'}"
    assert bare.get(f"{other}/denies", headers=cookie).status_code == 401


def test_who_has_no_secret_gets_a_word_and_one_script(stranger):
    page = stranger.get("/findings?finding_id=x")
    assert page.status_code == 401
    assert re.findall(r'src="([^"]+)"', page.text) == ["/place.js"]
    script = stranger.get("/place.js")
    assert script.status_code == 200
    root = stranger.app.state.session.root
    assert root not in page.text + script.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


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


def test_writing_is_refused_where_no_form_is(client):
    for path in ("/", "/denies", "/sessions", "/cost", "/q", "/q/calls", "/event/x"):
        assert client.post(path).status_code == 405
    assert client.post("/sql", data={"forget": "one"}).status_code == 400
