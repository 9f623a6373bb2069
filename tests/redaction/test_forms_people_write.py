"""Secrets and personal data in the forms that people write them, and what only looks like them."""

from __future__ import annotations

import base64
import gzip
import json
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hookstream
from hookstream.redaction.compile import load

TOKEN = "f7q09lkq" + "wertz81kd9qw4mna"
PASSWORD = "Zx81k" + "d9Qw7"
OTHER = "Qx9cc" + "J11HKw8"
PAT = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
OPERATORS = load("names")["operators"]
FORMS = ('$slackToken {} "{}";', "$cfg['api_token'] {} '{}';", "this.apiToken {} `{}`;")
IN_BRACES = ("$h{{password}} {} '{}';", "$h->{{'password'}}{}\"{}\";", "h[:password]{}'{}'")
PERL = ("=", ".=", "||=", "//=", "+=", "|=")


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("form", FORMS)
def test_every_operator_assigns(operator: str, form: str) -> None:
    assert TOKEN not in hookstream.redact(form.format(operator, TOKEN))


@pytest.mark.parametrize("operator", PERL)
@pytest.mark.parametrize(
    "form", ["$h{{password}} {} '{}';", "$h->{{'password'}}{}\"{}\";", "h[:password]{}'{}'"]
)
def test_an_operator_assigns_in_braces(operator: str, form: str) -> None:
    assert PASSWORD not in hookstream.redact(form.format(operator, PASSWORD))


@pytest.mark.parametrize("operator", ["::=", ":::=", ":=", "?=", "=", ".=", "||=", "<-"])
def test_an_operator_assigns_without_quotes(operator: str) -> None:
    assert hookstream.redact(f"DB_PASSWORD {operator} {PASSWORD}").startswith("DB_PASSWORD ")
    assert PASSWORD not in hookstream.redact(f"DB_PASSWORD {operator} {PASSWORD}")


COMMANDS = [
    f"curl -u :{PASSWORD} https://api.example.com",
    f'curl --user ":{PASSWORD}" https://api.example.com',
    f"curl -su :{PASSWORD} https://api.example.com",
    f"curl -U :{PASSWORD} -x proxy.test:1 https://api.example.com",
    f"xh -a :{PASSWORD} https://api.example.com",
    f'curl -u "{PASSWORD}!:" https://api.example.com',
    f"xh api.example.com -A bearer -a {PASSWORD}",
    f"http --auth-type=bearer --auth={PASSWORD} api.example.com",
    f"psql postgresql://app:{OTHER}@h1:5432,app:{PASSWORD}@h2:5432/db",
    f"x mongodb://h0:27017,a:{OTHER}@h1,b:{PASSWORD}@h2/?w=1",
    f"x redis-sentinel://:{OTHER}@h1:26379,:{PASSWORD}@h2:26379",
    f"x mysql://r:{OTHER}@h1,r:x1{OTHER}@h2,r:{PASSWORD}@h3/db",
    f"export API_TOKEN=\"{OTHER}\"'{PASSWORD}'",
    f'export API_TOKEN={OTHER}"{PASSWORD}"',
]
CALLS = [
    "new PDO($dsn, 'u', '{}')",
    "new PDO('mysql:host=h', 'u', '{}')",
    "new mysqli($host, 'u', '{}', 'db')",
    "PlainTextAuthProvider('u','{}')",
    'new DirectoryEntry("LDAP://x", "dom\\\\adm", "{}")',
    'DriverManager.getConnection(url, "sa", "{}")',
    "imap_open('{{host}}INBOX', 'u', '{}')",
    'ldap_bind($link, "cn=admin", "{}")',
    'ConnectionFactory.createConnection("u", "{}")',
    "Net::FTP.open('h', 'u', '{}')",
    'new NetworkCredential("u", "{}")',
    'sql.Open("mysql", "u:{}@/db")',
]
WRITTEN = [
    "my $password = q({});",
    "my $password = qq{{{}}};",
    "password = [[{}]]",
    "\u201cpassword\u201d = \u201c{}\u201d",
    "spring.datasource.password\\={}",
    'public string? Password {{ get; private set; }} = "{}";',
    'var password: String? = "{}"',
    "const password = config.pw ?? '{}'",
    "password = cfg.get('pw') or '{}'",
    "DB_PASSWORD=${{1:-{}}}",
    "password=[-old-]{{+{}+}}",
    "passwords:\n  - first\n  - {}\n",
    '<credentials host="h" user="u" passwd="{}"/>',
    "Password: <kbd>{}</kbd>",
    "PW={}",
    'SecretString::new("{}".into())',
    "server.login(user, '{}')",
    'set pass "{}"',
    "ftp -n h <<E\nuser bob {}\nE",
    "cvs -d :pserver:bob:{}@h:/r login",
    'user = "bob:{}"',
    '["curl", "-u", "bob:{}", "https://x.test"]',
    "curl --cert c.pem:{} https://x.test",
    "enable secret 0 {}",
    "bob:{{PLAIN}}{}::::::",
    "PASS {}\r\nNICK bob",
    'a1 LOGIN bob "{}"',
    "caddy hash-password --plaintext {}",
    "password: !unsafe '{}'",
]
BLOCKS = [
    f"stringData:\n  hmac: |-\n    {PASSWORD}\n",
    f"kind: Secret\nstringData:\n  hmac: >-\n    {TOKEN}\n  other: |\n    {PASSWORD}\n",
    f"stringData:\n  key: {PASSWORD}\n",
    f"api_token: |2-\n      {PASSWORD}\nuser: x",
]
PARTS = [
    f'--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n{PASSWORD}\r\n--b--',
    f'--b\nContent-Disposition: form-data; name="user[password]"\n\n{PASSWORD}\n--b--',
    f'form-data; name="secret"\r\nContent-Type: text/plain\r\n\r\n{PASSWORD}\r\n--b--',
    f'form-data; name=\\"password\\"\\r\\n\\r\\n{PASSWORD}\\r\\n--b--',
]
SAID = [
    "API-Schlüssel lautet {}",
    "Mein Zugangsschlüssel lautet {}.",
    "La clé d'API est {}",
    "la chiave API è {}",
    "a chave da API é {}",
    "de API-sleutel is {}",
    "API-nyckeln är {}",
]


@pytest.mark.parametrize(
    "text",
    [*COMMANDS, *(form.format(PASSWORD) for form in (*CALLS, *WRITTEN)), *BLOCKS, *PARTS],
)
def test_a_password_is_removed(text: str) -> None:
    assert PASSWORD not in hookstream.redact(text)


@pytest.mark.parametrize("text", SAID)
def test_a_key_is_removed_in_other_languages(text: str) -> None:
    assert TOKEN not in hookstream.redact(text.format(TOKEN))


@pytest.mark.parametrize("depth", range(6))
def test_json_in_json(depth: int) -> None:
    text = json.dumps({"password": PASSWORD})
    for _ in range(depth):
        text = json.dumps({"body": text})
    assert PASSWORD not in hookstream.redact(text)


UNSEEN = st.sampled_from(
    [
        "\u00ad",
        "\u200b",
        "\u200e",
        "\u200f",
        "\u202d",
        "\u2060",
        "\u2066",
        "\ufeff",
        "\x1b[0m",
        "\x1b[1;38;5;208m",
        "\x1b]8;;https://x.test\x1b\\",
        "\\u001b[32m",
        "\\033[0m",
        "\\u200b",
        "x\x08",
        "xyz\x08\x08\x08",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from([PAT, f"api_token={TOKEN}"]), st.lists(st.tuples(st.integers(0, 39), UNSEEN))
)
def test_what_no_screen_shows_hides_nothing(text: str, marks: list[tuple[int, str]]) -> None:
    """The scanner sees a text as a person does, wherever the marks are."""
    for at, mark in sorted(marks, reverse=True):
        text = text[:at] + mark + text[at:]
    shown = hookstream.redact(f"echo {text} now")
    assert "[REDACTED:" in shown
    assert shown.startswith("echo ")
    assert shown.endswith(" now")
    assert TOKEN[6:18] not in shown
    assert PAT[12:24] not in shown


@pytest.mark.parametrize("text", [f"password: {PASSWORD}", PAT])
def test_a_letter_struck_twice_is_one_letter(text: str) -> None:
    bold = "".join(f"{char}\x08{char}" for char in text)
    underlined = "".join(f"_\x08{char}" for char in text)
    assert "\x081" not in hookstream.redact(bold)
    assert "\x081" not in hookstream.redact(underlined)


def test_letters_by_octal_codes() -> None:
    codes = "".join(f"\\{ord(char):03o}" for char in PAT)
    assert codes[20:60] not in hookstream.redact(f"printf '{codes}'")


def twice(data: bytes) -> bytes:
    return base64.b64encode(base64.b64encode(data))


@pytest.mark.parametrize(
    ("encode", "command"),
    [
        (twice, "echo {} | base64 -d | base64 -d"),
        (lambda data: base64.b64encode(gzip.compress(data)), "echo {} | base64 --decode | gunzip"),
        (lambda data: base64.b64encode(zlib.compress(data)), "zlib.decompress(b64decode('{}'))"),
        (base64.b32encode, "echo {} | base32 -d"),
        (
            lambda data: base64.b64encode(data.decode().encode("utf-16-le")),
            "powershell -enc {}",
        ),
        (
            lambda data: base64.b64encode(data.decode().encode("utf-16-le")),
            "powershell.exe -EncodedCommand {}",
        ),
    ],
)
def test_encodings_within_encodings(encode: Callable[[bytes], bytes], command: str) -> None:
    run = encode(f"export API_TOKEN={TOKEN} # {PAT}".encode()).decode()
    assert run[8:40] not in hookstream.redact(command.format(run))
    plain = encode(b"the quick brown fox jumps over the lazy dog again").decode()
    assert hookstream.redact(command.format(plain)) == command.format(plain)


UUID = "96726c78_4ae3_402f_b08b_7a78c6903d2a"
HEX = "7a388b69018576d2" + "4b59331fd60aab0c"


@pytest.mark.parametrize(
    "text",
    [
        f"cp assets/video_box.ico-{HEX}.png out/",
        f"cp gifs/api-{HEX}.gif x",
        f"rm dist/live_{HEX}.js",
        f"def test_api_org_{UUID}(self): pass",
        f"pytest tests/test_a.py::test_api_org_{UUID}",
        "SUMO_ACCESS_KEY=`etcdctl get /sumologic_secret`",
        "SUMO_ACCESS_KEY=$(etcdctl get /sumologic_secret)",
        "TOKEN=`consul kv get app/token1`",
        'PASSWORD="`chamber read svc db_pw1`"',
        'labels={usernameLabel:"Username or email:",passwordLabel:"Password:",xLabel:"x:"}',
        '{passwordLabel: "New password:", confirmLabel: "Confirm:"}',
        "run Password=@pw",
        "curl -u : --negotiate https://api.example.com",
        "curl -u admin: https://api.example.com",
        "x mongodb://h1:27017,h2:27017/db",
        "new PDO($dsn, $user, $password)",
        'Content-Disposition: form-data; name="file"\r\n\r\nhello\r\n',
        "token ::= ident | number",
        "credential_process = aws-vault exec",
        "tokens:\n  - access\n  - refresh\n",
        "secrets:\n  - db_password\n",
        "const token = opts.token ?? readToken()",
        'public string Password { get; set; } = "";',
        "PASS src/a.test.js\nPASS src/b.test.js",
        "user bob logged in",
        "pw = getpass()",
        'user: "app:app"',
        '["docker", "run", "-u", "1000:1000", "img"]',
        "password: !Ref DBPassword",
        "the key \u200band the lock",
        "token_type=Bearer expires_in=3600",
        'print(f"{password}: {count}")',
        "docker run -v ${SECRET}:/run/secret img",
        "look at polka dot dresses",
        "NA\x08AM\x08ME\x08E",
    ],
)
def test_what_looks_like_a_secret_stays(text: str) -> None:
    assert hookstream.redact(text) == text


# The word that names it, and what is personal in two pieces.
PERSONAL = [
    ("SSN: ", "536.22.", "8726"),
    ("ITIN ", "912 91 ", "3457"),
    ("itin: ", "91291", "3457"),
    ("NRIC ", "M433", "2674T"),
    ("card ", "305693", "09025904"),
    ("Diners ", "3056 930902 ", "5904"),
    ("UnionPay ", "62000000", "00000005"),
    ("Maestro ", "6759 6498 ", "2643 8453"),
    ("IBAN ", "DE89-3704-0044-", "0532-0130-00"),
    ("iban ", "de8937040044", "0532013000"),
    ("IBAN: ", "gb29 nwbk 6016 ", "1331 9268 19"),
    ("https://x.test/send?to=%2B", "493090", "182134"),
    ("to=", "%2B44%2020%207946", "%200958"),
    ("Telefon: ", "030 90", "182134"),
    ("Handy ", "0151 2345", "6789"),
    ("write to b.neu", "meier [at] ", "example.com"),
    ("b.neumeier at ", "example dot ", "com"),
    ("https://host.test/~", "bneu", "meier/x"),
    ('From: "Berta ', "Neu", 'meier" <b@example.com>'),
    ("Signed-off-by: Berta ", "Neu", "meier <b@example.com>"),
    ("git config user.name 'Berta ", "Neu", "meier'"),
    ('x "', "Neumeier", ', Berta" <b@example.com>'),
    ("https://wa.me/", "493090", "182134"),
    ("cc ", "62000000", "00000005"),
    ("write to b.neu", "meier&#64;", "example.com"),
]


@pytest.mark.parametrize(("word", "head", "tail"), PERSONAL)
def test_personal_data_after_the_word_that_names_it(word: str, head: str, tail: str) -> None:
    shown = hookstream.redact(word + head + tail)
    assert head.strip() not in shown.replace(word, "")
    assert (head + tail).split("/")[0] not in shown


@pytest.mark.parametrize(
    "text",
    ["536.22.8726", "30569309025904", "de89370400440532013000", "M4332674T", "a%2B4930901821"],
)
def test_a_number_without_its_word_stays(text: str) -> None:
    assert hookstream.redact(f"see {text} there") == f"see {text} there"
