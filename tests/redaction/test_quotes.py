"""A secret in quotes goes whole, whatever signs it holds and however its language escapes them."""

from __future__ import annotations

import pytest

from hookstream.redaction.quotes import end_of
from hookstream.redaction.scanner import Scanner

GOES_ON = [
    ("PASSPHRASE='", "S.H7x'\\''P.qo)a=+?A", "' duplicity full /home"),
    ("rabbitmqctl add_user app '", "P4`Eu?9y<'\\''aJ7Z", "'"),
    ("CREATE USER app IDENTIFIED WITH sha256_password BY '", "J*hExI$\\'1}\\'hB|e%[4Y", "' HOST x"),
    ("ALTER USER app IDENTIFIED BY '", "q7!x''Lm29z", "';"),
    ('composer config --global http-basic.x.example app "', "TLv%q5#vW12.2d", '"'),
    ('docker run -e POSTGRES_PASSWORD="', "o=Zc<Hjc;.hgB{{Gt", '" postgres:16'),
    ("    - password: '", "ACcUZ[9=Wr]lC4", "'"),
    ('keystorePass="', "xD(H-w^}@.kc\\||viG~S-oi", '" clientAuth="false"/>'),
]


@pytest.mark.parametrize(("before", "secret", "after"), GOES_ON)
def test_nothing_of_a_quoted_secret_stays(before: str, secret: str, after: str) -> None:
    text = before + secret + after
    found = Scanner("python").scan(text)
    assert [text[start:end] for start, end, _ in found] == [secret]


LINES = [
    ("Password: ", 'XWX]un@6TxEOo"=5%|O!|7IA'),
    ("#DB_PASSWORD=", "65<67}1h$hT<E:)$1ga;iklq"),
    ("ansible_password=", "vPF,k1tKg*.Xuhbn}SmKX"),
    ("admin_passwd = ", "hdwtTEYUH.[[qT?wO3N"),
    ("password = ", "Bacon Turnip Shovel Onyx Candle"),
    ("ansible_become_password: ", "Tulip.Cedar.Spruce.Yodel.Candle"),
]


@pytest.mark.parametrize(("before", "secret"), LINES)
def test_nothing_of_a_line_of_settings_stays(before: str, secret: str) -> None:
    text = f"host=db.internal\n{before}{secret}\nport=5432"
    found = Scanner("python").scan(text)
    assert [text[start:end] for start, end, _ in found] == [secret]


CLEAN = [
    "user=bob\npassword=<your password>\nport=1",
    'user=bob\npassword="${DB_PASSWORD}"\nport=1',
    "password: must hold one of \"'`<>\n",
    "password = config['db'][0].get(\"password\")\n",
    "setPassword(form.elements['password'].value)",
    "password: Please Choose A Strong Password\n",
    "const PasswordField: Content-Security-Policy-Report",
    'secretName: "orders-prod-database-credentials"',
]


@pytest.mark.parametrize("text", CLEAN)
def test_code_and_prose_stay(text: str) -> None:
    assert Scanner("python").scan(text) == []


@pytest.mark.parametrize("text", ["x = 'abc', 'def'", "x='abc' 'def'", "x = 'abc''", "x='abc'"])
def test_a_value_ends_at_its_own_quote(text: str) -> None:
    start = text.index("abc")
    assert end_of(text, start, start + 3) == start + 3


FIELDS = [
    ("2025-01-01 login user=app password=", "qZO;'RH8^#FTQ", " status=ok"),
    ("ansible-playbook x.yml -e 'ansible_password=", 'SF5NbVCWH}F/"Ma|g#3F', "'"),
    ("Server=db;User Id=app;Password=", 'Vqlr$>2_|}vSB"b9I&1uk', ";Encrypt=true"),
    ("set DB_PASSWORD=", "UFLUoQASRR5V-m6(<Vu2-Yid", "\r\nrun.bat"),
    ("please use password: ", "zc0Mv6QOF6m[F", "\nthanks"),
    ("docker run -e POSTGRES_PASSWORD='", "Nl7\"'\"'\"'U2gNGLS", "' postgres"),
    ('user,password,port\napp,"', 'qL^t""NPY,g73x', '",1'),
    ('{\\"password\\": \\"', '83le1yZS9\\\\\\"ISK9EsRI', '\\", \\"port\\": 1}'),
]


@pytest.mark.parametrize(("before", "secret", "after"), FIELDS)
def test_a_field_goes_whole(before: str, secret: str, after: str) -> None:
    text = before + secret + after
    assert [text[a:b] for a, b, _ in Scanner("python").scan(text)] == [secret]


CODE = [
    "connect(user=name2, password=getUser2(Id))",
    "password: Type1<Value2>;",
    "curl -d password=$PASS1&next=Home2 https://x.test",
    "password = users[0].Credential2",
    "params: {password: Joi.string().min(8)}",
    "password=${DB_PASSWORD:?Not Set 1}",
    'echo "password=$(Get-Pass1)"',
]


@pytest.mark.parametrize("text", CODE)
def test_a_field_of_a_program_stays(text: str) -> None:
    assert Scanner("python").scan(text) == []


INSTEAD = [
    "${DB_PASSWORD}",
    "<your-password>",
    "********",
    "{{ vault_password }}",
    "[REDACTED]",
    "op://prod/db/password",
]


@pytest.mark.parametrize("value", INSTEAD)
def test_what_stands_for_a_secret_stays_however_it_is_spelt(value: str) -> None:
    from html import escape
    from json import dumps
    from urllib.parse import quote

    scanner = Scanner("python")
    assert scanner.scan(f"https://x.test/login?user=app&password={quote(value, safe='')}&b=1") == []
    assert scanner.scan(f"<user>app</user><password>{escape(value)}</password>") == []
    assert scanner.scan('{"password": ' + dumps(value.replace("*", "\u2022")) + "}") == []
    assert scanner.scan(f"./tool --user app --password '{value}' --port 1") == []


def test_signs_spelt_out_again_and_again_cost_no_stack() -> None:
    text = 'password = "%' + "25" * 1000 + '"'
    assert [rule for _, _, rule in Scanner("python").scan(text)] == ["assigned-secret"]
