"""Text without secrets that looks as if it had some: digests, ids, code, lock files, placeholders."""

# ruff: noqa: E501 (a template stays on one line)
from __future__ import annotations

import base64
import random
import uuid as uuids
from collections.abc import Callable

from kinds import ALNUM, BASE64, HEX, LOWER, URLSAFE, of

Maker = Callable[[random.Random], str]

WORDS = (
    "token parser config user session cache auth login service handler client model view test data "
    "secret key value password store manager provider factory index update create delete check"
).split()


def _uuid(rng: random.Random) -> str:
    return str(uuids.UUID(int=rng.getrandbits(128), version=4))


def _hex(rng: random.Random, size: int) -> str:
    return of(HEX, size)(rng)


def _pick(rng: random.Random, *options: str) -> str:
    return rng.choice(options)


def commit(rng: random.Random) -> str:
    sha = _hex(rng, 40)
    return _pick(
        rng,
        f"commit {sha}\nAuthor: CI\nDate:   Mon Nov 9 10:00:00 2026\n\n    Fix the token parser",
        f"git checkout {sha[:12]} && git log --oneline -5",
        f"Updating {sha[:7]}..{_hex(rng, 7)}\nFast-forward",
        f"index {sha[:10]}..{_hex(rng, 10)} 100644\n--- a/src/auth.py\n+++ b/src/auth.py",
        f'{{"sha": "{sha}", "ref": "refs/heads/main"}}',
    )


def image(rng: random.Random) -> str:
    digest = _hex(rng, 64)
    return _pick(
        rng,
        f"FROM python@sha256:{digest}",
        f"docker pull registry.example.com/app@sha256:{digest}",
        f"Digest: sha256:{digest}\nStatus: Image is up to date",
        f" => => writing image sha256:{digest} 0.0s",
        f"containerID: containerd://{digest}",
    )


def identifiers(rng: random.Random) -> str:
    return _pick(
        rng,
        f"session_id={_uuid(rng)} turn={_uuid(rng)}",
        f'{{"id": "{_uuid(rng)}", "request_id": "req_{of(ALNUM, 24)(rng)}"}}',
        f"trace-id: {_hex(rng, 32)} span-id: {_hex(rng, 16)}",
        f"toolu_{of(ALNUM, 24)(rng)} finished in 31 ms",
        f"call_{of(ALNUM, 24)(rng)}",
        f"msg_{of(ALNUM, 22)(rng)} -> chatcmpl-{of(ALNUM, 29)(rng)}",
        f"traceparent: 00-{_hex(rng, 32)}-{_hex(rng, 16)}-01",
        f"arn:aws:iam::{rng.randrange(10**11, 10**12)}:role/deploy",
        f"i-{_hex(rng, 17)} ami-{_hex(rng, 17)} vpc-{_hex(rng, 17)}",
        f"pod/payments-api-{of(LOWER, 10)(rng)}-{of(LOWER, 5)(rng)} Running",
        f'ETag: "{_hex(rng, 32)}"',
    )


def lock(rng: random.Random) -> str:
    integrity = base64.b64encode(rng.randbytes(64)).decode()
    return _pick(
        rng,
        f'"integrity": "sha512-{integrity}"',
        f'  resolved "https://registry.yarnpkg.com/left-pad/-/left-pad-1.3.0.tgz#{_hex(rng, 40)}"\n'
        f"  integrity sha512-{integrity}",
        f'{{ url = "https://files.pythonhosted.org/packages/{_hex(rng, 2)}/{_hex(rng, 2)}/{_hex(rng, 60)}'
        f'/x-1.0.tar.gz", hash = "sha256:{_hex(rng, 64)}", size = 1234 }}',
        f'checksum = "{_hex(rng, 64)}"',
        f"github.com/pkg/errors v0.9.1 h1:{base64.b64encode(rng.randbytes(32)).decode()}",
        f"    --hash=sha256:{_hex(rng, 64)}",
        f'"js-tokens": "^4.0.0", "jsonwebtoken": "^9.0.2", "cookie": "0.7.{rng.randrange(9)}"',
        f"{_hex(rng, 64)}  dist/app-1.0.{rng.randrange(99)}.tar.gz",
        f'"_resolved": "https://registry.npmjs.org/token-types/-/token-types-{rng.randrange(9)}.0.0.tgz"',
    )


def minified(rng: random.Random) -> str:
    a, b, c = (rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(3))
    n = rng.randrange(1000)
    return _pick(
        rng,
        f"!function({a},{b}){{var {c}={a}.token||{b}.token;return {c}&&{c}.length>{n}}}(window,t);",
        f"function {a}({b}){{this.token={b},this.password={b}.password,this.key={c}[{n}]}}",
        f'{a}.exports={{token:function(){{return {b}.get("token")}},secret:{c}.secret,apiKey:{a}.apiKey}};',
        f'"use strict";const {{password:{a},token:{b}}}=require("./{c}{n}");{a}({b});',
        f"e.setState({{password:t.target.value,passwordError:!{n % 2}}}),n.token=r(t.token)",
        f"({a}=>{{const {b}={a}.headers.authorization;if(!{b})throw new Error('no token {n}')}})();",
        f"var t{n}=i.accessToken?i.accessToken():null,u{n}=o.cookie.split(';')[0];",
    )


def images(rng: random.Random) -> str:
    return _pick(
        rng,
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA" + of(BASE64, rng.randrange(200, 900))(rng),
        "data:font/woff2;base64,d09GMgABAAAAA" + of(BASE64, rng.randrange(200, 900))(rng),
        "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=",
        '<img src="data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ' + of(BASE64, 300)(rng) + '">',
    )


def tests(rng: random.Random) -> str:
    words = "_".join(rng.sample(WORDS, 4))
    dashed = "-".join(rng.sample(WORDS, 4))
    n = rng.randrange(1000)
    return _pick(
        rng,
        f"def test_{words}_{n}(): ...",
        f"PASSED tests/test_{words}.py::test_{rng.choice(WORDS)}_{n}",
        f"it('{words.replace('_', ' ')} {n}', async () => {{ expect(token).toBeDefined(); }});",
        f"--- PASS: Test{words.title().replace('_', '')} (0.{n}s)",
        f"npm run {dashed} -- --grep {dashed}",
        f"{n} passed, {n % 7} failed in test_token_refresh",
    )


def placeholders(rng: random.Random) -> str:
    name = rng.choice(
        "API_KEY DB_PASSWORD SECRET_TOKEN GITHUB_TOKEN CLIENT_SECRET password token".split()
    )
    value = rng.choice(
        [
            "$TOKEN",
            "${" + name + "}",
            "<your-token>",
            "****",
            "********",
            "xxxxxxxxxxxx",
            "your-api-key",
            "YOUR_API_KEY_HERE",
            "changeme",
            "{{ " + name + " }}",
            "<password>",
            "$(cat /run/secrets/x)",
            "%" + name + "%",
            "null",
            "REDACTED",
            "...",
            "[REDACTED]",
            "os.environ['" + name + "']",
            "process.env." + name,
            "${{ secrets." + name + " }}",
            "<REPLACE_ME>",
            "your_token_here",
        ]
    )
    return _pick(
        rng,
        f"{name}={value}",
        f'export {name}="{value}"',
        f"{name}: {value}",
        f'"{name.lower()}": "{value}"',
        f"curl -H 'Authorization: Bearer {value}' https://api.example.com",
        f"deployctl login --token {value}",
        f"postgres://app:{value}@db/shop"
        if "'" not in value and " " not in value and "/" not in value
        else f"{name.lower()} = {value}",
    )


def code(rng: random.Random) -> str:
    n = rng.randrange(1000)
    word = rng.choice(WORDS)
    return _pick(
        rng,
        f"def login(user: str, password: str, token: Token | None = None) -> Session:  # {n}",
        f"password = getpass.getpass('Password for {word}: ')",
        f"token = request.headers.get('Authorization', '').removeprefix('Bearer ')  # {n}",
        f"if password != confirm_password: raise ValueError('passwords differ {n}')",
        f"const token = await getToken({word}Id);",
        f"secret = client.secrets.get(name='{word}-{n}')",
        f"max_tokens: {n * 10}, temperature: 0.7, top_p: 1",
        f'usage: {{"input_tokens": {n}, "output_tokens": {n * 3}}}',
        f"token_count = len(tokens) + {n}",
        f"class {word.title()}TokenManager(BaseTokenManager): pass",
        f"password: z.string().min({n % 20}), token: z.string().optional()",
        f"func NewToken(secret []byte, ttl time.Duration) (*Token, error) // {n}",
        f"self.api_key = api_key or os.getenv('{word.upper()}_API_KEY')",
        f"private String password; private final String apiKey{n};",
        f"SELECT id, password_hash FROM users WHERE token = ? LIMIT {n}",
        f"<input type='password' name='password' placeholder='Password' id='p{n}'>",
        f'password := os.Getenv("{word.upper()}_PASSWORD")',
        f"cache_key = f'{word}:{{user.id}}:{n}'",
        f"primaryKey: true, foreignKey: '{word}_id', sortKey: '{word}#{n}'",
        "interface Props { token: string; apiKey?: string; onPasswordChange: () => void }",
        f"secretName: {word}-tls-{n}\nsecretKeyRef:\n  name: {word}\n  key: password",
        f"$password = Read-Host -AsSecureString  # {n}",
        f"auth: {{ enabled: true, provider: '{word}', tokenTtl: {n} }}",
    )


def prose(rng: random.Random) -> str:
    n = rng.randrange(1000)
    return _pick(
        rng,
        f"The token was rejected because it expired {n} minutes ago.",
        "Passwords must be at least 12 characters and contain a number.",
        f"Reset your password: open the settings page and choose option {n}.",
        "Please enter the API key in the form, then press save.",
        f"Password incorrect, {n % 5} attempts left.",
        "The secret to a good test is a small fixture.",
        f"error: invalid token at line {n}, column {n % 80}",
        "Bearer authentication is preferred over basic authentication.",
        f"Used {n} tokens, cost $0.0{n}",
        "We store only a hash of the password, never the password itself.",
        f"key: {n}, value: none",
        "The key is to keep the cookie small.",
        f"Context low: {n % 20}% left before the conversation is compacted",
    )


def paths(rng: random.Random) -> str:
    n = rng.randrange(1000)
    return _pick(
        rng,
        f"/srv/app/src/auth/token_store_{n}.py:12:5: E501 line too long",
        f"https://github.com/example/token-tools/blob/main/src/keys{n}.ts#L10-L{n}",
        f"https://example.com/docs/api/authentication?page={n}&section=tokens#bearer",
        f"node_modules/.pnpm/jsonwebtoken@9.0.{n % 9}/node_modules/jsonwebtoken/index.js",
        f"s3://bucket-{n}/2026/11/21/part-0000{n % 10}.parquet",
        f"/nix/store/{of(LOWER, 32)(rng)}-openssl-3.0.{n % 20}/lib",
        f"https://cdn.example.com/assets/index-{of(ALNUM, 8)(rng)}.js",
        f"./target/debug/deps/hookdemo-{_hex(rng, 16)}",
        f"git+https://github.com/example/pkg@v1.{n}.0#egg=pkg",
        f"~/.cache/pip/http/{_hex(rng, 1)}/{_hex(rng, 1)}/{_hex(rng, 56)}",
    )


def numbers(rng: random.Random) -> str:
    n = rng.randrange(10**9, 10**10)
    return _pick(
        rng,
        f"1{n}{rng.randrange(100)} bytes in {n % 1000} ms",
        f"timestamp={n}{rng.randrange(1000):03d}",
        f"2026-11-21T10:{n % 60:02d}:00.{n % 10**6:06d}Z",
        f"{n % 256}.{n % 200}.{n % 100}.{n % 50}:8443",
        f"version 1.{n % 100}.{n % 1000}-rc.{n % 9}+build.{n}",
        f"@@ -{n % 1000},7 +{n % 997},9 @@",
        f"pi is 3.14159265358979, e is 2.71828182845905, n {n % 99}",
        f"order 9{n}{n % 100000:05d} shipped",
        f"{n % 900 + 100}-{n % 90 + 10}-{n % 9000 + 1000} units",
    )


def blobs(rng: random.Random) -> str:
    return _pick(
        rng,
        of(URLSAFE, rng.randrange(20, 60))(rng),
        f'W/"{of(BASE64, 27)(rng)}"',
        f"nonce-{base64.b64encode(rng.randbytes(16)).decode()}",
        f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{of(BASE64, 43)(rng)} deploy",
        f"SHA256:{of(BASE64, 43)(rng)} (ED25519)",
        "-----BEGIN CERTIFICATE-----\nMIID" + of(BASE64, 60)(rng) + "\n-----END CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----\nMIIBIjAN" + of(BASE64, 56)(rng) + "\n-----END PUBLIC KEY-----",
        f"gpg: key {_hex(rng, 16).upper()} imported",
        f"build-{of(LOWER, 12)(rng)}",
    )


CLEAN: dict[str, Maker] = {
    maker.__name__: maker
    for maker in (
        commit,
        image,
        identifiers,
        lock,
        minified,
        images,
        tests,
        placeholders,
        code,
        prose,
        paths,
        numbers,
        blobs,
    )
}
