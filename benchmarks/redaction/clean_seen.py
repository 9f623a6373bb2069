"""Text without secrets after what was seen in packages, logs, dumps and listings: generated anew.

Each line is a form that some redactor took for a card, a phone, an address or a token.
"""

# ruff: noqa: E501 (a template stays on one line)
from __future__ import annotations

import base64
import random

from clean import WORDS, Maker, _hex, _pick, _uuid
from kinds import ALNUM, BASE64, LOWER, UPPER, URLSAFE, of


def _digits(rng: random.Random, size: int) -> str:
    return "".join(rng.choices("0123456789", k=size))


def _card(rng: random.Random) -> str:
    """Sixteen digits that begin as a card's and have its check digit."""
    digits = [int(char) for char in rng.choice(["4", "51", "6011", "2300"])]
    digits += [rng.randrange(10) for _ in range(15 - len(digits))]
    total = sum(digits[1::2]) + sum(d * 2 - 9 * (d > 4) for d in digits[0::2])
    return "".join(map(str, digits)) + str(-total % 10)


def long_numbers(rng: random.Random) -> str:
    card = _card(rng)
    groups = [card[at : at + 4] for at in range(0, 16, 4)]
    return _pick(
        rng,
        f"/srv/photos/{card}/original.jpg",
        f"https://example.com/posts/{card}?page=2",
        f"IMG_{card}.jpg deleted",
        f"evt-{card}-retry finished",
        f"{groups[0]}{groups[1]}-{groups[2]}-{groups[3]}-8a37-{_hex(rng, 12)} is a UUID of its own sort",
        f"0.{card} 0.{_digits(rng, 16)}",
        f"loss: -1.{card}e-05",
        f'"event_id": {card}, "ok": true',
        f"dd.trace_id={card} dd.span_id={_digits(rng, 19)}",
        f"00003320: {' '.join(groups)} 0000 4489 4424 1048  ........",
        f"0001c6e0: 4889 e5{_hex(rng, 2)} {' '.join(groups)} {_hex(rng, 4)} {_hex(rng, 4)}  .H..",
        f"seed={card}",
        f"{_digits(rng, 3)}.{card}",
        f"trace-{card}-{_hex(rng, 8)}",
    )


def numbers_like_phones(rng: random.Random) -> str:
    date = f"20{rng.randrange(10, 30)}{rng.randrange(1, 13):02}{rng.randrange(1, 29):02}"
    n = rng.randrange(200, 999)
    return _pick(
        rng,
        f"libfoo1 2.{rng.randrange(99)}+{date}.git{_hex(rng, 7)}-1",
        f"libfoo1 (>= 5.15+{date})",
        f"h=(h+{rng.randrange(2 * 10**9, 4 * 10**9)}&4294967295)>>>0",
        f"range (-{n}68000, +33554432)",
        f"+{date[:4]}-{date[4:6]}-{date[6:]} 10:00 Fix the parser",
        f"+192.168.{n % 255}.{n % 200}",
        f'<path d="M32{n} 42417c0-834-{n}-1300-1610-1300h-19{n}v4650z"/>',
        f"3465-872-{n}-1285-1272-1652-1583",
        f"Sat Nov 21 05:09:36 2026 +{rng.randrange(13):02}00",
        f"offset {n}-{rng.randrange(100, 999)}-{_digits(rng, 4)}-{_digits(rng, 4)}",
        f"v{n % 20}.{n}.{_digits(rng, 4)}+{date}",
        f"ISBN 978-{n % 10}-{_digits(rng, 4)}-{_digits(rng, 4)}-{n % 10}",
        f"ISBN 3-16-14841{n % 10}-{n % 10}",
        f"{rng.uniform(-90, 90):.7f}, {rng.uniform(-180, 180):.7f}",
        f"mac 02:{':'.join(_hex(rng, 2) for _ in range(5))} ip 10.{n % 255}.{n % 99}.{n % 77}",
        f"2{_digits(rng, 3)}.{n % 12 + 1:02}.{n % 27 + 1:02} build {_digits(rng, 8)}",
        f"Process {_digits(rng, 7)} took {n}.{_digits(rng, 6)} s, {_digits(rng, 10)} bytes",
    )


def addresses(rng: random.Random) -> str:
    word, other = rng.sample(WORDS, 2)
    n = rng.randrange(1, 99)
    return _pick(
        rng,
        f"git@github.com:example/{word}-{other}.git",
        f"npm i {word}-{other}@{n}.4.2-beta.1 @scope/{word}@^{n}.0.0",
        f"patches/{word}-{other}@{n}.3.0.patch",
        f"+@pytest.mark.{word}\n+def test_{other}() -> None:",
        f"+@functools.cache\n+def {word}() -> int:",
        f"scores = (q@k.transpose(-2, -1)) / {n}",
        f"this@MainActivity.{word}View({n})",
        f"scp report.pdf deploy@build{n}.example.com:/srv/{word}/",
        f"rsync -a out/ ci@files.example.com:{word}/{other}/",
        f"[deploy@web{n}.example.com ~]$ uptime",
        f"bob@web{n}.example.com: Permission denied (publickey).",
        f"Author: Bob <{_digits(rng, 7)}+bob{n}@users.noreply.github.com>",
        f"Message-ID: <{_uuid(rng)}@mail.example.com>",
        f"https://lore.example.org/git/2026{n % 12 + 1:02}21120000.{_hex(rng, 8)}-1-x@example.com/",
        f"Co-authored-by: bot <noreply@{word}.example>",
        f"{word}@{n}.service loaded active",
        f"icon-{word}@2x.png",
        f"image: registry.example.com/{word}@sha256:{_hex(rng, 64)}",
        f"uses: actions/{word}@v{n}.1.0",
    )


def pieces_of_bytes(rng: random.Random) -> str:
    """Digests and encoded bytes in which a token's first letters came about."""
    begin = rng.choice(["YC", "00", "BSA", "EXO", "sk"])
    tail = begin + of(URLSAFE, 43 - len(begin))(rng)
    wide = of(BASE64, 20)(rng) + "/" + begin + of(ALNUM, 54)(rng)
    return _pick(
        rng,
        f"example/{rng.choice(WORDS)}.py,sha256={tail},{_digits(rng, 4)}",
        f"sha256-{tail[:42]}A=",
        f"data:image/png;base64,{of(BASE64, 400)(rng)}+{begin}{of(ALNUM, 60)(rng)}/{of(BASE64, 300)(rng)}",
        f"MIID{of(BASE64, 60)(rng)}\n{wide[:64]}\n{of(BASE64, 64)(rng)}",
        f"{of(BASE64, 76)(rng)}\n{wide[:76]}\n{of(BASE64, 76)(rng)}",
        f"Key fingerprint = {' '.join(_hex(rng, 4).upper() for _ in range(5))}  {' '.join(_hex(rng, 4).upper() for _ in range(5))}",
        f"SHA1 {_hex(rng, 40).upper()}  BE{_hex(rng, 38).upper()}",
        f"x-amz-id-2: {base64.b64encode(rng.randbytes(56)).decode()}",
        f"GET /_next/static/{of(URLSAFE, 21)(rng)}/_buildManifest.js 200",
    )


def ids(rng: random.Random) -> str:
    return _pick(
        rng,
        f"checkout cs_test_{of(ALNUM, 58)(rng)} of sub_{of(ALNUM, 24)(rng)}",
        f"in_{of(ALNUM, 24)(rng)} ch_{of(ALNUM, 24)(rng)} price_{of(ALNUM, 24)(rng)}",
        f"Cache restored from key: node-cache-Linux-npm-{_hex(rng, 64)}",
        f"Cache saved with key: Linux-pnpm-store-{_hex(rng, 64)}",
        f'"sessionKey": "agent:main:{_uuid(rng)}"',
        f'"ClientRequestToken": "{_uuid(rng)}"',
        f"idempotency_key: {_uuid(rng)}",
        f"X-GitHub-Request-Id: {_hex(rng, 4).upper()}:{_hex(rng, 6).upper()}:{_hex(rng, 8).upper()}",
        f"cf-ray: {_hex(rng, 16)}-FRA",
        f"py311h{_hex(rng, 7)}_0 conda-forge",
        f"dpl_{of(ALNUM, 28)(rng)} pod/api-{of(LOWER, 10)(rng)}-{of(LOWER, 5)(rng)}",
        f"UserId AROA{of(UPPER, 17)(rng)}:deploy",
        f"{{{_uuid(rng).upper()}}}",
        f"p{_digits(rng, 16)} C0{of(UPPER, 9)(rng)} U0{of(UPPER, 9)(rng)}",
    )


def snippets(rng: random.Random) -> str:
    """Code whose names say secret."""
    word, other = rng.sample(WORDS, 2)
    n = rng.randrange(10, 99)
    title = word.title() + other.title()
    return _pick(
        rng,
        f'  readonly WEAK_PASSWORD: "{word}/weak-password";',
        f'  RESET_PASSWORD = "/v{n}/accounts:resetPassword",',
        f'SIGN_IN_WITH_PASSWORD = "signInWithPassword", // {n}',
        f"export function verify(jwt: string | Uint8Array, n{n}: number): void",
        f"  using llvm::{title}Pass::doInitialization; // {n}",
        f"let t{n} = Credentials::{word}_env(); Token::{other}(&t{n})",
        f"{word}-secrets = {word}_secrets.main:{other}",
        f"{word}_token = r'[^\\W\\d]\\w*'  # {n}",
        f'raise Error("unexpected token: " + {word}.value + "(" + {other}.type + ")")',
        f'e("label",{{htmlFor:"{word}_password"}},"Password:"),u?O().createElement("code",null,{n})',
        f'headers["Authorization"] = f"{{scheme}} {{{word}}}"',
        f'callback(null, "access_token=access&refresh_token=refresh&n={n}");',
        f"openssl req -x509 -days {n} -newkey rsa:2048 -keyout {word}.pem -out cert.pem",
        f"#define BIO_CTRL_{word.upper()}_AUTH_KEY {n}",
        f"#define es_{word}_cookie gpgrt_{other}_cookie",
        f"def test_should{title}RunWithSkipIfFalse{n}(self):",
        f"class open_api_3_2_{word}_{title}Visitor extends A{n}",
        f'const pathToken = "{word}{other}"; // {n}',
        f"persistAuthorization:!1,configs:{{}},n:{n}",
        f"def connect(cookie=None, pool={n}, heartbeat=None):",
        f'password = "%({word}_name)s" % {{"{word}_name": {n}}}',
        f"$CPAN::HTTP::Credentials::VERSION = '{n}.9601';",
    )


SEEN: dict[str, Maker] = {
    f"seen-{maker.__name__}": maker
    for maker in (long_numbers, numbers_like_phones, addresses, pieces_of_bytes, ids, snippets)
}
