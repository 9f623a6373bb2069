"""A further slice: generated passwords that hold any sign, spelt as each language wants them.

Of 5,400 such passwords in 54 places 0.929 went whole before the rules were improved for them: a
bracket in one looked like a call, a quote ended it. A place that no language escapes (a line of a
log) is as hard as it looks.
"""

# ruff: noqa: E501 (a template stays on one line)
from __future__ import annotations

import json
import random
import string
import urllib.parse
from collections.abc import Callable
from xml.sax.saxutils import escape

SIGNS = "!#$%&()*+,-./:;<=>?@[]^_{|}~\"'`\\"
EACH = 12

# How a value is spelt; one that cannot stand in a place holds a sign that `WITHOUT` names.
SPELT: dict[str, Callable[[str], str]] = {
    "": str,
    "shell": lambda value: value.replace("'", "'\\''"),
    "double": lambda value: value.replace("\\", "\\\\").replace('"', '\\"'),
    "single": lambda value: value.replace("\\", "\\\\").replace("'", "\\'"),
    "sql": lambda value: value.replace("'", "''"),
    "csv": lambda value: value.replace('"', '""'),
    "json": lambda value: json.dumps(value)[1:-1],
    "json2": lambda value: json.dumps(json.dumps(value)[1:-1])[1:-1],
    "url": lambda value: urllib.parse.quote(value, safe=""),
    "xml": lambda value: escape(value, {'"': "&quot;"}),
}
WITHOUT = {"dotenv-single": "'", "backticks": "`", "dsn": ";", "ansible": "'", "table": "|"}
# fmt: off
PLACES: tuple[tuple[str, str, str], ...] = (
    ("dotenv-double", 'DB_PASSWORD="§"\nPORT=1', "double"),
    ("dotenv-single", "DB_PASSWORD='§'\nPORT=1", ""),
    ("dotenv-bare", "DB_PASSWORD=§\nPORT=1", ""),
    ("ini", "[db]\nuser = app\npassword = §\nport = 1", ""),
    ("properties", "spring.datasource.username=app\nspring.datasource.password=§\n", ""),
    ("yaml-double", 'db:\n  user: app\n  password: "§"\n  port: 1', "double"),
    ("yaml-single", "db:\n  user: app\n  password: '§'\n  port: 1", "sql"),
    ("json", '{"user": "app", "password": "§", "port": 1}', "json"),
    ("json2", '{"body": "{\\"user\\": \\"app\\", \\"password\\": \\"§\\", \\"port\\": 1}"}', "json2"),
    ("toml", 'user = "app"\npassword = "§"\n', "double"),
    ("python", 'conn = connect(host="db", user="app", password="§", port=1)', "double"),
    ("python-single", "conn = connect(host='db', user='app', password='§', port=1)", "single"),
    ("python-environ", 'os.environ["DB_PASSWORD"] = "§"', "double"),
    ("javascript", "const pool = new Pool({ user: 'app', password: '§', port: 1 });", "single"),
    ("go", 'cfg := Config{User: "app", Password: "§", Port: 1}', "double"),
    ("java", 'ds.setUsername("app");\nds.setPassword("§");\nds.setPort(1);', "double"),
    ("csharp", 'var c = new Cred { User = "app", Password = "§" };', "double"),
    ("php", "'username' => 'app',\n'password' => '§',\n'port' => 1,", "single"),
    ("export", "export DB_PASSWORD='§'; ./run.sh", "shell"),
    ("flag", "./tool --user app --password '§' --port 1", "shell"),
    ("flag-equals", './tool --user app --password="§" --port 1', "double"),
    ("inline", "PGPASSWORD='§' psql -h db -U app", "shell"),
    ("curl", "curl -u 'app:§' https://x.example/", "shell"),
    ("mysql", "mysql -u app -p'§' -h db", "shell"),
    ("url", "postgres://app:§@db:5432/x?sslmode=require", "url"),
    ("query", "https://x.example/login?user=app&password=§&next=home", "url"),
    ("form", "user=app&password=§&submit=1", "url"),
    ("xml", "<user>app</user>\n<password>§</password>\n<port>1</port>", "xml"),
    ("xml-attribute", '<db user="app" password="§" port="1"/>', "xml"),
    ("sql", "CREATE USER app WITH PASSWORD '§';", "sql"),
    ("mysql-sql", "ALTER USER 'app'@'%' IDENTIFIED BY '§';", "single"),
    ("log", "2025-01-01 12:00:00 DEBUG login user=app password=§ status=ok", ""),
    ("log-json", '{"level":"debug","msg":"connecting","password":"§","port":1}', "json"),
    ("prose", "The database password is § and the port is 1.", ""),
    ("prose-colon", "please use password: §\nthanks", ""),
    ("backticks", "Use the password `§` for the admin login.", ""),
    ("diff", '-  password: old\n+  password: "§"\n   port: 1', "double"),
    ("terraform", 'resource "x" "y" {\n  username = "app"\n  password = "§"\n}', "double"),
    ("docker", "docker run -e POSTGRES_PASSWORD='§' postgres", "shell"),
    ("compose", "    environment:\n      - POSTGRES_PASSWORD=§\n      - A=1", ""),
    ("compose-map", "    environment:\n      POSTGRES_PASSWORD: §\n      A: 1", ""),
    ("kubernetes", "stringData:\n  password: §\n  user: app", ""),
    ("dsn", "Server=db;Database=x;User Id=app;Password=§;Encrypt=true", ""),
    ("netrc", "machine x.example login app password §\n", ""),
    ("traceback", "  File \"a.py\", line 3, in f\n    login(user='app', password='§')\nValueError: x", "single"),
    ("header", "X-Api-Password: §\nAccept: */*", ""),
    ("sshpass", "sshpass -p '§' ssh app@db", "shell"),
    ("ansible", "ansible-playbook x.yml -e 'ansible_password=§'", ""),
    ("table", "| user | password |\n|---|---|\n| app | § |", ""),
    ("csv", 'user,password,port\napp,"§",1', "csv"),
    ("powershell", "$env:DB_PASSWORD = '§'", "sql"),
    ("cmd", "set DB_PASSWORD=§\r\nrun.bat", ""),
)
# fmt: on


def generated(rng: random.Random, without: str) -> str:
    """10 to 24 characters, all kinds among them; a letter or a digit at either end."""
    plain = string.ascii_letters + string.digits
    signs = "".join(char for char in SIGNS if char not in without)
    while True:
        size = rng.randrange(10, 25)
        value = "".join(
            rng.choice(plain + signs if rng.random() < 0.6 else plain) for _ in range(size)
        )
        kinds = (str.isdigit, str.isupper, str.islower)
        if all(any(map(kind, value)) for kind in kinds) and (value[0] + value[-1]).isalnum():
            return value


def secrets(seed: int) -> list[tuple[str, str, str, str]]:
    """(kind, context, text, the secret as it stands there)."""
    rng = random.Random(seed + 8)
    out: list[tuple[str, str, str, str]] = []
    for context, template, form in PLACES:
        for _ in range(EACH):
            shown = SPELT[form](generated(rng, WITHOUT.get(context, "")))
            text = template.replace("\u00a7", shown)
            out.append(("password-with-signs", f"signs-{context}", text, shown))
    return out
