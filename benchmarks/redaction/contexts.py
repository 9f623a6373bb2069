"""Where secrets stand: templates of {name}, {value} and plain words around them.

`{value}` is written as the syntax demands (escaped, quoted), so that only a reader of that syntax
finds it. Each maker gives (text, the secret as it stands in the text).
"""

from __future__ import annotations

import base64
import json
import urllib.parse
from collections.abc import Callable

Context = Callable[[str, str], tuple[str, str]]


def template(text: str) -> Context:
    return lambda name, value: (text.replace("{name}", name).replace("{value}", value), value)


def _json(name: str, value: str) -> tuple[str, str]:
    shown = json.dumps(value)[1:-1]
    return json.dumps({"region": "eu-west-1", name: value, "retries": 3}), shown


def _pretty_json(name: str, value: str) -> tuple[str, str]:
    text = json.dumps({"service": {"host": "db.internal", name: value}, "debug": False}, indent=2)
    return text, json.dumps(value)[1:-1]


def _json_in_json(name: str, value: str) -> tuple[str, str]:
    inner = json.dumps({"tool": "deploy", name: value, "dry": True})
    return json.dumps({"arguments": inner, "id": 7}), json.dumps(json.dumps(value)[1:-1])[1:-1]


def _base64(name: str, value: str) -> tuple[str, str]:
    head = name + "=" * (3 - len(name) % 3)  # so that the value's own groups can be told apart
    shown = base64.b64encode(value.encode()).decode()
    before = base64.b64encode(head.encode()).decode()
    return f"echo {before}{shown} | base64 -d > /etc/app/env && systemctl restart app", shown


def _percent(name: str, value: str) -> tuple[str, str]:
    shown = urllib.parse.quote(value, safe="")
    text = f"https://example.com/cb?state=1&next=%2Fhome&{name}%3D{shown}%26x%3D1 returned 302"
    return text, shown


# For anything: tokens with a format and values that only their name gives away.
NAMED: dict[str, Context] = {
    "shell-export": template("cd /srv/app && export {name}='{value}' && make deploy"),
    "shell-inline": template("{name}={value} ./run.sh --fast 2>&1 | tail -n 20"),
    "shell-set": template('set -a\n{name}="{value}"\nset +a\ndocker compose up -d'),
    "env-file": template("# settings of the app\nDEBUG=1\n{name}={value}\nPORT=8080\n"),
    "dockerfile": template("FROM python:3.12-slim\nENV {name}={value}\nRUN pip install flask\n"),
    "docker-run": template("docker run --rm -e {name}={value} -p 8080:80 app:latest"),
    "json": _json,
    "json-pretty": _pretty_json,
    "json-in-json": _json_in_json,
    "yaml": template("service:\n  host: db.internal\n  {name}: {value}\n  retries: 3\n"),
    "yaml-quoted": template('service:\n  {name}: "{value}"  # rotate in May\n  retries: 3\n'),
    "compose-list": template("environment:\n  - DEBUG=1\n  - {name}={value}\n  - PORT=80\n"),
    "kubernetes-env": template('env:\n  - name: {name}\n    value: "{value}"\n  - name: PORT\n'),
    "toml": template('[service]\nhost = "db.internal"\n{name} = "{value}"\nretries = 3\n'),
    "ini": template("[service]\nhost = db.internal\n{name} = {value}\nretries = 3\n"),
    "properties": template("app.host=db.internal\napp.{name}={value}\napp.retries=3\n"),
    "xml": template("<service><host>db.internal</host><{name}>{value}</{name}></service>"),
    "xml-attribute": template('<add key="{name}" value="{value}" /><add key="Host" value="db" />'),
    "python": template('client = Client(host="db.internal", {name}="{value}", retries=3)'),
    "python-environ": template('os.environ["{name}"] = "{value}"\nmain(sys.argv)'),
    "javascript": template(
        "const config = { host: 'db.internal', {name}: '{value}', retries: 3 };"
    ),
    "typescript": template('const {name}: string = "{value}";\nexport default app;'),
    "go": template('cfg := Config{Host: "db.internal", {name}: "{value}"}\nreturn cfg'),
    "go-assign": template('{name} := "{value}"\nfmt.Println("started")'),
    "ruby": template("config = { :host => 'db.internal', :{name} => '{value}' }"),
    "php": template("$config = ['host' => 'db.internal', '{name}' => '{value}'];"),
    "powershell": template('$env:{name} = "{value}"; Invoke-Build -Fast'),
    "diff": template(
        "diff --git a/.env b/.env\n@@ -1,3 +1,3 @@\n DEBUG=1\n-{name}={value}\n+{name}=\n PORT=80\n"
    ),
    "diff-added": template(
        "@@ -10,2 +10,3 @@ def main():\n     host = 'db'\n+    {name} = '{value}'\n"
    ),
    "traceback": template(
        'Traceback (most recent call last):\n  File "app.py", line 12, in connect\n'
        "    connect(host='db', {name}='{value}')\nConnectionError: refused\n"
    ),
    "log": template("2026-11-21T10:00:00Z INFO boot {name}={value} attempt=3 ok"),
    "percent-encoded": _percent,
    "base64": _base64,
    "cli-flag-equals": template("deployctl push --region=eu --{name}={value} --wait"),
}

# For values of secrets with a format, where no name helps.
BARE: dict[str, Context] = {
    "prose": template("Please use {value} for the staging cluster and tell me when it is done."),
    "prose-end": template("The old one stopped working, here is a new one: {value}."),
    "header-bearer": template(
        "curl -sS -H 'Authorization: Bearer {value}' https://api.example.com/v1"
    ),
    "header-custom": template(
        "GET /v1/items HTTP/1.1\nHost: example.com\nX-Auth-Token: {value}\n\n"
    ),
    "url-query": template("GET https://api.example.com/v1/items?limit=10&auth={value}&page=2"),
    "url-userinfo": template("git clone https://oauth2:{value}@git.example.com/team/repo.git /src"),
    "cli-flag": template("deployctl login --token {value} --region eu-west-1"),
    "argument": template("./upload.sh {value} report.pdf"),
    "markdown": template("Steps:\n1. open the page\n2. paste `{value}`\n3. press save\n"),
    "csv": template("id,name,value\n7,deploy,{value}\n8,test,none\n"),
    "html": template('<input type="hidden" name="t" data-x="{value}"><p>Welcome back</p>'),
    "error": template("401 Unauthorized: credential {value} was rejected by the upstream server"),
    "xml-text": template("<config><item>{value}</item><mode>fast</mode></config>"),
}

# For values without a format: contexts that say secret by themselves.
SAID: dict[str, Context] = {
    "url-userinfo-db": template("psql postgres://app:{value}@db.internal:5432/shop -c 'select 1'"),
    "connection-string": template(
        "Server=db.internal;Database=shop;User Id=sa;Password={value};Encrypt=true"
    ),
    "curl-user": template("curl -u admin:{value} https://api.example.com/v1/items"),
    "cli-password": template("deployctl login --user bob --password {value} --region eu"),
    "sql": template("CREATE USER app WITH LOGIN PASSWORD '{value}' VALID UNTIL '2027-01-01';"),
    "mysql-identified": template(
        "CREATE USER 'app'@'%' IDENTIFIED BY '{value}';\nFLUSH PRIVILEGES;"
    ),
    "mysql-flag": template("mysql -h db.internal -u root -p{value} shop < dump.sql"),
    "sshpass": template("sshpass -p {value} ssh deploy@10.0.0.5 uptime"),
    "netrc": template("machine api.example.com\n  login bob\n  password {value}\n"),
    "prose-is": template("Log in as bob, the password is {value} and the port is 8443."),
    "sudo-pipe": template("echo {value} | sudo -S systemctl restart app"),
    "header-basic-key": template("GET /v1 HTTP/1.1\nHost: example.com\nX-Api-Key: {value}\n\n"),
    "cookie": template(
        "GET / HTTP/1.1\nHost: example.com\nCookie: theme=dark; session={value}\n\n"
    ),
    "url-password": template("https://example.com/login?user=bob&password={value}&next=/home"),
    "redis": template("redis-cli -h cache.internal -a {value} ping"),
    "powershell-secure": template("$p = ConvertTo-SecureString '{value}' -AsPlainText -Force"),
}
